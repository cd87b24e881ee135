#include "run/static_forces.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace klingel::run {
namespace {

constexpr double tolerance_s = 1e-12;
constexpr int most_s = 20;

}  // namespace

StaticForces::StaticForces(Simulator::Parts& parts, const VehicleState& state)
    : p_(parts),
      phi_(static_cast<Eigen::Index>(p_.w)),
      J_(phi_.size(), static_cast<Eigen::Index>(p_.n)) {
  p_.fresh = false;
  for (std::size_t i = 0; i < p_.w; ++i) p_.tread[i].set_s(state.tread[i].s);
}

void StaticForces::at(const std::vector<double>& q) {
  p_.place(p_.at_t(), q);
  for (std::size_t i = 0; i < p_.w; ++i) {
    p_.tread[i].set_pose(p_.at_t().pose(p_.data.wheels[i].wheelset));
    bool jumped = false;
    if (!p_.locate_tread(p_.at_t(), i, tolerance_s, most_s, jumped)) {
      base::fail("the wheel '{}' has lost its contact while the start was computed",
                 p_.data.wheels[i].name);
    }
    phi_[static_cast<Eigen::Index>(i)] = p_.tread[i].tangent().phi_n;
    const Wrench& W = p_.tread[i].frame().W_n;
    std::copy(W.begin(), W.end(), &p_.W_n[6 * i]);
  }
  KernelSet& k = p_.at_t().kernels;
  k.set(p_.id.W_n, p_.W_n);
  const std::span<const double> both = k.evaluate(p_.id.step_matrix);
  const std::span<const double> dense = both.last(p_.w * p_.n);
  J_ = Eigen::Map<const Eigen::MatrixXd>(dense.data(), J_.rows(), J_.cols());
}

Eigen::VectorXd StaticForces::unbalanced(const std::vector<double>& q, const Eigen::VectorXd& N) {
  at(q);
  KernelSet& k = p_.at_t().kernels;
  k.set(p_.id.dq, std::vector<double>(p_.n, 0.0));
  const std::span<const double> delta = k.evaluate(p_.id.delta_NK);
  return Eigen::Map<const Eigen::VectorXd>(delta.data(), J_.cols()) + J_.transpose() * N;
}

}  // namespace klingel::run
