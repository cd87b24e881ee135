#include "sym/count.hpp"

#include "sym/traverse.hpp"

namespace klingel::sym {

Count& Count::operator+=(const Count& x) {
  atoms += x.atoms;
  add += x.add;
  mul += x.mul;
  div += x.div;
  neg += x.neg;
  sqrt += x.sqrt;
  trig += x.trig;
  other += x.other;
  return *this;
}

Count count_of(Op op) {
  Count c;
  if (is_leaf(op)) return c;
  c.atoms = 1;
  switch (op) {
    case Op::add:
    case Op::sub:
      c.add = 1;
      break;
    case Op::mul:
      c.mul = 1;
      break;
    case Op::div:
      c.div = 1;
      break;
    case Op::neg:
      c.neg = 1;
      break;
    case Op::sqrt:
      c.sqrt = 1;
      break;
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan2:
      c.trig = 1;
      break;
    default:
      c.other = 1;
  }
  return c;
}

Count count(const Graph& g, std::span<const Id> nodes) {
  Count sum;
  for (const Id id : nodes) {
    if (g.node(id).symbols != 0) sum += count_of(g.op(id));
  }
  return sum;
}

Count count(std::span<const Expr> expressions) {
  if (expressions.empty()) return {};
  Graph& g = expressions.front().graph();
  std::vector<Id> roots;
  for (const Expr& e : expressions) {
    common_graph(expressions.front(), e);
    roots.push_back(e.id());
  }
  return count(g, nodes_below(g, roots));
}

}  // namespace klingel::sym
