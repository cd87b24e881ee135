// How the forces of the contacts on a wheelset change with its place and motion: of both wheels
// together, as wrenches b about its centre. Geometry, normal forces and creep laws are evaluated as
// a run evaluates them, and differenced: central differences of two steps, of fourth order. Charts,
// patches and creep laws have no symbolic derivatives; everything else of a vehicle has.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "reference/continuous.hpp"

namespace klingel::stability {

struct ContactTangent {
  // By wheelset, of b: by small displacements (3) and rotations (3) in the ground, then by the
  // twist: v_C (3), w of the base that does not spin (3), rate of spin.
  std::vector<Eigen::Matrix<double, 6, 13>> by_motion;
  // 6 x w, of rigid treads: by the normal force of each wheel; W_n and the change of its creep.
  Eigen::MatrixXd by_N;
  // How far the forces are from having a tangent at all: slip along and across at once against the
  // sum of both, relative. Zero but for laws with a kink where nothing slips.
  double kink = 0;
};

// Contacts begin where `at` has them. False if a wheel loses its rail nearby. Afterwards place()
// must be called before anything else of `at`.
bool contact_tangent(reference::Continuous& at, std::span<const double> poses,
                     std::span<const double> twists, const Eigen::VectorXd& N, double speed,
                     ContactTangent& to);

}  // namespace klingel::stability
