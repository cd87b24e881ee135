// Square roots of covariances, by Householder reflections. An array M with rows that are Gaussian
// vectors in terms of independent unit ones has the covariance M M^T; reflections of its columns do
// not change that and make its first rows a lower triangle [eq:array].
#pragma once

#include <cstddef>
#include <vector>

namespace klingel::kalman {

// Rows side by side in memory, each `columns` long. Neither of the functions allocates.
class Array {
 public:
  Array() = default;
  Array(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        values_(rows * columns, 0),
        notes_(2 * rows, 0),
        marks_(2 * columns, 0) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double* row(std::size_t i) { return &values_[i * columns_]; }
  const double* row(std::size_t i) const { return &values_[i * columns_]; }
  double& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }
  std::vector<double>& values() { return values_; }
  // Room for the functions below: two numbers for each row, and two indices for each column.
  double* notes() { return notes_.data(); }
  std::size_t* marks() { return marks_.data(); }
  void clear() { values_.assign(values_.size(), 0); }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> values_, notes_;
  std::vector<std::size_t> marks_;
};

// Reflects the columns [0, columns) of the rows [0, rows) so that the first `triangle` rows become
// a lower triangle with a diagonal that is not negative. The rows behind them get the first `few`
// reflections only: their first `few` columns are those of all, and the rest has the same length.
void triangularise(Array& M, std::size_t triangle, std::size_t rows, std::size_t columns,
                   std::size_t few);
inline void triangularise(Array& M, std::size_t triangle, std::size_t rows, std::size_t columns) {
  triangularise(M, triangle, rows, columns, triangle);
}

// to = A W, for rows [0, n) of a matrix A of `inner` columns. Zeros in A cost nothing, and of W
// neither those behind the last number of a row's first `inner` columns nor those of later columns.
// Columns of W from `columns` on are not looked at. Rows of `to` are cleared before.
void multiply(const Array& A, std::size_t n, std::size_t inner, const Array& W, std::size_t columns,
              Array& to, std::size_t first_row, std::size_t first_column);

// x = L^-1 b of a lower triangle; false if a pivot is zero or not finite.
bool solve_lower(const Array& L, std::size_t n, double* b);

// Sum of squares.
double square(const double* x, std::size_t n);

}  // namespace klingel::kalman
