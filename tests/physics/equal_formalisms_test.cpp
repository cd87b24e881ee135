// Three roads to the equations of motion meet: virtual power with grouping and composite sums (the
// one in use), Lagrange by differentiating the kinetic energy, and Newton-Euler body by body on
// partial velocities. On every small mechanism of equal_models.hpp and on random ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mech/equations.hpp"
#include "mech/reference.hpp"
#include "sym/depends.hpp"
#include "tests/physics/equal_models.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::test {
namespace {

using mech::Model;

// rounding of sums of a few hundred terms, some of which cancel in the slow roads
constexpr double tolerance = 1e-12;
constexpr std::uint64_t n_states = 20;

struct Worst {
  double M = 0, M_scaled = 0, delta = 0;

  void add(const Worst& other) {
    raise(M, other.M);
    raise(M_scaled, other.M_scaled);
    raise(delta, other.delta);
  }
  // a line for docs/validation.md
  void print(const std::string& what) const {
    fmt::print("{:<38} M {:.1e}  M scaled {:.1e}  delta {:.1e}\n", what, M, M_scaled, delta);
  }
};

// M_qq and delta_q of two roads at random states
class Comparison {
 public:
  Comparison(Model& m, const sym::Matrix& M_a, const std::vector<Expr>& delta_a,
             const sym::Matrix& M_b, const std::vector<Expr>& delta_b)
      : M_a_(m, dense(m, M_a)),
        M_b_(m, dense(m, M_b)),
        delta_a_(m, delta_a),
        delta_b_(m, delta_b) {}

  void add(const State& state, Worst& worst) const {
    const std::vector<double> M_a = M_a_.at(state), M_b = M_b_.at(state);
    const std::vector<double> delta_a = delta_a_.at(state), delta_b = delta_b_.at(state);
    raise(worst.M, relative_difference(M_a, M_b));
    raise(worst.M_scaled, scaled_difference(M_a, M_b, delta_a.size()));
    raise(worst.delta, relative_difference(delta_a, delta_b));
  }

 private:
  Quantities M_a_, M_b_, delta_a_, delta_b_;
};

void expect_close(const Worst& worst, const std::string& what) {
  EXPECT_LE(worst.M, tolerance) << what;
  EXPECT_LE(worst.M_scaled, tolerance) << what;
  EXPECT_LE(worst.delta, tolerance) << what;
}

Worst expect_three_roads_meet(Model& m, const std::string& what) {
  const mech::Equations fast = mech::equations(m);
  const mech::ReferenceEquations lagrange = mech::lagrange(m);
  const mech::ReferenceEquations per_body = mech::per_body_virtual_power(m);
  const Comparison by_lagrange(m, fast.M_qq, fast.delta_q, lagrange.M_qq, lagrange.delta_q);
  const Comparison by_body(m, fast.M_qq, fast.delta_q, per_body.M_qq, per_body.delta_q);
  Worst worst_lagrange, worst_body;
  for (std::uint64_t seed = 0; seed < n_states; ++seed) {
    const State state = random_state(m, seed);
    by_lagrange.add(state, worst_lagrange);
    by_body.add(state, worst_body);
  }
  expect_close(worst_lagrange, what + ", against Lagrange");
  expect_close(worst_body, what + ", against Newton-Euler");
  worst_lagrange.add(worst_body);
  return worst_lagrange;
}

class EqualFormalisms : public testing::TestWithParam<Mechanism> {
 protected:
  static void TearDownTestSuite() {
    worst_.print(fmt::format("{} mechanisms, three formalisms", mechanisms().size()));
  }
  inline static Worst worst_;
};

TEST_P(EqualFormalisms, three_roads_meet) {
  Model m(GetParam().name);
  GetParam().build(m);
  worst_.add(expect_three_roads_meet(m, GetParam().name));
}

TEST_P(EqualFormalisms, M_is_symmetric_atom_by_atom_and_free_of_velocities) {
  Model m(GetParam().name);
  GetParam().build(m);
  const mech::Equations e = mech::equations(m);
  for (const sym::Entry& x : e.M_qq.entries()) {
    const sym::Entry* mirror = e.M_qq.find(x.col, x.row);
    ASSERT_NE(mirror, nullptr);
    EXPECT_EQ(mirror->value, x.value);
    EXPECT_FALSE(sym::depends_on(x.value, sym::SymbolKind::velocity));
  }
  for (const Expr& x : e.delta_q) EXPECT_FALSE(sym::depends_on(x, sym::SymbolKind::acceleration));
}

INSTANTIATE_TEST_SUITE_P(mechanisms, EqualFormalisms, testing::ValuesIn(mechanisms()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(equal_formalisms, three_roads_meet_on_random_trees) {
  Worst worst;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Model m("random");
    build_random(m, seed);
    worst.add(expect_three_roads_meet(m, "random tree " + std::to_string(seed)));
    if (testing::Test::HasFailure()) break;
  }
  worst.print("50 random trees, three formalisms");
}

// On |e| = 1 Lagrange's equations may differ from virtual power along e only, because the kinetic
// energy off the unit sphere is a matter of choice; a constraint force takes that part.
TEST(equal_formalisms, three_roads_meet_with_euler_parameters) {
  Model m("free");
  const FreeBody free = build_euler_parameters(m);
  const mech::Equations fast = mech::equations(m);
  const mech::ReferenceEquations lagrange = mech::lagrange(m);
  const mech::ReferenceEquations per_body = mech::per_body_virtual_power(m);
  const Quantities M(m, dense(m, fast.M_qq)), M_l(m, dense(m, lagrange.M_qq)),
      M_b(m, dense(m, per_body.M_qq));
  const Quantities delta(m, fast.delta_q), delta_l(m, lagrange.delta_q),
      delta_b(m, per_body.delta_q);
  constexpr std::size_t first = 3;  // of the Euler parameters among the coordinates
  for (std::uint64_t seed = 0; seed < n_states; ++seed) {
    State state = random_state(m, seed);
    // put e on the unit sphere and de on its tangent
    long double square = 0, along = 0;
    for (const auto& c : free.e) square += state[c.q] * state[c.q];
    for (const auto& c : free.e) state.set(c.q, state[c.q] / std::sqrt(square));
    for (const auto& c : free.e) along += state[c.q] * state[c.dq];
    for (const auto& c : free.e) state.set(c.dq, state[c.dq] - along * state[c.q]);

    EXPECT_LE(relative_difference(M.at(state), M_l.at(state)), tolerance);
    EXPECT_LE(relative_difference(M.at(state), M_b.at(state)), tolerance);
    EXPECT_LE(relative_difference(delta.at(state), delta_b.at(state)), tolerance);
    std::vector<double> a = delta.at(state), b = delta_l.at(state);
    for (std::vector<double>* x : {&a, &b}) {
      double part = 0;
      for (std::size_t i = 0; i < 4; ++i)
        part += (*x)[first + i] * static_cast<double>(state[free.e[i].q]);
      for (std::size_t i = 0; i < 4; ++i)
        (*x)[first + i] -= part * static_cast<double>(state[free.e[i].q]);
    }
    EXPECT_LE(relative_difference(a, b), tolerance);
  }
}

TEST(equal_formalisms, the_spin_vanishes_where_two_moments_are_one_parameter) {
  Model with("with"), without("without");
  const sym::Coordinate spin = build_wheelset(with, true);
  const sym::Coordinate other_spin = build_wheelset(without, false);
  const mech::Equations a = mech::equations(with), b = mech::equations(without);

  // the angle is gone in the one and there in the other
  for (const Expr& x : dense(with, a.M_qq)) EXPECT_FALSE(sym::depends_on(x, spin.q));
  for (const Expr& x : a.delta_q) EXPECT_FALSE(sym::depends_on(x, spin.q));
  bool depends = false;
  for (const Expr& x : dense(without, b.M_qq)) depends |= sym::depends_on(x, other_spin.q);
  EXPECT_TRUE(depends);

  // the numbers are the same, whatever the angle
  const Quantities M_a(with, dense(with, a.M_qq)), M_b(without, dense(without, b.M_qq));
  const Quantities delta_a(with, a.delta_q), delta_b(without, b.delta_q);
  for (std::uint64_t seed = 0; seed < n_states; ++seed) {
    State x = random_state(with, seed), y(without);
    for (std::size_t i = 0; i < with.coordinates().size(); ++i) {
      y.set(without.coordinates()[i].q, x[with.coordinates()[i].q]);
      y.set(without.coordinates()[i].dq, x[with.coordinates()[i].dq]);
    }
    EXPECT_LE(relative_difference(M_a.at(x), M_b.at(y)), tolerance);
    EXPECT_LE(relative_difference(delta_a.at(x), delta_b.at(y)), tolerance);
  }
}

TEST(equal_formalisms, gravity_may_be_set_after_equations_were_made) {
  Model m("late");
  mechanisms().front().build(m);
  mech::equations(m);
  m.set_gravity(m.vector(m.ground_base(), 3, 0, 1));
  expect_three_roads_meet(m, "gravity changed");
}

TEST(equal_formalisms, bodies_and_forces_may_be_added_after_equations_were_made) {
  Model m("late");
  mechanisms().front().build(m);
  mech::equations(m);
  const auto c = m.coordinate("late");
  const mech::Base L = m.rotation("L", m.base("B"), mech::axis::x, c.q);
  const mech::Point P = m.point("late", m.point("P"), m.vector(L, 0.1, 0.2, 0.3));
  m.body("late", P, L, 0.7, m.vector(L, 0, 0.1, 0), m.inertia(L, 1, 2, 2.5));
  m.add_force("push", m.vector(L, 1, 2, 3), P);
  expect_three_roads_meet(m, "model grown");
}

}  // namespace
}  // namespace klingel::test
