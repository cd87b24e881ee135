#include "reduce/base_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "examples/mechanisms.hpp"
#include "mech/equations.hpp"
#include "mech/reference.hpp"
#include "reduce/rank.hpp"
#include "reduce/regressor.hpp"
#include "sym/depends.hpp"
#include "tests/unit/reduce/robots.hpp"

namespace klingel::reduce {
namespace {

// M_qq and delta_q one after the other.
std::vector<Expr> dynamics(mech::Model& m) {
  const std::size_t n = m.coordinates().size();
  const mech::Equations e = mech::equations(m);
  std::vector<Expr> list(n * n, m.number(0));
  for (const sym::Entry& x : e.M_qq.entries()) list[n * x.row + x.col] = x.value;
  list.insert(list.end(), e.delta_q.begin(), e.delta_q.end());
  return list;
}

std::vector<double> values(mech::Model& m, const std::vector<Expr>& list, unsigned seed) {
  const std::vector<Expr> leaves = sym::symbols_below(list);
  const sym::Tape tape(leaves, list);
  std::vector<double> in, out(list.size()), registers(tape.registers());
  for (const Expr& x : leaves) {
    const sym::Symbol& s = m.graph().symbol_of(x);
    // of the name, not of the order: two lists see the same state
    std::mt19937 random(seed + static_cast<unsigned>(std::hash<std::string>{}(s.name)));
    const double shift = random() / 4294967295.0 - 0.5;
    in.push_back(s.kind == sym::SymbolKind::parameter ? s.value * (1 + 0.1 * shift)
                                                      : s.value + 2 * shift);
  }
  tape.run(in.data(), out.data(), registers.data());
  return out;
}

double largest_change(const std::vector<double>& x, const std::vector<double>& y) {
  double size = 0, change = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::abs(x[i]));
    change = std::max(change, std::abs(x[i] - y[i]));
  }
  return change / size;
}

std::size_t columns_of_full_rank(mech::Model& m, const std::vector<mech::Body>& bodies, bool all) {
  Regressor regressor(m, bodies, all);
  return base_parameters(regressor.stacked_on_constraints(random_states(m, 60))).base.size();
}

std::vector<mech::Body> bodies_of(const mech::Model& m) {
  return {m.bodies().begin(), m.bodies().end()};
}

// Geometry and masses are parameters: the regrouped equations hold for all their values.
TEST(base_parameters, change_no_value_and_never_add_operations) {
  for (const examples::Mechanism& e : examples::mechanisms()) {
    mech::Model m(e.name);
    e.build(m);
    const std::vector<Expr> before = dynamics(m);
    const Regrouping r = use_base_parameters(m);
    EXPECT_LE(r.after, r.before) << e.name;
    const std::vector<Expr> after = dynamics(m);
    m.regroup(fewest_parameters(m));
    const std::vector<Expr> fewest = dynamics(m);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const std::vector<double> x = values(m, before, seed);
      EXPECT_LT(largest_change(x, values(m, after, seed)), 1e-12) << e.name;
      EXPECT_LT(largest_change(x, values(m, fewest, seed)), 1e-12) << e.name;
    }
  }
}

// Mayeda, Yoshida and Osuka (1990): an arm of N revolute joints, neighbouring axes parallel or at
// right angles, has 7 N - 4 b_1 - 2 b_2 base parameters; b_1 counts joints at the beginning that
// are parallel to the first, b_2 is 1 if that is vertical. The PUMA 560 has 42 - 4 - 2 = 36.
TEST(base_parameters, of_the_puma_560_are_36) {
  mech::Model m("puma");
  test::build_puma(m);
  EXPECT_EQ(columns_of_full_rank(m, bodies_of(m), true), 36u);
  // the rules for trees find the same number, and none of them depends on another
  const std::vector<mech::Body> fewest = fewest_parameters(m);
  const std::deque<mech::Body> list(fewest.begin(), fewest.end());
  EXPECT_EQ(inertial_parameters(list).size(), 36u);
  EXPECT_EQ(columns_of_full_rank(m, fewest, false), 36u);
  const Regrouping r = use_base_parameters(m);
  EXPECT_TRUE(r.applied);
  EXPECT_LT(r.after, r.before * 9 / 10);
}

TEST(base_parameters, of_an_arm_with_seven_joints_are_43) {
  mech::Model m("arm");
  examples::build_arm(m);
  EXPECT_EQ(columns_of_full_rank(m, bodies_of(m), true), 43u);
}

// A wheel on an axle that is carried about: only its spin inertia is its own, the rest belongs to
// what carries it.
TEST(base_parameters, of_a_spinning_wheel_is_its_spin_inertia) {
  mech::Model m("gyroscope");
  const auto yaw = m.coordinate("yaw"), tilt = m.coordinate("tilt"), spin = m.coordinate("spin");
  const Expr l = m.parameter("l", 0.4), mass = m.parameter("m", 3), I = m.parameter("I", 0.2),
             I_y = m.parameter("I_y", 0.35), m_arm = m.parameter("m_arm", 1.5),
             I_arm = m.parameter("I_arm", 0.08);
  const mech::Base turned = m.rotation("turned", m.ground_base(), mech::axis::z, yaw.q);
  const mech::Base arm = m.rotation("arm", turned, mech::axis::x, tilt.q);
  const mech::Base wheel = m.rotation("wheel", arm, mech::axis::y, spin.q);
  const mech::Point hub = m.point("hub", m.origin(), m.vector(arm, 0, l, 0));
  m.body("arm", m.origin(), arm, m_arm, m.vector(arm, 0, l / 2, 0),
         m.inertia(arm, I_arm, 0, I_arm));
  m.body("wheel", hub, wheel, mass, m.vector(wheel, 0, 0.05, 0), m.inertia(wheel, I, I_y, I));
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  std::vector<std::string> of_wheel;
  const std::vector<mech::Body> fewest = fewest_parameters(m);
  const std::deque<mech::Body> list(fewest.begin(), fewest.end());
  for (const InertialParameter& p : inertial_parameters(list))
    if (p.name.ends_with("(wheel)")) of_wheel.push_back(p.name);
  EXPECT_EQ(of_wheel, std::vector<std::string>{"J_yy(wheel)"});
  for (const InertialParameter& p : inertial_parameters(list)) {
    if (p.name == "J_yy(wheel)") {
      EXPECT_EQ(p.value, I_y);
    }
  }
}

// In a closed loop fewer combinations show than in the open tree.
TEST(base_parameters, of_a_closed_loop_are_fewer) {
  mech::Model m("four_bar");
  examples::build_four_bar(m);
  Regressor regressor(m, bodies_of(m), true);
  const auto states = random_states(m, 60);
  const std::size_t open = base_parameters(regressor.stacked(states)).base.size();
  const std::size_t closed = base_parameters(regressor.stacked_on_constraints(states)).base.size();
  EXPECT_LT(closed, open);
}

// p_b = p_1 + B p_2 gives the same forces as all parameters.
TEST(base_parameters, by_numbers_give_the_same_forces) {
  mech::Model m("puma");
  test::build_puma(m);
  Regressor regressor(m, bodies_of(m), true);
  const BaseParameters base = base_parameters(regressor.stacked(random_states(m, 60)));
  EXPECT_GT(base.gap, 1e8);  // nothing is nearly dependent
  const Eigen::VectorXd p = regressor.values();
  const Eigen::MatrixXd W = regressor.stacked(random_states(m, 10, 7));
  Eigen::VectorXd f = Eigen::VectorXd::Zero(W.rows());
  for (const BaseParameter& b : base.base) {
    double value = p[static_cast<Eigen::Index>(b.column)];
    for (const auto& [column, factor] : b.together)
      value += factor * p[static_cast<Eigen::Index>(column)];
    f += W.col(static_cast<Eigen::Index>(b.column)) * value;
  }
  EXPECT_LT((f - W * p).norm(), 1e-9 * f.norm());
}

// The regressor is what the equations say: Y p - Q = M ddq - delta.
TEST(regressor, gives_the_equations_of_motion) {
  mech::Model m("arm");
  examples::build_arm(m);
  Regressor regressor(m, bodies_of(m));
  const std::vector<double> x = random_states(m, 1, 5).front();
  const std::size_t n = m.coordinates().size();
  const mech::ReferenceEquations e = mech::per_body_virtual_power(m);
  std::vector<Expr> forces = e.delta_q;
  for (Expr& f : forces) f = -f;
  for (const sym::Entry& entry : e.M_qq.entries())
    forces[entry.row] += entry.value * m.coordinates()[entry.col].ddq;
  std::vector<Expr> leaves = m.parameters();
  std::vector<double> in;
  for (const Expr& p : m.parameters()) in.push_back(m.graph().symbol_of(p).value);
  for (std::size_t i = 0; i < n; ++i) {
    const sym::Coordinate& c = m.coordinates()[i];
    leaves.insert(leaves.end(), {c.q, c.dq, c.ddq});
    in.insert(in.end(), {x[i], x[n + i], x[2 * n + i]});
  }
  const sym::Tape tape(leaves, forces);
  std::vector<double> expected(n), registers(tape.registers());
  tape.run(in.data(), expected.data(), registers.data());
  const Eigen::VectorXd actual =
      regressor.at(x.data(), x.data() + n, x.data() + 2 * n) * regressor.values() -
      regressor.known_forces(x.data(), x.data() + n);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(actual[static_cast<Eigen::Index>(i)], expected[i], 1e-11 * actual.norm());
}

}  // namespace
}  // namespace klingel::reduce
