#include "start/static_forces.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "step/sheet_force.hpp"

namespace klingel::start {
namespace {

constexpr double tolerance_s = 1e-12;
constexpr int most_s = 20;
constexpr double stiffness = 1e7;  // of grip(), N/m and N m/rad

}  // namespace

StaticForces::StaticForces(step::Simulator::Parts& parts, const step::VehicleState& state)
    : p_(parts),
      phi_(static_cast<Eigen::Index>(p_.w)),
      J_(phi_.size(), static_cast<Eigen::Index>(p_.n)) {
  p_.fresh = false;
  if (!p_.loaded.empty()) {
    p_.take_feet(state);
    return;
  }
  for (std::size_t i = 0; i < p_.w; ++i) p_.tread[i].set_s(state.tread[i].s);
}

// wheels at rest
void StaticForces::at_loaded() {
  static constexpr double rest[7] = {};
  const step::LoadedSet::Lanes still = {rest, rest, rest, rest};
  for (std::size_t g = 0; g < p_.loaded.size(); ++g)
    p_.loaded[g].set.evaluate(p_.tread.rows(g, p_.at_t().poses, 12), still, still);
  for (std::size_t i = 0; i < p_.w; ++i) {
    const auto [g, lane] = p_.tread.place(i);
    const step::LoadedSet& set = p_.loaded[g].set;
    if ((set.on_line() >> lane & 1) == 0) {
      base::fail("the wheel '{}' has lost its rail while the start was computed",
                 p_.data.wheels[i].name);
    }
    phi_[static_cast<Eigen::Index>(i)] = set.tread().phi[lane];
    for (std::size_t c = 0; c < 6; ++c) p_.W_n[6 * i + c] = set.tread().frame.W_n[c][lane];
  }
}

void StaticForces::add_flanges(Eigen::VectorXd& F) const {
  const std::span<const double> dense = p_.at_t().kernels.evaluate(p_.id.twist_dq);
  const auto wheelsets = static_cast<Eigen::Index>(p_.data.wheelsets.size());
  const Eigen::Map<const Eigen::MatrixXd> J(dense.data(), 9 * wheelsets, F.size());
  for (std::size_t i = 0; i < p_.w; ++i) {
    const auto [g, lane] = p_.tread.place(i);
    const step::LoadedSet::Sheet& sheet = p_.loaded[g].set.flange();
    const double delta = -sheet.phi[lane];
    if (!(delta > 0)) continue;
    Eigen::Matrix<double, 6, 1> W;
    for (int c = 0; c < 6; ++c) W[c] = sheet.frame.W_n[c][lane];
    const double softness = p_.data.law.rail_stiffness > 0 ? 1 / p_.data.law.rail_stiffness : 0;
    const double N = step::sheet_force(p_.loaded[g].flange.k[lane], softness, delta).N;
    F += N *
         J.middleRows<6>(9 * static_cast<Eigen::Index>(p_.data.wheels[i].wheelset)).transpose() * W;
  }
}

double StaticForces::stiffness_of(Eigen::Index wheel) const {
  const auto [g, lane] = p_.tread.place(static_cast<std::size_t>(wheel));
  return p_.loaded[g].tread.k[lane];
}

Eigen::VectorXd StaticForces::approach(const Eigen::VectorXd& N) const {
  Eigen::VectorXd delta = Eigen::VectorXd::Zero(N.size());
  for (Eigen::Index i = 0; i < N.size() && !p_.loaded.empty(); ++i)
    delta[i] = std::copysign(std::pow(std::abs(N[i]) / stiffness_of(i), 2.0 / 3), N[i]);
  return delta;
}

Eigen::VectorXd StaticForces::compliance(const Eigen::VectorXd& N) const {
  // at no force it would be infinite
  constexpr double least = 100;  // N
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(N.size());
  for (Eigen::Index i = 0; i < N.size() && !p_.loaded.empty(); ++i) {
    const double k = stiffness_of(i);
    slope[i] = 2.0 / 3 / k / std::cbrt(std::max(std::abs(N[i]), least) / k);
  }
  return slope;
}

void StaticForces::at(const std::vector<double>& q) {
  p_.place(p_.at_t(), q);
  if (!p_.loaded.empty()) at_loaded();
  for (std::size_t i = 0; i < p_.w && p_.loaded.empty(); ++i) {
    p_.tread[i].set_pose(p_.at_t().pose(p_.data.wheels[i].wheelset));
    bool jumped = false;
    if (!p_.locate_tread(p_.at_t(), i, tolerance_s, most_s, most_s, jumped)) {
      base::fail("the wheel '{}' has lost its contact while the start was computed",
                 p_.data.wheels[i].name);
    }
    phi_[static_cast<Eigen::Index>(i)] = p_.tread[i].phi_n();
    const step::Wrench W = p_.tread[i].W_n();
    std::copy(W.begin(), W.end(), &p_.W_n[6 * i]);
  }
  runtime::KernelSet& k = p_.at_t().kernels;
  k.set(p_.id.W_n, p_.W_n);
  const std::span<const double> both = k.evaluate(p_.id.step_matrix);
  const std::span<const double> dense = both.last(p_.w * p_.n);
  J_ = Eigen::Map<const Eigen::MatrixXd>(dense.data(), J_.rows(), J_.cols());
}

bool StaticForces::reaches(const std::vector<double>& q) {
  if (!p_.loaded.empty()) return true;
  p_.place(p_.at_t(), q);
  bool all = true;
  for (std::size_t i = 0; i < p_.w; ++i) {
    const std::array<double, 4> s = p_.tread[i].s();
    p_.tread[i].set_pose(p_.at_t().pose(p_.data.wheels[i].wheelset));
    bool jumped = false;
    all = p_.locate_tread(p_.at_t(), i, tolerance_s, most_s, most_s, jumped) && all;
    p_.tread[i].set_s(s);
  }
  return all;
}

Eigen::VectorXd StaticForces::unbalanced(const std::vector<double>& q, const Eigen::VectorXd& N) {
  at(q);
  runtime::KernelSet& k = p_.at_t().kernels;
  k.set(p_.id.dq, std::vector<double>(p_.n, 0.0));
  const std::span<const double> delta = k.evaluate(p_.id.delta_NK);
  Eigen::VectorXd F =
      Eigen::Map<const Eigen::VectorXd>(delta.data(), J_.cols()) + J_.transpose() * N;
  if (!p_.loaded.empty()) add_flanges(F);
  if (gripped_.empty()) return F;
  const std::span<const double> dense = k.evaluate(p_.id.twist_dq);
  const auto wheelsets = static_cast<Eigen::Index>(p_.data.wheelsets.size());
  const Eigen::Map<const Eigen::MatrixXd> J(dense.data(), 9 * wheelsets, J_.cols());
  for (Eigen::Index i = 0; i < wheelsets; ++i) {
    const std::span<const double> pose = p_.at_t().pose(static_cast<std::size_t>(i));
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> now(pose.data());
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> then(
        &gripped_[12 * static_cast<std::size_t>(i)]);
    const Eigen::Vector3d left = then.col(2), up = then.col(3);
    const double across = left.dot(now.col(0) - then.col(0));
    const double yaw = left.dot(now.col(1));  // of x, to the left
    F -= stiffness * across * J.middleRows<3>(9 * i).transpose() * left;
    F -= stiffness * yaw * J.middleRows<3>(9 * i + 3).transpose() * up;
  }
  return F;
}

void StaticForces::grip(const std::vector<double>& q) {
  p_.place(p_.at_t(), q);
  gripped_.clear();
  for (std::size_t i = 0; i < p_.data.wheelsets.size(); ++i) {
    const std::span<const double> pose = p_.at_t().pose(i);
    gripped_.insert(gripped_.end(), pose.begin(), pose.begin() + 12);
  }
}

}  // namespace klingel::start
