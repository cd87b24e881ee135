#include "reduce/reductions.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "examples/mechanisms.hpp"
#include "mech/equations.hpp"
#include "reduce/eliminate.hpp"
#include "reduce/regressor.hpp"
#include "sym/count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/reduce/robots.hpp"

namespace klingel::reduce {
namespace {

using test::error_of;

const std::vector<std::string> equations = {"M_qq", "delta_q"};

std::vector<Expr> all(const sym::Interface& interface) {
  std::vector<Expr> list;
  for (const sym::Function& f : interface.functions)
    for (const sym::Output& o : f.outputs)
      for (const sym::Entry& e : o.matrix.entries()) list.push_back(e.value);
  return list;
}

sym::Interface interface_of(mech::Model& m) { return mech::interface(m, mech::equations(m)); }

TEST(reductions, off_by_default_they_change_nothing) {
  mech::Model m("arm");
  examples::build_arm(m);
  sym::Interface interface = interface_of(m);
  const std::vector<Expr> before = all(interface);
  reduce_inertias(m, {});
  reduce_functions(m, {}, equations, interface);
  EXPECT_EQ(all(interface), before);
  EXPECT_EQ(&m.inertias(), &m.bodies());
}

TEST(reductions, of_a_linkage_find_its_sines) {
  mech::Model m("slider_crank");
  examples::build_slider_crank(m);
  Options options;
  options.trigonometric = true;
  sym::Interface interface = interface_of(m);
  const std::size_t before = sym::count(all(interface)).total();
  reduce_functions(m, options, equations, interface);
  EXPECT_LT(sym::count(all(interface)).total(), before);
}

TEST(reductions, linearisation_leaves_a_symmetric_mass_matrix) {
  mech::Model m("arm");
  const auto roll = m.coordinate("roll"), pitch = m.coordinate("pitch"), yaw = m.coordinate("yaw");
  const mech::Base a = m.rotation("a", m.ground_base(), mech::axis::z, yaw.q);
  const mech::Base b = m.rotation("b", a, mech::axis::y, pitch.q);
  const mech::Base c = m.rotation("c", b, mech::axis::x, roll.q);
  m.body("body", m.origin(), c, m.parameter("m", 2), m.vector(c, 0.1, 0.2, 0.5),
         m.inertia(c, 1, 2, 2.5, 0.1, 0.2, 0.3));
  sym::Interface interface = interface_of(m);
  interface.functions.resize(2);  // energy stays exact
  const std::size_t before = sym::count(all(interface)).total();
  Options options;
  options.small = {"roll", "pitch"};
  reduce_functions(m, options, equations, interface);
  EXPECT_LT(sym::count(all(interface)).total(), before * 3 / 4);
  const sym::Matrix& M = interface.functions[0].outputs[0].matrix;
  for (const sym::Entry& e : M.entries()) {
    ASSERT_NE(M.find(e.col, e.row), nullptr);
    EXPECT_EQ(M.find(e.col, e.row)->value, e.value);
  }
}

TEST(reductions, linearisation_refuses_what_it_would_break) {
  mech::Model m("four_bar");
  examples::build_four_bar(m);
  sym::Interface interface = interface_of(m);
  Options options;
  options.small = {"thta1"};
  EXPECT_NE(error_of([&] {
              reduce_functions(m, options, equations, interface);
            }).find("did you mean 'theta1'"),
            std::string::npos);

  mech::Model loop("loop");
  const auto x = loop.coordinate("x"), y = loop.coordinate("y");
  loop.body("mass", loop.point("P", loop.origin(), loop.vector(loop.ground_base(), x.q, y.q, 0)),
            loop.ground_base(), 1);
  loop.constrain("circle", x.q * x.q + y.q * y.q - 1);
  interface = interface_of(loop);
  options.small = {"x"};
  EXPECT_NE(error_of([&] {
              reduce_functions(loop, options, equations, interface);
            }).find("stands in the constraint 'circle'"),
            std::string::npos);

  mech::Model arm("arm");
  examples::build_arm(arm);
  interface = interface_of(arm);
  options.small = {"q1"};
  EXPECT_NE(error_of([&] {
              reduce_functions(arm, options, equations, interface);
            }).find("starts at -0.5"),
            std::string::npos);
}

TEST(elimination, leaves_out_the_least_first_and_keeps_its_bound) {
  mech::Model m("puma");
  test::build_puma(m);
  use_base_parameters(m);
  const Motion motion{random_states(m, 50)};
  const Elimination e = eliminate(m, motion, 0.03);
  ASSERT_FALSE(e.steps.empty());
  double last = 0;
  for (const Elimination::Step& s : e.steps) {
    EXPECT_GE(s.error, last);
    EXPECT_LE(s.error, 0.03);
    last = s.error;
  }
  EXPECT_LT(e.steps.back().operations, e.operations * 9 / 10);
  // the model itself is as it was
  EXPECT_EQ(dynamics_cost(m), e.operations);
  // and has what the list says once it is dropped
  std::vector<std::string> names;
  for (const Elimination::Step& s : e.steps) names.push_back(s.parameter);
  drop_parameters(m, names);
  EXPECT_EQ(dynamics_cost(m), e.steps.back().operations);
}

TEST(elimination, refuses_unknown_and_needed_parameters) {
  mech::Model m("pendulum");
  examples::build_pendulum(m);
  EXPECT_NE(error_of([&] { drop_parameters(m, {"J_yy(rd)"}); }).find("did you mean 'J_yy(rod)'"),
            std::string::npos);
  EXPECT_NE(error_of([&] { drop_parameters(m, {"J_yy(rod)"}); }).find("moves no mass"),
            std::string::npos);
}

}  // namespace
}  // namespace klingel::reduce
