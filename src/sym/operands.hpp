// What an atom is computed from when some products are fused with the one sum that uses them: such
// a sum takes the product's operands and rounds once, and the product is computed nowhere.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sym/graph.hpp"

namespace klingel::sym {

// How a sum takes a product a b; c is its other operand.
enum class Fused : std::uint8_t {
  no,
  plus,         // a b + c
  minus,        // c - a b
  less_addend,  // a b - c
};

// a, a and b, or a, b and c if a product is fused.
struct Operands {
  Fused fused = Fused::no;
  std::array<Id, 3> ids{};
  std::size_t size = 0;

  const Id* begin() const { return ids.data(); }
  const Id* end() const { return ids.data() + size; }
};

// `fused`, by node, marks the products; empty: none. The atom is not a leaf and not marked itself.
Operands operands(const Graph& g, Id id, const std::vector<bool>& fused);

}  // namespace klingel::sym
