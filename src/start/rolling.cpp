#include "start/rolling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "runtime/sparse_matrix.hpp"
#include "start/free_coordinates.hpp"
#include "start/start.hpp"
#include "start/unit_solver.hpp"
#include "step/vehicle_copy.hpp"

namespace klingel::start {
namespace {

using spline::Vec3;

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Rates that are not given, such that springs and dampers do as little as they can: D dq = 0 and
// tau K dq = 0 in the sense of least squares, D = -d(delta_NK)/d(dq), K = -d(delta_NK)/dq at rest;
// and such that wheelsets move along the track and turn with it. Geared rotors follow their
// wheelsets, bogies the track, bodies with coordinates of their own their neighbours.
void follow_elements(step::VehicleCopy& p, step::VehicleState& state, const track::Track& track,
                     double speed, const std::vector<std::size_t>& given) {
  constexpr double tau = 0.1;  // s: weighs a spring like a damper of a tenth of its stiffness
  const FreeCoordinates free(p.vehicle, given);
  if (free.list.empty()) return;

  const auto n = static_cast<int>(p.vehicle.n);
  runtime::KernelSet& k = p.at.kernels;
  const auto delta = [&](const std::vector<double>& q, const std::vector<double>& dq) {
    k.set(p.vehicle.id.q, q);
    k.set(p.vehicle.id.dq, dq);
    const std::span<const double> d = k.evaluate(p.vehicle.id.delta_NK);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(d.data(), n));
  };
  // all columns: those of given rates are the right side
  const FreeCoordinates all(p.vehicle, {});
  const UnitDifferences differences(p.vehicle.data.units, p.vehicle.n, all.list);
  const std::vector<double> rest(p.vehicle.n, 0.0);
  // small enough that gyroscopic terms, of second order, do not matter
  constexpr double h = 1e-5;
  Triplets dampers, springs;
  differences([&](const std::vector<double>& dq) { return delta(state.q, dq); }, rest, h, -1,
              dampers);
  differences([&](const std::vector<double>& q) { return delta(q, rest); }, state.q, h, -tau,
              springs);
  for (const Eigen::Triplet<double>& e : springs)
    dampers.emplace_back(n + e.row(), e.col(), e.value());

  constexpr double grip = 1e6;  // N s/m, N m s: as creep resists slip
  p.at.place(state.q);
  const auto wheelsets = static_cast<int>(p.vehicle.data.wheelsets.size());
  Triplets gripped;  // across and about the vertical of the track
  Eigen::VectorXd turning = Eigen::VectorXd::Zero(2 * n + 2 * wheelsets);
  for (int w = 0; w < wheelsets; ++w) {
    const std::span<const double> r = p.at.pose(static_cast<std::size_t>(w));
    const track::TrackFrame f = track.frame(nearest_abscissa(track.centre, {r[0], r[1], r[2]}));
    const std::array<double, 3> left = {f.axes.y.x, f.axes.y.y, f.axes.y.z},
                                up = {f.axes.z.x, f.axes.z.y, f.axes.z.z};
    for (int c = 0; c < 3; ++c) {
      gripped.emplace_back(2 * w, 9 * w + c, grip * left[static_cast<std::size_t>(c)]);
      gripped.emplace_back(2 * w + 1, 9 * w + 3 + c, grip * up[static_cast<std::size_t>(c)]);
    }
    turning[2 * n + 2 * w + 1] = grip * speed * f.curvature;
  }
  Eigen::SparseMatrix<double> wheels(2 * wheelsets, 9 * wheelsets);
  wheels.setFromTriplets(gripped.begin(), gripped.end());
  wheels = wheels * runtime::evaluate_sparse(k, p.vehicle.id.twist_dq);
  for (int c = 0; c < wheels.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator e(wheels, c); e; ++e)
      dampers.emplace_back(2 * n + static_cast<int>(e.row()), c, e.value());

  Eigen::SparseMatrix<double> rows(turning.size(), n);
  rows.setFromTriplets(dampers.begin(), dampers.end());
  const Eigen::VectorXd wanted = turning - rows * Eigen::Map<Eigen::VectorXd>(state.dq.data(), n);
  std::erase_if(dampers, [&](const Eigen::Triplet<double>& e) {
    return free.place[static_cast<std::size_t>(e.col())] < 0;
  });
  for (Eigen::Triplet<double>& e : dampers)
    e = {e.row(), free.place[static_cast<std::size_t>(e.col())], e.value()};
  Eigen::SparseMatrix<double> A(rows.rows(), static_cast<Eigen::Index>(free.list.size()));
  A.setFromTriplets(dampers.begin(), dampers.end());
  // differences leave noise in directions that nothing resists
  const Eigen::VectorXd x = least_solution(A, wanted, free.units, 1e-9);
  for (std::size_t j = 0; j < free.list.size(); ++j)
    state.dq[free.list[j]] += x[static_cast<Eigen::Index>(j)];
}

// Coordinates that turn wheelsets about the vertical and nothing else: on level rails hardly
// anything resists them as long as there is no creep.
std::vector<std::size_t> yaws(step::VehicleCopy& p, const step::VehicleState& state) {
  runtime::KernelSet& k = p.at.kernels;
  k.set(p.vehicle.id.q, state.q);
  const runtime::SparseMap J = runtime::evaluate_sparse(k, p.vehicle.id.twist_dq);
  std::vector<std::size_t> list;
  for (int c = 0; c < J.outerSize(); ++c) {
    bool turns = false, otherwise = false;
    Eigen::Index wheelset = -1;
    std::array<double, 3> turn{};
    const auto judge = [&] {
      turns = turns || std::abs(turn[2]) > 0.9;
      otherwise = otherwise || std::hypot(turn[0], turn[1]) > 0.3;
      turn = {};
    };
    for (runtime::SparseMap::InnerIterator e(J, c); e; ++e) {
      if (e.row() / 9 != wheelset) judge();
      wheelset = e.row() / 9;
      const auto row = static_cast<std::size_t>(e.row() % 9);
      if (row >= 3 && row < 6) turn[row - 3] = e.value();
    }
    judge();
    if (turns && !otherwise) list.push_back(static_cast<std::size_t>(c));
  }
  return list;
}

// The deepest overlap of a flange with its rail, m, and its wheel.
struct Overlap {
  double depth = 0;
  std::size_t wheel = 0;
};
Overlap deepest_flange(const step::VehicleState& state) {
  Overlap found;
  for (std::size_t i = 0; i < state.flange.size(); ++i) {
    if (state.flange[i].found && -state.flange[i].gap > found.depth)
      found = {-state.flange[i].gap, i};
  }
  return found;
}

// Equilibrium from the given state; if it is not found, or not a good one, once more with the yaws
// held where they are. One that drives a flange into its rail, because nothing holds the yaws or
// rails are uneven, is none if it is deeper than allowed. False with the reason why not.
bool settle_on_track(step::VehicleCopy& p, step::VehicleState& state,
                     const std::vector<std::size_t>& held, bool grip, double deepest,
                     std::string& reason) {
  const step::VehicleState given = state;
  std::vector<std::size_t> more = held;
  for (const std::size_t c : yaws(p, given)) {
    if (!contains(held, c)) more.push_back(c);
  }
  reason.clear();
  for (const std::vector<std::size_t>* which : {&held, &std::as_const(more)}) {
    if (which == &more && more.size() == held.size()) break;
    state = given;
    try {
      settle(p, state, {.held = *which, .grip = grip});
      const Overlap overlap = deepest_flange(state);
      if (overlap.depth < deepest) return true;
      reason = fmt::format("the flange of the wheel '{}' would stand {:.1f} mm inside its rail",
                           p.vehicle.data.wheels[overlap.wheel].name, 1e3 * overlap.depth);
    } catch (const base::Error& e) {
      if (reason.empty()) reason = e.what();
    }
  }
  state = given;
  return false;
}

bool is_held(const Start& options, const std::optional<std::size_t>& coordinate) {
  return std::any_of(options.held.begin(), options.held.end(),
                     [&](const Start::Held& h) { return h.coordinate == coordinate; });
}

bool is_level_and_straight(step::VehicleCopy& p, const step::VehicleState& state,
                           const track::Track& track) {
  p.at.place(state.q);
  for (std::size_t i = 0; i < p.vehicle.data.wheelsets.size(); ++i) {
    const std::span<const double> r = p.at.pose(i);
    const track::TrackFrame f = track.frame(nearest_abscissa(track.centre, {r[0], r[1], r[2]}));
    if (std::abs(f.curvature) > 1e-7 || std::abs(f.cant) > 1e-6) return false;
  }
  return true;
}

// The rails must reach under all wheelsets of the vehicle, whose q is along x still.
void check_position(step::VehicleCopy& p, const step::VehicleState& state, double reference_x,
                    const track::Track& track, double position) {
  p.at.place(state.q);
  constexpr double margin = 1;  // m: contacts are a little before or behind the axle
  double front = -INFINITY, rear = INFINITY;
  for (std::size_t i = 0; i < p.vehicle.data.wheelsets.size(); ++i) {
    front = std::max(front, p.at.pose(i)[0] - reference_x + margin);
    rear = std::min(rear, p.at.pose(i)[0] - reference_x - margin);
  }
  if (position + rear >= track.begin() && position + front <= track.end()) return;
  base::fail(
      "the vehicle cannot stand at position {:g} m: the rails of '{}' reach from {:g} to {:g} m; "
      "with its length it can be put from {:g} to {:g} m",
      position, track.name, track.begin(), track.end(), track.begin() - rear, track.end() - front);
}

}  // namespace

void begin(step::Simulator& simulator, const track::Track& track, const Start& options) {
  step::VehicleCopy p(simulator);
  step::VehicleState state = simulator.state();
  state.t = 0, state.step = 0;
  const double* nominal = p.vehicle.data.vehicle->inputs[p.vehicle.id.q].nominal;
  state.q.assign(nominal, nominal + p.vehicle.n);
  std::fill(state.dq.begin(), state.dq.end(), 0.0);
  enum { x, y, z, roll, pitch, yaw };
  const BodyCoordinates& body = options.body;
  std::vector<BodyCoordinates> bodies = options.grounded;
  if (bodies.empty() && body[x] && body[y]) bodies.push_back(body);

  // held coordinates of the body are relative to the track, all others as they are
  TrackOffset offset;
  std::vector<std::size_t> held;
  for (const int k : {x, y, yaw})
    if (body[static_cast<std::size_t>(k)]) held.push_back(*body[static_cast<std::size_t>(k)]);
  held.insert(held.end(), options.spins.begin(), options.spins.end());
  for (const Start::Held& h : options.held) {
    double* const relative[] = {&offset.x,    &offset.y,     &offset.z,
                                &offset.roll, &offset.pitch, &offset.yaw};
    const auto at = std::find(body.begin(), body.end(), std::optional(h.coordinate));
    if (at == body.end()) {
      state.q[h.coordinate] = h.value;
    } else {
      const auto k = at - body.begin();
      *relative[k] = h.value - (k == x || k == y ? 0 : state.q[h.coordinate]);
    }
    if (!contains(held, h.coordinate)) held.push_back(h.coordinate);
  }

  // wheels of one gauge on rails of another
  const double apart = track.frame(options.position).rail_distance;
  for (const step::WheelData& wheel : p.vehicle.data.wheels) {
    constexpr double most = 0.1;  // m: more than any profile is wide
    if (std::abs(2 * std::abs(wheel.y_w) - apart) > most) {
      base::fail(
          "the wheels of '{}' are {:g} m apart, the rails of '{}' {:g} m: choose a track of the "
          "vehicle's gauge",
          p.vehicle.data.name, 2 * std::abs(wheel.y_w), track.name, apart);
    }
  }

  // on the track
  std::array<double, 2> reference{};
  if (!bodies.empty()) {
    const BodyCoordinates& first = body[x] && body[y] ? body : bodies.front();
    reference = {state.q[*first[x]], state.q[*first[y]]};
    check_position(p, state, reference[0], track, options.position + offset.x);
  }
  const std::vector<double> as_drawn = state.q;
  move_along(state.q, bodies, reference, track, options.position, offset);

  // in a curve or on cant the wheels hold the vehicle, the suspension says where its body is, and
  // offsets are from there
  const auto lay = [&] {
    TrackOffset middle = offset;
    middle.y = middle.yaw = 0;
    state.q = as_drawn;
    move_along(state.q, bodies, reference, track, options.position, middle);
    std::vector<std::size_t> kept;
    for (const std::size_t c : held)
      if (c != body[y] && c != body[yaw]) kept.push_back(c);
    held = kept;
    lie_down(p, state.q, track, kept);
    for (const BodyCoordinates& b : bodies) {
      const Vec3 r{state.q[*b[x]], state.q[*b[y]], 0};
      const Vec3 left = track.frame(nearest_abscissa(track.centre, r)).axes.y;
      state.q[*b[x]] += offset.y * left.x;
      state.q[*b[y]] += offset.y * left.y;
    }
    if (body[yaw]) state.q[*body[yaw]] += offset.yaw;
  };
  const bool plain = bodies.empty() || is_level_and_straight(p, state, track);
  if (!plain) lay();

  if (options.equilibrium) {
    constexpr double deepest = 1e-3, last_resort = 2.5e-3;  // m, of flanges in rails
    std::string reason, again;
    bool settled = settle_on_track(p, state, held, !plain, deepest, reason);
    if (!settled && !bodies.empty()) {
      // with wheels that grip, and where y is free, a little beside the middle
      const double y_given = offset.y;
      std::vector<double> shifts{0.0};
      if (!is_held(options, body[y])) shifts = {0.0, 2e-3, -2e-3, 4e-3, -4e-3};
      for (const double allowed : {deepest, last_resort}) {
        for (const double shift : shifts) {
          if (settled) break;
          offset.y = y_given + shift;
          lay();
          settled = settle_on_track(p, state, held, true, allowed, again);
        }
      }
    }
    if (!settled) {
      base::fail(
          "no start was found at position {:g} m of '{}': {}. Try a smaller y or yaw in 'hold', no "
          "other coordinates in it, another position, or equilibrium = \"none\"",
          options.position, track.name, reason);
    }
  } else {
    find_contacts(p, state);
  }

  // rolling
  std::vector<std::size_t> given;
  move_with(state.q, state.dq, bodies, track, options.speed);
  for (const BodyCoordinates& b : bodies) {
    for (const std::optional<std::size_t>& c : b)
      if (c) given.push_back(*c);
  }
  for (std::size_t k = 0; k < options.spins.size(); ++k) {
    state.dq[options.spins[k]] = options.speed / rolling_radius(p, state, k);
    given.push_back(options.spins[k]);
  }
  follow_elements(p, state, track, options.speed, given);
  project_velocities(p, state);
  simulator.set_state(state);
}

}  // namespace klingel::start
