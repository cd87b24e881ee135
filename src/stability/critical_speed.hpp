// The linear critical speed: the lowest at which a mode that oscillates begins to grow, and what it
// depends on. At the critical speed V the mode has re(lambda) = 0. With the augmented matrix
//
//   P(lambda, V, p) = [ lambda^2 M - lambda C - K   -G ]
//                     [           Phi                0 ]                        [eq:augmented]
//
// and its right and left null vectors r and l,
//
//   dlambda/dp = -(l^H dP/dp r) / (l^H dP/dlambda r),   dV/dp = -re(dlambda/dp) / re(dlambda/dV)
//
// dP/dp and dP/dV follow the steady motion, which changes with them: differences of its matrices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stability/modes.hpp"

namespace klingel::stability {

struct Sensitivity {
  std::string parameter;
  double value = 0;       // of the parameter
  double derivative = 0;  // dV/dp
  // per cent of the critical speed by one per cent of the parameter
  double relative = 0;
};

struct Critical {
  // None if every mode is damped up to the largest speed, or if one grows at the lowest already.
  std::optional<double> speed;
  bool from_the_first = false;  // grows at the lowest speed already
  double lowest = 0, largest = 0;
  Mode mode;         // at the critical speed; else the least damped one at the largest or lowest
  double slope = 0;  // d re(lambda) / dV, 1/m
  Eigen::MatrixXd M;
};

struct Search {
  double lowest = 2, largest = 200;  // m/s
  int steps = 60;                    // where one looks first
};

Critical critical_speed(SteadyMotion& motion, const Search& search = {});

// For all parameters of the vehicle, the largest relative ones first. Those that have no value of
// their own to change by a share, because it is zero, are left out, and so are those that shape
// wheels, which are not in the kernels alone: `left_out`.
std::vector<Sensitivity> sensitivities(SteadyMotion& motion, const Critical& critical,
                                       const std::vector<std::string>& left_out = {});

}  // namespace klingel::stability
