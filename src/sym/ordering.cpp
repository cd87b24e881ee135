#include "sym/ordering.hpp"

#include "base/error.hpp"

namespace klingel::sym {

std::vector<std::uint32_t> minimum_degree_order(const Matrix& A) {
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
      if (done[i] || !linked[i][i]) continue;
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

}  // namespace klingel::sym
