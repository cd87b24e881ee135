// Symbols that interfaces of a model add to its graph. A model may have several interfaces, and
// each may be made more than once: a symbol is found again by its name.
#pragma once

#include <string>
#include <vector>

#include "mech/kinematics.hpp"

namespace klingel::model {

// An Error if the name is used for something of another kind.
sym::Expr interface_symbol(sym::Graph& graph, const std::string& name,
                           sym::SymbolKind kind = sym::SymbolKind::force, double value = 0);
// NAME.0, NAME.1 ...
std::vector<sym::Expr> interface_symbols(sym::Graph& graph, const std::string& name,
                                         std::size_t count);

void append(std::vector<sym::Expr>& list, const mech::Triple& u);

}  // namespace klingel::model
