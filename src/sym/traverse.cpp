#include "sym/traverse.hpp"

#include <algorithm>

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
  // operands have smaller ids, so one sweep downwards reaches everything
  const Id top = *std::max_element(roots.begin(), roots.end());
  std::vector<bool> seen(top + 1, false);
  for (const Id r : roots) seen[r] = true;
  std::vector<Id> found;
  for (Id id = top + 1; id-- > 0;) {
    if (!seen[id]) continue;
    found.push_back(id);
    if (!enters(g, id, stop)) continue;
    const Node& n = g.node(id);
    seen[n.a] = true;
    if (is_binary(n.op)) seen[n.b] = true;
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
