#include "mech/reference.hpp"

#include "mech/kinematics.hpp"
#include "mech/rate.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/substitute.hpp"

namespace klingel::mech {
namespace {

// d(u)/d(dq_j) of a velocity, components in its base
std::vector<Vector> partial_velocities(Model& m, const Vector& u) {
  std::vector<Vector> result;
  for (const sym::Coordinate& c : m.coordinates()) {
    result.push_back({u.base,
                      {sym::derivative(u.c[0], c.dq), sym::derivative(u.c[1], c.dq),
                       sym::derivative(u.c[2], c.dq)}});
  }
  return result;
}

void add_power(Model& m, const Vector& action, const Vector& velocity, std::vector<Expr>& Q) {
  const std::vector<Vector> partial = partial_velocities(m, velocity);
  for (std::size_t j = 0; j < partial.size(); ++j) Q[j] += dot(partial[j], action);
}

// applied actions and weight on partial velocities
std::vector<Expr> applied(Model& m) {
  std::vector<Expr> Q(m.coordinates().size(), m.number(0));
  for (const Action& a : m.actions()) {
    add_power(m, a.force, velocity(m.ground(), a.point), Q);
    add_power(m, a.moment, angular_velocity(m.ground_base(), a.base), Q);
  }
  for (const Body& body : m.bodies())
    add_power(m, gravity_wrench(body).force, velocity_of_com(body), Q);
  return Q;
}

std::vector<Expr> all_dq(Model& m) {
  std::vector<Expr> dq;
  for (const sym::Coordinate& c : m.coordinates()) dq.push_back(c.dq);
  return dq;
}

}  // namespace

ReferenceEquations lagrange(Model& m) {
  Expr T = m.number(0);
  for (const Body& body : m.bodies()) T += kinetic_energy(body);
  const std::vector<Expr> dq = all_dq(m);
  std::vector<Expr> momentum;
  for (const Expr& x : dq) momentum.push_back(sym::derivative(T, x));
  ReferenceEquations e{sym::jacobian(momentum, dq), applied(m)};
  // d(p)/dt at ddq = dds = 0
  const std::vector<Expr> dp =
      sym::derivation(momentum, rates_without_ddq(sym::symbols_below(momentum)));
  for (std::size_t j = 0; j < dp.size(); ++j) {
    e.delta_q[j] -= dp[j];
    e.delta_q[j] += sym::derivative(T, m.coordinates()[j].q);
  }
  return e;
}

ReferenceEquations per_body_virtual_power(Model& m) {
  const auto n = static_cast<std::uint32_t>(m.coordinates().size());
  std::vector<Expr> equation(n, m.number(0));  // power of inertia, weight and actions
  for (const Body& body : m.bodies()) {
    const Wrench inertia = inertia_wrench(body);
    add_power(m, inertia.force, velocity(m.ground(), body.point), equation);
    add_power(m, inertia.moment, angular_velocity(m.ground_base(), body.base), equation);
  }
  const std::vector<Expr> Q = applied(m);
  std::vector<Expr> ddq;
  std::vector<sym::Replacement> zeros;
  for (const sym::Coordinate& c : m.coordinates()) {
    ddq.push_back(c.ddq);
    zeros.push_back({c.ddq, m.number(0)});
  }
  for (const sym::Coordinate& c : m.contact_coordinates()) zeros.push_back({c.ddq, m.number(0)});
  // as the article: M by differentiation by ddq, delta by ddq = 0
  std::vector<sym::Entry> entries;
  const sym::Matrix by_ddq = sym::jacobian(equation, ddq);
  for (const sym::Entry& x : by_ddq.entries()) entries.push_back({x.row, x.col, -x.value});
  ReferenceEquations e{sym::Matrix(n, n, std::move(entries)), {}};
  for (std::uint32_t j = 0; j < n; ++j)
    e.delta_q.push_back(sym::substitute(equation[j], zeros) + Q[j]);
  return e;
}

}  // namespace klingel::mech
