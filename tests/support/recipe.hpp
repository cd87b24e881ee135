// A random program of operations whose values stay sane: no division by nearly zero, no root of a
// negative number, nothing above a thousand, kinks at a distance. It can be evaluated in plain
// doubles and built as atoms, so the two can be compared.
//
// Every value carries a bound of its rounding error (first-order running error analysis), which is
// the tolerance of comparisons: a fixed one would be too tight for long programs and too loose for
// short ones.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "sym/construct.hpp"
#include "sym/expr.hpp"
#include "sym/tape.hpp"
#include "sym/traverse.hpp"

namespace klingel::test {

// A double and a bound of its error.
struct Bounded {
  double value = 0;
  double error = 0;
};

inline constexpr double rounding = 0x1p-53;

// How much an error of the operands is stretched, plus the rounding of the operation itself: half
// a unit for arithmetic, two for functions of the library, four for pow.
inline Bounded bounded(sym::Op op, const Bounded& x, const Bounded& y) {
  using sym::Op;
  const double a = x.value, b = y.value, ea = x.error, eb = y.error;
  const double v = sym::evaluate(op, a, b);
  const double u = rounding * std::abs(v) + std::numeric_limits<double>::denorm_min();
  const double second_order = ea * ea;
  switch (op) {
    case Op::neg:
    case Op::abs:
      return {v, ea};
    case Op::sign:  // jumps at zero
      return {v, std::abs(a) <= 2 * ea ? 2 : 0.0};
    case Op::add:
    case Op::sub:
      return {v, ea + eb + u};
    case Op::mul:
      return {v, std::abs(a) * eb + std::abs(b) * ea + ea * eb + u};
    case Op::div:
      return {v, (ea + std::abs(v) * eb) / std::abs(b) + u};
    case Op::sqrt:
      return {v, ea / std::max(2 * v, 1e-150) + u};
    case Op::sin:
      return {v, std::abs(std::cos(a)) * ea + second_order + 4 * u};
    case Op::cos:
      return {v, std::abs(std::sin(a)) * ea + second_order + 4 * u};
    case Op::tan:
      return {v, (1 + v * v) * ea + 4 * u};
    case Op::asin:
    case Op::acos:
      return {v, ea / std::sqrt(std::max(1 - a * a, 1e-15)) + 4 * u};
    case Op::exp:
      return {v, v * ea + 4 * u};
    case Op::log:
      return {v, ea / std::abs(a) + 4 * u};
    case Op::pow:
      return {v, std::abs(v) * (std::abs(b / a) * ea +
                                (eb > 0 ? std::abs(std::log(std::abs(a))) * eb : 0)) +
                     8 * u};
    case Op::atan2:  // jumps on the negative axis
      return {v, b <= 2 * eb && std::abs(a) <= 2 * ea
                     ? 7
                     : (std::abs(b) * ea + std::abs(a) * eb) / (a * a + b * b) + 4 * u};
    case Op::min:
    case Op::max:
      return {v, std::max(ea, eb)};
    default:
      return {v, u};
  }
}

// The values with bounds of some expressions, their symbols at the given values; `roundings` is how
// many the given values have themselves.
inline std::vector<Bounded> bounded_values(std::span<const sym::Expr> leaves,
                                           std::span<const double> at,
                                           std::span<const sym::Expr> outputs, int roundings = 0) {
  const sym::Graph& g = outputs.front().graph();
  std::vector<sym::Id> roots;
  for (const sym::Expr& e : outputs) roots.push_back(e.id());
  std::vector<bool> given(g.size(), false);
  std::vector<Bounded> values(g.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    given[leaves[i].id()] = true;
    values[leaves[i].id()] = {at[i], roundings * rounding * std::abs(at[i])};
  }
  for (const sym::Id id : sym::nodes_below(g, roots, given)) {
    const sym::Node& n = g.node(id);
    if (given[id] || n.op == sym::Op::symbol) continue;
    if (sym::is_number(n.op)) {
      // an inexact constant is the result of some roundings when it was folded
      const double v = g.number_of(id).value();
      const double folded = n.op == sym::Op::real ? 16 * rounding * (1 + std::abs(v)) : 0;
      values[id] = {v, n.op == sym::Op::rational ? rounding * std::abs(v) : folded};
    } else {
      values[id] = bounded(n.op, values[n.a], values[sym::is_binary(n.op) ? n.b : n.a]);
    }
  }
  std::vector<Bounded> result;
  for (const sym::Id id : roots) result.push_back(values[id]);
  return result;
}

// Do two values agree within their bounds? The factor covers what is left out, products of errors,
// and the constant what underflows.
inline bool agree(const Bounded& x, const Bounded& y) {
  return std::abs(x.value - y.value) <= 2 * (x.error + y.error) + 1e-300;
}

struct RecipeOptions {
  std::size_t symbols = 4;
  bool kinks = true;        // abs, sign, min, max
  bool powers = true;       // pow
  bool exact_only = false;  // constants are small rationals
  double largest = 1000;    // values above are replaced by their sine
  double steepest = 2000;   // how much a change of a symbol may grow, relative to 1 + |value|
};

struct Step {
  sym::Op op = sym::Op::symbol;
  std::size_t a = 0, b = 0;       // earlier steps, or the index of a symbol or constant in a
  std::int64_t num = 0, den = 1;  // of an exact constant
  Bounded value;                  // at the point of the recipe
};

class Recipe {
 public:
  explicit Recipe(std::span<const std::uint32_t> words, const RecipeOptions& options = {})
      : options_(options) {
    for (std::size_t i = 0; i < options.symbols; ++i) {
      // away from zero and from each other, or min, max and quotients meet their kinks
      const double spread = i < words.size() ? (words[i] % 1000) / 2500.0 : 0.2;
      const double x = 0.3 + 0.5 * static_cast<double>(i / 2) + spread;
      point_.push_back(i % 2 == 0 ? x : -x);
      steps_.push_back({sym::Op::symbol, i, i, 0, 1, {point_.back(), rounding}});
    }
    for (const std::uint32_t word : words) append(word);
  }

  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<double>& point() const { return point_; }
  std::size_t size() const { return steps_.size(); }

  std::vector<sym::Expr> symbols(sym::Graph& g) const {
    std::vector<sym::Expr> x;
    for (std::size_t i = 0; i < options_.symbols; ++i) {
      x.push_back(g.symbol("x" + std::to_string(i), sym::SymbolKind::other, point_[i]));
    }
    return x;
  }

  // Every step as an atom, through the rules.
  std::vector<sym::Expr> build(std::span<const sym::Expr> symbols) const {
    sym::Graph& g = symbols.front().graph();
    std::vector<sym::Expr> e;
    for (const Step& s : steps_) {
      if (s.op == sym::Op::symbol) {
        e.push_back(symbols[s.a]);
      } else if (sym::is_number(s.op)) {
        e.push_back(s.op == sym::Op::real ? g.number(s.value.value) : g.rational(s.num, s.den));
      } else if (sym::is_unary(s.op)) {
        e.emplace_back(&g, sym::unary(g, s.op, e[s.a].id()));
      } else {
        e.emplace_back(&g, sym::binary(g, s.op, e[s.a].id(), e[s.b].id()));
      }
    }
    return e;
  }

  // Every step in plain arithmetic at another point.
  template <class Real>
  std::vector<Real> evaluate(std::span<const Real> point) const {
    std::vector<Real> v;
    for (const Step& s : steps_) {
      if (s.op == sym::Op::symbol) {
        v.push_back(point[s.a]);
      } else if (s.op == sym::Op::real) {
        v.push_back(static_cast<Real>(s.value.value));
      } else if (sym::is_number(s.op)) {
        v.push_back(static_cast<Real>(s.num) / static_cast<Real>(s.den));
      } else {
        v.push_back(sym::evaluate(s.op, v[s.a], v[s.b]));
      }
    }
    return v;
  }

 private:
  // one operation, chosen by the bits of a word; if its operands do not suit it, a sine
  void append(std::uint32_t word) {
    using sym::Op;
    static constexpr std::array ops = {
        Op::add, Op::sub, Op::mul,     Op::mul,     Op::div,  Op::neg,  Op::add, Op::sub, Op::mul,
        Op::sin, Op::cos, Op::sqrt,    Op::tan,     Op::asin, Op::acos, Op::exp, Op::log, Op::atan2,
        Op::pow, Op::pow, Op::integer, Op::integer, Op::abs,  Op::sign, Op::min, Op::max};
    const std::size_t usable = ops.size() - (options_.kinks ? 0 : 4);
    const Op op = ops[word % usable];
    const std::size_t a = pick(word >> 5), b = pick(word >> 18);
    if (op == Op::integer || (op == Op::pow && !options_.powers)) {
      append_constant(word >> 5);
    } else if (op == Op::pow && word % 3 != 0) {  // mostly with a small exact exponent
      append_constant(word >> 12);
      try_step(op, a, steps_.size() - 1);
    } else {
      try_step(op, a, b);
    }
  }

  // half of the operands are recent ones, so that programs become deep
  std::size_t pick(std::uint32_t bits) const {
    const std::size_t n = steps_.size();
    const std::size_t back = (bits & 1) != 0 ? std::min<std::size_t>(n, 6) : n;
    return n - 1 - (bits >> 1) % back;
  }

  void append_constant(std::uint32_t bits) {
    static constexpr std::array<std::array<std::int64_t, 2>, 18> exact = {{{0, 1},
                                                                           {1, 1},
                                                                           {-1, 1},
                                                                           {2, 1},
                                                                           {-2, 1},
                                                                           {3, 1},
                                                                           {-3, 1},
                                                                           {1, 2},
                                                                           {1, 3},
                                                                           {-2, 3},
                                                                           {5, 7},
                                                                           {4, 1},
                                                                           {17, 1},
                                                                           {-1, 2},
                                                                           {9, 4},
                                                                           {5, 1},
                                                                           {7, 1},
                                                                           {1, 1}}};
    static constexpr std::array<double, 4> real = {0.1, -0.7, 1.3, 2.9};
    const std::size_t i = bits % (exact.size() + (options_.exact_only ? 0 : real.size()));
    if (i < exact.size()) {
      const double v = static_cast<double>(exact[i][0]) / static_cast<double>(exact[i][1]);
      steps_.push_back({exact[i][1] == 1 ? sym::Op::integer : sym::Op::rational,
                        0,
                        0,
                        exact[i][0],
                        exact[i][1],
                        {v, rounding * std::abs(v)}});
    } else {
      steps_.push_back({sym::Op::real, 0, 0, 0, 1, {real[i - exact.size()], 0}});
    }
  }

  void try_step(sym::Op op, std::size_t a, std::size_t b) {
    if (sym::is_unary(op)) b = a;
    const Bounded& x = steps_[a].value;
    const Bounded& y = steps_[b].value;
    if (suits(op, x.value, y.value, sym::is_number(steps_[b].op))) {
      const Bounded v = bounded(op, x, y);
      if (std::abs(v.value) <= options_.largest &&
          v.error <= options_.steepest * rounding * (1 + std::abs(v.value))) {
        steps_.push_back({op, a, b, 0, 1, v});
        return;
      }
    }
    steps_.push_back({sym::Op::sin, a, a, 0, 1, bounded(sym::Op::sin, x, x)});
  }

  static bool suits(sym::Op op, double a, double b, bool b_is_number) {
    using sym::Op;
    constexpr double margin = 0.1, kink = 1e-2;
    switch (op) {
      case Op::sqrt:
      case Op::log:
        return a > margin;
      case Op::div:
        return std::abs(b) > margin;
      case Op::tan:
        return std::abs(std::cos(a)) > margin;
      case Op::asin:
      case Op::acos:
        return std::abs(a) < 1 - margin;
      case Op::exp:
        return a < 7;
      case Op::pow:  // of a negative number only if the exponent cannot vary
        return (a > margin || (a < -margin && b_is_number && b == std::trunc(b))) &&
               std::abs(b) < 20;
      case Op::atan2:
        return a * a + b * b > margin && (b > 0 || std::abs(a) > margin);
      case Op::abs:
      case Op::sign:
        return std::abs(a) > kink;
      case Op::min:
      case Op::max:
        return std::abs(a - b) > kink;
      default:
        return true;
    }
  }

  RecipeOptions options_;
  std::vector<double> point_;
  std::vector<Step> steps_;
};

// For failures: the program as text.
inline std::ostream& operator<<(std::ostream& out, const Recipe& recipe) {
  for (std::size_t i = 0; i < recipe.size(); ++i) {
    const Step& s = recipe.steps()[i];
    out << "  v" << i << " = " << sym::name(s.op);
    if (s.op == sym::Op::symbol) {
      out << " x" << s.a;
    } else if (!sym::is_number(s.op)) {
      out << " v" << s.a;
      if (sym::is_binary(s.op)) out << " v" << s.b;
    }
    out << "   # " << s.value.value << "\n";
  }
  return out;
}

}  // namespace klingel::test
