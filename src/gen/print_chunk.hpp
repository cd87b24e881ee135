// The statements of one chunk: atoms as C expressions, in order, without the function around them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gen/schedule.hpp"

namespace klingel::gen {

struct ChunkText {
  std::string statements;           // indented by two spaces, one per line
  std::set<std::uint32_t> inputs;   // arrays that are read
  std::set<std::uint32_t> outputs;  // arrays that are written
  bool workspace = false;           // w is read or written
  std::set<sym::Op> helpers;        // sin, cos, sign, min, max: need a helper function
  std::size_t operations = 0;
};

struct ChunkStyle {
  std::size_t inline_operations;  // an atom used once is written into its user up to this size
  unsigned lanes = 1;             // more than one: values are klingel_vector of gen/lanes.h
};

// `outputs`: of the function the chunk belongs to, empty for a stage.
ChunkText print_chunk(const Program& program, const Schedule& schedule, const Chunk& chunk,
                      const std::vector<sym::Output>& outputs, const ChunkStyle& style);

}  // namespace klingel::gen
