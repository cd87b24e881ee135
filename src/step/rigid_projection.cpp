// Back onto the constraints after the velocities are known: contact coordinates and q, then dq.
#include <algorithm>
#include <cmath>

#include "step/contact_forces.hpp"
#include "step/rigid_treads.hpp"

namespace klingel::step {
namespace {

// corrections after which a tread point has lost its branch
constexpr int on_branch_most = 5;

// corrections after which the normals of t are not good enough
constexpr int renewal = 2;

// a flange further from its rail, in m, need not be looked at in each of four steps
double near_flange(double h) {
  constexpr double closing_speed = 0.3;  // m/s, more than flanges close with
  return 4 * h * closing_speed;
}

Locating locating(const StepOptions& options) {
  return {options.phi_d_tolerance, on_branch_most, options.most_iterations};
}

// The normals of now in the matrix that corrects q and dq. Those of t are enough unless a contact
// moves far within a step.
void renew_normals(RigidTreads& treads, StepWork& s) {
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    if (!s.next.tread[i].on) continue;
    const Wrench W = treads.tread[i].W_n();
    std::copy(W.begin(), W.end(), &s.system.W_n[6 * i]);
  }
  s.system.give_normals(s.at_t.kernels);
}

// A tread point that is not on its branch. False if it is beyond the end of its rail.
bool follow_tread(RigidTreads& treads, StepWork& s, std::size_t wheel, bool& jumped) {
  PointState& point = s.next.tread[wheel];
  const Contact contact = treads.tread[wheel];
  if (!contact.rail().line.x.contains(contact.s()[2])) {
    s.log.fail(Status::not_converged, "contact beyond the end of the rail", wheel, 0, 0, 0);
    return false;
  }
  const bool was_found = point.found;
  const Located at =
      locate_tread(treads, s.vehicle, s.at_end, wheel, s.state.tread[wheel], locating(s.options));
  s.log.newton_s = std::max(s.log.newton_s, at.iterations);
  point.found = at.found;
  if (!point.found) {
    // the gap falls to the end of the tread: the wheel runs on its flange, if it has one
    if (point.on) {
      s.log.note(Event::Kind::release, wheel, 0);
      s.system.active[wheel] = 0;
    }
    point.on = false;
    return true;
  }
  jumped = at.jumped && was_found;
  if (jumped) s.log.note(Event::Kind::jump, wheel, contact.s()[1]);
  return true;
}

// Whether the second point is looked at in this step.
bool look_at_flange(const Description& vehicle, const VehicleState& next, std::int64_t step,
                    std::size_t wheel, double h) {
  if (vehicle.data.wheels[wheel].flange.empty()) return false;
  const PointState& point = next.flange[wheel];
  const PointState& tread = next.tread[wheel];
  if (!point.found && tread.found &&
      !vehicle.reaches[wheel].near({tread.s[0], tread.s[1], tread.s[2], tread.s[3]}))
    return false;
  // far from the rail one look in four steps is enough, and as often as needed to find it at all
  const bool turn = (step + static_cast<std::int64_t>(wheel)) % 4 == 0;
  const bool far = point.found ? point.gap > near_flange(h) : tread.found;
  return !far || turn;
}

// A wheel far above its rail, or without any point near it, will not come back.
bool is_lost(RigidTreads& treads, StepWork& s, std::size_t wheel) {
  if (s.next.tread[wheel].on) return false;
  double gap = INFINITY;
  if (s.next.tread[wheel].found) gap = treads.tread[wheel].phi_n();
  if (s.next.flange[wheel].found) gap = std::min(gap, s.next.flange[wheel].gap);
  const double lost_gap = s.vehicle.data.law.lost_gap;
  if (gap <= lost_gap) return false;
  gap = std::min(gap, 1.0);
  s.log.note(Event::Kind::derailed, wheel, gap);
  s.log.fail(Status::derailed, "contact with the rail", wheel, gap, lost_gap, 0);
  return true;
}

// False if a wheel has left its rail.
bool follow_flanges(RigidTreads& treads, StepWork& s) {
  Points& flange = treads.flange;
  std::vector<std::uint8_t>& looked = treads.looked;
  for (std::size_t i = 0; i < s.vehicle.w; ++i)
    looked[i] = look_at_flange(s.vehicle, s.next, s.state.step, i, s.h) ? 1 : 0;
  for (std::size_t g = 0; g < flange.sets.size(); ++g) {
    const unsigned who = flange.lanes(g, [&](std::size_t i) { return looked[i] != 0; });
    if (who == 0) continue;
    flange.sets[g].set_pose(flange.rows(g, s.at_end.poses, 12));
    flange.sets[g].project(
        flange.lanes(g, [&](std::size_t i) { return s.next.flange[i].found; }) & who,
        s.options.phi_d_tolerance, s.options.most_iterations);
  }
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    PointState& point = s.next.flange[i];
    if (looked[i] != 0) {
      point.found = locate_flange(treads, s.vehicle, s.at_end, i, point.found, s.next.tread[i].s[2],
                                  locating(s.options));
      if (point.found || flange.restarted[i] != 0) point.gap = flange[i].phi_n();
    }
    if (is_lost(treads, s, i)) return false;
  }
  return true;
}

// Tread points of all wheels on phi_d = 0, roughly, and lanes that are not.
void follow_branches(RigidTreads& treads, StepWork& s) {
  // above this s is corrected alone, or phi_n would be off by more than its tolerance
  constexpr double coarse = 1e-5;
  Points& tread = treads.tread;
  for (std::size_t g = 0; g < tread.sets.size(); ++g) {
    ContactSet& set = tread.sets[g];
    if (treads.moved) set.set_pose(tread.rows(g, s.at_end.poses, 12));
    set.project(tread.occupied(g), std::max(coarse, s.options.phi_d_tolerance), on_branch_most);
    const base::Pack residuals = set.residuals();
    treads.on_branch[g] =
        base::bits((residuals <= base::splat(coarse)) & (set.tangents().pivot > base::Pack{})) &
        set.on_surfaces();
    treads.unsettled[g] = base::bits(residuals > base::splat(s.options.phi_d_tolerance));
  }
}

// Gaps of all treads: rhs of the system, the largest of them, wheels that touch again.
struct Gaps {
  bool changed = false, settled = true, failed = false;
};
Gaps find_gaps(RigidTreads& treads, StepWork& s) {
  Gaps gaps;
  s.log.largest_phi = 0;
  treads.worst = 0;
  std::fill(s.system.rhs.begin(), s.system.rhs.end(), 0.0);
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    const auto [g, lane] = treads.tread.lane_of(i);
    const unsigned bit = 1u << lane;
    ContactSet& set = treads.tread.sets[g];
    PointState& point = s.next.tread[i];
    bool jumped = false;
    if ((treads.on_branch[g] & bit) == 0 || !point.found ||
        !s.vehicle.data.wheels[i].tread.contains(set.s()[1][lane])) {
      if (!follow_tread(treads, s, i, jumped)) {
        gaps.failed = true;
        return gaps;
      }
      const bool off = set.residuals()[lane] > s.options.phi_d_tolerance;
      treads.unsettled[g] = (treads.unsettled[g] & ~bit) | (off && point.found ? bit : 0);
    }
    s.log.newton_s = std::max(s.log.newton_s, set.iterations(lane));
    if (!point.found) continue;
    if ((treads.unsettled[g] & bit) != 0) gaps.settled = false;
    const double phi_n = set.tangents().phi_n[lane];
    const bool caught = !point.on && phi_n < 0;
    if (caught) {
      // the gap closed within this step
      point.on = true;
      s.system.active[i] = 1;
      s.log.note(Event::Kind::touch, i, phi_n);
    }
    gaps.changed = gaps.changed || caught || jumped;
    if (!point.on) continue;
    if (!(std::abs(phi_n) <= s.log.largest_phi))
      s.log.largest_phi = std::abs(phi_n), treads.worst = i;
    s.system.rhs[s.vehicle.n + i] = -phi_n;
  }
  return gaps;
}

// ds of all points at t+h, and what the state keeps of them
void find_rates(RigidTreads& treads, StepWork& s) {
  const auto find = [&](Points& points, const std::vector<PointState>& begin,
                        std::vector<PointState>& end, auto seen, auto steadily) {
    for (std::size_t g = 0; g < points.sets.size(); ++g) {
      ContactSet& set = points.sets[g];
      const unsigned who = points.lanes(g, [&](std::size_t i) { return end[i].found && seen(i); });
      const unsigned going_on = points.lanes(g, [&](std::size_t i) {
        return begin[i].found && points.restarted[i] == 0 && steadily(i);
      });
      if (who != 0 && &points != &treads.tread)
        set.set_motion(points.rows(g, s.at_end.twists, 7), points.rows(g, s.at_end.biases, 6));
      set.find_rates(who, going_on, s.h);
      points.each(g, [&](std::size_t lane, std::size_t i) {
        if (!end[i].found) return;
        end[i].s = set.s(lane);
        end[i].ds = set.ds(lane);
        end[i].dds = set.dds(lane);
      });
    }
  };
  const auto always = [](std::size_t) { return true; };
  find(treads.tread, s.state.tread, s.next.tread, always, always);
  // flanges that are looked at every step
  find(
      treads.flange, s.state.flange, s.next.flange,
      [&](std::size_t i) { return treads.looked[i] != 0; },
      [&](std::size_t i) { return s.state.flange[i].gap <= near_flange(s.h); });
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    PointState& point = s.next.tread[i];
    point.steady = point.on && s.state.tread[i].on && treads.tread.restarted[i] == 0;
    if (point.found) point.gap = treads.tread[i].phi_n();
  }
}

}  // namespace

// Predictions of s, from where to go back onto the constraints.
void predict(RigidTreads& treads, StepWork& s) {
  const bool predicted = s.options.projections == Projections::predicted;
  const auto advance = [&](Points& points, const std::vector<PointState>& of) {
    // flanges are not evaluated in every step
    const bool correct = predicted && &points == &treads.tread;
    for (std::size_t g = 0; g < points.sets.size(); ++g)
      points.sets[g].advance(points.lanes(g, [&](std::size_t i) { return of[i].found; }), s.h,
                             correct);
    std::fill(points.restarted.begin(), points.restarted.end(), std::uint8_t{0});
  };
  advance(treads.tread, s.next.tread);
  advance(treads.flange, s.next.flange);
  treads.round = treads.iteration = 0;
  treads.moved = true;
}

// Newton's method for s and q together: phi_n does not change with s to first order where phi_d
// vanishes, so a correction of q need not wait for the last one of s.   [eq:NRs] [eq:NRq]
Fit place(RigidTreads& treads, StepWork& s) {
  const StepOptions& options = s.options;
  for (;; ++treads.round) {
    follow_branches(treads, s);
    const Gaps gaps = find_gaps(treads, s);
    if (gaps.failed) return Fit::failed;
    if (gaps.changed || s.log.newton_q == renewal) renew_normals(treads, s);
    treads.moved = !(s.log.largest_phi <= options.phi_tolerance);
    if (!treads.moved && gaps.settled) break;
    if (treads.round == 2 * options.most_iterations || !(s.log.largest_phi < 1)) {
      // where a contact jumps to and fro the residual stays at what the two points differ by
      if (s.log.largest_phi <= options.phi_limit) break;
      s.log.fail(Status::not_converged, "projection of q", treads.worst, s.log.largest_phi,
                 options.phi_limit, s.log.newton_q);
      return Fit::failed;
    }
    for (std::size_t g = 0; g < treads.tread.sets.size() && !gaps.settled; ++g) {
      const unsigned found =
          treads.tread.lanes(g, [&](std::size_t i) { return s.next.tread[i].found; });
      const unsigned who = treads.unsettled[g] & found;
      if (who != 0) treads.tread.sets[g].correct(who);
    }
    if (!treads.moved) continue;
    ++treads.round;
    ++s.log.newton_q;
    return Fit::correct;
  }
  for (std::size_t i = 0; i < s.vehicle.w; ++i) s.next.tread[i].s = treads.tread[i].s();
  return follow_flanges(treads, s) ? Fit::good : Fit::failed;
}

// dphi_n_dq dq = 0 at t+h, then ds.   [eq:dqproj] [eq:dsproj]
Fit move(RigidTreads& treads, StepWork& s) {
  const double tolerance = s.options.rate_tolerance;
  treads.largest_rate = 0;
  treads.worst = 0;
  std::fill(s.system.rhs.begin(), s.system.rhs.end(), 0.0);
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    ContactSet& set = treads.tread.sets[g];
    set.set_motion(treads.tread.rows(g, s.at_end.twists, 7),
                   treads.tread.rows(g, s.at_end.biases, 6));
    const base::Pack rates = along(set.frames().W_n, set.twist());
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) {
      if (!s.next.tread[i].on) return;
      const double rate = rates[lane];
      if (!(std::abs(rate) <= treads.largest_rate))
        treads.largest_rate = std::abs(rate), treads.worst = i;
      s.system.rhs[s.vehicle.n + i] = -rate;
    });
  }
  if (treads.largest_rate <= tolerance) {
    find_rates(treads, s);
    return Fit::good;
  }
  if (treads.iteration == renewal) renew_normals(treads, s);
  if (treads.iteration == s.options.most_iterations || !std::isfinite(treads.largest_rate)) {
    s.log.fail(Status::not_converged, "projection of dq", treads.worst, treads.largest_rate,
               tolerance, treads.iteration);
    return Fit::failed;
  }
  ++treads.iteration;
  return Fit::correct;
}

}  // namespace klingel::step
