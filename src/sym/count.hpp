// Operation and atom counts, by kind, because the article reports both (its table 2).
#pragma once

#include <cstddef>
#include <span>

#include "sym/expr.hpp"

namespace klingel::sym {

struct Count {
  std::size_t atoms = 0;  // distinct operation nodes, constants of numbers only not included
  std::size_t add = 0;    // + and binary -
  std::size_t mul = 0;
  std::size_t div = 0;
  std::size_t neg = 0;
  std::size_t sqrt = 0;
  std::size_t trig = 0;   // sin cos tan asin acos atan2
  std::size_t other = 0;  // exp log pow abs sign min max
  std::size_t total() const { return add + mul + div + neg + sqrt + trig + other; }
  Count& operator+=(const Count& x);
  friend bool operator==(const Count&, const Count&) = default;
};

// The count of one operation; zero for leaves.
Count count_of(Op op);

// Everything needed to evaluate the expressions once, shared atoms counted once. Atoms without
// symbols are constants of the program and cost nothing at run time.
Count count(std::span<const Expr> expressions);
Count count(const Graph& g, std::span<const Id> nodes);  // exactly these nodes

}  // namespace klingel::sym
