// Forces on a vehicle that stands still with its wheels on the rails: what equilibria and modes are
// computed from. Moves the simulator's contacts; allocates.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "step/simulator_parts.hpp"

namespace klingel::start {

class StaticForces {
 public:
  // Contact coordinates begin at those of the state.
  StaticForces(step::Simulator::Parts& parts, const step::VehicleState& state);

  // Evaluates phi_n and dphi_n_dq at q, after moving every tread contact there: of loaded treads
  // phi and its gradient. An Error if a wheel finds no contact.
  void at(const std::vector<double>& q);
  // Whether at(q) would find all contacts; leaves them as they are.
  bool reaches(const std::vector<double>& q);
  const Eigen::VectorXd& phi() const { return phi_; }
  const Eigen::MatrixXd& J() const { return J_; }

  // By how much wheel and rail approach each other at the tread under normal forces, m, and the
  // derivative by them; zero for rigid treads.
  Eigen::VectorXd approach(const Eigen::VectorXd& N) const;
  Eigen::VectorXd compliance(const Eigen::VectorXd& N) const;

  // From now on every wheelset is held across the track and in yaw where it is at q, as friction
  // does at standstill: stiffly, but so that it can give.
  void grip(const std::vector<double>& q);

  // delta_NK(q, dq = 0) + dphi_n_dq^T N and the forces of grip() and of loaded flanges, by
  // coordinate; goes to q.
  Eigen::VectorXd unbalanced(const std::vector<double>& q, const Eigen::VectorXd& N);

 private:
  void at_loaded();
  void add_flanges(Eigen::VectorXd& F) const;
  double stiffness_of(Eigen::Index wheel) const;

  step::Simulator::Parts& p_;
  Eigen::VectorXd phi_;
  Eigen::MatrixXd J_;
  std::vector<double> gripped_;  // poses of the wheelsets, or empty
};

}  // namespace klingel::start
