// A sparse matrix of expressions: what a Jacobian is and what the linear solver takes.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

struct Entry {
  std::uint32_t row = 0;
  std::uint32_t col = 0;
  Expr value;
};

// Entries are unique and sorted by column, then row; what is not listed is exactly zero.
class Matrix {
 public:
  Matrix(std::uint32_t rows, std::uint32_t cols) : rows_(rows), cols_(cols) {}
  Matrix(std::uint32_t rows, std::uint32_t cols,
         std::vector<Entry> entries);  // any order, zeros dropped
  static Matrix dense(std::uint32_t rows, std::uint32_t cols, std::span<const Expr> column_major);

  std::uint32_t rows() const { return rows_; }
  std::uint32_t cols() const { return cols_; }
  const std::vector<Entry>& entries() const& { return entries_; }
  std::vector<Entry> entries() && { return std::move(entries_); }  // safe on a temporary
  // The entry at (row, col) or null.
  const Entry* find(std::uint32_t row, std::uint32_t col) const;

 private:
  std::uint32_t rows_, cols_;
  std::vector<Entry> entries_;
};

}  // namespace klingel::sym
