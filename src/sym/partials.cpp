#include "sym/partials.hpp"

#include "base/assert.hpp"
#include "sym/construct.hpp"

namespace klingel::sym {
namespace {

Id number(Graph& g, std::int64_t n) { return g.intern(Number(n)); }
Id one_plus(Graph& g, Id x) { return add(g, number(g, 1), x); }
Id reciprocal(Graph& g, Id x) { return div(g, number(g, 1), x); }

Id partial_pow(Graph& g, Id node, int operand) {
  const Id a = g.node(node).a, b = g.node(node).b;
  if (operand == 0) {
    const Id lower = pow(g, a, sub(g, b, number(g, 1)));
    return mul(g, b, lower);
  }
  return mul(g, node, unary(g, Op::log, a));
}

// atan2(y, x): ( x, -y ) / (x^2 + y^2)
Id partial_atan2(Graph& g, Id node, int operand) {
  const Id y = g.node(node).a, x = g.node(node).b;
  const Id xx = mul(g, x, x);
  const Id yy = mul(g, y, y);
  const Id square = add(g, xx, yy);
  return div(g, operand == 0 ? x : neg(g, y), square);
}

// min(a, b) = (a + b - |a - b|) / 2, so d/da = (1 - sign(a - b)) / 2; max with the other sign
Id partial_min_max(Graph& g, Id node, int operand) {
  const Node n = g.node(node);
  const Id s = unary(g, Op::sign, sub(g, n.a, n.b));
  const bool minus = (n.op == Op::min) == (operand == 0);
  const Id doubled = one_plus(g, minus ? neg(g, s) : s);
  return mul(g, g.intern(Number::rational(1, 2)), doubled);
}

}  // namespace

Id partial(Graph& g, Id node, int operand) {
  const Node n = g.node(node);
  switch (n.op) {
    case Op::neg:
      return number(g, -1);
    case Op::add:
      return number(g, 1);
    case Op::sub:
      return number(g, operand == 0 ? 1 : -1);
    case Op::mul:
      return operand == 0 ? n.b : n.a;
    case Op::div:
      return operand == 0 ? reciprocal(g, n.b) : neg(g, div(g, node, n.b));
    case Op::sqrt:
      return reciprocal(g, twice(g, node));
    case Op::sin:
      return unary(g, Op::cos, n.a);
    case Op::cos:
      return neg(g, unary(g, Op::sin, n.a));
    case Op::tan:
      return one_plus(g, mul(g, node, node));
    case Op::asin:
    case Op::acos: {
      const Id rest = one_plus(g, neg(g, mul(g, n.a, n.a)));
      const Id d = reciprocal(g, unary(g, Op::sqrt, rest));
      return n.op == Op::asin ? d : neg(g, d);
    }
    case Op::exp:
      return node;
    case Op::log:
      return reciprocal(g, n.a);
    case Op::abs:
      return unary(g, Op::sign, n.a);
    case Op::sign:
      return number(g, 0);
    case Op::pow:
      return partial_pow(g, node, operand);
    case Op::atan2:
      return partial_atan2(g, node, operand);
    case Op::min:
    case Op::max:
      return partial_min_max(g, node, operand);
    default:
      KLINGEL_ASSERT(!"a leaf has no partial derivatives");
      return no_id;
  }
}

}  // namespace klingel::sym
