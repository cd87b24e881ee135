// Back onto the constraints after the velocities are known: contact coordinates and q, then dq.
#include <algorithm>
#include <cmath>

#include "step/simulator_parts.hpp"

namespace klingel::step {
namespace {

// corrections after which a tread point has lost its branch
constexpr int on_branch_most = 5;

// corrections after which the normals of t are not good enough
constexpr int renewal = 2;

// a gap of a wheel that stands on its rail is smaller, m
constexpr double touching = 2e-5;

// a point nearer to where it was than this has not jumped, m
constexpr double apart = 1e-3;

// a flange further from its rail, in m, need not be looked at in each of four steps
double near_flange(double h) {
  constexpr double closing_speed = 0.3;  // m/s, more than flanges close with
  return 4 * h * closing_speed;
}

bool inside(const contact::Interval& zone, double u_w) {
  return zone.low <= u_w && u_w <= zone.high;
}

}  // namespace

contact::WheelPose Simulator::Parts::pose_of(const Instant& instant, std::size_t wheel) const {
  const std::span<const double> p = instant.pose(data.wheels[wheel].wheelset);
  contact::WheelPose pose;
  pose.R_Gw = {{p[3], p[4], p[5]}, {p[6], p[7], p[8]}, {p[9], p[10], p[11]}};
  pose.r_Ow = spline::Vec3{p[0], p[1], p[2]} + data.wheels[wheel].y_w * pose.R_Gw.y;
  return pose;
}

// The tread point stays on its branch; where the branch ends (fold), Newton's method cycles or the
// point leaves the tread, the lowest minimum of the tread is taken instead.
bool Simulator::Parts::locate_tread(const Instant& instant, std::size_t wheel, double tolerance,
                                    int most_on_branch, int most, bool& jumped) {
  const Contact contact = tread[wheel];
  const contact::Interval& zone = data.wheels[wheel].tread;
  const double u_w = contact.s()[1], s_near = contact.s()[2];
  jumped = false;
  const bool found = contact.project(tolerance, most_on_branch);
  newton_s = std::max(newton_s, contact.iterations());
  const bool good = found && inside(zone, contact.s()[1]) && contact.pivot() > 0;
  if (good) return true;
  // where the map knows another point; unless the wheel touches there, anywhere on the tread
  const contact::WheelPose pose = pose_of(instant, wheel);
  const std::array<double, 4>& last = state.tread[wheel].s;
  const contact::Interval known = around->maps[wheel].others(last[1], last[3]);
  contact::MinimumList list = around->searches[wheel].minima(pose, s_near, known);
  const contact::Minimum* best = lowest(list);
  if (best == nullptr || std::abs(best->point.gap) > touching) {
    list = around->searches[wheel].minima(pose, s_near, zone);
    best = lowest(list);
  }
  if (best == nullptr) return false;
  jumped = std::abs(best->point.s.u_w - u_w) > apart;
  contact.set_s(as_array(best->point.s));
  tread.anew[wheel] = 1;
  return contact.project(tolerance, most);
}

runtime::Status Simulator::Parts::follow_tread(std::size_t wheel, const StepOptions& options,
                                               bool& jumped) {
  PointState& point = next.tread[wheel];
  const Contact contact = tread[wheel];
  if (!contact.rail().line.x.contains(contact.s()[2]))
    return fail(runtime::Status::not_converged, "contact beyond the end of the rail", wheel, 0, 0,
                0);
  const bool was_found = point.found;
  point.found = locate_tread(at_end(), wheel, options.phi_d_tolerance, on_branch_most,
                             options.most_iterations, jumped);
  if (!point.found) {
    // the gap falls to the end of the tread: the wheel runs on its flange, if it has one
    if (point.on) {
      note(Event::Kind::release, wheel, 0);
      active[wheel] = 0;
      jumped = true;
    }
    point.on = false;
    return runtime::Status::ok;
  }
  jumped = jumped && was_found;
  if (jumped) note(Event::Kind::jump, wheel, contact.s()[1]);
  return runtime::Status::ok;
}

// Whether the second point, where the gap has its lowest minimum in the zone of the flange, is
// looked at in this step.
void Simulator::Parts::look_at_flange(std::size_t wheel, double h) {
  const contact::Interval& zone = data.wheels[wheel].flange;
  looked[wheel] = 0;
  if (!(zone.low <= zone.high)) return;
  const PointState& point = next.flange[wheel];
  const std::array<double, 4>& s = next.tread[wheel].s;
  if (!point.found && next.tread[wheel].found &&
      !around->reaches[wheel].near({s[0], s[1], s[2], s[3]}))
    return;
  // far from the rail one look in four steps is enough, and as often as needed to find it at all
  const bool turn = (state.step + static_cast<std::int64_t>(wheel)) % 4 == 0;
  const bool far = point.found ? point.gap > near_flange(h) : next.tread[wheel].found;
  looked[wheel] = !far || turn ? 1 : 0;
}

void Simulator::Parts::follow_flange(std::size_t wheel, const StepOptions& options) {
  if (looked[wheel] == 0) return;
  const contact::Interval& zone = data.wheels[wheel].flange;
  const Contact contact = flange[wheel];
  PointState& point = next.flange[wheel];
  if (!point.found || !contact.project(options.phi_d_tolerance, options.most_iterations) ||
      !inside(zone, contact.s()[1]) || !(contact.pivot() > 0)) {
    const contact::MinimumList list =
        around->searches[wheel].minima(pose_of(at_end(), wheel), next.tread[wheel].s[2], zone);
    const contact::Minimum* best = lowest(list);
    point.found = best != nullptr;
    if (!point.found) return;
    contact.set_s(as_array(best->point.s));
    flange.anew[wheel] = 1;
    point.found = contact.project(options.phi_d_tolerance, options.most_iterations);
  }
  point.gap = contact.phi_n();
}

// A wheel far above its rail, or without any point near it, will not come back.
runtime::Status Simulator::Parts::check_lost(std::size_t wheel) {
  if (next.tread[wheel].on) return runtime::Status::ok;
  double gap = INFINITY;
  if (next.tread[wheel].found) gap = tread[wheel].phi_n();
  if (next.flange[wheel].found) gap = std::min(gap, next.flange[wheel].gap);
  if (gap <= data.law.lost_gap) return runtime::Status::ok;
  gap = std::min(gap, 1.0);
  note(Event::Kind::derailed, wheel, gap);
  return fail(runtime::Status::derailed, "contact with the rail", wheel, gap, data.law.lost_gap, 0);
}

// The normals of now in the matrix that corrects q and dq. Those of t are enough unless a contact
// moves far within a step.
void Simulator::Parts::renew_normals() {
  for (std::size_t i = 0; i < w; ++i) {
    if (!next.tread[i].on) continue;
    const Wrench W = tread[i].W_n();
    std::copy(W.begin(), W.end(), &W_n[6 * i]);
  }
  at_t().kernels.set(id.active, active);
  at_t().kernels.set(id.W_n, W_n);
  partition.known = false;
}

// target += the part of the solution of the factored system that belongs to q
bool Simulator::Parts::correct(std::span<double> target) {
  if (method == LinearMethod::partitioning) return correct_dependent(target);
  if (!solve_rhs()) return false;
  for (std::size_t i = 0; i < n; ++i) target[i] += x[i];
  return true;
}

// Newton's method for s and q together: phi_n does not change with s to first order where phi_d
// vanishes, so a correction of q need not wait for the last one of s.
runtime::Status Simulator::Parts::project_position(double h, const StepOptions& options) {
  // above this s is corrected alone, or phi_n would be off by more than its tolerance
  constexpr double coarse = 1e-5;
  at_end().poses = at_end().kernels.evaluate(id.pose);
  for (;; ++round) {
    largest_phi = 0;
    worst = 0;
    std::fill(rhs.begin(), rhs.end(), 0.0);
    bool changed = false, settled = true;
    for (std::size_t g = 0; g < tread.sets.size(); ++g) {
      ContactSet& set = tread.sets[g];
      if (moved) set.set_pose(tread.rows(g, at_end().poses, 12));
      set.project(tread.occupied(g), std::max(coarse, options.phi_d_tolerance), on_branch_most);
      const base::Pack residuals = set.residuals();
      on_branch[g] =
          base::bits((residuals <= base::splat(coarse)) & (set.tangents().pivot > base::Pack{})) &
          set.on_surfaces();
      unsettled[g] = base::bits(residuals > base::splat(options.phi_d_tolerance));
    }
    for (std::size_t i = 0; i < w; ++i) {
      const auto [g, lane] = tread.place(i);
      ContactSet& set = tread.sets[g];
      PointState& point = next.tread[i];
      bool jumped = false;
      if ((on_branch[g] >> lane & 1) == 0 || !point.found ||
          !inside(data.wheels[i].tread, set.s()[1][lane])) {
        if (const runtime::Status s = follow_tread(i, options, jumped); s != runtime::Status::ok)
          return s;
        const bool off = set.residuals()[lane] > options.phi_d_tolerance;
        unsettled[g] = (unsettled[g] & ~(1u << lane)) | (off && point.found ? 1u << lane : 0);
      }
      newton_s = std::max(newton_s, set.iterations(lane));
      if (!point.found) continue;
      if ((unsettled[g] >> lane & 1) != 0) settled = false;
      const double phi_n = set.tangents().phi_n[lane];
      const bool caught = !point.on && phi_n < 0;
      if (caught) {
        // the gap closed within this step
        point.on = true;
        active[i] = 1;
        note(Event::Kind::touch, i, phi_n);
      }
      changed = changed || caught || jumped;
      if (!point.on) continue;
      if (!(std::abs(phi_n) <= largest_phi)) largest_phi = std::abs(phi_n), worst = i;
      rhs[n + i] = -phi_n;
    }
    if (changed || newton_q == renewal) renew_normals();
    moved = !(largest_phi <= options.phi_tolerance);
    if (!moved && settled) break;
    if (round == 2 * options.most_iterations || !(largest_phi < 1)) {
      // where a contact jumps to and fro the residual stays at what the two points differ by
      if (largest_phi <= options.phi_limit) break;
      return fail(runtime::Status::not_converged, "projection of q", worst, largest_phi,
                  options.phi_limit, newton_q);
    }
    for (std::size_t g = 0; g < tread.sets.size() && !settled; ++g) {
      const unsigned who =
          unsettled[g] & tread.lanes(g, [&](std::size_t i) { return next.tread[i].found; });
      if (who != 0) tread.sets[g].correct(who);
    }
    if (!moved) continue;
    ++round;
    ++newton_q;
    ask_solution();
    phase = Phase::correct_q;
    return runtime::Status::ok;
  }
  for (std::size_t i = 0; i < w; ++i) next.tread[i].s = tread[i].s();
  if (const runtime::Status s = follow_flanges(h, options); s != runtime::Status::ok) return s;
  at_end().kernels.set(id.dq, next.dq);
  iteration = 0;
  phase = Phase::motion;
  return runtime::Status::ok;
}

runtime::Status Simulator::Parts::follow_flanges(double h, const StepOptions& options) {
  for (std::size_t i = 0; i < w; ++i) look_at_flange(i, h);
  for (std::size_t g = 0; g < flange.sets.size(); ++g) {
    const unsigned who = flange.lanes(g, [&](std::size_t i) { return looked[i] != 0; });
    if (who == 0) continue;
    flange.sets[g].set_pose(flange.rows(g, at_end().poses, 12));
    flange.sets[g].project(
        flange.lanes(g, [&](std::size_t i) { return next.flange[i].found; }) & who,
        options.phi_d_tolerance, options.most_iterations);
  }
  for (std::size_t i = 0; i < w; ++i) {
    follow_flange(i, options);
    if (const runtime::Status lost = check_lost(i); lost != runtime::Status::ok) return lost;
  }
  return runtime::Status::ok;
}

runtime::Status Simulator::Parts::project_velocity(double h, const StepOptions& options) {
  // rates that move a point by the tolerance of its place in a tenth of a second
  const double tolerance = 10 * options.phi_tolerance;
  // velocities are projected with the Jacobian of t+h; it serves the next step, too
  if (method == LinearMethod::partitioning && iteration == 0 && !decompose(at_end()))
    return fail(runtime::Status::singular, "dphi_n_dq", 0, 0, 0, 0);
  take_motion(at_end());
  largest_rate = 0;
  worst = 0;
  std::fill(rhs.begin(), rhs.end(), 0.0);
  for (std::size_t g = 0; g < tread.sets.size(); ++g) {
    ContactSet& set = tread.sets[g];
    set.set_motion(tread.rows(g, at_end().twists, 7), tread.rows(g, at_end().biases, 6));
    const base::Pack* W = set.frames().W_n;
    base::Pack rates = W[0] * set.twist()[0];
    for (int k = 1; k < 6; ++k) rates += W[k] * set.twist()[k];
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      if (!next.tread[i].on) return;
      const double rate = rates[lane];
      if (!(std::abs(rate) <= largest_rate)) largest_rate = std::abs(rate), worst = i;
      rhs[n + i] = -rate;
    });
  }
  if (largest_rate <= tolerance) {
    find_rates(h);
    end_step(h, options);
    return runtime::Status::ok;
  }
  if (iteration == renewal) renew_normals();
  if (iteration == options.most_iterations || !std::isfinite(largest_rate)) {
    return fail(runtime::Status::not_converged, "projection of dq", worst, largest_rate, tolerance,
                iteration);
  }
  ++iteration;
  ask_solution();
  phase = Phase::correct_dq;
  return runtime::Status::ok;
}

// ds of all points at t+h, and what the state keeps of them
void Simulator::Parts::find_rates(double h) {
  const auto find = [&](Points& points, const std::vector<PointState>& begin,
                        std::vector<PointState>& end, auto seen, auto steadily) {
    for (std::size_t g = 0; g < points.sets.size(); ++g) {
      ContactSet& set = points.sets[g];
      const unsigned who = points.lanes(g, [&](std::size_t i) { return end[i].found && seen(i); });
      const unsigned going_on = points.lanes(
          g, [&](std::size_t i) { return begin[i].found && points.anew[i] == 0 && steadily(i); });
      if (who != 0 && &points != &tread)
        set.set_motion(points.rows(g, at_end().twists, 7), points.rows(g, at_end().biases, 6));
      set.find_rates(who, going_on, h);
      points.each(g, [&](std::size_t lane, std::size_t i) {
        if (!end[i].found) return;
        end[i].s = set.s(lane);
        end[i].ds = set.ds(lane);
        end[i].dds = set.dds(lane);
      });
    }
  };
  const auto always = [](std::size_t) { return true; };
  find(tread, state.tread, next.tread, always, always);
  // flanges that are looked at every step
  find(
      flange, state.flange, next.flange, [&](std::size_t i) { return looked[i] != 0; },
      [&](std::size_t i) { return state.flange[i].gap <= near_flange(h); });
  for (std::size_t i = 0; i < w; ++i)
    if (next.tread[i].found) next.tread[i].gap = tread[i].phi_n();
}

}  // namespace klingel::step
