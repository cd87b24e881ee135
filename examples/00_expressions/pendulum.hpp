// A pendulum written by hand in atoms: from energies to a program of four functions.
//
//        o pivot        one coordinate theta: zero when it hangs, positive to the right
//         \             parameters: mass m, length l to the centre of mass G, inertia J_G about G,
//       l  \  theta     friction c, gravity g
//           O G           input: a torque tau in the pivot
//
// The golden test compiles the same program, so the C in tests/golden/pendulum is what this
// example writes.
#pragma once

#include <vector>

#include "gen/program.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/linear_solve.hpp"
#include "sym/substitute.hpp"

namespace klingel::examples {

// Values of the parameters in SI units.
inline constexpr double mass = 1.5, length = 0.8, inertia = 0.06, friction = 0.0, gravity = 9.81;

struct Pendulum {
  sym::Expr kinetic, potential;  // what was written
  sym::Expr residual;            // what Lagrange makes of it: zero along every motion
  sym::Matrix M_qq;              // residual = M_qq ddq - delta_q
  sym::Expr delta_q;
  gen::Program program;
};

inline Pendulum make_pendulum(sym::Graph& graph) {
  using sym::Expr;

  // symbols: a name, a role, a nominal value
  const Expr m = graph.parameter("m", mass);
  const Expr l = graph.parameter("l", length);
  const Expr J_G = graph.parameter("J_G", inertia);
  const Expr c = graph.parameter("c", friction);
  const Expr g = graph.parameter("g", gravity);
  const sym::Coordinate theta = graph.coordinate("theta", 2.5);  // theta, dtheta, ddtheta
  const Expr tau = graph.input("tau");

  // energies; the centre of mass moves with l dtheta across the rod
  const Expr J = m * l * l + J_G;
  const Expr kinetic = J * theta.dq * theta.dq / 2;
  const Expr weight = m * g * l;
  const Expr potential = weight * (1 - cos(theta.q));
  const Expr lagrangian = kinetic - potential;

  // d/dt dL/d(dq) - dL/dq = Q
  const Expr momentum = derivative(lagrangian, theta.dq);
  const Expr inertia_force = time_derivative(momentum);
  const Expr Q = tau - c * theta.dq;
  const Expr residual = inertia_force - derivative(lagrangian, theta.q) - Q;

  // the residual is linear in ddq: its slope is the mass matrix, its value at zero the forces
  const std::vector<Expr> ddq{theta.ddq};
  const sym::Matrix M_qq = jacobian(std::vector{residual}, ddq);
  const std::vector<sym::Replacement> at_rest{{theta.ddq, graph.number(0)}};
  const Expr delta_q = -substitute(residual, at_rest);

  // the linear solve is written in atoms too
  const sym::Factors factors(M_qq, {.method = sym::Elimination::ldlt, .order = {}});
  const std::vector<Expr> acceleration = factors.solve(std::vector{delta_q});

  // where the symbols arrive, stage by stage, and what is wanted
  gen::Program program(graph, "pendulum");
  program.input("p", {m, l, J_G, c, g});
  program.stage("position").input("q", {theta.q});
  program.stage("velocity").input("dq", {theta.dq});
  program.stage("force").input("u", {tau});
  program.function({"mass_matrix", "M_qq ddq = delta_q", {{"M_qq", M_qq}}});
  program.function(
      {"forces", "weight, friction, torque", {sym::Output::scalar("delta_q", delta_q)}});
  program.function({"energies",
                    "kinetic and potential energy in J",
                    {sym::Output::scalar("T", kinetic), sym::Output::scalar("V", potential)}});
  program.function({"acceleration",
                    "M_qq^-1 delta_q",
                    {sym::Output::vector("ddq", acceleration),
                     sym::Output::scalar("smallest_pivot", factors.smallest_pivot())}});
  return {kinetic, potential, residual, M_qq, delta_q, std::move(program)};
}

}  // namespace klingel::examples
