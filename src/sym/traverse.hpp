// Walking the part of the graph below some roots.
#pragma once

#include <span>
#include <vector>

#include "sym/graph.hpp"

namespace klingel::sym {

// Every node below the roots, roots included, each once, in the order of ids: operands first.
// Nodes for which `stop` holds are listed but not entered.
std::vector<Id> nodes_below(const Graph& g, std::span<const Id> roots);
std::vector<Id> nodes_below(const Graph& g, std::span<const Id> roots,
                            const std::vector<bool>& stop);

// The same nodes in the order in which a depth-first reading of the roots needs them: the operands
// of an atom come shortly before it, which keeps values in registers. `stop` as above, may be
// empty.
std::vector<Id> nodes_in_order_of_use(const Graph& g, std::span<const Id> roots,
                                      const std::vector<bool>& stop);

}  // namespace klingel::sym
