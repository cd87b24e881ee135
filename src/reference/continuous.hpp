// The continuous equations of a vehicle on its rails at one state, for methods that are not the
// step: accelerations and normal forces of the same instant,
//
//   [ M_qq       dphi_n_dq^T ] [ ddq      ]   [ delta_NK + delta_K(q, dq, N) ]
//   [ dphi_n_dq       0      ] [ lambda_n ] = [ gamma_n                      ]   [eq:MphiTPhiZero5]
//
// with N = -lambda_n in the contact patches (by iteration), and elastic flange forces of the state.
// It has kernels and contacts of its own. All memory is taken in the constructor.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "step/vehicle_copy.hpp"

namespace klingel::reference {

class Continuous {
 public:
  // With the parameters, inputs and friction of the simulator.
  explicit Continuous(const step::Simulator& simulator);
  explicit Continuous(step::VehicleCopy copy);

  step::VehicleCopy& vehicle() { return copy_; }

  double phi_tolerance = 1e-12;  // m, of phi_d
  int most_iterations = 30;

  // Tread and flange points are taken from a state and followed from then on; which wheels are on
  // their rails stays.
  void begin(const step::VehicleState& state);

  // Moves kernels and points to q and dq, and makes M, Phi, phi, gamma, delta there. False if a
  // wheel's point cannot be followed: lost() is its index.
  bool place(const double* q, const double* dq);
  std::size_t lost() const { return lost_; }

  // Contacts alone, at given places and motions of the wheelsets (12 and 7 numbers each, as the
  // kernels give them; they must outlive what follows): phi and W_n; Phi stays as it was. Before
  // anything else of this class place() is called again.
  bool place_contacts(std::span<const double> poses, std::span<const double> twists);
  // Wrenches of all contacts on the wheelsets about their centres, 6 below each other for each,
  // with normal forces N of rigid treads. After place() or place_contacts().
  const Eigen::MatrixXd& wrenches(const Eigen::VectorXd& N);

  // Generalized forces of creep and flanges with normal forces N of the treads, and the tangent by
  // dq: secants of the creep forces, and of elastic points damping plus h times stiffness.
  void contact_forces(const Eigen::VectorXd& N, double h = 0);

  // After place(): ddq and N; N begins at what it holds. False if the iteration does not settle or
  // the system is singular. h as in contact_forces().
  bool accelerate(double h = 0);

  // x of [M + share C, Phi^T; Phi, 0] [x; .] = [r; g], after accelerate() or contact_forces().
  // r and g are overwritten with the solution.
  bool solve_implicit(double share, Eigen::VectorXd& r, Eigen::VectorXd& g);

  // q and dq onto the constraints, by the smallest change in the metric of M. After it everything
  // is placed there.
  bool project(double* q, double* dq, double tolerance = 1e-12);

  // Power of creep forces, after accelerate(): never positive. All contact forces together, as
  // generalized forces, are contact + Phi^T N.
  double creep_power() const;

  // Writes the points and forces to a state.
  void end(step::VehicleState& state);

  // Whether a wheel has a tread point; of rigid treads.
  bool has_tread(std::size_t wheel) const { return tread_[wheel] != 0; }

  Eigen::Index coordinates() const { return n_; }
  Eigen::Index wheels() const { return w_; }

  Eigen::MatrixXd M, Phi, C;  // rows of Phi of wheels that are not `on` are zero
  Eigen::MatrixXd W_n;        // 6 x w: wrench of a unit normal force; zero like the rows of Phi
  Eigen::VectorXd phi, gamma, delta, contact;
  Eigen::VectorXd ddq, N, N_flange;
  std::vector<std::uint8_t> on;  // by wheel: its tread is on the rail

 private:
  bool find_contacts();
  void find_forces(const Eigen::VectorXd& N, double h);
  bool place_rigid(step::RigidTreads& treads);
  bool place_loaded(step::LoadedTreads& treads);
  void find_rigid_forces(step::RigidTreads& treads, const Eigen::VectorXd& N, double h);
  void find_loaded_forces(step::LoadedTreads& treads, double h);
  void add_points(step::Points& points, std::size_t set, const step::NormalForces& by, double h);
  void add(const step::Points& points, std::size_t set, std::size_t lane, bool elastic);
  bool factor(double share);

  step::VehicleCopy copy_;
  const step::Description& vehicle_;
  step::Instant& instant_;
  step::System wrenches_;                     // of loaded treads
  step::VehicleState last_;                   // contact points from where they are followed
  std::vector<std::uint8_t> tread_, flange_;  // by wheel: its point is found
  Eigen::Index n_, w_;
  std::size_t lost_ = 0;
  Eigen::MatrixXd J_;                    // twist_dq
  Eigen::MatrixXd system_, B_, b_, BJ_;  // B and b of all wheelsets, one above the other
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd right_, solution_, r_, g_;
};

}  // namespace klingel::reference
