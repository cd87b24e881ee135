// Linear systems solved in atoms: a Gaussian elimination in a static order, written into the graph
// like any other expression.
//
// The sparsity of a mechanical system is known when it is compiled, so loops, index lists and tests
// for zero disappear: an entry that is structurally zero costs nothing because the rules of
// construction fold it away. There is no pivoting at run time; the smallest pivot is an expression
// the caller must check, and it falls back to a pivoting solver when the pivot is too small (the
// article solves the same systems by LU with full pivoting at every step).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sym/matrix.hpp"

namespace klingel::sym {

enum class Elimination {
  lu,
  ldlt,  // A must be symmetric atom by atom; half the work
};

struct SolveOptions {
  Elimination method = Elimination::lu;
  std::vector<std::uint32_t> order;  // rows and columns in this order; empty: minimum degree
};

// The factors of one matrix, to be used for any number of right-hand sides.
class Factors {
 public:
  Factors(const Matrix& A, const SolveOptions& options = {});

  std::vector<Expr> solve(std::span<const Expr> b) const;

  const std::vector<std::uint32_t>& order() const { return order_; }
  const std::vector<Expr>& pivots() const { return pivots_; }  // in the order of elimination
  Expr smallest_pivot() const;                                 // min |pivot|; NaN if one is NaN
  std::size_t nonzeros() const;                                // of L and U together, fill included
  std::size_t fill() const { return nonzeros() - nonzeros_of_A_; }

 private:
  struct Item {
    std::uint32_t index;  // position in the order of elimination
    Expr value;
  };
  void eliminate(std::vector<std::vector<Expr>>& a);

  std::uint32_t n_ = 0;
  bool symmetric_ = false;
  std::size_t nonzeros_of_A_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<Expr> pivots_, reciprocals_;
  std::vector<std::vector<Item>> lower_;  // by column k: l_ik, i > k
  std::vector<std::vector<Item>> upper_;  // by row k: u_kj, j > k (LU only)
};

}  // namespace klingel::sym
