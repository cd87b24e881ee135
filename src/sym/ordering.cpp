#include "sym/ordering.hpp"

#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "sym/depends.hpp"
#include "sym/tape.hpp"

namespace klingel::sym {

namespace {

// An elimination in numbers: which pivots can be divided by.
class Trial {
 public:
  explicit Trial(const Matrix& A) : rows_(A.rows()), size_(A.rows(), 0.0) {
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
      rows_[A.entries()[i].row][A.entries()[i].col] = out[i];
    for (std::uint32_t i = 0; i < rows_.size(); ++i) size_[i] = std::abs(rows_[i][i]);
  }

  // what is left of the terms it was summed from is more than their rounding
  bool can_divide_by(std::uint32_t i) const {
    constexpr double least = 1e-9;
    return std::abs(rows_[i].at(i)) > least * size_[i];
  }

  // `around`: rows and columns that are not eliminated and have an entry with k
  void eliminate(std::uint32_t k, const std::set<std::uint32_t>& around) {
    const std::map<std::uint32_t, double>& pivot = rows_[k];
    for (const std::uint32_t i : around) {
      const auto at_k = rows_[i].find(k);
      if (at_k == rows_[i].end() || at_k->second == 0) continue;
      const double l = at_k->second / pivot.at(k);
      for (const std::uint32_t j : around) {
        if (const auto u = pivot.find(j); u != pivot.end()) rows_[i][j] -= l * u->second;
      }
      if (const auto u = pivot.find(i); u != pivot.end()) size_[i] += std::abs(l * u->second);
    }
  }

 private:
  std::vector<std::map<std::uint32_t, double>> rows_;
  std::vector<double> size_;  // sum of the terms of a diagonal, without signs
};

std::vector<std::uint32_t> order_of(const Matrix& A, Trial* trial) {
  const std::uint32_t n = A.rows();
  if (A.cols() != n)
    base::fail("an elimination order needs a square matrix, found {} x {}", A.rows(), A.cols());
  // rows joined by an entry on either side of the diagonal, without those that are done
  std::vector<std::set<std::uint32_t>> around(n);
  std::vector<bool> diagonal(n, false), done(n, false);  // diagonal: it is not zero
  for (const Entry& e : A.entries()) {
    if (e.row == e.col) {
      diagonal[e.row] = true;
    } else {
      around[e.row].insert(e.col);
      around[e.col].insert(e.row);
    }
  }

  std::vector<std::uint32_t> order;
  while (order.size() < n) {
    std::uint32_t best = n;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (done[i] || !diagonal[i]) continue;
      if (best < n && around[i].size() >= around[best].size()) continue;
      if (trial == nullptr || trial->can_divide_by(i)) best = i;
    }
    if (best == n) {
      std::uint32_t row = 0;
      while (done[row]) ++row;
      base::fail("the matrix is structurally singular: no pivot is left for row {} and {} more",
                 row, n - order.size() - 1);
    }
    done[best] = true;
    order.push_back(best);
    if (trial != nullptr) trial->eliminate(best, around[best]);
    // eliminating a vertex joins its neighbours
    for (const std::uint32_t i : around[best]) {
      around[i].insert(around[best].begin(), around[best].end());
      around[i].erase(i);
      around[i].erase(best);
      diagonal[i] = true;
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
