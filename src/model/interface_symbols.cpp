#include "model/interface_symbols.hpp"

#include <fmt/format.h>

#include <optional>

namespace klingel::model {

sym::Expr interface_symbol(sym::Graph& graph, const std::string& name, sym::SymbolKind kind,
                           double value) {
  const std::optional<sym::Expr> made = graph.find(name);
  if (made && graph.symbol_of(*made).kind == kind) return *made;
  return graph.symbol(name, kind, value);  // throws if the name is used for something else
}

std::vector<sym::Expr> interface_symbols(sym::Graph& graph, const std::string& name,
                                         std::size_t count) {
  std::vector<sym::Expr> list;
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(interface_symbol(graph, fmt::format("{}.{}", name, i)));
  return list;
}

void append(std::vector<sym::Expr>& list, const mech::Triple& u) {
  list.insert(list.end(), u.begin(), u.end());
}

}  // namespace klingel::model
