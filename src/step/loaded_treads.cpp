#include "step/loaded_treads.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::step {
namespace {

// Damping of the contact: its tangent stiffness times this. A flange on a rigid rail flutters at
// some 100 Hz if friction is high and nothing damps it; the article's flange has 2e-3 s.
constexpr double tread_damping = 1e-4, flange_damping = 5e-4;  // s

}  // namespace

LoadedTreads::LoadedTreads(const Description& vehicle)
    : tread(vehicle.data),
      flange(vehicle.data),
      sets(tread.forces.size()),
      slipping(tread.forces.size()) {
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
      s.tread.k[lane] = wheel.pair->tread.k;
      s.flange.k[lane] = wheel.pair->flange ? wheel.pair->flange->k : 0;
    });
  }
}

void take_feet(LoadedTreads& treads, const Description& vehicle, const VehicleState& from) {
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    treads.sets[set].at.set_s_r(lane, from.tread[i].s[2]);
  }
}

void evaluate(LoadedTreads& treads, const Instant& at) {
  const Points& tread = treads.tread;
  for (std::size_t g = 0; g < treads.sets.size(); ++g) {
    treads.sets[g].at.evaluate(tread.rows(g, at.poses, 12), tread.rows(g, at.twists, 7),
                               tread.rows(g, at.biases, 6));
  }
}

void take_state(LoadedTreads& treads, const Description& vehicle, const VehicleState& state,
                const Instant& at) {
  take_feet(treads, vehicle, state);
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

void keep(const LoadedTreads& treads, const Description& vehicle, VehicleState& to) {
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    const LoadedSet& at = treads.sets[set].at;
    const auto keep_point = [&at, lane = lane](const LoadedSet::Sheet& sheet, PointState& point) {
      point.found = (sheet.has >> lane & 1) != 0;
      point.on = false;  // no constraint holds it
      point.s = {sheet.theta_w[lane], sheet.u_w[lane], at.s_r(lane), sheet.u_r[lane]};
      if (!point.found) point.s = {0, 0, at.s_r(lane), 0};
      point.ds = {0, 0, at.ds_r()[lane], 0};
      point.dds = {};
      point.gap = point.found ? sheet.phi[lane] : 0;
    };
    keep_point(at.tread(), to.tread[i]);
    keep_point(at.flange(), to.flange[i]);
  }
}

void let_rails_yield(LoadedTreads& treads, const Description& vehicle, const VehicleState& state,
                     double h) {
  const ContactLaw& law = vehicle.data.law;
  const double k = law.rail_stiffness, c = h > 0 ? law.rail_damping / h : 0;
  for (std::size_t g = 0; g < treads.sets.size() && k > 0; ++g) {
    SheetSpring& flange = treads.sets[g].flange;
    flange.softness = 1 / (k + c);
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) {
      flange.back[lane] = c * state.flange[i].deflection * flange.softness;
    });
  }
}

void predict(LoadedTreads& treads, StepWork& s) {
  for (LoadedTreads::Set& set : treads.sets) set.at.advance(s.h);
}

Fit place(LoadedTreads&, StepWork&) { return Fit::good; }

// The wheels at t+h. A wheel that has climbed with its flange or stands far above its rail is off.
Fit move(LoadedTreads& treads, StepWork& s) {
  const VehicleData& data = s.vehicle.data;
  evaluate(treads, s.at_end);
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    const LoadedSet& at = treads.sets[set].at;
    if ((at.on_line() >> lane & 1) == 0) {
      s.log.fail(Status::not_converged, "contact beyond the end of the rail", i, 0, 0, 0);
      return Fit::failed;
    }
    const double gap = std::min(at.tread().phi[lane], at.flange().phi[lane]);
    const double lift = at.lift()[lane];
    if (!std::isfinite(gap) || !std::isfinite(lift)) {
      s.log.fail(Status::not_finite, "place of the wheel", i, 0, 0, 0);
      return Fit::failed;
    }
    const double climbed = 0.9 * data.wheels[i].pair->flange_height;
    if (gap > data.law.lost_gap || (climbed > 0 && lift > climbed)) {
      s.log.note(Event::Kind::derailed, i, lift);
      s.log.fail(Status::derailed, "contact with the rail", i, std::max(gap, lift),
                 climbed > 0 ? climbed : data.law.lost_gap, 0);
      return Fit::failed;
    }
  }
  keep(treads, s.vehicle, s.next);
  return Fit::good;
}

double stored_energy(const LoadedTreads& treads, const Description& vehicle,
                     const VehicleState& state) {
  const auto energy = [](double k, double delta) {
    return delta > 0 ? 0.4 * k * delta * delta * std::sqrt(delta) : 0;
  };
  double sum = 0;
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    const LoadedTreads::Set& s = treads.sets[set];
    const double x = state.flange[i].deflection;
    sum += energy(s.tread.k[lane], -s.at.tread().phi[lane]);
    sum += energy(s.flange.k[lane], -s.at.flange().phi[lane] - x);
    sum += 0.5 * vehicle.data.law.rail_stiffness * x * x;
  }
  return sum;
}

}  // namespace klingel::step
