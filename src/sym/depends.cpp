#include "sym/depends.hpp"

#include <algorithm>

#include "sym/traverse.hpp"

namespace klingel::sym {

std::vector<Expr> symbols_below(std::span<const Expr> expressions) {
  if (expressions.empty()) return {};
  Graph& g = expressions.front().graph();
  std::vector<Id> roots;
  for (const Expr& e : expressions) {
    common_graph(expressions.front(), e);
    roots.push_back(e.id());
  }
  std::vector<Expr> found;
  for (const Id id : nodes_below(g, roots)) {
    if (g.op(id) == Op::symbol) found.emplace_back(&g, id);
  }
  return found;
}

std::vector<Expr> symbols_below(Expr expression) {
  return symbols_below(std::span(&expression, 1));
}

bool depends_on(Expr e, Expr x) {
  Graph& g = common_graph(e, x);
  const std::uint32_t symbols = g.node(x.id()).symbols;
  if ((g.node(e.id()).symbols & symbols) != symbols) return false;
  const Id root = e.id();
  const std::vector<Id> below = nodes_below(g, std::span(&root, 1));
  return std::binary_search(below.begin(), below.end(), x.id());
}

bool depends_on(Expr e, SymbolKind kind) { return (e.graph().node(e.id()).kinds & bit(kind)) != 0; }

}  // namespace klingel::sym
