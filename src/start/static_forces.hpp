// Forces on a vehicle at rest with its wheels on the rails: what equilibria and modes are
// computed from. Moves the contacts of the vehicle it is given; allocates.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "runtime/sparse_matrix.hpp"
#include "step/vehicle_copy.hpp"

namespace klingel::start {

class StaticForces {
 public:
  // Contact coordinates begin at those of the state.
  StaticForces(step::VehicleCopy& copy, const step::VehicleState& state);

  // Evaluates phi_n at q, after moving every tread contact there: of loaded treads phi. An Error if
  // a wheel finds no contact.
  void at(const std::vector<double>& q);
  // Whether at(q) would find all contacts; leaves them as they are.
  bool reaches(const std::vector<double>& q);
  const Eigen::VectorXd& phi() const { return phi_; }
  // dphi_n_dq there, w x n.
  Eigen::SparseMatrix<double> J();

  // By how much wheel and rail approach each other at the tread under normal forces, m, and the
  // derivative by them; zero for rigid treads.
  Eigen::VectorXd approach(const Eigen::VectorXd& N);
  Eigen::VectorXd compliance(const Eigen::VectorXd& N);

  // From now on every wheelset is held across the track and in yaw where it is at q, as friction
  // does at standstill: stiffly, but so that it can give.
  void grip(const std::vector<double>& q);

  // delta_NK(q, dq = 0) + dphi_n_dq^T N and the forces of grip() and of loaded flanges, by
  // coordinate; goes to q.
  Eigen::VectorXd unbalanced(const std::vector<double>& q, const Eigen::VectorXd& N);

 private:
  void place_rigid(step::RigidTreads& treads);
  void place_loaded(step::LoadedTreads& treads);
  // to wrenches on wheelsets, as twist_dq takes them: 9 numbers for each
  void add_flanges(const step::LoadedTreads& treads, Eigen::VectorXd& wrenches);
  void add_grip(Eigen::VectorXd& wrenches);
  double stiffness_of(const step::LoadedTreads& treads, Eigen::Index wheel) const;
  runtime::SparseMap twist_dq();

  step::VehicleCopy& copy_;
  const step::Description& vehicle_;
  step::Instant& instant_;
  std::vector<step::PointState> last_;  // tread points from where they are followed
  std::vector<double> W_n_;
  Eigen::VectorXd phi_;
  std::vector<double> gripped_;  // poses of the wheelsets, or empty
};

}  // namespace klingel::start
