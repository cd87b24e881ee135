#include "step/loaded_treads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"

namespace klingel::step {
namespace {

// Damping of the contact: its tangent stiffness times this. A flange on a rigid rail flutters at
// some 100 Hz if friction is high and nothing damps it; the article's flange has 2e-3 s.
constexpr double tread_damping = 1e-4, flange_damping = 5e-4;  // s

// Of profiles that change along the track the mean: the stiffness decides about hundredths of a
// millimetre.
double mean_stiffness(const WheelData& wheel, bool flange) {
  const auto k = [&](const contact::ChartedPair& pair) {
    return flange ? pair.flange->k : pair.tread.k;
  };
  if (wheel.places.empty()) return k(*wheel.pair);
  double sum = 0;
  for (const ChartPlace& place : wheel.places) sum += k(*place.pair);
  return sum / static_cast<double>(wheel.places.size());
}

}  // namespace

LoadedTreads::LoadedTreads(const Description& vehicle)
    : tread(vehicle.data),
      flange(vehicle.data),
      groups(wheelset_groups(tread)),
      sets(tread.forces.size()),
      slipping(tread.forces.size()),
      track(vehicle, tread) {
  for (std::size_t g = 0; g < sets.size(); ++g) {
    Set& s = sets[g];
    s.tread.damping = tread_damping, s.flange.damping = flange_damping;
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      const WheelData& wheel = vehicle.data.wheels[i];
      if (wheel.pair == nullptr)
        base::fail("the wheel '{}' has no charts of loaded contact, others have", wheel.name);
      const spline::CubicSpline& f_w = wheel.surface.f_w;
      s.at.occupy(lane, *wheel.pair, vehicle.rail(i).line, wheel.side,
                  f_w.value(std::clamp(0.0, f_w.begin(), f_w.end())), wheel.y_w);
      s.load[lane] = wheel.pair->load;
      s.climbed[lane] = wheel.pair->flange_height > 0 ? 0.9 * wheel.pair->flange_height : INFINITY;
      s.at.set_places(lane, wheel.places);
      s.tread.k[lane] = mean_stiffness(wheel, false);
      s.flange.k[lane] = wheel.pair->flange ? mean_stiffness(wheel, true) : 0;
    });
  }
}

namespace {

void place_rails(LoadedTreads& treads, std::span<const double> track, bool moving) {
  if (!treads.track.given() || track.empty()) return;
  for (std::size_t g = 0; g < treads.sets.size(); ++g)
    treads.track.place(treads.tread, g, track, moving, treads.sets[g].at);
}

}  // namespace

void take_feet(LoadedTreads& treads, const Description& vehicle, const VehicleState& from) {
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    treads.sets[set].at.set_s_r(lane, from.tread[i].s[2]);
  }
  place_rails(treads, from.track, false);
}

void evaluate(LoadedTreads& treads, const Instant& at) {
  const Points& tread = treads.tread;
  for (const std::vector<std::size_t>& group : treads.groups) {
    const std::size_t first = group.front();
    const WheelsetMotion motion(tread.rows(first, at.poses, 12), tread.rows(first, at.twists, 7),
                                tread.rows(first, at.biases, 6));
    for (const std::size_t g : group) treads.sets[g].at.evaluate(motion);
  }
}

void take_state(LoadedTreads& treads, const Description&, const PackedState& state,
                const Instant& at) {
  for (std::size_t g = 0; g < treads.sets.size(); ++g)
    treads.sets[g].at.set_s_r(state.tread[g].s[2]);
  place_rails(treads, state.track, true);
  evaluate(treads, at);
}

std::size_t first_off_line(const LoadedTreads& treads, const Description& vehicle) {
  std::size_t wheel = 0;
  for (; wheel < vehicle.w; ++wheel) {
    const auto [set, lane] = treads.tread.lane_of(wheel);
    if ((treads.sets[set].at.on_line() >> lane & 1) == 0) break;
  }
  return wheel;
}

void keep(const LoadedTreads& treads, PackedState& to) {
  for (std::size_t g = 0; g < treads.sets.size(); ++g) {
    const LoadedSet& at = treads.sets[g].at;
    const unsigned occupied = treads.tread.occupied(g);
    const auto keep_points = [&](const LoadedSet::Sheet& sheet, PointSetState& points) {
      const unsigned found = sheet.has & occupied;
      const base::Mask there = base::mask(found);
      const base::Pack none{};
      points.found = found;
      points.on = points.steady = 0;  // no constraint holds them
      points.s[0] = base::select(there, sheet.theta_w, none);
      points.s[1] = base::select(there, sheet.u_w, none);
      points.s[2] = at.s_r();
      points.s[3] = base::select(there, sheet.u_r, none);
      points.ds[0] = points.ds[1] = points.ds[3] = none;
      points.ds[2] = at.ds_r();
      std::fill_n(points.dds, 4, none);
      points.gap = base::select(there, sheet.phi, none);
    };
    keep_points(at.tread(), to.tread[g]);
    keep_points(at.flange(), to.flange[g]);
  }
}

void keep(const LoadedTreads& treads, VehicleState& to) {
  PackedState packed;
  pack(to, treads.tread, packed);
  keep(treads, packed);
  unpack(packed, treads.tread, to);
}

void let_rails_yield(LoadedTreads& treads, const Description& vehicle, const PackedState& state,
                     double h) {
  const ContactLaw& law = vehicle.data.law;
  const double k = law.rail_stiffness, c = h > 0 ? law.rail_damping / h : 0;
  for (std::size_t g = 0; g < treads.sets.size() && k > 0; ++g) {
    SheetSpring& flange = treads.sets[g].flange;
    flange.softness = 1 / (k + c);
    flange.back = c * state.flange[g].deflection * flange.softness;
  }
}

void predict(LoadedTreads& treads, StepWork& s) {
  for (std::size_t g = 0; g < treads.sets.size(); ++g) {
    treads.sets[g].at.advance(s.h, s.state.tread[g].dds[2]);
    treads.sets[g].at.advance_shift(s.h);
  }
}

Fit place(LoadedTreads&, StepWork&) { return Fit::good; }

namespace {

// Why a wheel is no longer on its rail: the first one of a set.
Fit leave_rail(const LoadedTreads& treads, StepWork& s, std::size_t g, unsigned gone) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(gone));
  const LoadedTreads::Set& set = treads.sets[g];
  const std::size_t wheel = treads.tread.wheel(g, lane);
  const double gap = std::min(set.at.tread().phi[lane], set.at.flange().phi[lane]);
  const double lift = set.at.lift()[lane];
  if ((set.at.on_line() >> lane & 1) == 0) {
    s.log.fail(Status::not_converged, "contact beyond the end of the rail", wheel, 0, 0, 0);
  } else if (!std::isfinite(gap) || !std::isfinite(lift)) {
    s.log.fail(Status::not_finite, "place of the wheel", wheel, 0, 0, 0);
  } else {
    const double climbed = set.climbed[lane];
    s.log.note(Event::Kind::derailed, wheel, lift);
    s.log.fail(Status::derailed, "contact with the rail", wheel, std::max(gap, lift),
               std::isfinite(climbed) ? climbed : s.vehicle.data.law.lost_gap, 0);
  }
  return Fit::failed;
}

}  // namespace

// The wheels at t+h. A wheel that has climbed with its flange or stands far above its rail is off.
Fit move(LoadedTreads& treads, StepWork& s) {
  place_rails(treads, s.next.track, true);
  evaluate(treads, s.at_end);
  const base::Pack lost_gap = base::splat(s.vehicle.data.law.lost_gap);
  for (std::size_t g = 0; g < treads.sets.size(); ++g) {
    const LoadedTreads::Set& set = treads.sets[g];
    const base::Pack &a = set.at.tread().phi, &b = set.at.flange().phi, lift = set.at.lift();
    // comparisons with what is not a number are false
    const base::Mask numbers = (a == a) & (b == b);
    const base::Mask near = base::smaller(a, b) <= lost_gap, low = lift <= set.climbed;
    const unsigned there = base::bits(numbers & near & low) & set.at.on_line();
    const unsigned gone = treads.tread.occupied(g) & ~there;
    if (gone != 0) return leave_rail(treads, s, g, gone);
  }
  keep(treads, s.next);
  for (std::size_t g = 0; g < treads.sets.size(); ++g)
    s.next.tread[g].dds[2] = (s.next.tread[g].ds[2] - s.state.tread[g].ds[2]) / s.h;
  return Fit::good;
}

double stored_energy(const LoadedTreads& treads, const Description& vehicle,
                     const PackedState& state) {
  const auto energy = [](double k, double delta) {
    return delta > 0 ? 0.4 * k * delta * delta * std::sqrt(delta) : 0;
  };
  double sum = 0;
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    const LoadedTreads::Set& s = treads.sets[set];
    const double x = state.flange[set].deflection[lane];
    sum += energy(s.tread.k[lane], -s.at.tread().phi[lane]);
    sum += energy(s.flange.k[lane], -s.at.flange().phi[lane] - x);
    sum += 0.5 * vehicle.data.law.rail_stiffness * x * x;
  }
  return sum;
}

}  // namespace klingel::step
