// Back onto the constraints after the velocities are known: contact coordinates and q, then dq.
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "step/contact_forces.hpp"
#include "step/rigid_treads.hpp"

namespace klingel::step {
namespace {

using base::Pack, base::splat;

// corrections after which a tread point has lost its branch
constexpr int on_branch_most = 5;

// corrections after which the normals of t are not good enough
constexpr int renewal = 2;

// a flange further from its rail, in m, cannot touch it within this number of steps
double near_flange(int steps, double h) {
  constexpr double closing_speed = 0.3;  // m/s, more than flanges close with
  return steps * h * closing_speed;
}

// A correction of q after a jump moves its wheelset by some hundredths of a millimetre. What its
// points miss then goes into their next prediction, if there is one.
bool is_after_correction(const StepWork& s) {
  return s.options.projections == Projections::predicted && s.log.newton_q > 0;
}

// phi_d of treads above which s is corrected alone, or phi_n would be off by more than its
// tolerance
double coarse(const StepWork& s) {
  return std::max(is_after_correction(s) ? 2e-5 : 1e-5, s.options.phi_d_tolerance);
}

// phi_d of treads that need no other correction
double fine(const StepWork& s) {
  return is_after_correction(s) ? coarse(s) : s.options.phi_d_tolerance;
}

// phi_d of flanges that are followed. Their gap is off by its square times a radius of some
// millimetres, and what is left goes into the next prediction.
double flange_tolerance(const StepWork& s) {
  return s.options.projections == Projections::predicted ? coarse(s) : s.options.phi_d_tolerance;
}

Locating locating(RigidTreads& treads, const StepOptions& options, double h) {
  Locating how{options.phi_d_tolerance, on_branch_most, options.most_iterations, options.exhaust,
               &treads.searches};
  how.far = near_flange(4, h);
  how.jump_tolerance = 1e-4;
  return how;
}

// Searches are most of the time of a step that needs them, so their number is limited; treads come
// first. A point whose turn does not come stays where it was on its wheel and its rail, at most
// some hundredths of a millimetre from where it should be, and the next step goes on with it.
int most_searches(const StepWork& s) {
  return static_cast<int>(s.options.searches_per_wheel * static_cast<double>(s.vehicle.w));
}

void stay(ContactSet& set, const PointSetState& state, std::size_t lane, double h) {
  std::array<double, 4> s{};
  for (std::size_t i = 0; i < 4; ++i) s[i] = state.s[i][lane] + h * state.ds[i][lane];
  set.set_s(lane, s);
}

// The normals of now in the matrix that corrects q and dq. Those of t are enough unless a contact
// moves far within a step.
void renew_normals(RigidTreads& treads, StepWork& s) {
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    const unsigned on = s.next.tread[g].on;
    if (on == 0) continue;
    const Pack* W_n = treads.tread.sets[g].frames().W_n;
    if (Pack* const four = s.system.W_n_of_four(g)) {
      for (int i = 0; i < 6; ++i) four[i] = base::select(base::mask(on), W_n[i], four[i]);
      continue;
    }
    each_lane(on, [&](std::size_t lane) {
      double* to = s.system.W_n(treads.tread.wheel(g, lane));
      for (int i = 0; i < 6; ++i) to[i] = W_n[i][lane];
    });
  }
  s.system.give_normals(s.at_t.kernels);
}

// A tread point that is not on its branch. False if it is beyond the end of its rail.
bool follow_tread(RigidTreads& treads, StepWork& s, std::size_t g, std::size_t lane, bool& jumped) {
  const std::size_t wheel = treads.tread.wheel(g, lane);
  const unsigned bit = 1u << lane;
  PointSetState& next = s.next.tread[g];
  const Contact contact = treads.tread[wheel];
  if (!contact.rail().line.x.contains(contact.s()[2])) {
    s.log.fail(Status::not_converged, "contact beyond the end of the rail", wheel, 0, 0, 0);
    return false;
  }
  const PointSetState& state = s.state.tread[g];
  Locating how = locating(treads, s.options, s.h);
  if ((treads.sets[g].stalled & bit) != 0) how.most_on_branch = 0;
  const Located at =
      locate_tread(treads, s.vehicle, s.at_end, wheel, state.s[1][lane], state.s[3][lane], how);
  s.log.newton_s = std::max(s.log.newton_s, at.iterations);
  const bool was_found = (next.found & bit) != 0;
  if (at.kept) {
    if (!was_found) return true;
    stay(treads.tread.sets[g], state, lane, s.h);
    treads.sets[g].kept |= bit;
    if (!s.options.exhaust)
      s.log.note(Event::Kind::limit, wheel, treads.tread.sets[g].tangents().phi_n[lane]);
    return true;
  }
  if (!at.found) {
    next.found &= ~bit;
    // the gap falls to the end of the tread: the wheel runs on its flange, if it has one
    if ((next.on & bit) != 0) {
      s.log.note(Event::Kind::release, wheel, 0);
      s.system.active[wheel] = 0;
    }
    next.on &= ~bit;
    return true;
  }
  next.found |= bit;
  if (at.jumped && was_found) {
    jumped = true;
    s.log.note(Event::Kind::jump, wheel, contact.s()[1]);
  }
  return true;
}

// Flanges that are looked at in this step, of four wheels.
unsigned look_at_flanges(const RigidTreads& treads, const StepWork& s, std::size_t g) {
  const RigidTreads::Set& of = treads.sets[g];
  const PointSetState &tread = s.next.tread[g], &flange = s.next.flange[g];
  const Pack* at = treads.tread.sets[g].s();
  const unsigned reach = base::bits(of.reach_side * (at[3] - at[1]) >= of.reach_least);
  // Far from the rail one look in four steps is enough, nearer one in two. Flanges of a set take
  // the same turn: one of them costs as much as all. Those that are not known cost each, so wheels
  // take turns.
  const auto beyond = [&](int steps) {
    return flange.found & base::bits(flange.gap > splat(near_flange(steps, s.h)));
  };
  const auto turn_of_set = static_cast<std::size_t>(s.state.step) + g;
  const unsigned unknown = ~flange.found & tread.found;
  const unsigned waits = ((turn_of_set & 3) != 0 ? beyond(4) : 0u) |
                         ((turn_of_set & 1) != 0 ? beyond(2) : 0u) |
                         (unknown & ~of.turn[static_cast<std::size_t>(s.state.step & 3)]);
  // where the wheel moves away from its flange none will appear: one look in sixteen for what else
  // changes
  const Pack* rates = s.state.tread[g].ds;
  const unsigned nears = base::bits(of.reach_side * (rates[3] - rates[1]) >= Pack{});
  const unsigned may_appear = (s.state.step & 12) == 0 ? ~0u : ~unknown | nears;
  return of.has_flange & (flange.found | reach | ~tread.found) & ~waits & may_appear;
}

// A wheel far above its rail, or without any point near it, will not come back.
bool is_lost(RigidTreads& treads, StepWork& s, std::size_t g) {
  const PointSetState &tread = s.next.tread[g], &flange = s.next.flange[g];
  const unsigned off = treads.tread.occupied(g) & ~tread.on;
  if (off == 0) return false;
  const Pack phi_n = treads.tread.sets[g].tangents().phi_n;
  const Pack gap = base::smaller(base::select(base::mask(tread.found), phi_n, splat(1)),
                                 base::select(base::mask(flange.found), flange.gap, splat(1)));
  const double lost_gap = s.vehicle.data.law.lost_gap;
  const unsigned lost = off & ~base::bits(gap <= splat(lost_gap));
  if (lost == 0) return false;
  const auto lane = static_cast<std::size_t>(std::countr_zero(lost));
  const std::size_t wheel = treads.tread.wheel(g, lane);
  s.log.note(Event::Kind::derailed, wheel, gap[lane]);
  s.log.fail(Status::derailed, "contact with the rail", wheel, gap[lane], lost_gap, 0);
  return true;
}

// False if a wheel has left its rail.
bool follow_flanges(RigidTreads& treads, StepWork& s) {
  Points& flange = treads.flange;
  const std::span sets(flange.sets);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    PointSetState& next = s.next.flange[g];
    ContactSet& set = sets[g];
    const unsigned due = look_at_flanges(treads, s, g);
    const unsigned looked = s.options.exhaust ? treads.sets[g].has_flange : due;
    treads.sets[g].looked = looked;
    if (looked != 0) {
      set.follow_pose();
      unsigned settled = 0;  // known ones that stayed what they are
      if (const unsigned known = looked & next.found; known != 0) {
        const double tolerance = flange_tolerance(s);
        const Pack residuals = set.project(known, tolerance, s.options.most_iterations);
        settled = known & set.on_surfaces() &
                  base::bits((residuals <= splat(tolerance)) & (set.tangents().pivot > Pack{}));
        each_lane(settled, [&](std::size_t lane) {
          const std::size_t wheel = flange.wheel(g, lane);
          if (!s.vehicle.data.wheels[wheel].flange.contains(set.s()[1][lane]))
            settled &= ~(1u << lane);
        });
      }
      const unsigned searched = looked & (due | next.found) & ~settled;
      each_lane(searched, [&](std::size_t lane) {
        const std::size_t wheel = flange.wheel(g, lane);
        const unsigned bit = 1u << lane;
        const bool tread_found = (s.next.tread[g].found & bit) != 0;
        const FlangeLocated at = locate_flange(treads, s.vehicle, s.at_end, wheel, false,
                                               tread_found, locating(treads, s.options, s.h));
        if (at != FlangeLocated::kept) {
          next.found = (next.found & ~bit) | (at == FlangeLocated::found ? bit : 0);
          return;
        }
        if ((next.found & bit) == 0) return;
        stay(set, s.state.flange[g], lane, s.h);
        treads.sets[g].looked &= ~bit;
        if (!s.options.exhaust) s.log.note(Event::Kind::limit, wheel, set.tangents().phi_n[lane]);
      });
      const unsigned known = (looked & next.found) | flange.restarted[g];
      if (known != 0) next.gap = base::select(base::mask(known), set.tangents().phi_n, next.gap);
    }
    if (is_lost(treads, s, g)) return false;
  }
  return true;
}

// Tread points of all wheels on phi_d = 0, roughly, and lanes that are not.
void follow_branches(RigidTreads& treads, StepWork& s) {
  Points& tread = treads.tread;
  for (const std::vector<std::size_t>& group : treads.groups) {
    if (!treads.moved) break;
    ContactSet& first = tread.sets[group.front()];
    first.set_pose(tread.rows(group.front(), s.at_end.poses, 12));
    for (const std::size_t g : group)
      if (g != group.front()) tread.sets[g].follow_pose();
  }
  const double rough = coarse(s), tolerance = fine(s);
  const std::span sets(tread.sets);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    ContactSet& set = sets[g];
    RigidTreads::Set& of = treads.sets[g];
    const unsigned occupied = tread.occupied(g);
    of.stalled = 0;
    const Pack residuals = set.project(occupied & ~of.kept, rough, on_branch_most, &of.stalled);
    const unsigned minimum = base::bits(set.tangents().pivot > Pack{});
    of.stalled |= ~minimum;
    of.on_branch = base::bits(residuals <= splat(rough)) & minimum & set.on_surfaces();
    of.unsettled = set.unsettled(residuals, tolerance) & occupied;
  }
}

double largest_of(const Pack& x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

// What constraints miss: infinite where it is not a number, zero of wheels that are not held.
Pack missed_by(const Pack& phi, unsigned on) {
  const Pack size = base::magnitude(phi);
  return base::select(base::mask(on), base::select(size == size, size, splat(INFINITY)), Pack{});
}

// The right side that corrects q or dq by what the constraints miss; the worst wheel.
template <class Missed>
void ask_correction(RigidTreads& treads, StepWork& s, Missed missed) {
  for (std::size_t i = 0; i < s.vehicle.n + s.vehicle.w; ++i) s.system.rhs[i] = 0;
  double largest = 0;
  treads.worst = 0;
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    const Pack phi = missed(treads.tread.sets[g]);
    each_lane(s.next.tread[g].on, [&](std::size_t lane) {
      const std::size_t wheel = treads.tread.wheel(g, lane);
      s.system.rhs[s.vehicle.n + wheel] = -phi[lane];
      if (!(std::abs(phi[lane]) <= largest)) largest = std::abs(phi[lane]), treads.worst = wheel;
    });
  }
}

// Gaps of all treads: the largest of them, wheels that touch again.
struct Gaps {
  bool changed = false, settled = true, failed = false;
};
Gaps find_gaps(RigidTreads& treads, StepWork& s) {
  Gaps gaps;
  Pack most{};
  const std::span sets(treads.tread.sets);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    ContactSet& set = sets[g];
    RigidTreads::Set& of = treads.sets[g];
    PointSetState& next = s.next.tread[g];
    const Pack u_w = set.s()[1];
    unsigned there = of.on_branch & next.found & base::bits((of.low <= u_w) & (u_w <= of.high));
    if (s.options.exhaust && treads.round == 0) there = 0;
    each_lane(treads.tread.occupied(g) & ~there & ~of.kept, [&](std::size_t lane) {
      if (gaps.failed) return;
      if (!follow_tread(treads, s, g, lane, gaps.changed)) gaps.failed = true;
      const unsigned bit = 1u << lane;
      of.unsettled = (of.unsettled & ~bit) | (set.unsettled(set.residuals(), fine(s)) & bit);
    });
    if (gaps.failed) return gaps;
    of.unsettled &= ~of.kept;
    s.log.newton_s = std::max(s.log.newton_s, set.most_iterations());
    if ((of.unsettled & next.found) != 0) gaps.settled = false;
    const Pack phi_n = set.tangents().phi_n;
    const unsigned caught = next.found & ~next.on & base::bits(phi_n < Pack{});
    each_lane(caught, [&](std::size_t lane) {
      // the gap closed within this step
      const std::size_t wheel = treads.tread.wheel(g, lane);
      s.system.active[wheel] = 1;
      s.log.note(Event::Kind::touch, wheel, phi_n[lane]);
    });
    next.on |= caught;
    gaps.changed = gaps.changed || caught != 0;
    most = base::larger(most, missed_by(phi_n, next.on));
  }
  s.log.largest_phi = largest_of(most);
  return gaps;
}

// ds of all points at t+h, and what the state keeps of them
void find_rates(RigidTreads& treads, StepWork& s) {
  const auto keep = [](const ContactSet& set, PointSetState& end) {
    const Pack *at = set.s(), *ds = set.ds(), *dds = set.dds();
    for (int i = 0; i < 4; ++i) end.s[i] = at[i], end.ds[i] = ds[i], end.dds[i] = dds[i];
  };
  // a point that is another one now slips otherwise
  const auto forget_slip = [](unsigned lanes, PointSetState& end) {
    if (lanes == 0) return;
    for (Pack& rate : end.slip_rate) rate = base::select(base::mask(lanes), Pack{}, rate);
  };
  for (std::size_t g = 0, sets = treads.sets.size(); g < sets; ++g) {
    ContactSet& tread = treads.tread.sets[g];
    const PointSetState& at_t = s.state.tread[g];
    PointSetState& end = s.next.tread[g];
    const unsigned same = at_t.found & ~treads.tread.restarted[g];
    tread.find_rates(end.found & ~treads.sets[g].kept, same, s.h);
    keep(tread, end);
    end.steady = end.on & at_t.on & same;
    end.gap = base::select(base::mask(end.found), tread.tangents().phi_n, end.gap);
    forget_slip(treads.tread.restarted[g], end);

    ContactSet& flange = treads.flange.sets[g];
    const PointSetState& flange_at_t = s.state.flange[g];
    PointSetState& flange_end = s.next.flange[g];
    const unsigned seen = flange_end.found & treads.sets[g].looked;
    if (seen != 0) flange.follow_motion();
    const unsigned seen_before = flange_at_t.found & flange_at_t.steady;
    flange.find_rates(seen, seen_before & ~treads.flange.restarted[g], s.h);
    keep(flange, flange_end);
    flange_end.steady = seen;
    forget_slip(treads.flange.restarted[g], flange_end);
  }
}

}  // namespace

// Predictions of s, from where to go back onto the constraints.
void predict(RigidTreads& treads, StepWork& s) {
  // flanges are not evaluated in every step; those that were have a last correction
  const bool predicted = s.options.projections == Projections::predicted;
  for (std::size_t g = 0, sets = treads.sets.size(); g < sets; ++g) {
    const PointSetState& flange = s.next.flange[g];
    const unsigned late = predicted ? flange.found & flange.steady : 0;
    treads.tread.sets[g].advance(s.next.tread[g].found, s.h, predicted);
    if (late != 0) treads.flange.sets[g].correct(late);
    treads.flange.sets[g].advance(flange.found, s.h);
    treads.tread.restarted[g] = treads.flange.restarted[g] = 0;
    treads.sets[g].kept = 0;
  }
  treads.round = treads.iteration = 0;
  treads.searches = most_searches(s);
  treads.moved = true;
  treads.hit = false;
}

// Newton's method for s and q together: phi_n does not change with s to first order where phi_d
// vanishes, so a correction of q need not wait for the last one of s.   [eq:NRs] [eq:NRq]
Fit place(RigidTreads& treads, StepWork& s) {
  const StepOptions& options = s.options;
  const auto gap = [](ContactSet& set) { return set.tangents().phi_n; };
  for (;; ++treads.round) {
    follow_branches(treads, s);
    const Gaps gaps = find_gaps(treads, s);
    if (gaps.failed) return Fit::failed;
    if (gaps.changed && !treads.hit && options.balance) {
      treads.hit = true;
      treads.potential = s.at_end.kernels.evaluate(s.vehicle.id.energy)[1];
    }
    if (gaps.changed || s.log.newton_q == renewal) renew_normals(treads, s);
    treads.moved = options.exhaust || !(s.log.largest_phi <= options.phi_tolerance);
    if (!treads.moved && gaps.settled) break;
    if (treads.round == 2 * options.most_iterations || !(s.log.largest_phi < 1)) {
      // where a contact jumps to and fro the residual stays at what the two points differ by
      if (s.log.largest_phi <= options.phi_limit) {
        if (!options.exhaust) s.log.note(Event::Kind::limit, 0, s.log.largest_phi);
        break;
      }
      ask_correction(treads, s, gap);
      s.log.fail(Status::not_converged, "projection of q", treads.worst, s.log.largest_phi,
                 options.phi_limit, s.log.newton_q);
      return Fit::failed;
    }
    if (treads.moved) ask_correction(treads, s, gap);
    for (std::size_t g = 0; g < treads.tread.sets.size() && !gaps.settled; ++g) {
      const unsigned who = treads.sets[g].unsettled & s.next.tread[g].found;
      if (who != 0) treads.tread.sets[g].correct(who);
    }
    if (!treads.moved) continue;
    ++treads.round;
    ++s.log.newton_q;
    return Fit::correct;
  }
  return follow_flanges(treads, s) ? Fit::good : Fit::failed;
}

// dphi_n_dq dq = 0 at t+h, then ds.   [eq:dqproj] [eq:dsproj]
Fit move(RigidTreads& treads, StepWork& s) {
  const double tolerance = s.options.rate_tolerance;
  const auto rate = [](ContactSet& set) { return along(set.frames().W_n, set.twist()); };
  Pack most{};
  Points& tread = treads.tread;
  for (const std::vector<std::size_t>& group : treads.groups) {
    ContactSet& first = tread.sets[group.front()];
    first.set_motion(tread.rows(group.front(), s.at_end.twists, 7),
                     tread.rows(group.front(), s.at_end.biases, 6));
    for (const std::size_t g : group) {
      ContactSet& set = tread.sets[g];
      if (g != group.front()) set.follow_motion();
      most = base::larger(most, missed_by(rate(set), s.next.tread[g].on));
    }
  }
  treads.largest_rate = largest_of(most);
  if (treads.hit && treads.iteration == 0)
    treads.kinetic = s.at_end.kernels.evaluate(s.vehicle.id.energy)[0];
  const bool go_on = s.options.exhaust && treads.iteration < s.options.most_iterations;
  if (treads.largest_rate <= tolerance && !go_on) {
    find_rates(treads, s);
    return Fit::good;
  }
  ask_correction(treads, s, rate);
  if (treads.iteration == renewal) renew_normals(treads, s);
  if (treads.iteration == s.options.most_iterations || !std::isfinite(treads.largest_rate)) {
    if (treads.largest_rate <= s.options.rate_limit) {
      s.log.note(Event::Kind::limit, treads.worst, treads.largest_rate);
      find_rates(treads, s);
      return Fit::good;
    }
    s.log.fail(Status::not_converged, "projection of dq", treads.worst, treads.largest_rate,
               tolerance, treads.iteration);
    return Fit::failed;
  }
  ++treads.iteration;
  return Fit::correct;
}

}  // namespace klingel::step
