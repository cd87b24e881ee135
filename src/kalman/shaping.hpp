// Track irregularity as coloured noise: a chain of low-pass filters driven by white noise whose
// output has the density of a spectrum of track/spectrum.hpp at a speed V. With
// a = V Wr, b = V Wc, c = V Ws and k = Wc sqrt(pi A V^3), twice that for the cross level:
//
//   dx1 = -a x1 + k w,   dx2 = -b x2 + x1,   e = x2                    vertical and lateral
//   dx3 = -c x3 + x2,    e = x2 - c x3                                 cross level     [eq:shaping]
//
// since the variance of e is 1/pi times the integral of |H(i w)|^2 over w > 0. In steps of h the
// noise comes at the beginning: x(t+h) = Phi (x + n), cov(n) = integral of
// e^(-F s) g g^T e^(-F s)^T over the step.
#pragma once

#include <array>
#include <cstddef>

#include "track/spectrum.hpp"

namespace klingel::kalman {

struct Shaping {
  static constexpr std::size_t most = 3;
  using Matrix = std::array<std::array<double, most>, most>;

  // An Error if the speed is not positive, or the spectrum has no density.
  Shaping(const track::Spectrum& spectrum, double speed, double h);

  std::size_t states = 2;
  Matrix Phi{};                     // x(t+h) by x
  std::array<double, most> out{};   // e by x
  std::array<double, most> rate{};  // (e(t+h) - e) / h by x, without noise
  Matrix noise{}, start{};          // square roots: of cov(n), and of x at the start (stationary)
  double sigma = 0;                 // of e, m
};

}  // namespace klingel::kalman
