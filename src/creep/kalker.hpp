// Kalker's coefficients c11, c22, c23, c33 of linear rolling contact, over the shape a/b of the
// ellipse and Poisson's ratio. The printed table has ten shapes on each side of the circle and
// three Poisson ratios; between them, two ways:
//
//   smooth  quadratic in Poisson's ratio, cubic and once differentiable in the shape, monotone
//   where
//           the table is; beyond a/b = 0.1 and 10 the table goes over into Kalker's limits for thin
//           ellipses
//   linear  linear in Poisson's ratio and in a/b (b/a above the circle); constant beyond the table
//
// A table is made for one material; looking up neither searches nor allocates.
#pragma once

#include <array>

#include "base/pack.hpp"

namespace klingel::creep {

template <class T>
struct KalkerCoefficientsOf {
  T c11{}, c22{}, c23{}, c33{};
};
using KalkerCoefficients = KalkerCoefficientsOf<double>;

enum class KalkerInterpolation { smooth, linear };

class KalkerTable {
 public:
  // Throws Error for a Poisson's ratio outside 0 ... 0.5.
  explicit KalkerTable(double poisson, KalkerInterpolation = KalkerInterpolation::smooth);

  // For any a, b > 0.
  KalkerCoefficients at(double a, double b) const noexcept;
  KalkerCoefficientsOf<base::Pack> at(const base::Pack& a, const base::Pack& b) const noexcept;

  double poisson() const { return poisson_; }

 private:
  // Cubics in g = min(a/b, b/a), one set per tenth: [power of g][coefficient].
  struct Piece {
    double p[4][4];
  };

  KalkerCoefficients thin(bool along, double g) const noexcept;

  // [0]: a <= b, [1]: a > b. smooth_ pieces hold c times a power of g, which varies less.
  std::array<std::array<Piece, 9>, 2> pieces_;
  std::array<double, 4> thin_scale_;  // table over limit formula at b/a = 0.1
  double wide_power_;                 // of a/b in c23 below 0.1
  double poisson_;
  bool smooth_;
};

}  // namespace klingel::creep
