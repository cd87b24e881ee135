#include "kalman/shaping.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace klingel::kalman {
namespace {

using Square = Eigen::Matrix3d;

// By scaling and squaring; F is small.
Square exponential(const Square& F) {
  constexpr int squarings = 8, terms = 12;
  const Square small = F / (1 << squarings);
  Square sum = Square::Identity(), term = Square::Identity();
  for (int i = 1; i <= terms; ++i) sum += term = term * small / i;
  for (int i = 0; i < squarings; ++i) sum = sum * sum;
  return sum;
}

// Lower square root of a matrix that may be nearly singular: pivots below rounding are zero.
Square lower_root(const Square& P, int n) {
  Square L = Square::Zero();
  for (int j = 0; j < n; ++j) {
    const double pivot = P(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > 1e-14 * P(j, j))) continue;
    L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i)
      L(i, j) = (P(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  return L;
}

void copy(const Square& from, Shaping::Matrix& to) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      to[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = from(i, j);
}

}  // namespace

Shaping::Shaping(const track::Spectrum& spectrum, double V, double h) {
  if (!(V > 0)) base::fail("coloured noise of a track needs a speed above zero, found {} m/s", V);
  if (!(spectrum.A > 0) || !(spectrum.omega_c > 0) || !(spectrum.omega_r > 0))
    base::fail("the spectrum of an irregularity has no density");
  states = spectrum.is_cross_level ? 3 : 2;
  const int n = static_cast<int>(states);
  const double a = V * spectrum.omega_r, b = V * spectrum.omega_c, c = V * spectrum.omega_s;
  const double k = (spectrum.is_cross_level ? 2 : 1) * spectrum.omega_c *
                   std::sqrt(std::numbers::pi * spectrum.A * V * V * V);
  Square F = Square::Zero();
  F(0, 0) = -a, F(1, 0) = 1, F(1, 1) = -b;
  if (n == 3) F(2, 1) = 1, F(2, 2) = -c;
  Eigen::Vector3d g(k, 0, 0), o(0, 1, n == 3 ? -c : 0);
  const Square P = exponential(F * h);
  const Eigen::Vector3d r = (P.transpose() * o - o) / h;

  // noise of a step by Gauss's rule with five points: F h is small
  constexpr std::array<double, 5> nodes = {-0.9061798459386640, -0.5384693101056831, 0,
                                           0.5384693101056831, 0.9061798459386640};
  constexpr std::array<double, 5> weights = {0.2369268850561891, 0.4786286704993665,
                                             0.5688888888888889, 0.4786286704993665,
                                             0.2369268850561891};
  Square Q = Square::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Eigen::Vector3d v = exponential(-F * (h / 2 * (1 + nodes[i]))) * g;
    Q += h / 2 * weights[i] * v * v.transpose();
  }
  // stationary: F S + S F^T + g g^T = 0, as linear equations of the nine entries
  Eigen::Matrix<double, 9, 9> lyapunov = Eigen::Matrix<double, 9, 9>::Zero();
  Eigen::Matrix<double, 9, 1> right = Eigen::Matrix<double, 9, 1>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int row = 3 * i + j;
      if (i >= n || j >= n) {
        lyapunov(row, row) = 1;
        continue;
      }
      for (int l = 0; l < n; ++l) {
        lyapunov(row, 3 * l + j) += F(i, l);
        lyapunov(row, 3 * i + l) += F(j, l);
      }
      right[row] = -g[i] * g[j];
    }
  }
  const Eigen::Matrix<double, 9, 1> solved = lyapunov.fullPivLu().solve(right);
  Square S;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S(i, j) = solved[3 * i + j];
  copy(P, Phi);
  copy(lower_root(Q, n), noise);
  copy(lower_root((S + S.transpose()) / 2, n), start);
  for (int i = 0; i < 3; ++i) {
    out[static_cast<std::size_t>(i)] = o[i];
    rate[static_cast<std::size_t>(i)] = r[i];
  }
  sigma = std::sqrt(o.dot(S * o));
}

}  // namespace klingel::kalman
