#include "sym/linear_solve.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "sym/ordering.hpp"

namespace klingel::sym {
namespace {

void check_order(const std::vector<std::uint32_t>& order, std::uint32_t n) {
  std::vector<bool> seen(n, false);
  for (const std::uint32_t i : order) {
    if (i >= n || seen[i])
      base::fail("the elimination order is not a permutation: index {} of {} rows", i, n);
    seen[i] = true;
  }
  if (order.size() != n)
    base::fail("the elimination order has {} entries, the matrix {} rows", order.size(), n);
}

}  // namespace

Factors::Factors(const Matrix& A, const SolveOptions& options)
    : n_(A.rows()),
      symmetric_(options.method == Elimination::ldlt),
      nonzeros_of_A_(A.entries().size()) {
  if (A.rows() != A.cols())
    base::fail("a linear solve needs a square matrix, found {} x {}", A.rows(), A.cols());
  if (n_ == 0 || A.entries().empty()) base::fail("the matrix of a linear solve is empty");
  order_ = options.order.empty() ? minimum_degree_order(A) : options.order;
  check_order(order_, n_);

  std::vector<std::uint32_t> place(n_);
  for (std::uint32_t k = 0; k < n_; ++k) place[order_[k]] = k;
  const Expr zero = A.entries().front().value.graph().rational(0, 1);
  std::vector<std::vector<Expr>> a(n_, std::vector<Expr>(n_, zero));
  for (const Entry& e : A.entries()) {
    if (symmetric_) {
      const Entry* mirrored = A.find(e.col, e.row);
      if (mirrored == nullptr || mirrored->value != e.value) {
        base::fail(
            "LDL^T needs a symmetric matrix; entries ({0}, {1}) and ({1}, {0}) are different atoms",
            e.row, e.col);
      }
    }
    a[place[e.row]][place[e.col]] = e.value;
  }
  eliminate(a);
}

// right-looking: after step k the trailing block is the Schur complement
//   LU     l_ik = a_ik / u_kk,  a_ij -= l_ik u_kj
//   LDL^T  l_ik = a_ik / d_k,   a_ij -= l_ik a_jk   for j <= i only (a_jk = d_k l_jk, not yet
//   divided)
void Factors::eliminate(std::vector<std::vector<Expr>>& a) {
  lower_.resize(n_);
  upper_.resize(n_);
  for (std::uint32_t k = 0; k < n_; ++k) {
    const Expr pivot = a[k][k];
    if (pivot.is(0)) {
      base::fail(
          "the pivot of row {} is identically zero in this order; move the row behind those it is "
          "coupled with",
          order_[k]);
    }
    pivots_.push_back(pivot);
    const Expr reciprocal = 1 / pivot;
    reciprocals_.push_back(reciprocal);
    std::vector<Item> row;  // what column j subtracts from
    for (std::uint32_t j = k + 1; j < n_; ++j) {
      const Expr value = symmetric_ ? a[j][k] : a[k][j];
      if (!value.is(0)) row.push_back({j, value});
    }
    for (std::uint32_t i = k + 1; i < n_; ++i) {
      if (a[i][k].is(0)) continue;
      const Expr l = a[i][k] * reciprocal;
      lower_[k].push_back({i, l});
      for (const Item& u : row) {
        if (symmetric_ && u.index > i) break;
        a[i][u.index] -= l * u.value;
      }
    }
    if (!symmetric_) upper_[k] = std::move(row);
  }
}

std::vector<Expr> Factors::solve(std::span<const Expr> b) const {
  if (b.size() != n_)
    base::fail("the right-hand side has {} entries, the matrix {} rows", b.size(), n_);
  std::vector<Expr> x;
  for (const std::uint32_t i : order_) x.push_back(b[i]);
  for (std::uint32_t k = 0; k < n_; ++k) {
    for (const Item& l : lower_[k]) x[l.index] -= l.value * x[k];
  }
  if (symmetric_) {
    for (std::uint32_t k = 0; k < n_; ++k) x[k] *= reciprocals_[k];
  }
  // In large systems the unknown found last comes last in each sum, so that the rest of the sum
  // need not wait for it. Small ones do not become faster by it.
  constexpr std::uint32_t large = 16;
  for (std::uint32_t k = n_; k-- > 0;) {
    std::vector<Item> row = symmetric_ ? lower_[k] : upper_[k];
    if (n_ > large) std::reverse(row.begin(), row.end());
    for (const Item& u : row) x[k] -= u.value * x[u.index];
    if (!symmetric_) x[k] *= reciprocals_[k];
  }
  std::vector<Expr> result(n_);
  for (std::uint32_t k = 0; k < n_; ++k) result[order_[k]] = x[k];
  return result;
}

Expr Factors::smallest_pivot() const {
  Expr smallest = abs(pivots_.front());
  for (std::size_t k = 1; k < pivots_.size(); ++k) smallest = min(smallest, abs(pivots_[k]));
  return smallest;
}

std::size_t Factors::nonzeros() const {
  std::size_t sum = n_;
  for (std::uint32_t k = 0; k < n_; ++k)
    sum += symmetric_ ? 2 * lower_[k].size() : lower_[k].size() + upper_[k].size();
  return sum;
}

}  // namespace klingel::sym
