#include "sym/expr.hpp"

#include "base/error.hpp"
#include "sym/construct.hpp"

namespace klingel::sym {
namespace {

Expr apply(Op op, Expr x) {
  Graph& g = x.graph();
  return {&g, unary(g, op, x.id())};
}

Expr apply(Op op, Expr a, Expr b) {
  Graph& g = common_graph(a, b);
  return {&g, binary(g, op, a.id(), b.id())};
}

}  // namespace

Graph& Expr::graph() const {
  if (graph_ == nullptr) base::fail("an empty expression was used; give it a value first");
  return *graph_;
}

bool Expr::is(std::int64_t n) const { return is_number() && graph().number_of(id_).is(n); }

Expr& Expr::operator+=(Expr x) { return *this = *this + x; }
Expr& Expr::operator-=(Expr x) { return *this = *this - x; }
Expr& Expr::operator*=(Expr x) { return *this = *this * x; }
Expr& Expr::operator/=(Expr x) { return *this = *this / x; }

Graph& common_graph(Expr a, Expr b) {
  if (&a.graph() != &b.graph()) {
    base::fail("expressions of two different graphs were used together; build both in one graph");
  }
  return a.graph();
}

Expr operator+(Expr a, Expr b) { return apply(Op::add, a, b); }
Expr operator-(Expr a, Expr b) { return apply(Op::sub, a, b); }
Expr operator*(Expr a, Expr b) { return apply(Op::mul, a, b); }
Expr operator/(Expr a, Expr b) { return apply(Op::div, a, b); }
Expr operator-(Expr a) { return apply(Op::neg, a); }

Expr sqrt(Expr x) { return apply(Op::sqrt, x); }
Expr sin(Expr x) { return apply(Op::sin, x); }
Expr cos(Expr x) { return apply(Op::cos, x); }
Expr tan(Expr x) { return apply(Op::tan, x); }
Expr asin(Expr x) { return apply(Op::asin, x); }
Expr acos(Expr x) { return apply(Op::acos, x); }
Expr exp(Expr x) { return apply(Op::exp, x); }
Expr log(Expr x) { return apply(Op::log, x); }
Expr abs(Expr x) { return apply(Op::abs, x); }
Expr sign(Expr x) { return apply(Op::sign, x); }
Expr atan2(Expr y, Expr x) { return apply(Op::atan2, y, x); }
Expr min(Expr a, Expr b) { return apply(Op::min, a, b); }
Expr max(Expr a, Expr b) { return apply(Op::max, a, b); }
Expr pow(Expr x, Expr y) { return apply(Op::pow, x, y); }

Expr cubic(const Cubic& piece, Expr u) {
  const Expr x = u - piece.u_bp;
  return ((piece.a * x + piece.b) * x + piece.c) * x + piece.d;
}

}  // namespace klingel::sym
