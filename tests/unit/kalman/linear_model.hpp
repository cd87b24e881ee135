// A linear model for tests of filters: x' = A x, y = C x, o = x[0].
#pragma once

#include "kalman/filter.hpp"

namespace klingel::test {

struct LinearModel : kalman::Model {
  kalman::Array A, C;
  double nonlinear = 0;  // x' = A x + nonlinear x^2 for the first
  std::vector<std::vector<double>> slots;
  std::vector<double> settled;

  LinearModel(kalman::Array a, kalman::Array c) : A(std::move(a)), C(std::move(c)) {
    n = A.rows(), m = C.rows(), p = 1;
  }
  void result_of(const double* x, double* r) const {
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = i == 0 ? nonlinear * x[0] * x[0] : 0;
      for (std::size_t j = 0; j < n; ++j) r[i] += A(i, j) * x[j];
    }
    for (std::size_t i = 0; i < m; ++i) {
      r[n + i] = 0;
      for (std::size_t j = 0; j < n; ++j) r[n + i] += C(i, j) * x[j];
    }
    r[n + m] = x[0];
  }
  bool go(const double* x, double* result, kalman::Array& J) override {
    result_of(x, result);
    J.clear();
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) J(i, j) = A(i, j);
      for (std::size_t i = 0; i < m; ++i) J(n + i, j) = C(i, j);
    }
    J(0, 0) += 2 * nonlinear * x[0];
    J(n + m, 0) = 1;
    return true;
  }
  void spread(std::size_t count, const double* points, double* results, char* good) override {
    for (std::size_t k = 0; k < count; ++k) {
      result_of(points + k * n, results + k * this->results());
      good[k] = 1;
    }
  }
  void settle(double* x) override { settled.assign(x, x + n); }
  void make_slots(std::size_t count) override { slots.assign(count, std::vector<double>(n, 0)); }
  void remember(std::size_t slot) override { slots[slot] = settled; }
  void recall(std::size_t slot) override { settled = slots[slot]; }
};

}  // namespace klingel::test
