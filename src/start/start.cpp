#include "start/start.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "start/free_coordinates.hpp"
#include "start/static_forces.hpp"
#include "start/unit_solver.hpp"
#include "step/sheet_force.hpp"
#include "step/vehicle_copy.hpp"

namespace klingel::start {
namespace {

using contact::Minimum;
using spline::Vec3;

}  // namespace

double nearest_abscissa(const track::RailLine& line, const Vec3& point) {
  // a line has thousands of knots, so frames are not made here
  const auto distance = [&](double s) {
    const double x = line.x.value(s) - point.x, y = line.y.value(s) - point.y;
    return x * x + y * y;
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

namespace {

// Feet of loaded treads: the nearest points of the rails.
void find_loaded(step::VehicleCopy& p, step::LoadedTreads& treads, step::VehicleState& state) {
  for (std::size_t i = 0; i < p.vehicle.w; ++i)
    state.tread[i].s[2] = nearest_abscissa(p.vehicle.rail(i).line, p.at.wheel_pose(i).r_Ow);
  StaticForces(p, state).at(state.q);
  keep(treads, state);
}

// Points of rigid treads: the lowest minima of the gap.
void find_rigid(step::VehicleCopy& p, step::VehicleState& state) {
  for (std::size_t i = 0; i < p.vehicle.w; ++i) {
    const step::WheelData& wheel = p.vehicle.data.wheels[i];
    const track::RailLine& line = p.vehicle.rail(i).line;
    const contact::ContactSearch& search = p.vehicle.searches[i];
    const contact::WheelPose pose = p.at.wheel_pose(i);
    const double s_near = nearest_abscissa(line, pose.r_Ow);
    const contact::MinimumList tread = search.minima(pose, s_near, wheel.tread);
    const Minimum* best = step::lowest(tread);
    if (best == nullptr) {
      const Vec3 rail = section(line, s_near).origin;
      base::fail(
          "the wheel '{}' finds no rail: its reference point stands at x {:.3f}, y {:.3f}, z "
          "{:.3f} m, the rail's base line at y {:.3f}, z {:.3f} m",
          wheel.name, pose.r_Ow.x, pose.r_Ow.y, pose.r_Ow.z, rail.y, rail.z);
    }
    state.tread[i].s = step::as_array(best->point.s);
    state.tread[i].found = state.tread[i].on = true;
    state.tread[i].forget_changes();
    state.flange[i].found = false;
    if (wheel.flange.empty()) continue;
    const contact::MinimumList flange = search.minima(pose, s_near, wheel.flange);
    const Minimum* near = step::lowest(flange);
    state.flange[i].found = near != nullptr;
    if (near == nullptr) continue;
    state.flange[i].s = step::as_array(near->point.s);
    state.flange[i].gap = near->point.gap;
  }
}

}  // namespace

void find_contacts(step::VehicleCopy& p, step::VehicleState& state) {
  p.at.place(state.q);
  if (step::LoadedTreads* treads = p.loaded())
    find_loaded(p, *treads, state);
  else
    find_rigid(p, state);
}

void find_contacts(step::Simulator& simulator, step::VehicleState& state) {
  step::VehicleCopy copy(simulator);
  find_contacts(copy, state);
  simulator.set_state(state);
}

namespace {

void keep_s(step::RigidTreads& treads, step::VehicleState& state) {
  for (std::size_t i = 0; i < state.tread.size(); ++i) state.tread[i].s = treads.tread[i].s();
}

// Forces of flanges at rest and how far the rails behind them give way.
void find_flange_forces(const step::Description& vehicle, const step::LoadedTreads& treads,
                        step::VehicleState& state) {
  if (!(vehicle.data.law.rail_stiffness > 0)) return;
  const double softness = 1 / vehicle.data.law.rail_stiffness;
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    step::PointState& f = state.flange[i];
    f.N = step::sheet_force(treads.sets[set].flange.k[lane], softness, -f.gap).N;
    f.deflection = softness * f.N;
  }
}

// On rails that stay where they are.
void settle_wheels(step::VehicleCopy& p, step::VehicleState& state, const Equilibrium& options) {
  step::RigidTreads* rigid = p.rigid();
  find_contacts(p, state);
  const FreeCoordinates free(p.vehicle, options.held);
  const UnitDifferences differences(p.vehicle.data.units, p.vehicle.n, free.list);
  const std::vector<std::size_t> wheelset_unit = wheelset_units(p.vehicle);
  std::vector<std::size_t> unit = free.units;  // of unknowns
  for (const step::WheelData& wheel : p.vehicle.data.wheels)
    unit.push_back(wheelset_unit[wheel.wheelset]);
  const auto n_free = static_cast<Eigen::Index>(free.list.size());
  const auto n_wheels = static_cast<Eigen::Index>(p.vehicle.w);
  StaticForces forces(p, state);
  if (options.grip) forces.grip(state.q);
  Eigen::VectorXd N = Eigen::VectorXd::Zero(n_wheels);
  const auto unbalanced = [&](const std::vector<double>& q) {
    return free.part(forces.unbalanced(q, N));
  };

  constexpr double unit_force = 1e6;  // N/m: makes rows of lengths comparable with stiffnesses
  double largest = 0, least = INFINITY;
  step::VehicleState best;
  Eigen::VectorXd best_N;
  for (int iteration = 0;; ++iteration) {
    const Eigen::VectorXd F = unbalanced(state.q);
    const Eigen::VectorXd phi = forces.phi() + forces.approach(N);
    const Eigen::SparseMatrix<double> J = forces.J();
    const double scale = std::max(1.0, N.sum());
    largest = std::max(F.lpNorm<Eigen::Infinity>() / scale, phi.lpNorm<Eigen::Infinity>());
    if (iteration > 0 && largest < options.tolerance) break;
    if (iteration > 0 && largest < least) {
      least = largest, best = state, best_N = N;
      if (rigid != nullptr) keep_s(*rigid, best);
    }
    // a loaded tread approaches its rail by some hundredths of a millimetre
    const double enough = rigid != nullptr ? options.good_enough : 1e-6;
    if (iteration == options.most_iterations && least < enough) {
      // contacts jump to and fro: the best of them
      state = best, N = best_N;
      for (std::size_t i = 0; i < p.vehicle.w && rigid != nullptr; ++i)
        rigid->tread[i].set_s(best.tread[i].s);
      forces.at(state.q);
      break;
    }
    if (iteration == options.most_iterations || !std::isfinite(largest)) {
      base::fail(
          "no static equilibrium was found: after {} iterations {:.3g} of the weight is "
          "unbalanced (allowed {:.3g}); start nearer to it, or hold other coordinates",
          iteration, largest, options.tolerance);
    }
    // derivatives by the free coordinates: central differences of everything that moves with q.
    // Stiff wheels leave more noise of the differences, which is no stiffness
    const double weight = options.grip || p.vehicle.data.units.count() > 1 ? unit_force : 1;
    const double threshold = options.grip ? 1e-9 : 0;
    Triplets entries;
    differences([&](const std::vector<double>& q) { return forces.unbalanced(q, N); }, state.q,
                1e-6, 1, entries);
    free.keep_rows(entries);
    for (int c = 0; c < J.outerSize(); ++c) {
      const int column = free.place[static_cast<std::size_t>(c)];
      for (Eigen::SparseMatrix<double>::InnerIterator e(J, c); e && column >= 0; ++e) {
        const int wheel = static_cast<int>(n_free + e.row());
        entries.emplace_back(wheel, column, weight * e.value());
        entries.emplace_back(column, wheel, weight * e.value());
      }
    }
    const Eigen::VectorXd compliance = forces.compliance(N);
    for (Eigen::Index i = 0; i < n_wheels; ++i)
      entries.emplace_back(static_cast<int>(n_free + i), static_cast<int>(n_free + i),
                           weight * weight * compliance[i]);
    Eigen::SparseMatrix<double> A(n_free + n_wheels, n_free + n_wheels);
    A.setFromTriplets(entries.begin(), entries.end());
    Eigen::VectorXd right(n_free + n_wheels);
    right << -F, -weight * phi;
    // the least solution: coordinates without force or stiffness stay where they are
    Eigen::VectorXd x = least_solution(A, right, unit, threshold);
    x.tail(n_wheels) *= weight;
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
        const std::size_t c = free.list[static_cast<std::size_t>(j)];
        state.q[c] = before[c] + share * x[j];
      }
      N = N_before + share * x.tail(n_wheels);
      if (halving == 6) break;
      if (rigid != nullptr) {
        if (forces.reaches(state.q)) break;
        continue;
      }
      // elastic flanges are stiff: only steps that help
      const Eigen::VectorXd after = unbalanced(state.q);
      if (iteration == 0 || missing(after, forces.phi() + forces.approach(N)) < now) break;
    }
  }
  for (std::size_t i = 0; i < p.vehicle.w; ++i) {
    state.tread[i].N = N[static_cast<Eigen::Index>(i)];
    if (p.vehicle.data.law.unilateral && state.tread[i].N <= 0) {
      base::fail("in equilibrium the wheel '{}' would have to pull at its rail with {:.0f} N",
                 p.vehicle.data.wheels[i].name, -state.tread[i].N);
    }
  }
  if (step::LoadedTreads* treads = p.loaded()) {
    keep(*treads, state);
    find_flange_forces(p.vehicle, *treads, state);
    return;
  }
  keep_s(*rigid, state);
  // flanges at the new positions of the wheels
  const std::vector<step::PointState> tread = state.tread;
  find_contacts(p, state);
  state.tread = tread;
}

// Moves the rails to where the wheels press them; how far the farthest was away, m.
double let_track_yield(step::VehicleCopy& p, step::VehicleState& state) {
  const step::ContactLaw& law = p.vehicle.data.law;
  const step::LoadedTreads& treads = *p.loaded();
  const double softness = law.rail_stiffness > 0 ? 1 / law.rail_stiffness : 0;
  std::vector<std::array<double, 3>> f(p.vehicle.data.wheelsets.size());
  for (std::size_t i = 0; i < p.vehicle.w; ++i) {
    const step::WheelData& wheel = p.vehicle.data.wheels[i];
    const auto [set, lane] = treads.tread.lane_of(i);
    const step::LoadedTreads::Set& s = treads.sets[set];
    const double N = state.tread[i].N;
    const double Nf =
        step::sheet_force(s.flange.k[lane], softness, double(-s.at.flange().phi[lane])).N;
    std::array<double, 3>& piece = f[wheel.wheelset];
    const std::size_t rail = wheel.side == profile::Side::left ? 1 : 2;
    piece[0] -= N * s.at.tread().G[0][lane] + Nf * s.at.flange().G[0][lane];
    piece[rail] -= N * s.at.tread().G[1][lane] + Nf * s.at.flange().G[1][lane];
  }
  const std::vector<double> before = state.track;
  state.track.resize(p.vehicle.track_states);
  double farthest = 0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    step::rest_under(law.foundation, f[k].data(), &state.track[step::YieldingTrack::size * k]);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t at = step::YieldingTrack::size * k + i;
      farthest = std::max(farthest, std::abs(state.track[at] - (before.empty() ? 0 : before[at])));
    }
  }
  return farthest;
}

}  // namespace

void settle(step::VehicleCopy& p, step::VehicleState& state, const Equilibrium& options) {
  settle_wheels(p, state, options);
  if (p.vehicle.track_states == 0) return;
  // stiff beside what holds the vehicle on the rails: this converges quickly
  constexpr double close = 1e-9;
  for (int i = 0; i < 20 && let_track_yield(p, state) > close; ++i)
    settle_wheels(p, state, options);
}

void settle(step::Simulator& simulator, step::VehicleState& state, const Equilibrium& options) {
  step::VehicleCopy copy(simulator);
  settle(copy, state, options);
  simulator.set_state(state);
}

void project_velocities(step::VehicleCopy& p, step::VehicleState& state) {
  StaticForces forces(p, state);
  forces.at(state.q);
  const auto n = static_cast<int>(p.vehicle.n), w = static_cast<int>(p.vehicle.w);
  const Eigen::SparseMatrix<double> J = forces.J();
  const Eigen::VectorXd rates = J * Eigen::Map<const Eigen::VectorXd>(state.dq.data(), n);
  std::vector<std::size_t> unit = FreeCoordinates(p.vehicle, {}).units;
  const std::vector<std::size_t> wheelset_unit = wheelset_units(p.vehicle);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + w);
  Triplets entries;
  const auto mass = runtime::evaluate_sparse(p.at.kernels, p.vehicle.id.M_qq);
  for (int c = 0; c < mass.outerSize(); ++c)
    for (runtime::SparseMap::InnerIterator e(mass, c); e; ++e)
      entries.emplace_back(static_cast<int>(e.row()), c, e.value());
  for (int i = 0; i < w; ++i) {
    const auto wheel = static_cast<std::size_t>(i);
    unit.push_back(wheelset_unit[p.vehicle.data.wheels[wheel].wheelset]);
    if (state.tread[wheel].on)
      right[n + i] = -rates[i];
    else
      entries.emplace_back(n + i, n + i, 1);
  }
  for (int c = 0; c < J.outerSize(); ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator e(J, c); e; ++e) {
      if (!state.tread[static_cast<std::size_t>(e.row())].on) continue;
      const int wheel = n + static_cast<int>(e.row());
      entries.emplace_back(wheel, c, e.value());
      entries.emplace_back(c, wheel, e.value());
    }
  }
  Eigen::SparseMatrix<double> A(n + w, n + w);
  A.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd x = least_solution(A, right, unit);
  for (int i = 0; i < n; ++i) state.dq[static_cast<std::size_t>(i)] += x[i];

  // the contact coordinates move with it   [eq:dsproj]
  p.at.move(state.dq);
  if (step::LoadedTreads* treads = p.loaded()) {
    evaluate(*treads, p.at);
    keep(*treads, state);
    return;
  }
  step::RigidTreads& treads = *p.rigid();
  for (std::size_t i = 0; i < p.vehicle.w; ++i) {
    const std::size_t wheelset = p.vehicle.data.wheels[i].wheelset;
    const auto follow = [&](const step::Contact& contact, step::PointState& point) {
      if (!point.found) return;
      take_state(contact, point, p.at, wheelset);
      point.ds = contact.rates();
      point.forget_changes();
      point.gap = contact.phi_n();
    };
    follow(treads.tread[i], state.tread[i]);
    follow(treads.flange[i], state.flange[i]);
  }
}

void project_velocities(step::Simulator& simulator, step::VehicleState& state) {
  step::VehicleCopy copy(simulator);
  project_velocities(copy, state);
  simulator.set_state(state);
}

double rolling_radius(step::VehicleCopy& p, const step::VehicleState& state, std::size_t wheelset) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < p.vehicle.w; ++i) {
    if (p.vehicle.data.wheels[i].wheelset != wheelset) continue;
    if (const step::LoadedTreads* treads = p.loaded()) {
      const auto [set, lane] = treads->tread.lane_of(i);
      sum += treads->sets[set].at.tread().radius[lane];
    } else {
      sum += p.vehicle.data.wheels[i].surface.f_w.value(state.tread[i].s[1]);
    }
    ++count;
  }
  return sum / count;
}

double rolling_radius(step::Simulator& simulator, const step::VehicleState& state,
                      std::size_t wheelset) {
  step::VehicleCopy copy(simulator);
  if (copy.loaded() != nullptr) StaticForces(copy, state).at(state.q);
  return rolling_radius(copy, state, wheelset);
}

}  // namespace klingel::start
