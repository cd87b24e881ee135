#include "sym/traverse.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace klingel::sym {
namespace {

bool enters(const Graph& g, Id id, const std::vector<bool>& stop) {
  return !is_leaf(g.op(id)) && (id >= stop.size() || !stop[id]);
}

}  // namespace

std::vector<Id> nodes_below(const Graph& g, std::span<const Id> roots) {
  return nodes_below(g, roots, {});
}

std::vector<Id> nodes_below(const Graph& g, std::span<const Id> roots,
                            const std::vector<bool>& stop) {
  if (roots.empty()) return {};
  // operands have smaller ids, so one sweep downwards reaches everything; 64 at once are passed
  // where nothing is needed: a small expression may be part of a large graph
  const Id top = *std::max_element(roots.begin(), roots.end());
  std::vector<std::uint64_t> seen(top / 64 + 1, 0);
  const auto see = [&seen](Id id) { seen[id / 64] |= std::uint64_t{1} << (id % 64); };
  for (const Id r : roots) see(r);
  std::vector<Id> found;
  for (Id word = top / 64 + 1; word-- > 0;) {
    while (seen[word] != 0) {
      const Id id = 64 * word + static_cast<Id>(std::bit_width(seen[word])) - 1;
      seen[word] &= ~(std::uint64_t{1} << (id % 64));
      found.push_back(id);
      if (!enters(g, id, stop)) continue;
      const Node& n = g.node(id);
      see(n.a);
      if (is_binary(n.op)) see(n.b);
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<Id> nodes_in_order_of_use(const Graph& g, std::span<const Id> roots,
                                      const std::vector<bool>& stop) {
  if (roots.empty()) return {};
  const Id top = *std::max_element(roots.begin(), roots.end());
  std::vector<bool> listed(top + 1, false);
  std::vector<Id> order, stack;
  for (const Id root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Id id = stack.back();
      if (listed[id]) {
        stack.pop_back();
        continue;
      }
      const Node& n = g.node(id);
      const bool inner = enters(g, id, stop);
      const std::size_t before = stack.size();
      if (inner && is_binary(n.op) && !listed[n.b]) stack.push_back(n.b);
      if (inner && !listed[n.a]) stack.push_back(n.a);
      if (stack.size() > before) continue;
      listed[id] = true;
      order.push_back(id);
      stack.pop_back();
    }
  }
  return order;
}

}  // namespace klingel::sym
