#include "start/steady_start.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "reference/continuous.hpp"
#include "start/quasi_static.hpp"
#include "start/start.hpp"
#include "step/vehicle_copy.hpp"

namespace klingel::start {
namespace {

using spline::Vec3;
using track::TrackFrame;

enum { x, y, z, roll, pitch, yaw };

std::vector<BodyCoordinates> bodies_of(const Start& options) {
  if (!options.grounded.empty()) return options.grounded;
  return {options.body};
}

// The same curve below all wheelsets, or an Error that says where it is not; and how far they
// reach from the reference body.
TrackFrame constant_frame(step::Simulator& simulator, const track::Track& track,
                          const Start& options, double& reach) {
  step::VehicleCopy p(simulator);
  const double* nominal = p.vehicle.data.vehicle->inputs[p.vehicle.id.q].nominal;
  p.at.place(std::vector<double>(nominal, nominal + p.vehicle.n));
  double front = 0, rear = 0;
  for (std::size_t i = 0; i < p.vehicle.data.wheelsets.size(); ++i) {
    const double ahead = p.at.pose(i)[0] - nominal[*options.body[x]];
    front = std::max(front, ahead), rear = std::min(rear, ahead);
  }
  reach = std::max(front, -rear);
  const TrackFrame middle = track.frame(options.position);
  for (const double s : {options.position + rear, options.position + front}) {
    const TrackFrame f = track.frame(s);
    if (std::abs(f.curvature - middle.curvature) > 1e-6 || std::abs(f.cant - middle.cant) > 1e-5) {
      base::fail(
          "a quasi-static start needs one curvature and cant below the whole vehicle: at {:g} m "
          "they are {:.3g} 1/m and {:.3g} rad, at {:g} m {:.3g} and {:.3g}; choose a position "
          "inside an arc or a straight, or equilibrium = \"static\"",
          options.position, middle.curvature, middle.cant, s, f.curvature, f.cant);
    }
  }
  if (std::abs(middle.gradient) > 1e-6) {
    base::fail("a quasi-static start needs level track, at {:g} m its gradient is {:.3g}",
               options.position, middle.gradient);
  }
  return middle;
}

// A piece of the curve without irregularities, long enough for a second of running.
track::Track arc_of(const TrackFrame& frame, double length) {
  track::TrackDescription d;
  d.name = "arc";
  d.rail_distance = frame.rail_distance;
  track::Section section;
  section.kind = frame.curvature != 0 ? track::SectionKind::arc : track::SectionKind::straight;
  section.length = length;
  section.radius = frame.curvature != 0 ? 1 / frame.curvature : 0;
  section.cant = track::Ramp{frame.cant, frame.cant};
  d.sections.push_back(section);
  return track::build_track(d);
}

// The state carried as a whole from one place of the curve to another, of the same track or not.
void carry(step::VehicleState& state, const std::vector<BodyCoordinates>& bodies,
           const TrackFrame& from, double s_from, const TrackFrame& to, double s_to) {
  const double turn = to.heading - from.heading, c = std::cos(turn), s = std::sin(turn);
  for (const BodyCoordinates& b : bodies) {
    double &qx = state.q[*b[x]], &qy = state.q[*b[y]];
    const double dx = qx - from.origin.x, dy = qy - from.origin.y;
    qx = to.origin.x + c * dx - s * dy;
    qy = to.origin.y + s * dx + c * dy;
    double &vx = state.dq[*b[x]], &vy = state.dq[*b[y]];
    const double ux = vx, uy = vy;
    vx = c * ux - s * uy, vy = s * ux + c * uy;
    if (b[z]) state.q[*b[z]] += to.origin.z - from.origin.z;
    if (b[yaw]) state.q[*b[yaw]] += turn;
  }
  for (std::vector<step::PointState>* list : {&state.tread, &state.flange})
    for (step::PointState& point : *list) point.s[2] += s_to - s_from;
}

void scale_rates(step::VehicleState& state, double factor) {
  for (double& rate : state.dq) rate *= factor;
  for (std::vector<step::PointState>* list : {&state.tread, &state.flange})
    for (step::PointState& point : *list) {
      for (double& rate : point.ds) rate *= factor;
      point.forget_changes();
    }
}

std::vector<double> loads(const step::Simulator& simulator) {
  std::vector<double> N;
  for (std::size_t i = 0; i < simulator.tread().size(); ++i)
    N.push_back(simulator.tread()[i].N + simulator.flange()[i].N);
  return N;
}

// Coordinates that grow with a wheelset's spin, rotors by their gears: which spin, and how fast, is
// read from the spring between them. `rolling` says which coordinates grow at all.
std::vector<GearedCoordinate> geared(step::Simulator& simulator, const step::VehicleState& rolling,
                                     const Start& options,
                                     const std::vector<BodyCoordinates>& bodies) {
  step::VehicleCopy p(simulator);
  runtime::KernelSet& k = p.at.kernels;
  k.set(p.vehicle.id.dq, std::vector<double>(p.vehicle.n, 0.0));
  // force on coordinate i by a small change of coordinate j
  const auto stiffness = [&](std::size_t i, std::size_t j) {
    constexpr double h = 1e-6;
    std::vector<double> q = rolling.q;
    q[j] += h;
    k.set(p.vehicle.id.q, q);
    const double up = k.evaluate(p.vehicle.id.delta_NK)[i];
    q[j] -= 2 * h;
    k.set(p.vehicle.id.q, q);
    return (k.evaluate(p.vehicle.id.delta_NK)[i] - up) / (2 * h);
  };
  std::vector<GearedCoordinate> list;
  for (std::size_t i = 0; i < p.vehicle.n; ++i) {
    bool known = std::find(options.spins.begin(), options.spins.end(), i) != options.spins.end();
    for (const BodyCoordinates& b : bodies)
      known = known || std::find(b.begin(), b.end(), std::optional(i)) != b.end();
    // in steady motion nothing else grows
    if (known || std::abs(rolling.dq[i]) < 0.1 * std::abs(rolling.dq[options.spins[0]])) continue;
    GearedCoordinate g{i, options.spins[0], 0};
    double most = 0;
    for (const std::size_t spin : options.spins) {
      const double c = stiffness(i, spin);
      if (std::abs(c) > most) most = std::abs(c), g.spin = spin, g.ratio = -c / stiffness(i, i);
    }
    const double seen = rolling.dq[i] / rolling.dq[g.spin];
    if (!(std::abs(g.ratio - seen) < 1e-2 * std::abs(seen))) g.ratio = seen;
    list.push_back(g);
  }
  return list;
}

// Runs on the arc until the loads of the last two seconds agree.
void relax(step::Simulator& arc, const track::Track& track, const Start& options, double s_begin,
           SteadyStart& result) {
  constexpr double h = 1e-3, most = 40, restful = 2e-4;
  constexpr int per_part = 100;
  const std::vector<BodyCoordinates> bodies = bodies_of(options);
  const std::size_t bx = *options.body[x], by = *options.body[y];
  std::vector<double> before;
  for (result.settling = 0; result.settling < most; result.settling += 1) {
    std::vector<double> sum, low, high;
    for (int i = 0; i < 1000; ++i) {
      if (i % per_part == 0) {
        // back to the begin of the arc, and to the speed
        step::VehicleState state = arc.state();
        const double s = nearest_abscissa(track.centre, {state.q[bx], state.q[by], 0});
        const TrackFrame here = track.frame(s);
        const double v = state.dq[bx] * here.axes.x.x + state.dq[by] * here.axes.x.y;
        const Vec3 d = Vec3{state.q[bx], state.q[by], 0} - here.origin;
        const double left = -std::sin(here.heading) * d.x + std::cos(here.heading) * d.y;
        const double wanted = options.speed * (1 - here.curvature * left);
        scale_rates(state, v != 0 ? wanted / v : 1);
        carry(state, bodies, here, s, track.frame(s_begin), s_begin);
        arc.set_state(state);
      }
      if (arc.step(h) != runtime::Status::ok) {
        base::fail("no steady run was found at {:.3g} m/s: after {:.3g} s in the curve {}",
                   options.speed, result.settling + 1e-3 * i, arc.failure_text());
      }
      const std::vector<double> N = loads(arc);
      if (sum.empty()) sum.assign(N.size(), 0), low = high = N;
      for (std::size_t k = 0; k < N.size(); ++k) {
        sum[k] += N[k] / 1000;
        low[k] = std::min(low[k], N[k]), high[k] = std::max(high[k], N[k]);
      }
    }
    double mean = 0;
    for (const double N : sum) mean += N / static_cast<double>(sum.size());
    result.unrest = 0;
    for (std::size_t k = 0; k < sum.size(); ++k)
      result.unrest = std::max(result.unrest, (high[k] - low[k]) / mean);
    if (!before.empty() && result.unrest < restful) break;
    before = sum;
  }
}

// Solves for the balance; the state stays as it is where that leads nowhere or far away.
void polish(step::Simulator& arc, const track::Track& track, const Start& options,
            SteadyStart& result) {
  const step::VehicleState relaxed = arc.state();
  const std::vector<BodyCoordinates> bodies = bodies_of(options);
  SteadyRun steady;
  for (std::size_t k = 0; k < 6; ++k) {
    if (!options.body[k]) return;
    steady.body[k] = *options.body[k];
  }
  steady.grounded = bodies;
  steady.spins = options.spins;
  steady.geared = geared(arc, relaxed, options, bodies);
  steady.speed = options.speed;
  steady.from_given = true;
  const double s =
      nearest_abscissa(track.centre, {relaxed.q[steady.body[x]], relaxed.q[steady.body[y]], 0});
  const TrackFrame here = track.frame(s);
  steady.curvature = here.curvature;
  steady.x = here.origin.x, steady.y = here.origin.y, steady.heading = here.heading;
  step::VehicleState state = relaxed;
  try {
    const SteadyForces forces = settle_in_curve(arc, state, steady);
    double off = 0, mean = 0;
    for (std::size_t i = 0; i < state.tread.size(); ++i) {
      off = std::max(off, std::abs(state.tread[i].N - relaxed.tread[i].N));
      mean += relaxed.tread[i].N / static_cast<double>(state.tread.size());
    }
    // a steady motion other than the one it reached is refused
    if (off < 0.1 * mean) {
      result.exact = true;
      result.unbalanced = forces.unbalanced;
      result.forward = forces.forward;
      return;
    }
  } catch (const base::Error&) {
    // it is not far from balance anyway: unrest says how far
  }
  arc.set_state(relaxed);
}

}  // namespace

SteadyStart begin_steady(step::Simulator& simulator, const track::Track& track,
                         const Start& options) {
  if (!options.body[x] || !options.body[y]) {
    base::fail("a quasi-static start needs a reference body with coordinates x and y");
  }
  if (!(std::abs(options.speed) > 0)) {
    base::fail("a quasi-static start needs a speed; at standstill use equilibrium = \"static\"");
  }
  step::VehicleCopy p(simulator);
  double reach = 0;
  const TrackFrame frame = constant_frame(simulator, track, options, reach);
  const double room = std::max(60.0, reach + 40);  // m, before and behind
  const track::Track arc_track = arc_of(frame, 2 * room + 2 * std::abs(options.speed));
  step::VehicleData data = p.vehicle.data;
  data.left.line = arc_track.left, data.right.line = arc_track.right;
  step::Simulator arc(std::move(data));
  for (std::size_t i = 0; i < p.vehicle.w; ++i) arc.set_friction(i, p.friction[i]);
  const std::span<const double> parameters = p.at.kernels.value(p.vehicle.id.p);
  for (std::size_t i = 0; i < arc.parameter_names().size(); ++i)
    arc.set_parameter(i, parameters[i]);

  const std::vector<BodyCoordinates> bodies = bodies_of(options);
  const double s_begin = arc_track.begin() + room + std::abs(options.speed);
  Start start = options;
  start.position = s_begin;
  start.held.clear();
  SteadyStart result;
  begin(arc, arc_track, start);
  relax(arc, arc_track, start, s_begin, result);
  polish(arc, arc_track, start, result);
  if (!result.exact && result.unrest > 0.02) {
    base::fail(
        "no steady run was found at {:.3g} m/s: after {:g} s in the curve wheel loads still swing "
        "by {:.1f} %; choose another speed, or equilibrium = \"static\"",
        options.speed, result.settling, 100 * result.unrest);
  }

  // from the arc to the track, and onto its irregularities
  step::VehicleState state = arc.state();
  const double s =
      nearest_abscissa(arc_track.centre, {state.q[*options.body[x]], state.q[*options.body[y]], 0});
  carry(state, bodies, arc_track.frame(s), s, frame, options.position);
  state.t = 0, state.step = 0;
  simulator.set_state(state);
  bool uneven = false;
  for (const step::PointState& point : state.tread) {
    const track::RailDeviation d = track.deviation(point.s[2]);
    for (const double off : {d.left_vertical, d.left_lateral, d.right_vertical, d.right_lateral})
      uneven = uneven || std::abs(off) > 1e-6;
  }
  if (!uneven) return result;
  reference::Continuous at(simulator);
  at.begin(state);
  if (!at.project(state.q.data(), state.dq.data(), 1e-9)) {
    base::fail(
        "the steady run cannot be put on the track at {:g} m: its rails are too uneven there",
        options.position);
  }
  const std::vector<step::PointState> tread = state.tread, flange = state.flange;
  at.end(state);
  for (std::size_t i = 0; i < p.vehicle.w; ++i)
    state.tread[i].N = tread[i].N, state.flange[i].N = flange[i].N;
  simulator.set_state(state);
  return result;
}

}  // namespace klingel::start
