// Irregularity of the track as coloured noise along it. A rail is a cubic spline over the track,
//
//   e(s) = sum of c_i beta(s / d - i),   beta the cubic B-spline, d a quarter of the shortest wave,
//
// and its coefficients are an autoregressive sequence,
//
//   c_i = a_1 c_(i-1) + ... + a_p c_(i-p) + b w_i,   w_i white                        [eq:rail]
//
// that has the covariances r_j of a spectrum S(W) between the longest and the shortest wave:
//
//   r_j = integral of S(W) / B(W)^2 cos(j W d),   B(W) = (2 + cos(W d)) / 3
//
// where B is what the spline makes of a wave; a follows from r by Levinson's recursion. Since the
// noise belongs to places, every wheelset that passes one meets the same rail, at any speed.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "track/spectrum.hpp"

namespace klingel::kalman {

struct RailNoise {
  static constexpr std::size_t order = 6;

  // Wavelengths in m. An Error if the spectrum has no density or the band no waves.
  RailNoise(const track::Spectrum& spectrum, double shortest, double longest);

  double spacing = 0;                      // d
  std::array<double, order> a{};           // of the last coefficient first
  double b = 0;                            // m
  double sigma = 0;                        // of e, m
  double covariance(std::size_t j) const;  // r_j
  // beta at the four coefficients around a place, u from 0 to 1 between the middle two.
  static std::array<double, 4> weights(double u);

 private:
  track::Spectrum spectrum_;
  double first_ = 0, last_ = 0;  // wave numbers
};

}  // namespace klingel::kalman
