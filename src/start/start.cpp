#include "start/start.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "start/static_forces.hpp"
#include "step/sheet_force.hpp"

namespace klingel::start {
namespace {

using contact::Minimum;
using spline::Vec3;

}  // namespace

double nearest_abscissa(const track::RailLine& line, const Vec3& point) {
  const auto distance = [&](double s) {
    const Vec3 d = section(line, s).origin - point;
    return d.x * d.x + d.y * d.y;
  };
  double best = line.begin();
  double least = distance(best);
  for (const double s : line.x.knots()) {
    if (const double d = distance(s); d < least) least = d, best = s;
  }
  // the foot of the perpendicular
  for (int i = 0; i < 20; ++i) {
    const track::RailSection at = section(line, best);
    const Vec3 d = point - at.origin;
    const double correction = (d.x * at.axes.x.x + d.y * at.axes.x.y) / at.ds;
    best = std::clamp(best + correction, line.begin(), line.end());
    if (std::abs(correction) < 1e-12) break;
  }
  return best;
}

void find_contacts(step::Simulator& simulator, step::VehicleState& state) {
  step::Simulator::Parts& p = simulator.parts();
  p.fresh = false;
  p.place(p.at_t(), state.q);
  if (!p.loaded.empty()) {
    for (std::size_t i = 0; i < p.w; ++i) {
      const step::WheelData& wheel = p.data.wheels[i];
      const track::RailLine& line =
          wheel.side == profile::Side::left ? p.data.left.line : p.data.right.line;
      state.tread[i].s[2] = nearest_abscissa(line, p.pose_of(p.at_t(), i).r_Ow);
    }
    StaticForces(p, state).at(state.q);
    p.keep_loaded(state);
    simulator.set_state(state);
    return;
  }
  for (std::size_t i = 0; i < p.w; ++i) {
    const step::WheelData& wheel = p.data.wheels[i];
    const contact::WheelPose pose = p.pose_of(p.at_t(), i);
    const double s_near = nearest_abscissa(p.tread[i].rail().line, pose.r_Ow);
    const contact::MinimumList tread = p.around->searches[i].minima(pose, s_near, wheel.tread);
    const Minimum* best = step::lowest(tread);
    if (best == nullptr) {
      base::fail(
          "the wheel '{}' finds no rail: its reference point stands at x {:.3f}, y {:.3f}, z "
          "{:.3f} m, the rail's base line at y {:.3f}, z {:.3f} m",
          wheel.name, pose.r_Ow.x, pose.r_Ow.y, pose.r_Ow.z,
          section(p.tread[i].rail().line, s_near).origin.y,
          section(p.tread[i].rail().line, s_near).origin.z);
    }
    state.tread[i].s = step::as_array(best->point.s);
    state.tread[i].found = state.tread[i].on = true;
    state.tread[i].dds = {};
    state.flange[i].found = false;
    if (wheel.flange.low <= wheel.flange.high) {
      const contact::MinimumList flange = p.around->searches[i].minima(pose, s_near, wheel.flange);
      const Minimum* near = step::lowest(flange);
      state.flange[i].found = near != nullptr;
      if (near != nullptr) {
        state.flange[i].s = step::as_array(near->point.s);
        state.flange[i].gap = near->point.gap;
      }
    }
  }
  simulator.set_state(state);
}

void settle(step::Simulator& simulator, step::VehicleState& state, const Equilibrium& options) {
  step::Simulator::Parts& p = simulator.parts();
  find_contacts(simulator, state);
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < p.n; ++i) {
    if (std::find(options.held.begin(), options.held.end(), i) == options.held.end())
      free.push_back(i);
  }
  const auto n_free = static_cast<Eigen::Index>(free.size());
  const auto n_wheels = static_cast<Eigen::Index>(p.w);
  StaticForces forces(p, state);
  if (options.grip) forces.grip(state.q);
  Eigen::VectorXd N = Eigen::VectorXd::Zero(n_wheels);
  const auto unbalanced = [&](const std::vector<double>& q) {
    const Eigen::VectorXd all = forces.unbalanced(q, N);
    Eigen::VectorXd F(n_free);
    for (Eigen::Index i = 0; i < n_free; ++i)
      F[i] = all[static_cast<Eigen::Index>(free[static_cast<std::size_t>(i)])];
    return F;
  };

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  constexpr double unit = 1e6;  // N/m: makes rows of lengths comparable with stiffnesses
  double largest = 0, least = INFINITY;
  step::VehicleState best;
  Eigen::VectorXd best_N;
  for (int iteration = 0;; ++iteration) {
    const Eigen::VectorXd F = unbalanced(state.q);
    const Eigen::VectorXd phi = forces.phi() + forces.approach(N);
    const Eigen::MatrixXd J = forces.J();
    const double scale = std::max(1.0, N.sum());
    largest = std::max(F.lpNorm<Eigen::Infinity>() / scale, phi.lpNorm<Eigen::Infinity>());
    if (iteration > 0 && largest < options.tolerance) break;
    if (iteration > 0 && largest < least) {
      least = largest, best = state, best_N = N;
      for (std::size_t i = 0; i < p.w && p.loaded.empty(); ++i) best.tread[i].s = p.tread[i].s();
    }
    // a loaded tread approaches its rail by some hundredths of a millimetre
    const double enough = p.loaded.empty() ? options.good_enough : 1e-6;
    if (iteration == options.most_iterations && least < enough) {
      // contacts jump to and fro: the best of them
      state = best, N = best_N;
      for (std::size_t i = 0; i < p.w && p.loaded.empty(); ++i) p.tread[i].set_s(best.tread[i].s);
      forces.at(state.q);
      break;
    }
    if (iteration == options.most_iterations || !std::isfinite(largest)) {
      base::fail(
          "no static equilibrium was found: after {} iterations {:.3g} of the weight is "
          "unbalanced (allowed {:.3g}); start nearer to it, or hold other coordinates",
          iteration, largest, options.tolerance);
    }
    // derivatives by the free coordinates: central differences of everything that moves with q
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n_free + n_wheels, n_free + n_wheels);
    constexpr double h = 1e-6;
    for (Eigen::Index j = 0; j < n_free; ++j) {
      const std::size_t c = free[static_cast<std::size_t>(j)];
      std::vector<double> q = state.q;
      q[c] += h;
      const Eigen::VectorXd up = unbalanced(q);
      q[c] = state.q[c] - h;
      A.col(j).head(n_free) = (up - unbalanced(q)) / (2 * h);
      A.col(j).tail(n_wheels) = J.col(static_cast<Eigen::Index>(c));
      A.row(j).tail(n_wheels) = J.col(static_cast<Eigen::Index>(c)).transpose();
    }
    A.bottomRightCorner(n_wheels, n_wheels).diagonal() = forces.compliance(N);
    Eigen::VectorXd right(n_free + n_wheels);
    right << -F, -phi;
    // the least solution: coordinates without force or stiffness stay where they are. Stiff wheels
    // leave more noise of the differences, which is no stiffness
    if (options.grip) {
      A.rightCols(n_wheels) *= unit, A.bottomRows(n_wheels) *= unit;
      right.tail(n_wheels) *= unit;
      solver.setThreshold(1e-9);
    }
    Eigen::VectorXd x = solver.compute(A).solve(right);
    if (options.grip) x.tail(n_wheels) *= unit;
    // a first guess may be far away: no coordinate moves by more than this at once, and none so far
    // that a wheel leaves its rail
    const double longest = x.head(n_free).lpNorm<Eigen::Infinity>();
    double share = longest > 0.05 ? 0.05 / longest : 1.0;
    const std::vector<double> before = state.q;
    const Eigen::VectorXd N_before = N;
    // what is missing, in metres of a wheel's approach
    const auto missing = [&](const Eigen::VectorXd& force, const Eigen::VectorXd& gap) {
      return force.norm() / (1e4 * scale) + gap.norm();
    };
    const double now = missing(F, phi);
    for (int halving = 0;; ++halving, share /= 2) {
      for (Eigen::Index j = 0; j < n_free; ++j) {
        const std::size_t c = free[static_cast<std::size_t>(j)];
        state.q[c] = before[c] + share * x[j];
      }
      N = N_before + share * x.tail(n_wheels);
      if (halving == 6) break;
      if (p.loaded.empty()) {
        if (forces.reaches(state.q)) break;
        continue;
      }
      // elastic flanges are stiff: only steps that help
      const Eigen::VectorXd after = unbalanced(state.q);
      if (iteration == 0 || missing(after, forces.phi() + forces.approach(N)) < now) break;
    }
  }
  for (std::size_t i = 0; i < p.w; ++i) {
    state.tread[i].N = N[static_cast<Eigen::Index>(i)];
    if (p.data.law.unilateral && state.tread[i].N <= 0) {
      base::fail("in equilibrium the wheel '{}' would have to pull at its rail with {:.0f} N",
                 p.data.wheels[i].name, -state.tread[i].N);
    }
    if (p.loaded.empty()) state.tread[i].s = p.tread[i].s();
  }
  if (!p.loaded.empty()) {
    p.keep_loaded(state);
    for (std::size_t i = 0; i < p.w && p.data.law.rail_stiffness > 0; ++i) {
      const auto [set, lane] = p.tread.place(i);
      const double softness = 1 / p.data.law.rail_stiffness;
      step::PointState& f = state.flange[i];
      f.N = step::sheet_force(p.loaded[set].flange.k[lane], softness, -f.gap).N;
      f.deflection = softness * f.N;
    }
    simulator.set_state(state);
    return;
  }
  // flanges where the wheels now stand
  std::vector<step::PointState> tread = state.tread;
  find_contacts(simulator, state);
  state.tread = tread;
  simulator.set_state(state);
}

void project_velocities(step::Simulator& simulator, step::VehicleState& state) {
  step::Simulator::Parts& p = simulator.parts();
  simulator.set_state(state);
  StaticForces forces(p, state);
  forces.at(state.q);
  runtime::KernelSet& k = p.at_t().kernels;
  const std::span<const double> M = k.evaluate(k.function("M_qq"));
  const auto n = static_cast<Eigen::Index>(p.n), w = static_cast<Eigen::Index>(p.w);
  const Eigen::Map<const Eigen::MatrixXd> mass(M.data(), n, n);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + w, n + w);
  A.topLeftCorner(n, n) = mass;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + w);
  const Eigen::Map<const Eigen::VectorXd> dq(state.dq.data(), n);
  for (Eigen::Index i = 0; i < w; ++i) {
    if (!state.tread[static_cast<std::size_t>(i)].on) {
      A(n + i, n + i) = 1;
      continue;
    }
    A.row(n + i).head(n) = forces.J().row(i);
    A.col(n + i).head(n) = forces.J().row(i).transpose();
    right[n + i] = -forces.J().row(i).dot(dq);
  }
  const Eigen::VectorXd x = A.fullPivLu().solve(right);
  for (Eigen::Index i = 0; i < n; ++i) state.dq[static_cast<std::size_t>(i)] += x[i];

  // the contact coordinates move with it   [eq:dsproj]
  p.move(p.at_t(), state.dq);
  if (!p.loaded.empty()) {
    p.stand_loaded(p.at_t());
    p.keep_loaded(state);
    simulator.set_state(state);
    return;
  }
  for (std::size_t i = 0; i < p.w; ++i) {
    const std::size_t wheelset = p.data.wheels[i].wheelset;
    const auto follow = [&](const step::Contact& contact, step::PointState& point) {
      if (!point.found) return;
      p.stand(contact, point, p.at_t(), wheelset);
      point.ds = contact.rates();
      point.dds = {};
      point.gap = contact.phi_n();
    };
    follow(p.tread[i], state.tread[i]);
    follow(p.flange[i], state.flange[i]);
  }
  simulator.set_state(state);
}

double rolling_radius(step::Simulator& simulator, const step::VehicleState& state,
                      std::size_t wheelset) {
  step::Simulator::Parts& p = simulator.parts();
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < p.w; ++i) {
    if (p.data.wheels[i].wheelset != wheelset) continue;
    if (p.loaded.empty()) {
      sum += p.data.wheels[i].surface.f_w.value(state.tread[i].s[1]);
    } else {
      const auto [set, lane] = p.tread.place(i);
      sum += p.loaded[set].set.tread().radius[lane];
    }
    ++count;
  }
  return sum / count;
}

}  // namespace klingel::start
