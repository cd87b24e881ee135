// Forces on a vehicle that stands still with its wheels on the rails: what equilibria and modes are
// computed from. Moves the simulator's contacts; allocates.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "run/simulator_parts.hpp"

namespace klingel::run {

class StaticForces {
 public:
  // Contact coordinates begin at those of the state.
  StaticForces(Simulator::Parts& parts, const VehicleState& state);

  // Evaluates phi_n and dphi_n_dq at q, after moving every tread contact there. An Error if a wheel
  // finds no contact.
  void at(const std::vector<double>& q);
  // Whether at(q) would find all contacts; leaves them as they are.
  bool reaches(const std::vector<double>& q);
  const Eigen::VectorXd& phi() const { return phi_; }
  const Eigen::MatrixXd& J() const { return J_; }

  // From now on every wheelset is held across the track and in yaw where it is at q, as friction
  // does at standstill: stiffly, but so that it can give.
  void grip(const std::vector<double>& q);

  // delta_NK(q, dq = 0) + dphi_n_dq^T N and the forces of grip(), by coordinate; goes to q.
  Eigen::VectorXd unbalanced(const std::vector<double>& q, const Eigen::VectorXd& N);

 private:
  Simulator::Parts& p_;
  Eigen::VectorXd phi_;
  Eigen::MatrixXd J_;
  std::vector<double> gripped_;  // poses of the wheelsets, or empty
};

}  // namespace klingel::run
