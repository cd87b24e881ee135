// Every force element of a file is the one of the library.
#include "model/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.hpp"
#include "mech/suspension.hpp"
#include "sym/tape.hpp"
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

// The same with internal states: forces, and how the states change, at a state that is not zero.
template <class Add>
void expect_same_states(const std::string& element, const Add& add) {
  const auto file = built(two_bodies + element);
  mech::Model m("two");
  const Two two(m);
  add(m, two);
  ASSERT_EQ(file->mechanics.internal_states().size(), m.internal_states().size());
  ASSERT_FALSE(m.internal_states().empty());
  const auto values = [](mech::Model& model) {
    for (const mech::InternalState& s : model.internal_states()) {
      model.graph().set_value(s.value, 5);
      model.graph().set_value(s.stroke_end, 0.01 + sym::value(s.stroke));
    }
    std::vector<double> list;
    for (const sym::Expr& e : mech::generalized_forces(model)) list.push_back(sym::value(e));
    for (const mech::InternalState& s : model.internal_states()) list.push_back(sym::value(s.next));
    for (const mech::Measure& c : model.measures()) list.push_back(sym::value(c.value));
    return list;
  };
  EXPECT_EQ(values(file->mechanics), values(m)) << element;
}

TEST(elements, strut) {
  expect_same(
      "[[strut]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\naxes = 'A'\nalong = 'y'\n"
      "stiffness = 'k'\npreload = 4\nrest = 0.2\ncurve = [[-1, -20], [0, 0], [1, 30]]\n"
      "polynomial = [1, 0, 'k']\nclearance = 0.01\nstop_stiffness = 1000\ndamping = 'c'\n"
      "blow_off = 2\nblow_off_damping = 1\n",
      [](mech::Model& m, const Two& t) {
        mech::SpringLaw spring;
        spring.stiffness = t.k, spring.preload = 4, spring.rest = 0.2;
        spring.polynomial = {1, 0, t.k};
        spring.curve.emplace(std::vector<std::array<double, 2>>{{-1, -20}, {0, 0}, {1, 30}});
        spring.stop = mech::SpringLaw::Stop{0.01, 0.01, 1000, 0};
        mech::DamperLaw damper;
        damper.damping = t.c, damper.blow_off = 2, damper.blow_off_damping = 1;
        mech::strut(m, mech::stroke_along_axis(m, "s", t.P, t.Q2, t.A, 1), spring, damper);
      });
}

TEST(elements, series_damper) {
  expect_same_states(
      "[[series_damper]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\nend_stiffness = '10*k'\n"
      "damping = 'c'\nstiffness = 'k'\nrest = 0.1\n",
      [](mech::Model& m, const Two& t) {
        mech::SpringLaw beside;
        beside.stiffness = t.k, beside.rest = 0.1;
        mech::DamperLaw damper;
        damper.damping = t.c;
        mech::series_damper(m, mech::stroke_along_line(m, "s", t.P, t.Q2), 10 * t.k, damper,
                            beside);
      });
}

TEST(elements, friction) {
  expect_same_states(
      "[[friction]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\naxes = 'B'\nacross = 'z'\n"
      "force = 'c'\nstick_stiffness = 'k'\n",
      [](mech::Model& m, const Two& t) {
        mech::friction(m,
                       {mech::stroke_along_axis(m, "s.x", t.P, t.Q2, t.B, 0),
                        mech::stroke_along_axis(m, "s.y", t.P, t.Q2, t.B, 1)},
                       t.c, t.k);
      });
}

TEST(elements, friction_torque) {
  expect_same_states(
      "[[friction_torque]]\nname = 's'\nfrom = 'A'\nto = 'B'\naxis = 'z'\ntorque = 'c'\n"
      "stick_stiffness = 'k'\n",
      [](mech::Model& m, const Two& t) {
        mech::friction(m, {mech::stroke_about_axis(m, "s", t.A, t.B, 2)}, t.c, t.k);
      });
}

TEST(elements, anti_roll_bar) {
  expect_same(
      "[[point]]\nname = 'P2'\nparent = 'P'\nbase = 'A'\nr = [0, 2, 0]\n"
      "[[anti_roll_bar]]\nname = 's'\nfrom = ['P', 'P2']\nto = ['Q', 'Q2']\naxes = 'A'\n"
      "along = 'z'\nstiffness = 'k'\ndamping = 'c'\n",
      [](mech::Model& m, const Two& t) {
        const mech::Point P2 = m.point("P2", t.P, m.vector(t.A, 0, 2, 0));
        mech::anti_roll_bar(m, "s", mech::stroke_along_axis(m, "s.first", t.P, t.Q, t.A, 2),
                            mech::stroke_along_axis(m, "s.second", P2, t.Q2, t.A, 2), 2, t.k, t.c);
      });
}

TEST(elements, air_spring) {
  expect_same_states(
      "[[air_spring]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\naxes = 'A'\nalong = 'z'\n"
      "pressure = 5e5\narea = 0.2\nvolume = 0.03\nreservoir = 0.05\norifice_damping = 'c'\n"
      "shear_stiffness = 'k'\n",
      [](mech::Model& m, const Two& t) {
        const auto along = [&](int axis, const char* name) {
          return mech::stroke_along_axis(m, name, t.P, t.Q2, t.A, axis);
        };
        mech::air_spring(m, along(2, "s.z"), {along(0, "s.x"), along(1, "s.y")},
                         {5e5, 101325, 0.2, 0, 0.03, 0.05, 1.3, t.c, t.k, 0});
      });
}

TEST(elements, keys_that_do_not_go_together_are_errors) {
  const auto message = [](const std::string& element) -> std::string {
    try {
      built(two_bodies + element);
    } catch (const base::Error& e) {
      return e.what();
    }
    return "no error";
  };
  const std::string strut = "[[strut]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\n";
  EXPECT_THAT(message(strut + "along = 'x'\n"), HasSubstr("'axes' and 'along' belong together"));
  EXPECT_THAT(message(strut + "clearance = 0.1\n"), HasSubstr("needs 'stop_stiffness'"));
  EXPECT_THAT(message(strut + "clearance = -0.1\nstop_stiffness = 1\n"),
              HasSubstr("'clearance' must not be negative, found -0.1"));
  EXPECT_THAT(message(strut + "blow_off = 1\n"), HasSubstr("'blow_off' needs 'damping'"));
  EXPECT_THAT(message(strut + "curve = [[0, 0], [1, -1]]\n"), HasSubstr("a curve must not fall"));
  EXPECT_THAT(message(strut + "curve = [[0, 0], [0, 1]]\n"),
              HasSubstr("ascending first values, found 0 after 0"));
  EXPECT_THAT(message("[[friction]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\nforce = -5\n"
                      "stick_stiffness = 1\n"),
              HasSubstr("'force' must not be negative, found -5"));
  EXPECT_THAT(message("[[sensor]]\nname = 's'\nkind = 'gyro'\nbase = 'C'\n"), HasSubstr("'C'"));
  EXPECT_THAT(message("[[sensor]]\nname = 's'\nkind = 'gyro'\nbase = 'A'\npoint = 'P'\n"),
              HasSubstr("a sensor of kind 'gyro' has no key 'point'"));
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
