// Statistics over sections after EN 14363: from the value of each section the mean, the standard
// deviation and an estimated maximum. With one variable
//
//   estimated = mean + k s                                                      [eq:onedim]
//
// with two, a regression over the cant deficiency x and the border of its prediction at x0,
//
//   estimated = a + b x0 + t s_e sqrt(1 + 1/n + (x0 - mean x)^2 / S_xx)          [eq:twodim]
//
// t the quantile of Student's distribution with n - 2 degrees of freedom.
#pragma once

#include <optional>
#include <span>

namespace klingel::assess {

// The value that a share p of all values does not exceed, straight between the two nearest; NaN
// without values.
double percentile(std::span<const double> values, double p);

struct OneDimensional {
  std::size_t n = 0;
  double mean = 0, deviation = 0;  // of n - 1
  double largest = 0;
  std::optional<double> estimated;  // from two sections on
};
OneDimensional one_dimensional(std::span<const double> values, double k);

struct TwoDimensional {
  double a = 0, b = 0;  // the line
  double scatter = 0;   // s_e
  double correlation = 0;
  double estimated = 0;
};
// Nothing below three sections, or if all are at the same x.
std::optional<TwoDimensional> two_dimensional(std::span<const double> x, std::span<const double> y,
                                              double x0, double probability);

// P(T < t) = p, nu degrees of freedom.
double student_quantile(double p, double nu);

}  // namespace klingel::assess
