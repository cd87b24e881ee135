// A workload like those of mechanics: an open chain of links in space, its positions, velocities
// and accelerations, and the Jacobian of its tip. Mostly products and sums, one sine and cosine
// per joint.
#pragma once

#include <fmt/format.h>

#include <array>
#include <vector>

#include "gen/program.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"

namespace klingel::bench {

// Joints turn about x, y, z, x, ... of the link before; a link of length l_i follows each.
inline gen::Program spatial_chain(sym::Graph& g, int links) {
  using sym::Expr;
  using Vector = std::array<Expr, 3>;

  std::vector<Expr> length, q, dq, ddq, positions;
  std::array<Vector, 3> axis;  // of the link so far, in the ground
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) axis[i][k] = g.number(i == k ? 1 : 0);
  Vector tip{g.number(0), g.number(0), g.number(0)};

  for (int i = 0; i < links; ++i) {
    length.push_back(g.parameter(fmt::format("l{}", i), 0.2 + 0.01 * i));
    const sym::Coordinate c = g.coordinate(fmt::format("q{}", i), 0.1 * (i % 7) - 0.3, 0.2);
    q.push_back(c.q);
    dq.push_back(c.dq);
    ddq.push_back(c.ddq);
    // two axes turn in the plane across the third, the link goes along the first
    const auto a = static_cast<std::size_t>(i + 1) % 3, b = static_cast<std::size_t>(i + 2) % 3;
    const Expr cosine = cos(c.q), sine = sin(c.q);
    const Vector u = axis[a], v = axis[b];
    for (std::size_t k = 0; k < 3; ++k) {
      const Expr uc = u[k] * cosine;
      axis[a][k] = uc + v[k] * sine;
      const Expr vc = v[k] * cosine;
      axis[b][k] = vc - u[k] * sine;
      tip[k] += length.back() * axis[a][k];
      positions.push_back(tip[k]);
    }
  }
  const std::vector<Expr> velocities = time_derivative(positions);
  const std::vector<Expr> accelerations = time_derivative(velocities);

  gen::Program program(g, "chain");
  program.input("p", length);
  program.stage("position").input("q", q);
  program.stage("velocity").input("dq", dq);
  program.stage("acceleration").input("ddq", ddq);
  program.function({"positions", "of all joints", {sym::Output::vector("r", positions)}});
  program.function({"velocities", "of all joints", {sym::Output::vector("v", velocities)}});
  program.function({"accelerations", "of all joints", {sym::Output::vector("a", accelerations)}});
  program.function({"tip", "d(tip)/dq", {{"J", jacobian(tip, q)}}});
  return program;
}

}  // namespace klingel::bench
