#include "start/modes.hpp"

#include <cmath>
#include <numbers>

#include "dense/eigenvalues.hpp"
#include "start/static_forces.hpp"
#include "step/vehicle_copy.hpp"

namespace klingel::start {

std::vector<Mode> modes(step::Simulator& simulator, const step::VehicleState& state) {
  step::VehicleCopy p(simulator);
  const auto n = static_cast<Eigen::Index>(p.vehicle.n);
  Eigen::VectorXd N(static_cast<Eigen::Index>(p.vehicle.w));
  for (Eigen::Index i = 0; i < N.size(); ++i) N[i] = state.tread[static_cast<std::size_t>(i)].N;
  StaticForces forces(p, state);
  forces.at(state.q);
  runtime::KernelSet& k = p.at.kernels;
  const Eigen::MatrixXd M = runtime::evaluate_sparse(k, p.vehicle.id.M_qq);

  // motions that keep the wheels on their rails: M on them, and the force that brings them back
  const Eigen::MatrixXd Z = dense::kernel(Eigen::MatrixXd(forces.J()));
  Eigen::MatrixXd K(n, Z.cols());
  constexpr double h = 1e-6;
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    std::vector<double> up = state.q, down = state.q;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double move = h * Z(i, j) / Z.col(j).lpNorm<Eigen::Infinity>();
      up[static_cast<std::size_t>(i)] += move;
      down[static_cast<std::size_t>(i)] -= move;
    }
    K.col(j) = (forces.unbalanced(down, N) - forces.unbalanced(up, N)) / (2 * h) *
               Z.col(j).lpNorm<Eigen::Infinity>();
  }
  const Eigen::MatrixXd K_Z = Z.transpose() * K, M_Z = Z.transpose() * M * Z;
  const dense::SymmetricSystem system =
      dense::symmetric_system((K_Z + K_Z.transpose()) / 2, (M_Z + M_Z.transpose()) / 2);

  std::vector<Mode> list;
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    const double squared = system.values[j];
    Mode mode;
    mode.frequency = std::copysign(std::sqrt(std::abs(squared)), squared) / (2 * std::numbers::pi);
    const Eigen::VectorXd shape = Z * system.vectors.col(j);
    const double largest = shape.lpNorm<Eigen::Infinity>();
    for (const double x : shape) mode.shape.push_back(x / largest);
    list.push_back(std::move(mode));
  }
  return list;
}

double frequency_of(const std::vector<Mode>& modes, std::size_t coordinate) {
  for (const Mode& mode : modes) {
    if (mode.frequency > 0.1 && std::abs(mode.shape[coordinate]) > 0.5) return mode.frequency;
  }
  return 0;
}

}  // namespace klingel::start
