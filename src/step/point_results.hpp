// Forces and slip of contact points, as users see them.
#pragma once

#include <array>
#include <vector>

#include "step/points.hpp"

namespace klingel::step {

// One pair of points, as applied in the last step.
struct PointResult {
  double N = 0;                // N
  std::array<double, 3> f{};   // creep: f_x, f_y, m_z on the wheel
  double turned = 0;           // along W_y: N of a rigid point in a hollow, as it turns in the step
  std::array<double, 3> nu{};  // slip velocities at t
  double V = 0;                // m/s
  double a = 0, b = 0;         // semi-axes of the patch, m
  double saturation = 1;       // of the linear creep force
  double gap = 0;              // phi_n at t, m
  double angle = 0;            // contact angle, rad
  Wrench W_n{}, W_x{}, W_y{};  // at t
};

// By wheel.
struct PointResults {
  std::vector<PointResult> tread, flange;
};

void find_results(const Points& points, std::vector<PointResult>& results);

}  // namespace klingel::step
