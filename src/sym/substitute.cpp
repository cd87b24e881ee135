#include "sym/substitute.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "sym/construct.hpp"

namespace klingel::sym {
namespace {

// `mask`: an atom above a replaced one has one of these symbols; 0 says nothing
Id substituted(Graph& g, Memo& memo, std::uint32_t mask, Id oldest, Id root) {
  // an atom older than every replaced one, or without a symbol of any of them, stays as it is
  const auto known = [&](Id id) {
    const Node& n = g.node(id);
    if (id < oldest || (mask != 0 && (n.symbols & mask) == 0)) return id;
    const Id replaced = memo.find(id);
    return replaced == no_id && is_leaf(n.op) ? id : replaced;
  };
  std::vector<Id> stack{root};
  while (!stack.empty()) {
    const Id id = stack.back();
    if (known(id) != no_id) {
      stack.pop_back();
      continue;
    }
    const Node n = g.node(id);
    const Id a = known(n.a);
    const Id b = is_binary(n.op) ? known(n.b) : 0;
    if (a != no_id && b != no_id) {
      memo.store(id, rebuild(g, id, a, b));
      stack.pop_back();
      continue;
    }
    if (b == no_id) stack.push_back(n.b);
    if (a == no_id) stack.push_back(n.a);
  }
  return known(root);
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> list,
                             std::span<const Replacement> replacements) {
  std::vector<Expr> result(list.begin(), list.end());
  if (list.empty() || replacements.empty()) return result;
  Graph& g = list.front().graph();
  for (const Expr& e : list) common_graph(list.front(), e);

  Graph::Arguments key;
  std::uint32_t mask = 0;
  bool replaces_constant = false;
  for (const Replacement& r : replacements) {
    common_graph(list.front(), r.atom);
    common_graph(r.atom, r.by);
    if (r.atom.is_number()) base::fail("a number cannot be replaced");
    key.emplace_back(r.atom.id(), r.by.id());
    mask |= g.node(r.atom.id()).symbols;
    replaces_constant = replaces_constant || g.node(r.atom.id()).symbols == 0;
  }
  if (replaces_constant) mask = 0;
  std::sort(key.begin(), key.end());
  for (std::size_t i = 1; i < key.size(); ++i) {
    if (key[i].first == key[i - 1].first)
      base::fail("an atom is replaced twice in one substitution");
  }
  Memo& memo = g.memo('s', key);
  for (const auto& [atom, by] : key) memo.store(atom, by);
  for (Expr& e : result) e = {&g, substituted(g, memo, mask, key.front().first, e.id())};
  return result;
}

Expr substitute(Expr e, std::span<const Replacement> replacements) {
  return substitute(std::span(&e, 1), replacements).front();
}

}  // namespace klingel::sym
