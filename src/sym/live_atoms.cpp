#include "sym/live_atoms.hpp"

#include "sym/traverse.hpp"

namespace klingel::sym {

Cost& Cost::operator+=(const Cost& x) {
  operations += x.operations;
  time += x.time;
  return *this;
}

Cost& Cost::operator-=(const Cost& x) {
  operations -= x.operations;
  time -= x.time;
  return *this;
}

Cost cost_of(const Graph& g, Id id) {
  constexpr KindMask parameters = bit(SymbolKind::parameter);
  const Node& n = g.node(id);
  if (is_leaf(n.op) || (n.kinds & ~parameters) == 0) return {0, 0};
  switch (n.op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::neg:
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
      return {1, 1};
    case Op::div:
    case Op::sqrt:
      return {1, 4};
    default:
      return {1, 10};
  }
}

LiveAtoms::LiveAtoms(const Graph& graph, std::span<const Id> roots) : graph_(graph) {
  for (const Id root : roots) use(root, 1);
}

Id LiveAtoms::now(Id id) const {
  while (id < by_.size() && by_[id] != no_id) id = by_[id];
  return id;
}

void LiveAtoms::use(Id root, std::int64_t times) {
  std::vector<std::pair<Id, std::int64_t>> stack = {{root, times}};
  while (!stack.empty()) {
    const auto [next, more] = stack.back();
    stack.pop_back();
    const Id id = now(next);
    if (id >= uses_.size()) {
      uses_.resize(graph_.size(), 0);
      by_.resize(graph_.size(), no_id);
    }
    const bool is_new = uses_[id] == 0;
    uses_[id] += more;
    const Node& n = graph_.node(id);
    if (!is_new || is_leaf(n.op)) continue;
    total_ += cost_of(graph_, id);
    stack.emplace_back(n.a, 1);
    if (is_binary(n.op)) stack.emplace_back(n.b, 1);
  }
}

void LiveAtoms::release(Id root, std::int64_t times) {
  std::vector<std::pair<Id, std::int64_t>> stack = {{root, times}};
  while (!stack.empty()) {
    const auto [next, less] = stack.back();
    stack.pop_back();
    const Id id = now(next);
    uses_[id] -= less;
    const Node& n = graph_.node(id);
    if (uses_[id] > 0 || is_leaf(n.op)) continue;
    total_ -= cost_of(graph_, id);
    stack.emplace_back(n.a, 1);
    if (is_binary(n.op)) stack.emplace_back(n.b, 1);
  }
}

bool LiveAtoms::replace(Id id, Id by) {
  const Cost before = total_;
  const std::int64_t times = uses_[id];
  // the new one first: what both use stays alive
  use(by, times);
  release(id, times);
  if (total_.time < before.time && total_.operations <= before.operations) {
    by_[id] = by;
    return true;
  }
  use(id, times);
  release(by, times);
  return false;
}

}  // namespace klingel::sym
