// Force elements obey mechanics, for each element of mech/elements.hpp between two bodies that move
// freely in space: action and reaction balance, the elastic part is the gradient of the potential,
// and energy changes by the power of the rest only.
#include <gtest/gtest.h>

#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "sym/differentiate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::test {
namespace {

using mech::Attachment;
using mech::Base;
using mech::Model;
using mech::Point;
using mech::Vector;
namespace axis = mech::axis;

// rounding of M ddq = delta solved in long double, with mass matrices of condition 1e3
constexpr double tolerance = 1e-14;
constexpr std::uint64_t n_states = 10;

// Two free bodies, and on the first one two gears and a wheel on hinges.
struct Bodies {
  Attachment one, two;
  sym::Coordinate wheel, gear_1, gear_2;
  Base wheel_base, gear_1_base, gear_2_base;
  Point centre_1, centre_2, mesh;
  mech::Expr radius_1, radius_2;
};

Attachment free_body(Model& m, const std::string& n, bool with_mass) {
  const auto x = m.coordinate(n + ".x"), y = m.coordinate(n + ".y"), z = m.coordinate(n + ".z");
  const auto a = m.coordinate(n + ".a"), b = m.coordinate(n + ".b"), c = m.coordinate(n + ".c");
  const Point P = m.point(n, m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
  const Base X = m.rotation(n + ".X", m.ground_base(), axis::x, a.q);
  const Base Y = m.rotation(n + ".Y", X, axis::y, b.q);
  const Base B = m.rotation(n, Y, axis::z, c.q);
  if (with_mass) {
    m.body(n, P, B, m.parameter(n + ".m", 2), m.vector(B, 0.1, -0.2, 0.3),
           m.inertia(B, 0.9, 0.8, 0.6, 0.05, -0.04, 0.03));
  }
  return {m.point(n + ".held", P, m.vector(B, 0.3, 0.4, -0.2)), B};
}

Bodies build_bodies(Model& m, bool with_mass) {
  m.set_gravity(m.vector(m.ground_base(), 0, 0, with_mass ? -9.81 : 0));
  Bodies s;
  s.one = free_body(m, "one", with_mass);
  s.two = free_body(m, "two", with_mass);
  s.wheel = m.coordinate("wheel");
  s.gear_1 = m.coordinate("gear_1");
  s.gear_2 = m.coordinate("gear_2");
  s.wheel_base = m.rotation("wheel", s.one.base, axis::y, s.wheel.q);
  s.gear_1_base = m.rotation("gear_1", s.one.base, axis::z, s.gear_1.q);
  s.gear_2_base = m.rotation("gear_2", s.one.base, axis::z, s.gear_2.q);
  s.radius_1 = m.parameter("radius_1", 0.2);
  s.radius_2 = m.parameter("radius_2", 0.5);
  s.centre_1 = m.point("centre_1", m.point("one"), m.vector(s.one.base, 0.1, 0.1, 0.3));
  s.mesh = m.point("mesh", s.centre_1, m.vector(s.one.base, s.radius_1, 0, 0));
  s.centre_2 = m.point("centre_2", s.mesh, m.vector(s.one.base, s.radius_2, 0, 0));
  if (with_mass) {
    const auto add = [&](const std::string& name, Point p, Base b) {
      m.body(name, p, b, 0.7, m.vector(b, 0.02, -0.01, 0.03), m.inertia(b, 0.3, 0.35, 0.4));
    };
    add("wheel", m.point("one"), s.wheel_base);
    add("gear_1", s.centre_1, s.gear_1_base);
    add("gear_2", s.centre_2, s.gear_2_base);
  }
  return s;
}

// One element. `damping` scales all that is not elastic; `add` returns the power of that part.
struct Element {
  const char* name;
  mech::Expr (*add)(Model&, const Bodies&, double damping);
  bool balances = true;  // the moments of its two ends as well
  bool has_potential = true;
};
void PrintTo(const Element& element, std::ostream* out) { *out << element.name; }

mech::Expr zero(Model& m) { return m.number(0); }
Vector between(const Bodies& s) { return mech::position(s.one.point, s.two.point); }

// the rate of the vector between the ends, seen from a base
Vector rate_between(const Bodies& s, Base base) {
  return mech::velocity({s.one.point, base}, s.two.point);
}

mech::Expr spring(Model& m, const Bodies& s, double) {
  mech::isotropic_spring(m, "e", s.one.point, s.two.point, m.parameter("k", 40), 0,
                         m.ground_base());
  return zero(m);
}

mech::Expr preloaded_spring(Model& m, const Bodies& s, double) {
  mech::isotropic_spring(m, "e", s.one.point, s.two.point, 40, 0, m.ground_base(),
                         m.vector(m.ground_base(), 3, -4, 5));
  return zero(m);
}

mech::Expr damped_spring(Model& m, const Bodies& s, double damping) {
  mech::isotropic_spring(m, "e", s.one.point, s.two.point, 40, 3 * damping, m.ground_base());
  const Vector v = rate_between(s, m.ground_base());
  return -3 * damping * mech::dot(v, v);
}

mech::Expr spring_damped_in_body(Model& m, const Bodies& s, double damping) {
  mech::isotropic_spring(m, "e", s.one.point, s.two.point, 40, 3 * damping, s.two.base);
  return -3 * damping * mech::dot(rate_between(s, s.two.base), rate_between(s, m.ground_base()));
}

mech::Expr line_spring(Model& m, const Bodies& s, double damping) {
  mech::line_spring(m, "e", s.one.point, s.two.point, 40, 3 * damping, 0.7, m.parameter("F0", 6));
  const mech::Expr dl = sym::time_derivative(mech::norm(between(s)));
  return -3 * damping * dl * dl;
}

mech::Expr bushing_in(Model& m, const Bodies& s, double damping, Base axes) {
  mech::Bushing data;
  data.stiffness = {30, m.parameter("ky", 50), 0};
  data.damping = {damping, 2 * damping, 3 * damping};
  data.turning_stiffness = {4, 5, 7};
  data.turning_damping = {0.1 * damping, 0.2 * damping, 0.3 * damping};
  mech::bushing(m, "e", s.one, s.two, axes, data);
  const Vector v = mech::in_base(rate_between(s, axes), axes);
  const Vector w = mech::in_base(mech::angular_velocity(s.one.base, s.two.base), axes);
  mech::Expr power = zero(m);
  for (std::size_t i = 0; i < 3; ++i) {
    power -= damping * static_cast<double>(i + 1) * v.c[i] * v.c[i];
    power -= 0.1 * damping * static_cast<double>(i + 1) * w.c[i] * w.c[i];
  }
  return power;
}
mech::Expr bushing_on_from(Model& m, const Bodies& s, double damping) {
  return bushing_in(m, s, damping, s.one.base);
}
mech::Expr bushing_on_to(Model& m, const Bodies& s, double damping) {
  return bushing_in(m, s, damping, s.two.base);
}
mech::Expr bushing_on_ground(Model& m, const Bodies& s, double damping) {
  return bushing_in(m, s, damping, m.ground_base());
}
mech::Expr bushing_on_third(Model& m, const Bodies& s, double damping) {
  return bushing_in(m, s, damping, s.wheel_base);
}
mech::Expr bushing_tilted(Model& m, const Bodies& s, double damping) {
  return bushing_in(m, s, damping, m.rotation("tilted", s.one.base, {1, 2, 3}, 0.4));
}

mech::Expr torsion_spring(Model& m, const Bodies& s, double damping) {
  mech::torsion_spring(m, "e", s.one.base, s.wheel_base, m.axis_vector(s.wheel_base, axis::y),
                       s.wheel.q, m.parameter("kt", 8), 0.5 * damping, 0.3, 2);
  return -0.5 * damping * s.wheel.dq * s.wheel.dq;
}

mech::Expr gear_pair(Model& m, const Bodies& s, double damping) {
  mech::gear_pair(m, "e", {{s.centre_1, s.gear_1_base}, s.gear_1.q, s.radius_1},
                  {{s.centre_2, s.gear_2_base}, s.gear_2.q, s.radius_2}, s.mesh,
                  3 * m.axis_vector(s.one.base, axis::y), 60, 4 * damping);
  const mech::Expr du = s.radius_1 * s.gear_1.dq + s.radius_2 * s.gear_2.dq;
  return -4 * damping * du * du;
}

mech::Expr actuator(Model& m, const Bodies& s, double damping) {
  const mech::Expr f = damping * m.input("f", 3);
  mech::applied_force(m, "e", f * mech::unit(between(s)), s.two.point, s.one.point);
  return f * sym::time_derivative(mech::norm(between(s)));
}

mech::Expr motor(Model& m, const Bodies& s, double damping) {
  const mech::Expr tau = damping * m.input("tau", 3);
  mech::applied_torque(m, "e", tau * m.axis_vector(s.wheel_base, axis::y), s.wheel_base,
                       s.one.base);
  return tau * s.wheel.dq;
}

mech::Expr outside(Model& m, const Bodies& s, double damping) {
  const Vector F = damping * m.vector(m.ground_base(), 1, 2, 3);
  const Vector T = damping * m.vector(s.two.base, 3, 2, 1);
  mech::applied_force(m, "e", F, s.two.point);
  mech::applied_torque(m, "t", T, s.two.base);
  return mech::dot(F, mech::velocity(m.ground(), s.two.point)) +
         mech::dot(T, mech::angular_velocity(m.ground_base(), s.two.base));
}

constexpr Element elements[] = {
    {"isotropic_spring", spring},
    {"isotropic_spring_with_preload", preloaded_spring, false},
    {"isotropic_spring_with_damping", damped_spring, false},
    {"isotropic_spring_damped_in_a_body", spring_damped_in_body, false},
    {"line_spring", line_spring},
    {"bushing_on_from", bushing_on_from},
    {"bushing_on_to", bushing_on_to},
    {"bushing_on_the_ground", bushing_on_ground},
    {"bushing_on_a_third_body", bushing_on_third},
    {"bushing_tilted", bushing_tilted},
    {"torsion_spring", torsion_spring},
    {"gear_pair", gear_pair},
    {"actuator", actuator, true, false},
    {"motor", motor, true, false},
    {"outside", outside, false, false},
};

class EqualEnergy : public testing::TestWithParam<Element> {};

TEST_P(EqualEnergy, action_and_reaction_balance) {
  const Element& element = GetParam();
  if (std::string(element.name) == "outside") return;  // has no reaction
  Model m(element.name);
  const Bodies s = build_bodies(m, false);
  element.add(m, s, 1);
  const Base O = m.ground_base();
  Vector force = m.zero_vector(), moment = m.zero_vector();
  std::vector<Expr> sizes;
  for (const mech::Action& a : m.actions()) {
    const Vector F = mech::in_base(a.force, O);
    force = force + F;
    moment = moment + in_base(a.moment, O) + cross(mech::position(m.origin(), a.point), F);
    sizes.push_back(mech::norm(F) + mech::norm(a.moment));
  }
  std::vector<Expr> totals(force.c.begin(), force.c.end());
  if (element.balances) totals.insert(totals.end(), moment.c.begin(), moment.c.end());
  const Quantities total(m, totals), size(m, sizes);
  for (std::uint64_t seed = 0; seed < n_states; ++seed) {
    const State state = random_state(m, seed);
    double largest = 0;
    for (const double x : size.at(state)) largest = std::max(largest, x);
    EXPECT_GT(largest, 0);
    for (const long double x : total.at<long double>(state))
      EXPECT_LE(static_cast<double>(std::abs(x)), 1e-16 * largest);
  }
}

// the generalized forces of the elastic part, without any mass, and minus the gradient of V
TEST_P(EqualEnergy, elastic_forces_are_the_gradient_of_the_potential) {
  const Element& element = GetParam();
  Model m(element.name);
  const Bodies s = build_bodies(m, false);
  element.add(m, s, 0);
  const std::vector<Expr> Q = mech::generalized_forces(m);
  Expr V = m.number(0);
  for (const Expr& v : m.potentials()) V += v;
  std::vector<Expr> gradient;
  for (const sym::Coordinate& c : m.coordinates()) gradient.push_back(-sym::derivative(V, c.q));
  const Quantities a(m, Q), b(m, gradient);
  for (std::uint64_t seed = 0; seed < n_states; ++seed) {
    const State state = random_state(m, seed);
    const std::vector<long double> forces = a.at<long double>(state);
    EXPECT_LE(relative_difference(forces, b.at<long double>(state)), 1e-16);
    const bool any = std::any_of(forces.begin(), forces.end(), [](auto x) { return x != 0; });
    EXPECT_EQ(any, element.has_potential);
  }
}

TEST_P(EqualEnergy, energy_changes_by_the_power_of_what_is_not_elastic) {
  const Element& element = GetParam();
  Model m(element.name);
  const Bodies s = build_bodies(m, true);
  const Expr power = element.add(m, s, 1);
  const mech::Equations e = mech::equations(m);
  const Quantities M(m, dense(m, e.M_qq)), delta(m, e.delta_q);
  const Quantities rates(m, std::vector<Expr>{sym::time_derivative(e.kinetic_energy),
                                              sym::time_derivative(e.potential_energy), power});
  bool any_power = false;
  for (std::uint64_t seed = 0; seed < n_states; ++seed) {
    State state = random_state(m, seed);
    const std::vector<long double> ddq =
        solved(M.at<long double>(state), delta.at<long double>(state));
    for (std::size_t i = 0; i < ddq.size(); ++i) state.set(m.coordinates()[i].ddq, ddq[i]);
    const std::vector<long double> r = rates.at<long double>(state);
    const long double size = 1 + std::abs(r[0]) + std::abs(r[1]);
    EXPECT_LE(static_cast<double>(std::abs(r[0] + r[1] - r[2]) / size), tolerance);
    any_power |= r[2] != 0;
  }
  const std::string name = element.name;
  const bool conservative = name == "isotropic_spring" || name == "isotropic_spring_with_preload";
  EXPECT_EQ(any_power, !conservative);
}

INSTANTIATE_TEST_SUITE_P(elements, EqualEnergy, testing::ValuesIn(elements),
                         [](const auto& test) { return std::string(test.param.name); });

// the article's isotropic spring: its damper leaves a couple, and just this one
TEST(equal_energy, the_damper_of_an_isotropic_spring_leaves_the_couple_r_x_f) {
  Model m("couple");
  const Bodies s = build_bodies(m, false);
  spring_damped_in_body(m, s, 1);
  Vector moment = m.zero_vector();
  for (const mech::Action& a : m.actions())
    moment = moment + cross(mech::position(m.origin(), a.point), a.force);
  const Vector expected = 3 * cross(rate_between(s, s.two.base), between(s));
  const Vector difference = in_base(moment - expected, m.ground_base());
  for (const double x : values_at(m, difference.c, random_state(m, 1))) EXPECT_NEAR(x, 0, 1e-12);
}

// at small angles the turning part has the stiffness that was asked for
TEST(equal_energy, a_bushing_turns_with_the_given_stiffness) {
  for (const int k : {axis::x, axis::y, axis::z}) {
    Model m("small");
    const auto a = m.coordinate("a");
    const Base B = m.rotation("B", m.ground_base(), k, a.q);
    mech::Bushing data;
    data.turning_stiffness = {3, 5, 11};
    mech::bushing(m, "e", {m.origin(), m.ground_base()}, {m.origin(), B}, m.ground_base(), data);
    const std::vector<Expr> Q = mech::generalized_forces(m);
    State state(m);
    state.set(a.q, 0.4);
    const double stiffness[] = {3, 5, 11};
    EXPECT_NEAR(value_at(m, Q[0], state), -stiffness[k] * std::sin(0.4), 1e-14);
  }
}

}  // namespace
}  // namespace klingel::test
