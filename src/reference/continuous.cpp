#include "reference/continuous.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::reference {
namespace {

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

using Vector6 = Eigen::Matrix<double, 6, 1>;

Eigen::Map<const Vector6> as_vector(const step::Wrench& W) {
  return Eigen::Map<const Vector6>(W.data());
}

}  // namespace

Continuous::Continuous(step::Simulator::Parts& parts)
    : M(index(parts.n), index(parts.n)),
      Phi(index(parts.w), index(parts.n)),
      C(index(parts.n), index(parts.n)),
      phi(Eigen::VectorXd::Zero(index(parts.w))),
      gamma(phi),
      delta(Eigen::VectorXd::Zero(index(parts.n))),
      contact(delta),
      ddq(delta),
      N(phi),
      N_flange(phi),
      on(parts.w, 1),
      p_(parts),
      n_(index(parts.n)),
      w_(index(parts.w)),
      mass_(parts.at_t().kernels.function("M_qq")),
      phi_dq_(parts.id.twist_dq),
      q_(parts.n),
      dq_(parts.n),
      J_(9 * index(parts.data.wheelsets.size()), n_),
      system_(n_ + w_, n_ + w_),
      B_(6 * index(parts.data.wheelsets.size()), 6),
      b_(6 * index(parts.data.wheelsets.size()), 1),
      BJ_(6, n_),
      lu_(n_ + w_),
      right_(n_ + w_),
      solution_(n_ + w_),
      r_(n_),
      g_(w_) {}

void Continuous::begin(const step::VehicleState& state) {
  p_.fresh = false;
  if (!p_.loaded.empty()) {
    p_.take_feet(state);
    std::fill(on.begin(), on.end(), std::uint8_t{0});
    N.setZero();
    return;
  }
  for (std::size_t i = 0; i < p_.w; ++i) {
    on[i] = state.tread[i].on ? 1 : 0;
    N[index(i)] = on[i] != 0 ? state.tread[i].N : 0;
    p_.next.tread[i] = state.tread[i];
    p_.next.flange[i] = state.flange[i];
    p_.tread[i].set_s(state.tread[i].s);
    if (state.flange[i].found) p_.flange[i].set_s(state.flange[i].s);
  }
}

bool Continuous::place(const double* q, const double* dq) {
  step::Instant& at = p_.at_t();
  q_.assign(q, q + n_);
  dq_.assign(dq, dq + n_);
  p_.place(at, q_);
  p_.move(at, dq_);
  runtime::KernelSet& k = at.kernels;
  const std::span<const double> mass = k.evaluate(mass_);
  std::copy(mass.begin(), mass.end(), M.data());
  const std::span<const double> forces = k.evaluate(p_.id.delta_NK);
  std::copy(forces.begin(), forces.end(), delta.data());
  const std::span<const double> J = k.evaluate(phi_dq_);
  std::copy(J.begin(), J.end(), J_.data());

  if (!p_.loaded.empty()) {
    Phi.setZero(), phi.setZero(), gamma.setZero();
    p_.stand_loaded(at);
    for (lost_ = 0; lost_ < p_.w; ++lost_) {
      const auto [set, lane] = p_.tread.place(lost_);
      if ((p_.loaded[set].set.on_line() >> lane & 1) == 0) return false;
    }
    return true;
  }
  for (std::size_t i = 0; i < p_.w; ++i) {
    const std::size_t ws = p_.data.wheels[i].wheelset;
    bool jumped = false, &found = p_.next.tread[i].found;
    lost_ = i;
    p_.tread[i].set_pose(at.pose(ws));
    found = p_.locate_tread(at, i, phi_tolerance, most_iterations, most_iterations, jumped);
    if (!found && on[i] != 0) return false;
    phi[index(i)] = gamma[index(i)] = 0;
    Phi.row(index(i)).setZero();
    if (found) {
      p_.tread[i].set_motion(at.twist(ws), at.bias(ws));
      p_.tread[i].rates();
    }
    if (on[i] != 0) {
      const step::Wrench W = p_.tread[i].W_n();
      phi[index(i)] = p_.tread[i].phi_n();
      gamma[index(i)] = p_.tread[i].gamma_n();
      Phi.row(index(i)).noalias() = as_vector(W).transpose() * J_.middleRows(9 * index(ws), 6);
    }

    step::PointState& flange = p_.next.flange[i];
    const contact::Interval& zone = p_.data.wheels[i].flange;
    if (!(zone.low <= zone.high)) continue;
    const step::Contact point = p_.flange[i];
    point.set_pose(at.pose(ws));
    const bool followed = flange.found && point.project(phi_tolerance, most_iterations) &&
                          point.s()[1] >= zone.low && point.s()[1] <= zone.high &&
                          point.pivot() > 0;
    if (!followed) {
      const contact::MinimumList list =
          p_.around->searches[i].minima(p_.pose_of(at, i), p_.tread[i].s()[2], zone);
      const contact::Minimum* best = step::lowest(list);
      flange.found = best != nullptr;
      if (!flange.found) continue;
      point.set_s(step::as_array(best->point.s));
      flange.found = point.project(phi_tolerance, most_iterations);
      if (!flange.found) continue;
    }
    point.set_motion(at.twist(ws), at.bias(ws));
    point.rates();
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
    W_n[i] = p.frame.W_n[i][lane];
    W(i, 0) = p.frame.W_x[i][lane];
    W(i, 1) = p.frame.W_y[i][lane];
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
void Continuous::press(step::Points& points, std::size_t set, const step::Pressing& by, double h) {
  step::PointForces& p = points.forces[set];
  p_.press(points, set, by, h);
  p.N = p.N_t;
  std::copy_n(p.f_t, 3, p.f);
  points.each(set, [&](std::size_t lane, std::size_t) {
    if ((p.acts >> lane & 1) != 0) add(points, set, lane, (by.rigid >> lane & 1) == 0);
  });
}

void Continuous::contact_forces(const Eigen::VectorXd& normal, double h) {
  B_.setZero();
  b_.setZero();
  p_.results_known = false;
  N_flange.setZero();
  if (!p_.loaded.empty()) {
    p_.yield_rails(0);
    p_.press_loaded();
    p_.loaded_wrenches(h);
    for (std::size_t ws = 0; ws < p_.data.wheelsets.size(); ++ws) {
      const double* Bb = &p_.Bb[step::wrench_size * ws];
      for (Eigen::Index i = 0; i < 6; ++i) {
        b_(6 * index(ws) + i, 0) = Bb[36 + i];
        for (Eigen::Index j = 0; j < 6; ++j) B_(6 * index(ws) + i, j) = Bb[6 * i + j];
      }
    }
  }
  for (std::size_t g = 0; g < p_.tread.sets.size(); ++g) {
    step::Pressing tread, flange;
    flange.law = &p_.data.law.flange;
    p_.tread.each(g, [&](std::size_t lane, std::size_t i) {
      const unsigned bit = 1u << lane;
      p_.tread.forces[g].gap[lane] = p_.next.tread[i].found ? p_.tread[i].phi_n() : 0;
      p_.flange.forces[g].gap[lane] = p_.next.flange[i].found ? p_.flange[i].phi_n() : 0;
      if (p_.next.flange[i].found) flange.elastic |= bit;
      if (on[i] != 0) {
        tread.rigid |= bit;
        tread.N[lane] = std::abs(normal[index(i)]);
      }
    });
    press(p_.tread, g, tread, h);
    press(p_.flange, g, flange, h);
    p_.tread.each(g, [&](std::size_t lane, std::size_t i) {
      step::PointForces &t = p_.tread.forces[g], &f = p_.flange.forces[g];
      if ((f.acts >> lane & 1) != 0) N_flange[index(i)] = f.N[lane];
      if ((tread.rigid >> lane & 1) != 0) t.N[lane] = normal[index(i)];
    });
  }
  contact.setZero();
  C.setZero();
  for (Eigen::Index ws = 0; ws < index(p_.data.wheelsets.size()); ++ws) {
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

void Continuous::end(step::VehicleState& state) {
  if (!p_.loaded.empty()) {
    p_.keep_loaded(state);
    for (std::size_t i = 0; i < p_.w; ++i) {
      const auto [set, lane] = p_.tread.place(i);
      state.tread[i].N = p_.loaded[set].tread.N[lane];
      state.flange[i].N = p_.loaded[set].flange.N[lane];
    }
    return;
  }
  for (std::size_t i = 0; i < p_.w; ++i) {
    state.tread[i].found = p_.next.tread[i].found;
    state.tread[i].on = on[i] != 0;
    state.tread[i].N = N[index(i)];
    state.flange[i].found = p_.next.flange[i].found;
    state.flange[i].N = N_flange[index(i)];
    const auto keep = [](const step::Contact& pair, step::PointState& point) {
      if (!point.found) return;
      point.s = pair.s();
      point.ds = pair.rates();
      point.dds = {};
      point.gap = pair.phi_n();
    };
    keep(p_.tread[i], state.tread[i]);
    keep(p_.flange[i], state.flange[i]);
  }
}

}  // namespace klingel::reference
