// How far two results are apart, as one number to compare with a tolerance. NaN is never close.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace klingel::test {

// Raises `worst` to d; a NaN stays.
inline void raise(double& worst, double d) {
  if (!(d <= worst)) worst = d;
}

// |a - b| / |b| in the Euclidean (Frobenius) norm; |a| where b is zero.
template <class Real>
double relative_difference(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  Real difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return static_cast<double>(std::sqrt(size > 0 ? difference / size : difference));
}

// Largest |A_ij - B_ij| / sqrt(B_ii B_jj) of two symmetric n x n matrices. The norm hardly sees a
// rotor of 1.7 kg m^2 beside a vehicle of 30 t; this does, whatever the units of the coordinates.
// Rows that are zero in B must be zero in A.
template <class Real>
double scaled_difference(const std::vector<Real>& A, const std::vector<Real>& B, std::size_t n) {
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Real difference = std::abs(A[i * n + j] - B[i * n + j]);
      const Real size = std::sqrt(B[i * n + i] * B[j * n + j]);
      raise(worst, static_cast<double>(size > 0 || difference != 0 ? difference / size : Real(0)));
    }
  }
  return worst;
}

}  // namespace klingel::test
