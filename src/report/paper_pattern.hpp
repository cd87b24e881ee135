// Which entries of a block matrix are not zero, drawn as dots.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace klingel::report {

struct Pattern {
  struct Block {
    std::string name;
    std::uint32_t size;
  };
  std::vector<Block> blocks;  // of rows and of columns; the matrix is square
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;  // row, column; each once
  std::vector<std::uint32_t> right_side;                         // rows of it that are not zero

  std::uint32_t size() const;
};

// The matrix with its right side as a column apart; `dot` is the edge of an entry in pixels.
std::string pattern_svg(const Pattern& pattern, double dot);

// "row,column" lines, counted from 0; the right side is the column after the last.
std::string pattern_csv(const Pattern& pattern);

}  // namespace klingel::report
