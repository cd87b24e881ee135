// Steady running along a straight or an arc of constant radius and cant, and small motions about
// it. The vehicle turns as a whole about the curve's centre, its bodies at rest against each other
// but for what spins. Its coordinates, the rates of spin, the normal forces N of rigid treads and
// the force f along the track that keeps the speed are the solution of
//
//   F = delta_NK - M_qq ddq + J^T b(q, dq, N) + f t = 0,   phi_n = 0            [eq:steady]
//
// by Newton's method with the derivatives of F: symbolic but for those of the wrenches b, which are
// differenced (contact_tangent.hpp). In axes that move with the vehicle small motions z obey
//
//   M z'' = K z + C z' + G dN,   Phi z = 0                                     [eq:smallmotion]
//
//   K = F_q + F_dq W - M W W,   C = F_dq - 2 M W,   G = dF/dN,   Phi = d(phi_n)/dq
//
// with W the turn of the axes: dx = -w dy, dy = w dx for every body that stands against the ground.
//
// Internal states x of elements, x' = g(q, dq, x), are X(q) in steady motion: springs behind
// dampers have no force, friction has slid where it had to on the way from standing on straight
// track. For small motions friction sticks, as the spring it is then, and is in K; the other states
// add
//
//   + F_x x to M z'',   x' = g_z z + g_v z' + g_x x,   g_z = g_q + g_dq W, g_v = g_dq  [eq:states]
//
// Allocates; what cannot be is an Error.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulation/description.hpp"
#include "stability/contact_tangent.hpp"

namespace klingel::stability {

struct Curve {
  double curvature = 0;  // 1/m, positive to the left
  double cant = 0;       // rad, positive: left rail high
};

// The matrices of [eq:smallmotion].
struct SmallMotions {
  Eigen::MatrixXd M, K, C;  // n x n
  Eigen::MatrixXd G, Phi;   // n x c and c x n, c constraints of rigid treads
  // Motions that change nothing, n x (1 + wheelsets): the vehicle as a whole along the track, the
  // wheels and what is geared to them.
  Eigen::MatrixXd D;
  // of internal states that are not friction, m of them: n x m, m x n, m x n, m x m
  Eigen::MatrixXd F_x, g_z, g_v, g_x;
  Eigen::VectorXd dq;  // of the steady motion
  double kink = 0;     // of the creep forces, see contact_tangent.hpp
};

class SteadyMotion {
 public:
  // linear: kernels of model/linear_interface.hpp. Both must outlive it.
  SteadyMotion(const simulation::Description& vehicle, const klingel_kernel& linear,
               const Curve& curve = {});
  ~SteadyMotion();

  // The same curve, parameters and friction for a vehicle of the same kernels but other wheels.
  std::unique_ptr<SteadyMotion> with(const simulation::Description& vehicle) const;
  // Settling begins as far from standing still as the same vehicle is in another curve.
  void begin_near(const SteadyMotion& other);

  void set_parameter(std::size_t index, double value);
  double parameter(std::size_t index) const;
  const std::vector<std::string>& parameter_names() const;
  void set_friction(double mu);  // of all wheels

  // Finds the steady motion: from the one found last, or from the static equilibrium.
  void settle(double speed);
  // At what settle() found.
  SmallMotions small_motions();

  const step::VehicleState& state() const { return state_; }
  step::Simulator& simulator() { return *simulator_; }
  const track::Track& track() const { return track_; }
  const simulation::Description& vehicle() const { return vehicle_; }
  const Curve& curve() const { return curve_; }
  double forward() const { return point_.forward; }  // N, keeps the speed
  int iterations() const { return iterations_; }
  double unbalanced() const { return unbalanced_; }  // of the weight
  double speed() const { return speed_; }

  // F above phi_n at other coordinates and velocities, for tests: ddq and N stay those of the
  // steady motion. The axes of the ground are those of the moving ones.
  Eigen::VectorXd balance(const Eigen::VectorXd& q, const Eigen::VectorXd& dq);
  // Elements with dry friction, which sticks in small motions.
  const std::vector<std::string>& friction_elements() const { return sticks_; }
  const Eigen::VectorXd& q() const { return point_.q; }
  const Eigen::VectorXd& dq() const { return dq_; }
  const Eigen::VectorXd& ddq() const { return ddq_; }

 private:
  struct Kernel;
  struct Point {
    Eigen::VectorXd q, spin, N;  // spin: rates by wheelset over the speed
    double forward = 0;
  };

  void begin();
  void find_standing();
  void set_states(const Eigen::VectorXd& q);
  void add_states(SmallMotions& to);
  void take_directions();
  void find_carried();
  void move(const Point& point);
  Eigen::VectorXd residual(const Point& point);
  bool jacobian(const Point& point, SmallMotions& to);
  Eigen::MatrixXd newton_matrix(const SmallMotions& s) const;
  Point changed(const Point& point, const Eigen::VectorXd& step) const;
  double within_reach(const Eigen::VectorXd& step) const;
  bool solve();
  void keep();
  void fail_to_settle() const;

  const simulation::Description& vehicle_;
  const klingel_kernel& linear_;
  Curve curve_;
  track::Track track_;
  spline::Vec3 origin_{};  // the point of the centre line beside which the reference body runs
  double heading_ = 0;
  start::Start start_;
  std::unique_ptr<step::Simulator> simulator_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<reference::Continuous> at_;
  step::VehicleState state_;
  Eigen::Index n_ = 0, w_ = 0, spins_ = 0;
  std::vector<std::size_t> rigid_;    // wheels with constraints
  std::vector<std::size_t> carried_;  // further coordinates that grow: rotors, carriages
  Eigen::MatrixXd follow_;            // rates of these by those of all others
  Eigen::MatrixXd P_;                 // positions that settle, n x
  Eigen::MatrixXd W_;                 // turn of the axes
  std::vector<std::string> sticks_;
  Eigen::MatrixXd yield_;  // of K, what friction that slides takes away: n x n
  Eigen::MatrixXd still_;  // motions of the wheelsets by dq, 6 each
  double weight_ = 1, speed_ = 0;
  bool found_ = false;
  Point point_, standing_;
  std::optional<Point> ahead_;  // of standing, for the first try
  Eigen::VectorXd dq_, ddq_;
  int iterations_ = 0;
  double unbalanced_ = 0;
};

// An arc of constant radius and cant, along x at the origin, long enough for a vehicle that reaches
// so far to both sides, m.
track::Track endless(const Curve& curve, double rail_distance, double reach);

}  // namespace klingel::stability
