// The equations of motion as the user gets them: constraints and their derivatives, the split by
// tagged symbols, energies, and the named functions in stages.
#include "mech/equations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

using test::error_of;
using testing::ElementsAre;

class equations_of : public testing::Test {
 protected:
  // a bead on a turning rod, tied to a moving point
  void build() {
    A = m.rotation("A", m.ground_base(), axis::z, a.q);
    P = m.point("P", m.origin(), m.vector(A, x.q, 0, 0));
    m.body("bead", P, A, mass);
    m.set_gravity(m.vector(m.ground_base(), 0, -9.81, 0));
  }
  double at(Expr e, const test::State& state) { return test::value_at(m, e, state); }

  Model m{"bead"};
  sym::Coordinate a = m.coordinate("a", 0.4, 0.2), x = m.coordinate("x", 0.5, -0.1);
  Expr mass = m.parameter("mass", 2);
  Base A;
  Point P;
};

TEST_F(equations_of, a_bead_on_a_rod) {
  build();
  const Equations e = equations(m);
  const test::State s = test::random_state(m, 1);
  const auto v = [&](Expr y) { return static_cast<double>(s[y]); };
  // m x^2 dda = -2 m x dx da - m g x cos a;  m ddx = m x da^2 - m g sin a
  EXPECT_NEAR(at(e.M_qq.find(0, 0)->value, s), 2 * v(x.q) * v(x.q), 1e-14);
  EXPECT_EQ(e.M_qq.find(1, 1)->value, mass);
  EXPECT_EQ(e.M_qq.find(0, 1), nullptr);
  EXPECT_NEAR(at(e.delta_q[0], s),
              -4 * v(x.q) * v(x.dq) * v(a.dq) - 2 * 9.81 * v(x.q) * std::cos(v(a.q)), 1e-13);
  EXPECT_NEAR(at(e.delta_q[1], s), 2 * v(x.q) * v(a.dq) * v(a.dq) - 2 * 9.81 * std::sin(v(a.q)),
              1e-13);
  EXPECT_NEAR(at(e.kinetic_energy, s), v(x.dq) * v(x.dq) + v(x.q) * v(x.q) * v(a.dq) * v(a.dq),
              1e-14);
  EXPECT_NEAR(at(e.potential_energy, s), 2 * 9.81 * v(x.q) * std::sin(v(a.q)), 1e-13);
}

TEST_F(equations_of, without_coordinates_are_an_error) {
  Model empty("empty");
  EXPECT_EQ(error_of([&] { equations(empty); }), "the model 'empty' has no coordinates");
}

TEST_F(equations_of, generalized_forces_alone_are_delta) {
  build();
  const std::vector<Expr> delta = generalized_forces(m);
  EXPECT_EQ(delta, equations(m).delta_q);
}

TEST_F(equations_of, stored_energies_of_elements_count) {
  build();
  m.add_potential(x.q * x.q);
  EXPECT_NEAR(at(equations(m).potential_energy, test::State(m)),
              2 * 9.81 * 0.5 * std::sin(0.4) + 0.25, 1e-14);
}

// phi(q, s, t): d(phi)/dt = dphi_dq dq + dphi_ds ds - beta, and once more with gamma
TEST_F(equations_of, constraints_are_differentiated_twice) {
  build();
  const auto s = m.contact_coordinate("s");
  const Expr t = m.graph().time();
  m.constrain("one", x.q * sym::cos(a.q) - s.q * s.q * t);
  m.constrain("two", sym::sin(t) * a.q + s.q);
  const Equations e = equations(m);
  const test::State state = test::random_state(m, 3);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const Expr d = sym::time_derivative(e.phi[i]);
    const Expr dd = sym::time_derivative(d);
    Expr first = -e.beta[i], second = -e.gamma[i];
    for (const sym::Entry& g : e.dphi_dq.entries()) {
      if (g.row != i) continue;
      first += g.value * e.dq[g.col];
      second += g.value * e.ddq[g.col];
    }
    for (const sym::Entry& g : e.dphi_ds.entries()) {
      if (g.row != i) continue;
      first += g.value * e.ds[g.col];
      second += g.value * e.dds[g.col];
    }
    EXPECT_NEAR(at(first - d, state), 0, 1e-13);
    EXPECT_NEAR(at(second - dd, state), 0, 1e-12);
  }
}

TEST_F(equations_of, beta_is_zero_without_time) {
  build();
  m.parameter("t", 3);  // a name, not time
  m.constrain("c", x.q - m.graph().lookup("t") * a.q);
  EXPECT_TRUE(equations(m).beta[0].is(0));
}

// split

TEST_F(equations_of, delta_splits_by_forces_it_is_linear_in) {
  build();
  const Expr fx = m.force("fx"), fy = m.force("fy"), u = m.input("u");
  m.add_force("creep", m.vector(m.ground_base(), fx, fy, 0), P);
  m.add_force("drive", m.vector(A, u, 0, 0), P);
  const Equations e = equations(m);
  const Split s = split(e.delta_q, std::array{fx, fy});
  const test::State state = test::random_state(m, 9);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_FALSE(sym::depends_on(s.rest[i], fx));
    EXPECT_FALSE(sym::depends_on(s.rest[i], fy));
    Expr sum = s.rest[i];
    for (const sym::Entry& g : s.by_tagged.entries())
      if (g.row == i) sum += g.value * (g.col == 0 ? fx : fy);
    EXPECT_NEAR(at(sum - e.delta_q[i], state), 0, 1e-13);
  }
  EXPECT_TRUE(sym::depends_on(s.rest[1], u));
}

TEST_F(equations_of, a_split_by_nothing_is_the_whole) {
  build();
  const std::vector<Expr> delta = generalized_forces(m);
  const Split s = split(delta, {});
  EXPECT_EQ(s.rest, delta);
  EXPECT_TRUE(s.by_tagged.entries().empty());
}

TEST_F(equations_of, a_split_by_what_is_not_linear_is_an_error_with_its_name) {
  build();
  const Expr f = m.force("f"), g = m.force("g");
  m.add_force("odd", m.vector(A, f * f, 0, 0), P);
  EXPECT_EQ(error_of([&] { split(generalized_forces(m), std::array{f}); }),
            "the generalized force 1 is not linear in 'f', so it cannot be split by it");
  // nor is a product of two tagged ones
  Model other("other");
  const auto q = other.coordinate("q");
  const Expr h = other.force("h"), k = other.force("k");
  const Expr delta = q.q * h * k;
  EXPECT_THAT(error_of([&] {
                split(std::span(&delta, 1), std::array{h, k});
              }),
              testing::HasSubstr("is not linear in"));
  EXPECT_FALSE(g.empty());
}

// the named functions

TEST_F(equations_of, the_interface_names_functions_and_inputs_as_the_article) {
  build();
  const auto s = m.contact_coordinate("s");
  m.input("u");
  m.force("f");
  m.graph().time();
  m.constrain("c", x.q - s.q);
  m.output("speed", std::array{x.dq});
  const Equations e = equations(m);
  const sym::Interface i = interface(m, e);
  std::vector<std::string> functions, stages, inputs;
  for (const sym::Function& f : i.functions) functions.push_back(f.name);
  for (const sym::InputArray& a_in : i.setup) inputs.push_back(a_in.name);
  for (const sym::Stage& stage : i.stages) {
    stages.push_back(stage.name);
    for (const sym::InputArray& a_in : stage.inputs) inputs.push_back(a_in.name);
  }
  EXPECT_THAT(functions,
              ElementsAre("M_qq", "delta_q", "phi", "dphi", "beta", "gamma", "energy", "speed"));
  EXPECT_THAT(stages, ElementsAre("position", "velocity", "force"));
  EXPECT_THAT(inputs, ElementsAre("p", "q", "s", "t", "dq", "ds", "u", "f"));
}

TEST_F(equations_of, functions_of_constraints_are_left_out_without_constraints) {
  build();
  std::vector<std::string> names;
  for (const sym::Function& f : interface(m, equations(m)).functions) names.push_back(f.name);
  EXPECT_THAT(names, ElementsAre("M_qq", "delta_q", "energy"));
}

}  // namespace
}  // namespace klingel::mech
