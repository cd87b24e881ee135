#include "run/rolling.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "run/simulator_parts.hpp"
#include "run/start.hpp"

namespace klingel::run {
namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Rates that are not given, such that springs and dampers do as little as they can: D dq = 0 and
// tau K dq = 0 in the sense of least squares, D = -d(delta_NK)/d(dq), K = -d(delta_NK)/dq at rest.
// Geared rotors follow their wheelsets, bodies with coordinates of their own their neighbours.
void follow_elements(Simulator::Parts& p, VehicleState& state,
                     const std::vector<std::size_t>& given) {
  constexpr double tau = 0.1;  // s: weighs a spring like a damper of a tenth of its stiffness
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < p.n; ++i) {
    if (!contains(given, i)) free.push_back(i);
  }
  if (free.empty()) return;

  const auto n = static_cast<Eigen::Index>(p.n), m = static_cast<Eigen::Index>(free.size());
  KernelSet& k = p.at_t().kernels;
  const auto delta = [&](const std::vector<double>& q, const std::vector<double>& dq) {
    k.set(p.id.q, q);
    k.set(p.id.dq, dq);
    const std::span<const double> d = k.evaluate(p.id.delta_NK);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(d.data(), n));
  };
  Eigen::MatrixXd rows(2 * n, n);
  const std::vector<double> rest(p.n, 0.0);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto c = static_cast<std::size_t>(j);
    // small enough that gyroscopic terms, of second order, do not matter
    constexpr double h = 1e-5;
    std::vector<double> up = rest, down = rest;
    up[c] = h, down[c] = -h;
    rows.col(j).head(n) = (delta(state.q, down) - delta(state.q, up)) / (2 * h);
    up = down = state.q;
    up[c] += h, down[c] -= h;
    rows.col(j).tail(n) = tau * (delta(down, rest) - delta(up, rest)) / (2 * h);
  }
  const Eigen::VectorXd wanted = -rows * Eigen::Map<Eigen::VectorXd>(state.dq.data(), n);
  Eigen::MatrixXd A(2 * n, m);
  for (Eigen::Index j = 0; j < m; ++j)
    A.col(j) = rows.col(static_cast<Eigen::Index>(free[static_cast<std::size_t>(j)]));
  // differences leave noise in directions that nothing resists
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-9);
  decomposition.compute(A);
  const Eigen::VectorXd x = decomposition.solve(wanted);
  for (Eigen::Index j = 0; j < m; ++j) state.dq[free[static_cast<std::size_t>(j)]] += x[j];
}

// Coordinates that turn wheelsets about the vertical and nothing else: on level rails hardly
// anything resists them as long as there is no creep.
std::vector<std::size_t> yaws(Simulator::Parts& p, const VehicleState& state) {
  KernelSet& k = p.at_t().kernels;
  k.set(p.id.q, state.q);
  const std::span<const double> J = k.evaluate(k.function("twist_dq"));
  const std::size_t rows = 9 * p.data.wheelsets.size();
  std::vector<std::size_t> list;
  for (std::size_t c = 0; c < p.n; ++c) {
    bool turns = false, otherwise = false;
    for (std::size_t w = 0; w < p.data.wheelsets.size(); ++w) {
      const std::span<const double> turn = J.subspan(c * rows + 9 * w + 3, 3);
      turns = turns || std::abs(turn[2]) > 0.9;
      otherwise = otherwise || std::hypot(turn[0], turn[1]) > 0.3;
    }
    if (turns && !otherwise) list.push_back(c);
  }
  return list;
}

// Equilibrium; if it is not found, or drives a flange into its rail because nothing holds the yaws,
// once more with the yaws held where they are.
void settle_on_track(Simulator& simulator, VehicleState& state, std::vector<std::size_t> held) {
  constexpr double deepest = 1e-3;  // m
  const VehicleState given = state;
  std::vector<std::size_t> more = held;
  for (const std::size_t c : yaws(simulator.parts(), given)) {
    if (!contains(held, c)) more.push_back(c);
  }
  try {
    settle(simulator, state, {.held = held});
    double gap = 0;
    for (const PointState& flange : state.flange) {
      if (flange.found) gap = std::min(gap, flange.gap);
    }
    if (gap > -deepest || more.size() == held.size()) return;
  } catch (const base::Error&) {
    if (more.size() == held.size()) throw;
  }
  state = given;
  settle(simulator, state, {.held = more});
}

}  // namespace

void begin(Simulator& simulator, const wheelrail::Track& track, const Start& options) {
  Simulator::Parts& p = simulator.parts();
  VehicleState state = simulator.state();
  state.t = 0, state.step = 0;
  const std::span<const double> nominal = p.at_t().kernels.value(p.id.q);
  std::copy(nominal.begin(), nominal.end(), state.q.begin());
  std::fill(state.dq.begin(), state.dq.end(), 0.0);

  // on the track
  const wheelrail::TrackFrame frame = track.frame(options.position);
  enum { x, y, z, roll, pitch, yaw };
  std::vector<std::size_t> held, given;
  const auto put = [&](int which, double value) {
    if (!options.body[static_cast<std::size_t>(which)]) return;
    const std::size_t c = *options.body[static_cast<std::size_t>(which)];
    state.q[c] = value;
    held.push_back(c);
  };
  put(x, frame.origin.x);
  put(y, frame.origin.y);
  put(yaw, frame.heading);
  if (options.body[z]) state.q[*options.body[z]] += frame.origin.z;
  if (options.body[roll]) state.q[*options.body[roll]] += frame.cant;
  for (const std::size_t spin : options.spins) held.push_back(spin);
  for (const Start::Held& h : options.held) {
    state.q[h.coordinate] = h.value;
    if (!contains(held, h.coordinate)) held.push_back(h.coordinate);
  }

  if (options.equilibrium) {
    settle_on_track(simulator, state, held);
  } else {
    find_contacts(simulator, state);
  }

  // rolling
  const auto rate = [&](int which, double value) {
    if (!options.body[static_cast<std::size_t>(which)]) return;
    const std::size_t c = *options.body[static_cast<std::size_t>(which)];
    state.dq[c] = value;
    given.push_back(c);
  };
  rate(x, options.speed * frame.axes.x.x);
  rate(y, options.speed * frame.axes.x.y);
  rate(z, options.speed * frame.axes.x.z);
  rate(yaw, options.speed * frame.curvature);
  rate(roll, 0);
  rate(pitch, 0);
  for (std::size_t k = 0; k < options.spins.size(); ++k) {
    state.dq[options.spins[k]] = options.speed / rolling_radius(simulator, state, k);
    given.push_back(options.spins[k]);
  }
  follow_elements(p, state, given);
  project_velocities(simulator, state);
}

}  // namespace klingel::run
