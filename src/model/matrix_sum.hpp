// A matrix being summed entry by entry, most of which stay zero: a train's is a band, and a dense
// one would cost the square of its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sym/matrix.hpp"

namespace klingel::model {

class MatrixSum {
 public:
  explicit MatrixSum(sym::Expr zero) : zero_(zero) {}

  // The entry to add to, zero at first.
  sym::Expr& operator()(std::uint32_t row, std::uint32_t col) {
    return entries_.try_emplace({row, col}, zero_).first->second;
  }

  // Zeros dropped.
  sym::Matrix matrix(std::size_t rows, std::size_t cols) const {
    std::vector<sym::Entry> list;
    for (const auto& [place, value] : entries_) list.push_back({place.first, place.second, value});
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols), std::move(list)};
  }
  // The part between some rows, ascending, and the same columns; they are numbered anew.
  sym::Matrix matrix(const std::vector<std::uint32_t>& kept, std::size_t size) const {
    std::vector<std::uint32_t> place(size, static_cast<std::uint32_t>(size));
    for (std::uint32_t i = 0; i < kept.size(); ++i) place[kept[i]] = i;
    std::vector<sym::Entry> list;
    for (const auto& [at, value] : entries_) {
      if (place[at.first] < size && place[at.second] < size)
        list.push_back({place[at.first], place[at.second], value});
    }
    const auto n = static_cast<std::uint32_t>(kept.size());
    return {n, n, std::move(list)};
  }

 private:
  sym::Expr zero_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, sym::Expr> entries_;
};

}  // namespace klingel::model
