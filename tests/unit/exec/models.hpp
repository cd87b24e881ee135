// Small models the tests of this room run with both back ends, and the comparison of results.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exec/evaluator.hpp"
#include "gen/program.hpp"

namespace klingel::exec {

struct Model {
  std::unique_ptr<sym::Graph> graph = std::make_unique<sym::Graph>();
  std::unique_ptr<gen::Program> program;

  explicit Model(const std::string& name) : program(std::make_unique<gen::Program>(*graph, name)) {}
};

// A fixed sequence of doubles in [-range, range): splitmix64.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  double value(double range) { return range * (static_cast<double>(next() >> 11) * 0x1p-52 - 1.0); }

 private:
  std::uint64_t state_;
};

// One output per operation of sym::Op, and atoms of numbers only.
inline Model all_operations() {
  Model m("all_operations");
  sym::Graph& g = *m.graph;
  const sym::Expr p = g.parameter("p0", 0.7);
  const sym::Expr x = g.symbol("x", sym::SymbolKind::coordinate, 0.3);
  const sym::Expr y = g.symbol("y", sym::SymbolKind::coordinate, -0.4);
  m.program->input("p", {p}).stage("position").input("q", {x, y});
  const sym::Expr c = sin(g.number(0.3)) * sqrt(g.rational(2, 1)) + exp(g.rational(1, 3));
  const std::vector<sym::Expr> unary{-x,      sqrt(x), sin(x), cos(x), tan(x), asin(x),
                                     acos(x), exp(x),  log(x), abs(x), sign(x)};
  const std::vector<sym::Expr> binary{x + y,
                                      x - y,
                                      x * y,
                                      x / y,
                                      pow(x, y),
                                      pow(x, 17),
                                      pow(x, 0.5),
                                      atan2(x, y),
                                      min(x, y),
                                      max(x, y),
                                      pow(g.rational(2, 1), x),
                                      pow(x, 2.5),
                                      x / p};
  const std::vector<sym::Expr> constants{c, c * x, x + sqrt(g.rational(3, 1)), x / 3, x * 1e-30};
  // angles known on entry, computed on the way, and too large for our own sine
  const sym::Expr product = x * y, large = 1e7 * x;
  const std::vector<sym::Expr> angles{sin(product), cos(product), sin(sin(x)), cos(y),
                                      sin(large),   cos(large),   sin(p),      sin(x / 0.0625)};
  m.program->function({"angles", "", {sym::Output::vector("a", angles)}});
  m.program->function({"unary", "", {sym::Output::vector("u", unary)}});
  m.program->function({"binary", "", {sym::Output::vector("b", binary)}});
  m.program->function({"constant", "", {sym::Output::vector("c", constants)}});
  return m;
}

// Three stages; functions that share atoms; dense outputs with zeros, sparse ones, outputs that are
// inputs, constants or nothing but zeros.
inline Model staged(const std::string& name = "staged", double constant = 2.5) {
  Model m(name);
  sym::Graph& g = *m.graph;
  const sym::Expr mass = g.parameter("mass", 2.0), length = g.parameter("length", 0.5);
  const sym::Coordinate a = g.coordinate("a", 0.2, 1.0), b = g.coordinate("b", -0.6, 0.3);
  m.program->input("p", {mass, length});
  m.program->stage("position").input("q", {a.q, b.q});
  m.program->stage("velocity").input("dq", {a.dq, b.dq});

  const sym::Expr inertia = mass * length * length / 3;
  const sym::Expr c = cos(a.q - b.q), s = sin(a.q - b.q);
  const sym::Expr zero = g.rational(0, 1);
  const std::vector<sym::Expr> M{inertia + c * c, inertia * c, inertia * c, inertia};
  const std::vector<sym::Expr> with_zeros{zero, c, zero, zero, s * inertia, zero};
  const sym::Expr energy = (M[0] * a.dq * a.dq + M[3] * b.dq * b.dq) / 2 + M[1] * a.dq * b.dq;
  const std::vector<sym::Expr> known{a.q, mass, g.number(constant), zero, inertia, a.dq};
  m.program->function({"M_qq", "mass matrix", {{"M", sym::Matrix::dense(2, 2, M)}}});
  m.program->function({"jacobian",
                       "",
                       {{"J", sym::Matrix::dense(2, 3, with_zeros)},
                        {"J_sparse", sym::Matrix::dense(2, 3, with_zeros), true},
                        {"empty", sym::Matrix(2, 2), true},
                        {"zeros", sym::Matrix(2, 2)}}});
  m.program->function({"energy", "", {sym::Output::scalar("E", energy)}});
  m.program->function({"known", "", {sym::Output::vector("values", known)}});
  return m;
}

// `operations` random operations of all kinds on values of three stages.
inline Model random_model(std::uint64_t seed, std::size_t operations,
                          const std::string& name = "random_model") {
  Model m(name);
  sym::Graph& g = *m.graph;
  Sequence random(seed);
  std::vector<sym::Expr> values;
  for (const char* input : {"p", "q", "dq"}) {
    if (input[0] != 'p') m.program->stage(std::string("stage_") + input);
    std::vector<sym::Expr> symbols;
    for (int i = 0; i < 4; ++i) {
      symbols.push_back(g.symbol(input + std::to_string(i), sym::SymbolKind::other, 0.1 * i + 0.3));
    }
    m.program->input(input, symbols);
    values.insert(values.end(), symbols.begin(), symbols.end());
  }
  values.push_back(sqrt(g.rational(2, 1)));
  const std::vector<sym::Expr (*)(sym::Expr)> unary{sym::sin, sym::cos, sym::tan, sym::asin,
                                                    sym::acos, sym::exp, sym::log, sym::sqrt,
                                                    sym::abs, sym::sign, sym::operator- };
  const std::vector<sym::Expr (*)(sym::Expr, sym::Expr)> binary{
      sym::operator+, sym::operator-, sym::operator*, sym::operator*, sym::operator+,
      sym::atan2,     sym::min,       sym::max,       sym::pow};
  for (std::size_t i = 0; i < operations; ++i) {
    const sym::Expr a = values[random.below(values.size())];
    const sym::Expr b =
        values[values.size() - 1 - random.below(std::min<std::size_t>(20, values.size()))];
    if (random.below(4) == 0) {
      values.push_back(unary[random.below(unary.size())](a));
    } else if (random.below(8) == 0) {
      values.push_back(a / (b * b + 1));
    } else {
      values.push_back(binary[random.below(binary.size())](a, b));
    }
  }
  const std::size_t half = values.size() / 2;
  m.program->function({"first", "", {sym::Output::vector("y", std::span(values).first(half))}});
  m.program->function({"second",
                       "",
                       {sym::Output::vector("y", std::span(values).subspan(half)),
                        sym::Output::scalar("last", values.back())}});
  m.program->function(
      {"sparse", "", {{"z", sym::Matrix::dense(5, 4, std::span(values).last(20)), true}}});
  return m;
}

// The same bits. C leaves sign and payload of a NaN open, so NaNs are all alike.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

// All outputs of all functions at `rounds` points, the first being nominal, compared bit by bit.
inline void expect_same_results(const Kernel& a, const Kernel& b, int rounds) {
  const klingel_kernel& table = a.abi();
  Evaluator ea(a), eb(b);
  Sequence random(17);
  for (int round = 0; round < rounds; ++round) {
    for (std::uint32_t f = 0; f < table.n_functions; ++f) {
      const auto va = ea.evaluate(table.functions[f].name);
      const auto vb = eb.evaluate(table.functions[f].name);
      ASSERT_EQ(va.size(), vb.size());
      for (std::size_t o = 0; o < va.size(); ++o) {
        ASSERT_EQ(va[o].size(), vb[o].size());
        for (std::size_t k = 0; k < va[o].size(); ++k) {
          ASSERT_TRUE(same(va[o][k], vb[o][k]))
              << table.functions[f].name << " output " << o << " element " << k << " round "
              << round << ": " << va[o][k] << " and " << vb[o][k] << ", difference "
              << va[o][k] - vb[o][k];
        }
      }
    }
    // one input changes at a time, so that stages before it are not evaluated again
    const klingel_input& in = table.inputs[random.below(table.n_inputs)];
    std::vector<double> values;
    for (std::uint32_t i = 0; i < in.size; ++i) values.push_back(random.value(3));
    ea.set(in.name, values);
    eb.set(in.name, values);
  }
}

}  // namespace klingel::exec
