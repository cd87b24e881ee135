// Every force element of a file is the one of the library.
#include "model/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.hpp"
#include "tests/unit/model/two_bodies.hpp"
#include "vehicle/schema.hpp"

namespace klingel::model {
namespace {

using testing::HasSubstr;

TEST(elements, isotropic_spring) {
  expect_same(
      "[[isotropic_spring]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\nstiffness = 'k'\n"
      "damping = 'c'\nseen_from = 'B'\npreload = [0, 0, 'k/2']\n",
      [](mech::Model& m, const Two& t) {
        mech::isotropic_spring(m, "s", t.P, t.Q2, t.k, t.c, t.B,
                               m.vector(m.ground_base(), 0, 0, t.k / 2));
      });
}

TEST(elements, line_spring) {
  expect_same(
      "[[line_spring]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\nstiffness = 'k'\n"
      "damping = 'c'\nnatural_length = 0.3\npreload = 4\n",
      [](mech::Model& m, const Two& t) { mech::line_spring(m, "s", t.P, t.Q2, t.k, t.c, 0.3, 4); });
}

TEST(elements, bushing) {
  expect_same(
      "[[bushing]]\nname = 's'\nfrom = 'P'\nfrom_base = 'A'\nto = 'Q2'\nto_base = 'B'\n"
      "stiffness = ['k', 2, 3]\ndamping = [4, 5, 6]\nturning_stiffness = [7, 8, 9]\n"
      "turning_damping = [1, 2, 'c']\n",
      [](mech::Model& m, const Two& t) {
        mech::bushing(m, "s", {t.P, t.A}, {t.Q2, t.B}, t.A,
                      {{t.k, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 2, t.c}});
      });
}

TEST(elements, torsion_spring) {
  expect_same(
      "[[torsion_spring]]\nname = 's'\nfrom = 'A'\nto = 'B'\naxis = [0, 1, 1]\n"
      "angle = 'b2 - a1'\nstiffness = 'k'\ndamping = 2\nrest = 0.1\npreload = 5\n",
      [](mech::Model& m, const Two& t) {
        mech::torsion_spring(m, "s", t.A, t.B, m.vector(t.A, 0, 1, 1), t.b2.q - t.a1.q, t.k, 2, 0.1,
                             5);
      });
}

TEST(elements, gear_pair) {
  expect_same(
      "[[gear_pair]]\nname = 's'\none = { point = 'P', base = 'A', angle = 'a1', radius = "
      "0.1 }\ntwo = { point = 'Q', base = 'B', angle = 'b2', radius = 0.2 }\nmesh = 'Q2'\n"
      "line = 'z'\nline_base = 'A'\nstiffness = 'k'\ndamping = 'c'\n",
      [](mech::Model& m, const Two& t) {
        mech::gear_pair(m, "s", {{t.P, t.A}, t.a1.q, 0.1}, {{t.Q, t.B}, t.b2.q, 0.2}, t.Q2,
                        m.axis_vector(t.A, 2), t.k, t.c);
      });
}

TEST(elements, applied_force) {
  expect_same(
      "[[applied_force]]\nname = 's'\nforce = ['F', 0, '2*F']\nbase = 'A'\nto = 'Q2'\n"
      "from = 'P'\n",
      [](mech::Model& m, const Two& t) {
        mech::applied_force(m, "s", m.vector(t.A, t.F, 0, 2 * t.F), t.Q2, t.P);
      });
}

TEST(elements, applied_torque) {
  expect_same("[[applied_torque]]\nname = 's'\ntorque = [0, 'F', 0]\nto = 'B'\nfrom = 'A'\n",
              [](mech::Model& m, const Two& t) {
                mech::applied_torque(m, "s", m.vector(t.B, 0, t.F, 0), t.B, t.A);
              });
}

TEST(elements, each_has_a_test) {
  const std::string tests =
      base::read_file(KLINGEL_SOURCE_DIR "/tests/unit/model/elements_test.cpp");
  for (const vehicle::Section* table : vehicle::element_tables())
    EXPECT_THAT(tests, HasSubstr("\"[[" + std::string(table->name) + "]]"));
}

TEST(elements, what_mechanics_refuses_is_an_error_with_the_place) {
  try {
    built(std::string(two_bodies) +
          "[[line_spring]]\nname = 's'\nfrom = 'P'\nto = 'P'\nstiffness = 1\n");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("the spring 's' joins the point 'P' with itself"));
    ASSERT_TRUE(e.place().has_value());
    EXPECT_GT(e.place()->line, 40);
  }
}

}  // namespace
}  // namespace klingel::model
