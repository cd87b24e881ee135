#include "sym/ordering.hpp"

#include <cmath>

#include "base/error.hpp"
#include "sym/depends.hpp"
#include "sym/tape.hpp"

namespace klingel::sym {

namespace {

// An elimination in numbers: which pivots can be divided by.
class Trial {
 public:
  explicit Trial(const Matrix& A)
      : n_(A.rows()), a_(static_cast<std::size_t>(n_) * n_, 0.0), size_(n_, 0.0) {
    std::vector<Expr> values;
    for (const Entry& e : A.entries()) values.push_back(e.value);
    if (values.empty()) return;
    const std::vector<Expr> leaves = symbols_below(values);
    std::vector<double> in, out(values.size());
    for (const Expr& x : leaves) in.push_back(x.graph().symbol_of(x.id()).value);
    const Tape tape(leaves, values);
    std::vector<double> registers(tape.registers());
    tape.run(in.data(), out.data(), registers.data());
    for (std::size_t i = 0; i < values.size(); ++i)
      at(A.entries()[i].row, A.entries()[i].col) = out[i];
    for (std::uint32_t i = 0; i < n_; ++i) size_[i] = std::abs(at(i, i));
  }

  // what is left of the terms it was summed from is more than their rounding
  bool can_divide_by(std::uint32_t i) const {
    constexpr double least = 1e-9;
    return std::abs(a_[static_cast<std::size_t>(i) * n_ + i]) > least * size_[i];
  }

  void eliminate(std::uint32_t k, const std::vector<bool>& done) {
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (done[i] || at(i, k) == 0) continue;
      const double l = at(i, k) / at(k, k);
      for (std::uint32_t j = 0; j < n_; ++j) {
        if (!done[j]) at(i, j) -= l * at(k, j);
      }
      size_[i] += std::abs(l * at(k, i));
    }
  }

 private:
  double& at(std::uint32_t i, std::uint32_t j) { return a_[static_cast<std::size_t>(i) * n_ + j]; }

  std::uint32_t n_;
  std::vector<double> a_, size_;  // size: sum of the terms of a diagonal, without signs
};

std::vector<std::uint32_t> order_of(const Matrix& A, Trial* trial) {
  const std::uint32_t n = A.rows();
  if (A.cols() != n)
    base::fail("an elimination order needs a square matrix, found {} x {}", A.rows(), A.cols());
  std::vector<std::vector<bool>> linked(n,
                                        std::vector<bool>(n, false));  // [i][i]: diagonal not zero
  for (const Entry& e : A.entries()) linked[e.row][e.col] = linked[e.col][e.row] = true;

  std::vector<bool> done(n, false);
  std::vector<std::uint32_t> order;
  while (order.size() < n) {
    std::uint32_t best = n, best_degree = n + 1;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (done[i] || !linked[i][i] || (trial != nullptr && !trial->can_divide_by(i))) continue;
      std::uint32_t degree = 0;
      for (std::uint32_t j = 0; j < n; ++j) degree += !done[j] && linked[i][j] ? 1 : 0;
      if (degree < best_degree) {
        best = i;
        best_degree = degree;
      }
    }
    if (best == n) {
      std::uint32_t row = 0;
      while (done[row]) ++row;
      base::fail("the matrix is structurally singular: no pivot is left for row {} and {} more",
                 row, n - order.size() - 1);
    }
    done[best] = true;
    order.push_back(best);
    if (trial != nullptr) trial->eliminate(best, done);
    // eliminating a vertex joins its neighbours
    for (std::uint32_t i = 0; i < n; ++i) {
      if (done[i] || !linked[best][i]) continue;
      for (std::uint32_t j = 0; j < n; ++j) {
        if (!done[j] && linked[best][j]) linked[i][j] = true;
      }
    }
  }
  return order;
}

}  // namespace

std::vector<std::uint32_t> minimum_degree_order(const Matrix& A) { return order_of(A, nullptr); }

std::vector<std::uint32_t> stable_order(const Matrix& A) {
  Trial trial(A);
  return order_of(A, &trial);
}

}  // namespace klingel::sym
