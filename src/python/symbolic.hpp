// Expressions and vectors for Python: each keeps the graph or model alive that it belongs to.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "mech/model.hpp"
#include "python/bind.hpp"
#include "sym/expr.hpp"

namespace klingel::python {

struct Expression {
  std::shared_ptr<void> owner;  // of the graph
  sym::Expr e;
};
using Expressions = std::vector<Expression>;

// Where Python may give a number instead.
using Number = std::variant<Expression, double>;

std::vector<sym::Expr> plain(const Expressions& list);
Expressions kept(const std::shared_ptr<void>& owner, std::span<const sym::Expr> list);

struct Coordinate {
  Expression q, dq, ddq;
};
inline Coordinate kept(const std::shared_ptr<void>& owner, const sym::Coordinate& c) {
  return {{owner, c.q}, {owner, c.dq}, {owner, c.ddq}};
}

}  // namespace klingel::python
