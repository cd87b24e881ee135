// The expression handle a user writes with: a graph and a node id, passed by value.
//
// Operators build atoms through the rules of construct.cpp. Using expressions of two graphs
// together is an input error; so is an empty handle.
#pragma once

#include <concepts>
#include <type_traits>

#include "sym/graph.hpp"

namespace klingel::sym {

class Expr {
 public:
  Expr() = default;
  Expr(Graph* graph, Id id) : graph_(graph), id_(id) {}

  Graph& graph() const;  // an error for an empty handle
  Id id() const { return id_; }
  bool empty() const { return graph_ == nullptr; }
  Op op() const { return graph().op(id_); }
  bool is(std::int64_t n) const;  // the exact constant n
  bool is_number() const { return sym::is_number(op()); }
  bool is_symbol() const { return op() == Op::symbol; }

  Expr& operator+=(Expr x);
  Expr& operator-=(Expr x);
  Expr& operator*=(Expr x);
  Expr& operator/=(Expr x);

  // Identity of atoms, not mathematical equality.
  friend bool operator==(const Expr&, const Expr&) = default;

 private:
  Graph* graph_ = nullptr;
  Id id_ = no_id;
};

struct Coordinate {
  Expr q, dq, ddq;
};

// The one graph both belong to; an error if there are two.
Graph& common_graph(Expr a, Expr b);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
inline Expr operator+(Expr a) { return a; }

template <class T>
concept Arithmetic = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

template <Arithmetic T>
Expr number_like(Expr x, T value) {
  return x.graph().number(static_cast<double>(value));  // integers up to 2^53 stay exact
}
// clang-format off
template <Arithmetic T> Expr operator+(Expr a, T b) { return a + number_like(a, b); }
template <Arithmetic T> Expr operator+(T a, Expr b) { return number_like(b, a) + b; }
template <Arithmetic T> Expr operator-(Expr a, T b) { return a - number_like(a, b); }
template <Arithmetic T> Expr operator-(T a, Expr b) { return number_like(b, a) - b; }
template <Arithmetic T> Expr operator*(Expr a, T b) { return a * number_like(a, b); }
template <Arithmetic T> Expr operator*(T a, Expr b) { return number_like(b, a) * b; }
template <Arithmetic T> Expr operator/(Expr a, T b) { return a / number_like(a, b); }
template <Arithmetic T> Expr operator/(T a, Expr b) { return number_like(b, a) / b; }
// clang-format on

Expr sqrt(Expr x);
Expr sin(Expr x);
Expr cos(Expr x);
Expr tan(Expr x);
Expr asin(Expr x);
Expr acos(Expr x);
Expr exp(Expr x);
Expr log(Expr x);
Expr abs(Expr x);
Expr sign(Expr x);
Expr atan2(Expr y, Expr x);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr pow(Expr x, Expr y);
template <Arithmetic T>
Expr pow(Expr x, T y) {
  return pow(x, number_like(x, y));
}

// One piece of a cubic spline, a u^3 + b u^2 + c u + d with u measured from the break point u_bp,
// in Horner's form. The choice of piece is made outside, by giving these symbols values [eq:spline]
struct Cubic {
  Expr a, b, c, d, u_bp;
};
Expr cubic(const Cubic& piece, Expr u);

}  // namespace klingel::sym
