// A small system that uses everything the emitter knows: four springs in a row hold three masses,
//
//   wall --k1-- q1 --k2-- q2 --k3-- q3 --k4-- wall
//
// so the stiffness matrix is tridiagonal and symmetric. Every operation of the graph appears, one
// output is sparse, one is dense with zeros, atoms carry labels, and functions are long enough to
// be cut when chunks are small.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "gen/program.hpp"
#include "sym/linear_solve.hpp"

namespace klingel::golden {

// Statements are written so that no expression has two operands that both make atoms: C++ leaves
// open which comes first, and golden files should not depend on the compiler.
inline gen::Program make_springs(sym::Graph& g, const std::string& model = "springs") {
  using sym::Expr, sym::Output;

  std::vector<Expr> k, q, dq, f;
  for (const int i : {1, 2, 3, 4}) k.push_back(g.parameter(fmt::format("k{}", i), 100.0 * i));
  const Expr hardening = g.parameter("hardening", 0.25);
  for (const int i : {1, 2, 3}) {
    const sym::Coordinate c = g.coordinate(fmt::format("q{}", i), 0.1 * i, -0.2 * i);
    q.push_back(c.q);
    dq.push_back(c.dq);
  }
  for (const int i : {1, 2, 3}) f.push_back(g.force(fmt::format("f{}", i), 10.0 - i));

  // a spring becomes stiffer with the square of its stretch
  std::vector<Expr> stiffness;
  for (std::size_t i = 0; i < 4; ++i) {
    const Expr stretch = i == 0 ? q[0] : i == 3 ? -q[2] : q[i] - q[i - 1];
    const Expr factor = 1 + hardening * pow(stretch, 2);
    stiffness.push_back(k[i] * factor);
    g.set_label(stiffness.back(), fmt::format("stiffness[{}]", i + 1));
  }
  std::vector<sym::Entry> entries;
  for (std::uint32_t i = 0; i < 3; ++i) {
    entries.push_back({i, i, stiffness[i] + stiffness[i + 1]});
    if (i == 2) break;
    entries.push_back({i, i + 1, -stiffness[i + 1]});
    entries.push_back({i + 1, i, -stiffness[i + 1]});
  }
  const sym::Matrix K(3, 3, entries);
  const sym::Factors factors(K, {sym::Elimination::ldlt, {0, 1, 2}});
  const std::vector<Expr> x = factors.solve(f);

  // one of each: constants of numbers only (here sin(1)) are printed as their value
  const Expr u = q[0], v = dq[0];
  std::vector<Expr> all{sin(u), cos(u), tan(u), asin(u), acos(u), atan2(u, v)};
  const Expr uu = u * u;
  const Expr positive = 1 + uu;
  for (const Expr& e : {exp(u), log(positive), sqrt(positive), pow(positive, v), abs(v), sign(v)})
    all.push_back(e);
  for (const Expr& e : {min(u, v), max(u, v), -u, u / positive, u + g.rational(1, 3)})
    all.push_back(e);
  all.push_back(u * sin(g.number(1)));
  all.push_back(cubic({k[0], k[1], k[2], k[3], hardening}, u));
  all.push_back(g.number(0.1));
  all.push_back(f[2]);

  gen::Program program(g, model);
  std::vector<Expr> p = k;
  p.push_back(hardening);
  program.input("p", p);
  program.stage("position").input("q", q);
  program.stage("velocity").input("dq", dq);
  program.stage("force").input("f", f);
  program.function(
      {"stiffness", "tangents of the springs, by columns", {{"K", K, true}, {"K_dense", K}}});
  program.function({"displacement",
                    "K x = f by LDL^T in the order of the masses",
                    {Output::vector("x", x), Output::scalar("pivot", factors.smallest_pivot())}});
  program.function({"every_operation", "one of each", {Output::vector("y", all)}});
  return program;
}

}  // namespace klingel::golden
