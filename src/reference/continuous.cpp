#include "reference/continuous.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/dense_matrix.hpp"

namespace klingel::reference {
namespace {

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

using Vector6 = Eigen::Matrix<double, 6, 1>;

Eigen::Map<const Vector6> as_vector(const step::Wrench& W) {
  return Eigen::Map<const Vector6>(W.data());
}

}  // namespace

Continuous::Continuous(const step::Simulator& simulator)
    : Continuous(step::VehicleCopy(simulator)) {}

Continuous::Continuous(step::VehicleCopy copy)
    : M(index(copy.vehicle.n), index(copy.vehicle.n)),
      Phi(index(copy.vehicle.w), index(copy.vehicle.n)),
      C(index(copy.vehicle.n), index(copy.vehicle.n)),
      W_n(Eigen::MatrixXd::Zero(6, index(copy.vehicle.w))),
      phi(Eigen::VectorXd::Zero(index(copy.vehicle.w))),
      gamma(phi),
      delta(Eigen::VectorXd::Zero(index(copy.vehicle.n))),
      contact(delta),
      ddq(delta),
      N(phi),
      N_flange(phi),
      on(copy.vehicle.w, 1),
      copy_(std::move(copy)),
      vehicle_(copy_.vehicle),
      instant_(copy_.at),
      wrenches_(vehicle_),
      tread_(vehicle_.w),
      flange_(vehicle_.w),
      n_(index(vehicle_.n)),
      w_(index(vehicle_.w)),
      J_(9 * index(vehicle_.data.wheelsets.size()), n_),
      system_(n_ + w_, n_ + w_),
      B_(6 * index(vehicle_.data.wheelsets.size()), 6),
      b_(6 * index(vehicle_.data.wheelsets.size()), 1),
      BJ_(6, n_),
      lu_(n_ + w_),
      right_(n_ + w_),
      solution_(n_ + w_),
      r_(n_),
      g_(w_) {}

void Continuous::begin(const step::VehicleState& state) {
  last_ = state;
  if (step::LoadedTreads* treads = copy_.loaded()) {
    take_feet(*treads, vehicle_, state);
    std::fill(on.begin(), on.end(), std::uint8_t{0});
    N.setZero();
    return;
  }
  step::RigidTreads& treads = *copy_.rigid();
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    on[i] = state.tread[i].on ? 1 : 0;
    N[index(i)] = on[i] != 0 ? state.tread[i].N : 0;
    tread_[i] = state.tread[i].found ? 1 : 0;
    flange_[i] = state.flange[i].found ? 1 : 0;
    treads.tread[i].set_s(state.tread[i].s);
    if (state.flange[i].found) treads.flange[i].set_s(state.flange[i].s);
  }
}

bool Continuous::place(const double* q, const double* dq) {
  instant_.place({q, vehicle_.n});
  instant_.move({dq, vehicle_.n});
  runtime::KernelSet& k = instant_.kernels;
  runtime::evaluate_dense(k, vehicle_.id.M_qq, M);
  const std::span<const double> forces = k.evaluate(vehicle_.id.delta_NK);
  std::copy(forces.begin(), forces.end(), delta.data());
  runtime::evaluate_dense(k, vehicle_.id.twist_dq, J_);
  if (!find_contacts()) return false;
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const Eigen::Index ws = index(vehicle_.data.wheels[i].wheelset);
    Phi.row(index(i)).noalias() = W_n.col(index(i)).transpose() * J_.middleRows(9 * ws, 6);
  }
  return true;
}

bool Continuous::place_contacts(std::span<const double> poses, std::span<const double> twists) {
  instant_.poses = poses;
  instant_.twists = twists;
  return find_contacts();
}

bool Continuous::find_contacts() {
  if (step::LoadedTreads* treads = copy_.loaded()) return place_loaded(*treads);
  return place_rigid(*copy_.rigid());
}

bool Continuous::place_loaded(step::LoadedTreads& treads) {
  W_n.setZero(), phi.setZero(), gamma.setZero();
  evaluate(treads, instant_);
  lost_ = first_off_line(treads, vehicle_);
  return lost_ == vehicle_.w;
}

bool Continuous::place_rigid(step::RigidTreads& treads) {
  const step::Locating how{phi_tolerance, most_iterations, most_iterations};
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const std::size_t ws = vehicle_.data.wheels[i].wheelset;
    lost_ = i;
    const step::Contact tread = treads.tread[i];
    tread.set_pose(instant_.pose(ws));
    const bool found =
        locate_tread(treads, vehicle_, instant_, i, last_.tread[i].s[1], last_.tread[i].s[3], how)
            .found;
    tread_[i] = found ? 1 : 0;
    if (!found && on[i] != 0) return false;
    phi[index(i)] = gamma[index(i)] = 0;
    W_n.col(index(i)).setZero();
    if (found) {
      tread.set_motion(instant_.twist(ws), instant_.bias(ws));
      tread.rates();
    }
    if (on[i] != 0) {
      const step::Wrench W = tread.W_n();
      W_n.col(index(i)) = as_vector(W);
      phi[index(i)] = tread.phi_n();
      gamma[index(i)] = tread.gamma_n();
    }

    if (vehicle_.data.wheels[i].flange.empty()) continue;
    const step::Contact flange = treads.flange[i];
    flange.set_pose(instant_.pose(ws));
    const bool on_flange = locate_flange(treads, vehicle_, instant_, i, flange_[i] != 0, found,
                                         how) == step::FlangeLocated::found;
    flange_[i] = on_flange ? 1 : 0;
    if (flange_[i] == 0) continue;
    flange.set_motion(instant_.twist(ws), instant_.bias(ws));
    flange.rates();
  }
  return true;
}

// The wrench of one point on its wheelset, and what it changes by the wheelset's motion.
void Continuous::add(const step::Points& points, std::size_t set, std::size_t lane, bool elastic) {
  const step::PointForces& p = points.forces[set];
  const Eigen::Index ws = index(points.wheelset(set, lane));
  Vector6 W_n;
  Eigen::Matrix<double, 6, 3> W = Eigen::Matrix<double, 6, 3>::Zero();
  for (int i = 0; i < 6; ++i) {
    W_n[i] = p.frame->W_n[i][lane];
    W(i, 0) = p.frame->W_x[i][lane];
    W(i, 1) = p.frame->W_y[i][lane];
  }
  W.col(2).tail<3>() = W_n.head<3>();
  Eigen::Matrix3d secant;
  secant << p.C_xx[lane], 0, 0, 0, p.C_yy[lane], p.C_yz[lane], 0, -p.C_yz[lane], p.C_zz[lane];
  const Eigen::Vector3d f(p.f[0][lane], p.f[1][lane], p.f[2][lane]);
  b_.middleRows<6>(6 * ws) += W * f;
  B_.middleRows<6>(6 * ws) += W * secant * W.transpose();
  if (!elastic) return;
  b_.middleRows<6>(6 * ws) += W_n * p.N[lane];
  B_.middleRows<6>(6 * ws) += p.stiffness[lane] * W_n * W_n.transpose();
}

// Points press and creep with the forces of now.
void Continuous::add_points(step::Points& points, std::size_t set, const step::NormalForces& by,
                            double h) {
  step::PointForces& p = points.forces[set];
  step::find_point_forces(vehicle_, copy_.friction, points, set, by, h);
  p.N = p.N_t;
  std::copy_n(p.f_t, 3, p.f);
  points.each(set, [&](std::size_t lane, std::size_t) {
    if ((p.acts >> lane & 1) != 0) add(points, set, lane, (by.rigid >> lane & 1) == 0);
  });
}

void Continuous::find_rigid_forces(step::RigidTreads& treads, const Eigen::VectorXd& normal,
                                   double h) {
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    step::PointForces &t = treads.tread.forces[g], &f = treads.flange.forces[g];
    step::NormalForces tread, flange;
    flange.law = &vehicle_.data.law.flange;
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) {
      const unsigned bit = 1u << lane;
      t.gap[lane] = tread_[i] != 0 ? treads.tread[i].phi_n() : 0;
      f.gap[lane] = flange_[i] != 0 ? treads.flange[i].phi_n() : 0;
      if (flange_[i] != 0) flange.elastic |= bit;
      if (on[i] != 0) {
        tread.rigid |= bit;
        tread.N[lane] = std::abs(normal[index(i)]);
      }
    });
    add_points(treads.tread, g, tread, h);
    add_points(treads.flange, g, flange, h);
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) {
      if ((f.acts >> lane & 1) != 0) N_flange[index(i)] = f.N[lane];
      if ((tread.rigid >> lane & 1) != 0) t.N[lane] = normal[index(i)];
    });
  }
}

void Continuous::find_loaded_forces(step::LoadedTreads& treads, double h) {
  step::PackedState last;
  pack(last_, treads.tread, last);
  let_rails_yield(treads, vehicle_, last, 0);
  step::find_sheet_forces(treads, vehicle_, copy_.friction);
  add_forces_of_now(treads, wrenches_, h);
  for (std::size_t ws = 0; ws < vehicle_.data.wheelsets.size(); ++ws) {
    const double *B = wrenches_.B(ws), *b = wrenches_.b(ws);
    for (Eigen::Index i = 0; i < 6; ++i) {
      b_(6 * index(ws) + i, 0) = b[i];
      for (Eigen::Index j = 0; j < 6; ++j) B_(6 * index(ws) + i, j) = B[6 * i + j];
    }
  }
}

void Continuous::find_forces(const Eigen::VectorXd& normal, double h) {
  B_.setZero();
  b_.setZero();
  N_flange.setZero();
  if (step::LoadedTreads* treads = copy_.loaded())
    find_loaded_forces(*treads, h);
  else
    find_rigid_forces(*copy_.rigid(), normal, h);
}

const Eigen::MatrixXd& Continuous::wrenches(const Eigen::VectorXd& normal) {
  find_forces(normal, 0);
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const Eigen::Index ws = index(vehicle_.data.wheels[i].wheelset);
    b_.middleRows<6>(6 * ws) += normal[index(i)] * W_n.col(index(i));
  }
  return b_;
}

void Continuous::contact_forces(const Eigen::VectorXd& normal, double h) {
  find_forces(normal, h);
  contact.setZero();
  C.setZero();
  for (Eigen::Index ws = 0; ws < index(vehicle_.data.wheelsets.size()); ++ws) {
    const auto v = J_.middleRows<3>(9 * ws), turn = J_.middleRows<3>(9 * ws + 6);
    const auto b = b_.middleRows<6>(6 * ws);
    const auto B = B_.middleRows<6>(6 * ws);
    contact.noalias() += v.transpose() * b.topRows<3>();
    contact.noalias() += turn.transpose() * b.bottomRows<3>();
    BJ_.noalias() = B.leftCols<3>() * v;
    BJ_.noalias() += B.rightCols<3>() * turn;
    C.noalias() += v.transpose() * BJ_.topRows<3>();
    C.noalias() += turn.transpose() * BJ_.bottomRows<3>();
  }
}

bool Continuous::factor(double share) {
  system_.setZero();
  system_.topLeftCorner(n_, n_) = M;
  if (share != 0) system_.topLeftCorner(n_, n_) += share * C;
  system_.topRightCorner(n_, w_) = Phi.transpose();
  system_.bottomLeftCorner(w_, n_) = Phi;
  for (Eigen::Index i = 0; i < w_; ++i)
    if (on[static_cast<std::size_t>(i)] == 0) system_(n_ + i, n_ + i) = 1;
  if (!system_.allFinite()) return false;
  lu_.compute(system_);
  return true;
}

bool Continuous::accelerate(double h) {
  if (!factor(0)) return false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    contact_forces(N, h);
    right_.head(n_) = delta + contact;
    right_.tail(w_) = gamma;
    solution_ = lu_.solve(right_);
    if (!solution_.allFinite()) return false;
    const double change = (solution_.tail(w_) + N).lpNorm<Eigen::Infinity>();
    ddq = solution_.head(n_);
    N = -solution_.tail(w_);
    // forces to a part of what a double holds
    if (change <= 1e-12 * (1 + N.lpNorm<Eigen::Infinity>())) return true;
  }
  return false;
}

bool Continuous::solve_implicit(double share, Eigen::VectorXd& r, Eigen::VectorXd& g) {
  if (!factor(share)) return false;
  right_.head(n_) = r;
  right_.tail(w_) = g;
  solution_ = lu_.solve(right_);
  r = solution_.head(n_);
  g = solution_.tail(w_);
  return solution_.allFinite();
}

bool Continuous::project(double* q, double* dq, double tolerance) {
  Eigen::Map<Eigen::VectorXd> position(q, n_), velocity(dq, n_);
  for (int iteration = 0;; ++iteration) {
    if (!place(q, dq)) return false;
    if (phi.lpNorm<Eigen::Infinity>() <= tolerance) break;
    if (iteration == most_iterations || !(phi.lpNorm<Eigen::Infinity>() < 1)) return false;
    r_.setZero();
    g_ = -phi;
    if (!solve_implicit(0, r_, g_)) return false;
    position += r_;
  }
  r_.setZero();
  g_.noalias() = -Phi * velocity;
  if (!solve_implicit(0, r_, g_)) return false;
  velocity += r_;
  return place(q, dq);
}

double Continuous::creep_power() const {
  double power = 0;
  const auto add_points = [&power](const auto& treads) {
    for (const step::Points* points : {&treads.tread, &treads.flange}) {
      for (std::size_t g = 0; g < points->forces.size(); ++g) {
        const step::PointForces& p = points->forces[g];
        points->each(g, [&](std::size_t lane, std::size_t) {
          if ((p.acts >> lane & 1) == 0) return;
          for (int i = 0; i < 3; ++i) power += p.f[i][lane] * p.motion->nu[i][lane];
        });
      }
    }
  };
  std::visit(add_points, copy_.treads);
  return power;
}

void Continuous::end(step::VehicleState& state) {
  if (step::LoadedTreads* treads = copy_.loaded()) {
    keep(*treads, state);
    for (std::size_t i = 0; i < vehicle_.w; ++i) {
      const auto [set, lane] = treads->tread.lane_of(i);
      state.tread[i].N = treads->sets[set].tread.N[lane];
      state.flange[i].N = treads->sets[set].flange.N[lane];
    }
    return;
  }
  step::RigidTreads& treads = *copy_.rigid();
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    state.tread[i].found = tread_[i] != 0;
    state.tread[i].on = on[i] != 0;
    state.tread[i].N = N[index(i)];
    state.flange[i].found = flange_[i] != 0;
    state.flange[i].N = N_flange[index(i)];
    const auto keep_point = [](const step::Contact& pair, step::PointState& point) {
      if (!point.found) return;
      point.s = pair.s();
      point.ds = pair.rates();
      point.forget_changes();
      point.gap = pair.phi_n();
    };
    keep_point(treads.tread[i], state.tread[i]);
    keep_point(treads.flange[i], state.flange[i]);
  }
}

}  // namespace klingel::reference
