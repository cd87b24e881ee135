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

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/loaded_pair.hpp"
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
  // A mode counts as growing from this rate on, 1/s. Where friction sticks nothing else may damp a
  // mode: its rate is zero but for traces of creep forces, of either sign.
  double growth = 0;
};

Critical critical_speed(SteadyMotion& motion, const Search& search = {});

// What a parameter changes beside the kernels.
struct Remaking {
  // Parameters that shape wheels, and a vehicle with another value of one: made anew.
  std::vector<std::string> of_wheels;
  std::function<std::shared_ptr<const simulation::Description>(const std::string& parameter,
                                                               double value)>
      make;
  // Charts of loaded contact are made for the static loads of the wheels.
  contact::SheetChoice sheets;
};

// For all parameters of the vehicle that are not zero, the largest relative ones first.
std::vector<Sensitivity> sensitivities(SteadyMotion& motion, const Critical& critical,
                                       const Remaking& remaking = {});

}  // namespace klingel::stability
