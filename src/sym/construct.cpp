#include "sym/construct.hpp"

#include <utility>

#include "base/error.hpp"

namespace klingel::sym {
namespace {

bool is_number(const Graph& g, Id x) { return is_number(g.op(x)); }
bool is_exact(const Graph& g, Id x) { return g.op(x) == Op::integer || g.op(x) == Op::rational; }
bool is(const Graph& g, Id x, std::int64_t n) {
  return g.op(x) == Op::integer && g.number_of(x).is(n);
}

// whether x has the form op(., .), and its operands
bool has(const Graph& g, Id x, Op op) { return g.op(x) == op; }
Id left(const Graph& g, Id x) { return g.node(x).a; }
Id right(const Graph& g, Id x) { return g.node(x).b; }

// numbers first, then atoms by age: one node for a+b and b+a
void order(const Graph& g, Id& a, Id& b) {
  const bool na = is_number(g, a), nb = is_number(g, b);
  if (na != nb ? nb : b < a) std::swap(a, b);
}

// x as coefficient * rest, with an exact coefficient
bool has_coefficient(const Graph& g, Id x) { return has(g, x, Op::mul) && is_exact(g, left(g, x)); }
Id rest(const Graph& g, Id x) { return has_coefficient(g, x) ? right(g, x) : x; }
Number coefficient(const Graph& g, Id x) {
  return has_coefficient(g, x) ? g.number_of(left(g, x)) : Number(1);
}

Id scaled(Graph& g, const Number& c, Id x) { return mul(g, g.intern(c), x); }

bool is_square_of(const Graph& g, Id x, Op function) {
  return has(g, x, Op::mul) && left(g, x) == right(g, x) && has(g, left(g, x), function);
}

// sin(x)^2 + cos(x)^2
bool is_pythagoras(const Graph& g, Id a, Id b) {
  if (is_square_of(g, b, Op::sin)) std::swap(a, b);
  return is_square_of(g, a, Op::sin) && is_square_of(g, b, Op::cos) &&
         left(g, left(g, a)) == left(g, left(g, b));
}

// c + x, with the number taken into a sum that already has one
Id add_number(Graph& g, Id c, Id x) {
  if (is(g, c, 0)) return x;
  if (is_exact(g, c)) {
    const Id l = left(g, x);
    if (has(g, x, Op::add) && is_exact(g, l)) {
      const Id rest = right(g, x);
      return add(g, g.intern(g.number_of(c) + g.number_of(l)), rest);
    }
    if (has(g, x, Op::sub) && is_exact(g, l)) {
      const Id rest = right(g, x);
      return sub(g, g.intern(g.number_of(c) + g.number_of(l)), rest);
    }
  }
  return g.intern(Op::add, c, x);
}

// x^n by repeated squaring. One libm pow costs more than ten products, so small integer powers
// are products; n >= 1
Id power(Graph& g, Id x, std::int64_t n) {
  if (n == 1) return x;
  const Id half = power(g, x, n / 2);
  const Id square = mul(g, half, half);
  return n % 2 == 0 ? square : mul(g, square, x);
}
constexpr std::int64_t largest_product_power = 16;

// x is sqrt, abs, exp or a square: abs changes nothing
bool is_never_negative(const Graph& g, Id x) {
  return has(g, x, Op::sqrt) || has(g, x, Op::abs) || has(g, x, Op::exp) ||
         (has(g, x, Op::mul) && left(g, x) == right(g, x));
}

}  // namespace

Id add(Graph& g, Id a, Id b) {
  order(g, a, b);
  if (is_number(g, a)) {
    if (is_number(g, b)) return g.intern(g.number_of(a) + g.number_of(b));
    if (has(g, b, Op::neg)) return sub(g, a, left(g, b));
    return add_number(g, a, b);
  }
  // signs: (-x) + (-y) = -(x + y), x + (-y) = x - y
  if (has(g, a, Op::neg) && has(g, b, Op::neg)) return neg(g, add(g, left(g, a), left(g, b)));
  if (has(g, b, Op::neg)) return sub(g, a, left(g, b));
  if (has(g, a, Op::neg)) return sub(g, b, left(g, a));
  // what cancels: (x - y) + y = x, (x - y) + (y - x) = 0
  if (has(g, a, Op::sub) && right(g, a) == b) return left(g, a);
  if (has(g, b, Op::sub) && right(g, b) == a) return left(g, b);
  if (has(g, a, Op::sub) && has(g, b, Op::sub) && left(g, a) == right(g, b) &&
      right(g, a) == left(g, b)) {
    return g.intern(Number(0));
  }
  // like terms: c x + d x = (c + d) x
  if (const Id x = rest(g, a); x == rest(g, b))
    return scaled(g, coefficient(g, a) + coefficient(g, b), x);
  if (is_pythagoras(g, a, b)) return g.intern(Number(1));
  return g.intern(Op::add, a, b);
}

Id sub(Graph& g, Id a, Id b) {
  if (a == b) return g.intern(Number(0));
  if (is_number(g, b)) return add(g, g.intern(-g.number_of(b)), a);
  if (is(g, a, 0)) return neg(g, b);
  if (has(g, b, Op::neg)) return add(g, a, left(g, b));
  if (has(g, a, Op::neg)) return neg(g, add(g, left(g, a), b));
  // what cancels: (x + y) - y = x, (x - y) - x = -y, x - (x + y) = -y, x - (x - y) = y
  if (has(g, a, Op::add) && right(g, a) == b) return left(g, a);
  if (has(g, a, Op::add) && left(g, a) == b) return right(g, a);
  if (has(g, a, Op::sub) && left(g, a) == b) return neg(g, right(g, a));
  if (has(g, b, Op::add) && left(g, b) == a) return neg(g, right(g, b));
  if (has(g, b, Op::add) && right(g, b) == a) return neg(g, left(g, b));
  if (has(g, b, Op::sub) && left(g, b) == a) return right(g, b);
  if (const Id x = rest(g, a); x == rest(g, b))
    return scaled(g, coefficient(g, a) - coefficient(g, b), x);
  return g.intern(Op::sub, a, b);
}

Id neg(Graph& g, Id a) {
  switch (g.op(a)) {
    case Op::integer:
    case Op::rational:
    case Op::real:
      return g.intern(-g.number_of(a));
    case Op::neg:
      return left(g, a);
    case Op::sub:
      return sub(g, right(g, a), left(g, a));
    case Op::mul:  // the sign goes into an existing number
      if (is_number(g, left(g, a))) {
        const Id rest = right(g, a);
        return mul(g, g.intern(-g.number_of(left(g, a))), rest);
      }
      break;
    default:
      break;
  }
  return g.intern(Op::neg, a);
}

Id twice(Graph& g, Id a) { return mul(g, g.intern(Number(2)), a); }

Id mul(Graph& g, Id a, Id b) {
  order(g, a, b);
  if (is_number(g, a)) {
    if (is_number(g, b)) return g.intern(g.number_of(a) * g.number_of(b));
    if (is(g, a, 0)) return a;
    if (is(g, a, 1)) return b;
    if (is(g, a, -1)) return neg(g, b);
    if (has(g, b, Op::neg)) return mul(g, g.intern(-g.number_of(a)), left(g, b));
    // c (d x) = (c d) x
    if (is_exact(g, a) && has_coefficient(g, b))
      return scaled(g, g.number_of(a) * coefficient(g, b), rest(g, b));
    return g.intern(Op::mul, a, b);
  }
  // signs come out of products, where sums absorb them
  if (has(g, a, Op::neg) && has(g, b, Op::neg)) return mul(g, left(g, a), left(g, b));
  if (has(g, a, Op::neg)) return neg(g, mul(g, left(g, a), b));
  if (has(g, b, Op::neg)) return neg(g, mul(g, a, left(g, b)));
  // what cancels: x (y / x) = y, sqrt(x) sqrt(x) = x
  if (has(g, a, Op::div) && right(g, a) == b) return left(g, a);
  if (has(g, b, Op::div) && right(g, b) == a) return left(g, b);
  if (a == b && has(g, a, Op::sqrt)) return left(g, a);
  return g.intern(Op::mul, a, b);
}

Id div(Graph& g, Id a, Id b) {
  if (is(g, b, 0)) base::fail("division by the constant zero");
  if (is_number(g, a) && is_number(g, b)) return g.intern(g.number_of(a) / g.number_of(b));
  if (is(g, a, 0) || is(g, b, 1)) return a;
  if (is(g, b, -1)) return neg(g, a);
  if (a == b) return g.intern(Number(1));
  // an exact divisor becomes an exact factor: a product is several times cheaper
  if (is_exact(g, b)) {
    const Number reciprocal = Number(1) / g.number_of(b);
    if (reciprocal.exact()) return scaled(g, reciprocal, a);
  }
  // signs
  if (has(g, a, Op::neg) && has(g, b, Op::neg)) return div(g, left(g, a), left(g, b));
  if (has(g, a, Op::neg)) return neg(g, div(g, left(g, a), b));
  if (has(g, b, Op::neg)) return neg(g, div(g, a, left(g, b)));
  // what cancels: (x y) / y = x, x / (x y) = 1 / y, x / (x / y) = y
  if (has(g, a, Op::mul) && right(g, a) == b) return left(g, a);
  if (has(g, a, Op::mul) && left(g, a) == b) return right(g, a);
  if (has(g, b, Op::mul) && left(g, b) == a) return div(g, g.intern(Number(1)), right(g, b));
  if (has(g, b, Op::mul) && right(g, b) == a) return div(g, g.intern(Number(1)), left(g, b));
  if (has(g, b, Op::div) && left(g, b) == a) return right(g, b);
  return g.intern(Op::div, a, b);
}

Id pow(Graph& g, Id a, Id b) {
  if (is_exact(g, b)) {
    const Number n = g.number_of(b);
    if (n.is(0)) return g.intern(Number(1));
    if (n == Number::rational(1, 2)) return unary(g, Op::sqrt, a);
    if (n.is_integer() && n.num() > 0 && n.num() <= largest_product_power)
      return power(g, a, n.num());
    if (n.is_integer() && n.num() < 0 && -n.num() <= largest_product_power) {
      const Id denominator = power(g, a, -n.num());
      return div(g, g.intern(Number(1)), denominator);
    }
  }
  if (is(g, a, 1)) return a;
  return g.intern(Op::pow, a, b);
}

Id unary(Graph& g, Op op, Id a) {
  switch (op) {
    case Op::neg:
      return neg(g, a);
    case Op::sqrt:
      if (is_number(g, a)) {
        if (g.number_of(a).negative())
          base::fail("square root of the negative constant {}", g.number_of(a).value());
        if (const auto root = exact_sqrt(g.number_of(a))) return g.intern(*root);
      }
      if (has(g, a, Op::mul) && left(g, a) == right(g, a)) return unary(g, Op::abs, left(g, a));
      break;
    case Op::sin:
    case Op::tan:
    case Op::asin:
      if (is(g, a, 0)) return a;
      if (has(g, a, Op::neg)) return neg(g, unary(g, op, left(g, a)));
      if (op == Op::sin && has(g, a, Op::asin)) return left(g, a);
      break;
    case Op::cos:
      if (is(g, a, 0)) return g.intern(Number(1));
      if (has(g, a, Op::neg)) return unary(g, op, left(g, a));
      if (has(g, a, Op::acos)) return left(g, a);
      break;
    case Op::acos:
      if (is(g, a, 1)) return g.intern(Number(0));
      break;
    case Op::exp:
      if (is(g, a, 0)) return g.intern(Number(1));
      break;
    case Op::log:
      if (is(g, a, 1)) return g.intern(Number(0));
      if (has(g, a, Op::exp)) return left(g, a);
      break;
    case Op::abs:
      if (is_number(g, a)) return g.number_of(a).negative() ? neg(g, a) : a;
      if (has(g, a, Op::neg)) return unary(g, op, left(g, a));
      if (is_never_negative(g, a)) return a;
      break;
    case Op::sign:
      if (is_number(g, a))
        return g.intern(Number(g.number_of(a).negative() ? -1 : is(g, a, 0) ? 0 : 1));
      if (has(g, a, Op::neg)) return neg(g, unary(g, op, left(g, a)));
      if (has(g, a, Op::sign)) return a;
      break;
    default:
      base::fail("'{}' is not a unary operation", name(op));
  }
  return g.intern(op, a);
}

Id binary(Graph& g, Op op, Id a, Id b) {
  switch (op) {
    case Op::add:
      return add(g, a, b);
    case Op::sub:
      return sub(g, a, b);
    case Op::mul:
      return mul(g, a, b);
    case Op::div:
      return div(g, a, b);
    case Op::pow:
      return pow(g, a, b);
    case Op::atan2:
      return g.intern(op, a, b);
    case Op::min:
    case Op::max:
      if (a == b) return a;
      if (is_number(g, a) && is_number(g, b)) {
        const bool a_less = g.number_of(a).value() < g.number_of(b).value();
        return a_less == (op == Op::min) ? a : b;
      }
      order(g, a, b);
      return g.intern(op, a, b);
    default:
      base::fail("'{}' is not a binary operation", name(op));
  }
}

Id rebuild(Graph& g, Id id, Id a, Id b) {
  const Op op = g.op(id);
  if (is_leaf(op)) return id;
  return is_unary(op) ? unary(g, op, a) : binary(g, op, a, b);
}

}  // namespace klingel::sym
