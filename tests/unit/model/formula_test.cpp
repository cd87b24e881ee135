// Subject: model/formula. Claim: functions of formulas have the values of their names; stroke(),
// rate() and turn() are the kinematics of elements.
#include "model/formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mech/suspension.hpp"
#include "sym/tape.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/unit/model/two_bodies.hpp"

namespace klingel::model {
namespace {

using testing::HasSubstr;

// The value of a formula in the file of two bodies, at nominal values.
double value_of(const std::string& formula) {
  const auto model =
      built(std::string(two_bodies) + "[[output]]\nname = 'o'\nvalues = [\"" + formula + "\"]\n");
  return sym::value(model->mechanics.outputs().at(0).second.at(0));
}

std::string message(const std::string& formula) {
  try {
    value_of(formula);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(formula, functions) {
  EXPECT_DOUBLE_EQ(value_of("tanh(x2)"), std::tanh(1.4));
  EXPECT_EQ(value_of("tanh(1e4*x2)"), 1);
  EXPECT_EQ(value_of("tanh(-1e4*x2)"), -1);
  EXPECT_DOUBLE_EQ(value_of("atan(x2)"), std::atan(1.4));
  EXPECT_EQ(value_of("if(x2, 3, 4)"), 3);
  EXPECT_EQ(value_of("if(-x2, 3, 4)"), 4);
  EXPECT_EQ(value_of("if(x2 - x2, 3, 4)"), 3.5);
}

TEST(formula, strokes_and_turns_are_those_of_elements) {
  mech::Model m("two");
  const Two t(m);
  const mech::Stroke line = mech::stroke_along_line(m, "s", t.P, t.Q2);
  const mech::Stroke axis = mech::stroke_along_axis(m, "s", t.P, t.Q2, t.A, 1);
  const mech::Stroke turn = mech::stroke_about_axis(m, "s", t.A, t.B, 2);
  EXPECT_EQ(value_of("stroke(P, Q2)"), sym::value(line.length));
  EXPECT_EQ(value_of("rate(P, Q2)"), sym::value(line.rate));
  EXPECT_EQ(value_of("stroke(P, Q2, A.y)"), sym::value(axis.length));
  EXPECT_EQ(value_of("rate(P, Q2, A.y)"), sym::value(axis.rate));
  EXPECT_EQ(value_of("turn(A.z, B)"), sym::value(turn.length));
  EXPECT_EQ(value_of("turn_rate(A.z, B)"), sym::value(turn.rate));
  EXPECT_DOUBLE_EQ(value_of("turn(ground.z, A)"), 0.2);
  EXPECT_DOUBLE_EQ(value_of("stroke(O, Q, ground.z)"), -0.6);
}

TEST(formula, a_table_is_a_file_beside_the_vehicle) {
  structure::TemporaryFolder folder;
  folder.add("t.csv", "x,y\n# a comment\n0, 0\n1; 2\n2, 1\n");
  folder.add("vehicle.toml", std::string(two_bodies) +
                                 "[[output]]\nname = 'o'\nvalues = [\"table('t.csv', x2 - 0.4)\", "
                                 "\"table('t.csv', x2 - 2.4)\"]\n");
  const auto model = build(vehicle::load_vehicle((folder.path() / "vehicle.toml").string()));
  const auto& values = model->mechanics.outputs().at(0).second;
  EXPECT_DOUBLE_EQ(sym::value(values[0]), 2);
  EXPECT_DOUBLE_EQ(sym::value(values[1]), -2);
}

TEST(formula, wrong_ones_are_errors) {
  EXPECT_THAT(message("stroke(P)"), HasSubstr("stroke() takes 2 to 3 arguments, found 1"));
  EXPECT_THAT(message("stroke(P, R)"), HasSubstr("'R'"));
  EXPECT_THAT(message("stroke(P, Q, A)"), HasSubstr("expected an axis of a base"));
  EXPECT_THAT(message("stroke(P, 2*x1)"), HasSubstr("takes names of points and bases"));
  EXPECT_THAT(message("table(x1, x2)"), HasSubstr("takes a file in quotes first"));
  EXPECT_THAT(message("sin('a')"), HasSubstr("a text is allowed only in table()"));
  EXPECT_THAT(message("table('nowhere.csv', x1)"), HasSubstr("nowhere.csv"));
  EXPECT_THAT(message("if(x1, 2)"), HasSubstr("if() takes 3 arguments, found 2"));
  try {
    built(std::string(two_bodies) + "[[point]]\nname = 'S'\nr = [\"stroke(O, S)\", 0, 0]\n");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("the point S depends on itself"));
  }
}

}  // namespace
}  // namespace klingel::model
