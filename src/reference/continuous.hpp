// The continuous equations of a vehicle on its rails at one state, for methods that are not the
// step: accelerations and normal forces of the same instant,
//
//   [ M_qq       dphi_n_dq^T ] [ ddq      ]   [ delta_NK + delta_K(q, dq, N) ]
//   [ dphi_n_dq       0      ] [ lambda_n ] = [ gamma_n                      ]   [eq:MphiTPhiZero5]
//
// with N = -lambda_n in the contact patches (by iteration), and elastic flange forces of the state.
// Uses the simulator's kernels and contacts: call Simulator::set_state before stepping again. All
// memory is taken in the constructor.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "step/simulator_parts.hpp"

namespace klingel::reference {

class Continuous {
 public:
  explicit Continuous(step::Simulator::Parts& parts);

  double phi_tolerance = 1e-12;  // m, of phi_d
  int most_iterations = 30;

  // Tread and flange points are taken from a state and followed from then on; which wheels are on
  // their rails stays.
  void begin(const step::VehicleState& state);

  // Moves kernels and points to q and dq, and makes M, Phi, phi, gamma, delta there. False if a
  // wheel's point cannot be followed: lost() is its index.
  bool place(const double* q, const double* dq);
  std::size_t lost() const { return lost_; }

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

  // Writes the points and forces to a state, and the results of the simulator's tables.
  void end(step::VehicleState& state);

  Eigen::Index coordinates() const { return n_; }
  Eigen::Index wheels() const { return w_; }

  Eigen::MatrixXd M, Phi, C;  // rows of Phi of wheels that are not `on` are zero
  Eigen::VectorXd phi, gamma, delta, contact;
  Eigen::VectorXd ddq, N, N_flange;
  std::vector<std::uint8_t> on;  // by wheel: its tread is on the rail

 private:
  void add(const step::Points& points, std::size_t set, std::size_t lane, bool elastic);
  void press(step::Points& points, std::size_t set, const step::Pressing& by, double h);
  bool factor(double share);

  step::Simulator::Parts& p_;
  Eigen::Index n_, w_;
  std::uint32_t mass_, phi_dq_;
  std::size_t lost_ = 0;
  std::vector<double> q_, dq_;
  Eigen::MatrixXd J_;                    // twist_dq
  Eigen::MatrixXd system_, B_, b_, BJ_;  // B and b of all wheelsets, one above the other
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd right_, solution_, r_, g_;
};

}  // namespace klingel::reference
