#include "mech/equations.hpp"

#include <map>
#include <string_view>

#include "base/error.hpp"
#include "mech/inertia.hpp"
#include "mech/kinematics.hpp"
#include "mech/mass_matrix.hpp"
#include "mech/projection.hpp"
#include "mech/rate.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/substitute.hpp"

namespace klingel::mech {
namespace {

// force and moment of inertia and weight at ddq = 0
void add_inertia(Model& m, const Body& body, Projection& projection) {
  const Base D = body.inertia.base;
  const Triple w_D = in_base(angular_velocity(m.ground_base(), D), D).c;
  const Triple alpha_D = in_base(bias_angular_acceleration(m.ground_base(), D), D).c;
  const Vector a_P = bias_acceleration_less_gravity(body.point);
  Vector force{a_P.base, negated(scaled(body.mass, a_P.c))};
  if (!is_zero(body.com.c)) {
    const Triple a_P_D = in_base(a_P, D).c;
    const Triple a_G = plus(a_P_D, turning_acceleration(w_D, alpha_D, body.com.c));
    force = {D, negated(scaled(body.mass, a_G))};
    projection.add_moment(D.index, {D, cross(body.com.c, force.c)});
  }
  if (body.first_moment) {
    // -(m a_P + dw x s + w x (w x s)), and s x a_P beside the moment of inertia about the point
    const Triple& s = *body.first_moment;
    const Triple a_P_D = in_base(a_P, D).c;
    Triple sum = turning_acceleration(w_D, alpha_D, s);
    if (!body.mass.is(0)) sum = plus(scaled(body.mass, a_P_D), sum);
    force = {D, negated(sum)};
    projection.add_moment(D.index, {D, negated(cross(s, a_P_D))});
  }
  projection.add_force(body.point.index, force);
  if (is_zero(body.inertia.c)) return;
  // -dH/dt = -I (dw/dt seen from D) - w_D x I w
  const Triple w_DB = spin(body);
  const Triple H = product(body.inertia.c, plus(w_D, w_DB));
  const Triple dw = plus(alpha_D, rate(w_DB, Ddq::zero));
  const Triple inertia = product(body.inertia.c, dw);
  const Triple moment = negated(plus(inertia, cross(w_D, H)));
  projection.add_moment(body, moment);
}

std::vector<sym::Seed> velocity_seeds(Model& m) {
  std::vector<sym::Seed> seeds;
  for (const auto* list : {&m.coordinates(), &m.contact_coordinates()}) {
    for (const sym::Coordinate& c : *list) seeds.push_back({c.q, c.dq});
  }
  if (const auto t = time_of(m.graph())) seeds.push_back({*t, m.number(1)});
  return seeds;
}

void add_constraints(Model& m, Equations& e) {
  for (const Constraint& c : m.constraints()) e.phi.push_back(c.phi);
  if (e.phi.empty()) return;
  e.dphi_dq = sym::jacobian(e.phi, e.q);
  e.dphi_ds = sym::jacobian(e.phi, e.s);
  const auto t = time_of(m.graph());
  for (const Expr& phi : e.phi) e.beta.push_back(t ? -sym::derivative(phi, *t) : m.number(0));
  for (const Expr& x : sym::second_directional_derivative(e.phi, velocity_seeds(m)))
    e.gamma.push_back(-x);
}

}  // namespace

std::vector<Expr> generalized_forces(Model& m) {
  const std::vector<Motion> motions = motions_of(m);
  Projection projection(m, m.points(), motions);
  for (const Body& body : m.inertias()) add_inertia(m, body, projection);
  for (const Action& a : m.actions()) {
    projection.add_force(a.point.index, a.force);
    projection.add_moment(a.base.index, a.moment);
  }
  std::vector<Expr> delta(m.coordinates().size(), m.number(0));
  projection.project([&](std::size_t i, Expr power) { delta[motions[i].coordinate] += power; });
  return delta;
}

std::vector<Expr> element_forces(Model& m, std::span<const std::string> elements) {
  const std::vector<Motion> motions = motions_of(m);
  Projection projection(m, m.points(), motions);
  // actions by their names and by the part before a dot in them
  std::map<std::string_view, std::vector<const Action*>> by_name;
  for (const Action& a : m.actions()) {
    const std::string_view name = a.name;
    for (std::size_t end = name.find('.'); end != name.npos; end = name.find('.', end + 1))
      by_name[name.substr(0, end)].push_back(&a);
    by_name[name].push_back(&a);
  }
  for (const std::string& element : elements) {
    const auto found = by_name.find(element);
    if (found == by_name.end())
      base::fail("the model '{}' has no force element '{}'", m.name(), element);
    for (const Action* a : found->second) {
      projection.add_force(a->point.index, a->force);
      projection.add_moment(a->base.index, a->moment);
    }
  }
  std::vector<Expr> delta(m.coordinates().size(), m.number(0));
  projection.project([&](std::size_t i, Expr power) { delta[motions[i].coordinate] += power; });
  return delta;
}

Equations equations(Model& m) {
  Equations e;
  for (const sym::Coordinate& c : m.coordinates()) {
    e.q.push_back(c.q);
    e.dq.push_back(c.dq);
    e.ddq.push_back(c.ddq);
  }
  for (const sym::Coordinate& c : m.contact_coordinates()) {
    e.s.push_back(c.q);
    e.ds.push_back(c.dq);
    e.dds.push_back(c.ddq);
  }
  if (e.q.empty()) base::fail("the model '{}' has no coordinates", m.name());
  e.M_qq = mass_matrix(m);
  e.delta_q = generalized_forces(m);
  add_constraints(m, e);
  e.kinetic_energy = e.potential_energy = m.number(0);
  for (const Body& body : m.bodies()) {
    e.kinetic_energy += kinetic_energy(body);
    e.potential_energy += gravity_energy(body);
  }
  for (const Expr& v : m.potentials()) e.potential_energy += v;
  return e;
}

Split split(std::span<const Expr> delta, std::span<const Expr> tagged) {
  Split s{{delta.begin(), delta.end()}, sym::jacobian(delta, tagged)};
  if (tagged.empty() || delta.empty()) return s;
  for (const sym::Entry& e : s.by_tagged.entries()) {
    for (const Expr& x : tagged) {
      if (sym::depends_on(e.value, x)) {
        base::fail("the generalized force {} is not linear in '{}', so it cannot be split by it",
                   e.row, x.graph().symbol_of(x.id()).name);
      }
    }
  }
  std::vector<sym::Replacement> zeros;
  for (const Expr& x : tagged) zeros.push_back({x, x.graph().rational(0, 1)});
  s.rest = sym::substitute(delta, zeros);
  return s;
}

sym::Interface interface(Model& m, const Equations& e) {
  sym::Interface result;
  std::vector<Expr> t;
  if (const auto time = time_of(m.graph())) t.push_back(*time);
  result.setup = {{"p", m.parameters()}};
  result.stages = {{"position", {{"q", e.q}, {"s", e.s}, {"t", t}}},
                   {"velocity", {{"dq", e.dq}, {"ds", e.ds}}},
                   {"force", {{"u", m.inputs()}, {"f", m.forces()}}}};
  const auto vector = [](const char* name, const std::vector<Expr>& values) {
    return sym::Output::vector(name, values);
  };
  auto& f = result.functions;
  f.push_back({"M_qq",
               "mass matrix of M_qq ddq + dphi_dq^T lambda = delta_q [eq:MphiTPhiZero4]",
               {{"M_qq", e.M_qq}}});
  f.push_back({"delta_q",
               "right-hand side of the equations of motion [eq:MphiTPhiZero4]",
               {vector("delta_q", e.delta_q)}});
  if (!e.phi.empty()) {
    f.push_back({"phi", "constraints phi(q, s, t) = 0 [eq:phin]", {vector("phi", e.phi)}});
    std::vector<sym::Output> jacobians = {{"dphi_dq", e.dphi_dq}};
    if (!e.s.empty()) jacobians.push_back({"dphi_ds", e.dphi_ds});
    f.push_back({"dphi", "derivatives of phi [eq:dqproj]", jacobians});
    f.push_back({"beta", "dphi_dq dq + dphi_ds ds = beta [eq:dqproj]", {vector("beta", e.beta)}});
    f.push_back({"gamma",
                 "dphi_dq ddq + dphi_ds dds = gamma [eq:MphiTPhiZero4]",
                 {vector("gamma", e.gamma)}});
  }
  f.push_back({"energy",
               "kinetic and potential energy",
               {sym::Output::scalar("kinetic", e.kinetic_energy),
                sym::Output::scalar("potential", e.potential_energy)}});
  for (const auto& [name, values] : m.outputs())
    f.push_back({name, "output of the model", {vector(("v_" + name).c_str(), values)}});
  return result;
}

}  // namespace klingel::mech
