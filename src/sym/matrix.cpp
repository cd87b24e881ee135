#include "sym/matrix.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"

namespace klingel::sym {
namespace {

bool before(const Entry& x, const Entry& y) {
  return std::tie(x.col, x.row) < std::tie(y.col, y.row);
}

}  // namespace

Matrix::Matrix(std::uint32_t rows, std::uint32_t cols, std::vector<Entry> entries)
    : rows_(rows), cols_(cols), entries_(std::move(entries)) {
  for (const Entry& e : entries_) {
    if (e.row >= rows || e.col >= cols) {
      base::fail("entry ({}, {}) lies outside a matrix of {} x {}", e.row, e.col, rows, cols);
    }
  }
  std::erase_if(entries_, [](const Entry& e) { return e.value.is(0); });
  std::sort(entries_.begin(), entries_.end(), before);
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (!before(entries_[i - 1], entries_[i])) {
      base::fail("entry ({}, {}) is given twice", entries_[i].row, entries_[i].col);
    }
  }
}

Matrix Matrix::dense(std::uint32_t rows, std::uint32_t cols, std::span<const Expr> column_major) {
  if (column_major.size() != static_cast<std::size_t>(rows) * cols) {
    base::fail("a matrix of {} x {} needs {} expressions, found {}", rows, cols, rows * cols,
               column_major.size());
  }
  std::vector<Entry> entries;
  for (std::uint32_t c = 0; c < cols; ++c) {
    for (std::uint32_t r = 0; r < rows; ++r) entries.push_back({r, c, column_major[c * rows + r]});
  }
  return {rows, cols, std::move(entries)};
}

const Entry* Matrix::find(std::uint32_t row, std::uint32_t col) const {
  const Entry wanted{row, col, {}};
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), wanted, before);
  return it != entries_.end() && it->row == row && it->col == col ? &*it : nullptr;
}

}  // namespace klingel::sym
