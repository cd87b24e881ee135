#include "kalman/triangle.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace klingel::kalman {
namespace {

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
Vector map(double* x, std::size_t n) { return {x, static_cast<Eigen::Index>(n)}; }
ConstVector map(const double* x, std::size_t n) { return {x, static_cast<Eigen::Index>(n)}; }

}  // namespace

double square(const double* x, std::size_t n) { return map(x, n).squaredNorm(); }

void triangularise(Array& M, std::size_t triangle, std::size_t rows, std::size_t columns) {
  for (std::size_t j = 0; j < triangle && j < columns; ++j) {
    const std::size_t size = columns - j;
    Vector v = map(M.row(j) + j, size);
    const double rest = size > 1 ? v.tail(v.size() - 1).squaredNorm() : 0;
    const double head = v[0], norm = std::sqrt(head * head + rest);
    if (!(norm > 0)) continue;
    if (rest == 0) {
      if (head < 0)
        for (std::size_t i = j; i < rows; ++i) M(i, j) = -M(i, j);
      continue;
    }
    // the reflection that turns the row to (norm, 0 ...): v = row - norm e, without cancellation
    v[0] = head > 0 ? -rest / (head + norm) : head - norm;
    const double per = 2 / (rest + v[0] * v[0]);
    for (std::size_t i = j + 1; i < rows; ++i) {
      Vector row = map(M.row(i) + j, size);
      row -= (per * row.dot(v)) * v;
    }
    v.setZero();
    v[0] = norm;
  }
}

void multiply(const Array& A, std::size_t n, std::size_t inner, const Array& W, std::size_t columns,
              Array& to, std::size_t first_row, std::size_t first_column) {
  for (std::size_t i = 0; i < n; ++i) {
    Vector row = map(to.row(first_row + i) + first_column, columns);
    row.setZero();
    const double* a = A.row(i);
    for (std::size_t k = 0; k < inner; ++k)
      if (a[k] != 0) row += a[k] * map(W.row(k), columns);
  }
}

bool solve_lower(const Array& L, std::size_t n, double* b) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = b[i];
    for (std::size_t k = 0; k < i; ++k) sum -= L(i, k) * b[k];
    b[i] = sum / L(i, i);
    if (!std::isfinite(b[i])) return false;
  }
  return true;
}

}  // namespace klingel::kalman
