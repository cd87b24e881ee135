// From vehicle files to models: the same mechanics as written in C++, wheels and reference body in
// their places, doubts kept as warnings.
#include "model/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "sym/tape.hpp"
#include "tests/unit/model/two_bodies.hpp"

namespace klingel::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const pendulum = R"(
[vehicle]
name = "pendulum"
gravity = 9.81
[parameters]
l = 1.5
m = 2
J = "m*l^2/12"
[coordinates]
theta = { value = 0.5, rate = 0.1 }
[[base]]
name = "B"
axis = "y"
angle = "theta"
[[body]]
name = "rod"
point = "O"
base = "B"
mass = "m"
com = [0, 0, "-l/2"]
inertia = ["J", "J", 0]
)";

TEST(build, a_pendulum_has_the_mass_and_weight_of_a_pendulum) {
  const auto v = built(pendulum);
  const mech::Equations e = mech::equations(v->mechanics);
  // rod about its end: m l^2 / 3; moment of weight -m g l/2 sin(theta). Rounding only
  EXPECT_NEAR(sym::value(e.M_qq.find(0, 0)->value), 2 * 1.5 * 1.5 / 3, 1e-14);
  EXPECT_NEAR(sym::value(e.delta_q[0]), -2 * 9.81 * 0.75 * std::sin(0.5), 1e-13);
  EXPECT_EQ(v->mechanics.parameters().size(), 2u);  // J follows the others
}

TEST(build, constraints_and_outputs_are_those_of_the_file) {
  const auto v = built(std::string(two_bodies) +
                       "[[constraint]]\nname = 'a'\nphi = 'x2 - 2*x1 - t'\n"
                       "[[coincide]]\nname = 'b'\npoints = ['P', 'Q2']\n"
                       "[[coincide]]\nname = 'c'\npoints = ['P', 'Q2']\nnormal = 'y'\n"
                       "[[parallel]]\nname = 'd'\nbase = 'A'\naxis = 'x'\nto_base = 'B'\n"
                       "to_axis = 'z'\n[[distance]]\nname = 'e'\npoints = ['P', 'Q2']\nlength = 2\n"
                       "[[output]]\nname = 'o'\nvalues = ['x1 + k', 'rate(x2)']\n"
                       "[[output]]\nname = 'p'\nmeasure = 'position'\nof = 'Q'\n"
                       "[[output]]\nname = 'w'\nmeasure = 'angular_velocity'\nof = 'A'\n");
  mech::Model& m = v->mechanics;
  EXPECT_EQ(m.constraints().size(), 1u + 3 + 2 + 2 + 1);
  EXPECT_NEAR(sym::value(m.constraints()[0].phi), 1.4 - 0.2, 1e-15);
  ASSERT_EQ(m.outputs().size(), 3u);
  EXPECT_NEAR(sym::value(m.outputs()[0].second[0]), 100.1, 1e-13);
  EXPECT_NEAR(sym::value(m.outputs()[1].second[1]), 0.5, 1e-15);
}

TEST(build, euler_parameters_and_matrices_are_bases) {
  const auto v = built(R"toml(
[vehicle]
name = "free"
[coordinates]
e0 = 1
e1 = 0
e2 = 0
e3 = 0
u = 0.1
[[base]]
name = "E"
euler_parameters = ["e0", "e1", "e2", "e3"]
[[base]]
name = "R"
parent = "E"
matrix = ["cos(u)", "-sin(u)", 0, "sin(u)", "cos(u)", 0, 0, 0, 1]
[[unit_norm]]
name = "norm"
euler_parameters = ["e0", "e1", "e2", "e3"]
)toml");
  const mech::Block R = mech::base_change(v->mechanics.ground_base(), v->mechanics.base("R"));
  EXPECT_NEAR(sym::value(R[0]), std::cos(0.1), 1e-15);
  EXPECT_NEAR(sym::value(R[1]), -std::sin(0.1), 1e-15);
  EXPECT_EQ(v->mechanics.constraints().size(), 1u);
}

TEST(build, parents_may_stand_behind_their_children) {
  const auto v = built(
      "[vehicle]\nname = 'a'\n[[point]]\nname = 'late'\nparent = 'early'\nr = [1, 0, 0]\n"
      "[[point]]\nname = 'early'\nr = [0, 2, 0]\n");
  const mech::Vector r = mech::position(v->mechanics.origin(), v->mechanics.point("late"));
  EXPECT_EQ(sym::value(r.x()), 1);
  EXPECT_EQ(sym::value(r.y()), 2);
}

TEST(build, what_mechanics_refuses_is_an_error_with_the_place) {
  try {
    built(
        "[vehicle]\nname = 'a'\n[coordinates]\nx = 0\n\n[[body]]\nname = 'b'\npoint = 'O'\n"
        "base = 'ground'\nmass = 'x'\n");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("v.toml:6:"));
  }
}

TEST(build, unphysical_inertia_is_kept_and_warned_about) {
  const auto v = built(
      "[vehicle]\nname = 'a'\n[[body]]\nname = 'b'\npoint = 'O'\n"
      "base = 'ground'\nmass = 1\ninertia = [1, 9, 1]\n");
  ASSERT_EQ(v->warnings.size(), 1u);
  EXPECT_THAT(v->warnings[0], HasSubstr("'b'"));
}

class Locomotive : public testing::Test {
 protected:
  std::unique_ptr<VehicleModel> vehicle =
      build(vehicle::load_vehicle(KLINGEL_SOURCE_DIR "/vehicles/feve3000/vehicle.toml"));

  // lines "name,number,number..." of a file
  static std::vector<std::pair<std::string, std::vector<double>>> rows(const char* path) {
    std::ifstream file(std::string(KLINGEL_SOURCE_DIR) + path);
    std::vector<std::pair<std::string, std::vector<double>>> result;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("#")) continue;
      std::istringstream fields(line);
      std::string first;
      std::getline(fields, first, ',');
      std::vector<double> values;
      for (std::string f; std::getline(fields, f, ',');) values.push_back(std::stod(f));
      result.emplace_back(first, values);
    }
    return result;
  }
};

TEST_F(Locomotive, mass_matrix_and_forces_are_those_of_an_independent_program) {
  mech::Model& m = vehicle->mechanics;
  const mech::Equations e = mech::equations(m);
  test::State state(m);
  std::vector<double> delta;
  for (const auto& [name, values] : rows("/tests/unit/model/locomotive_forces.csv")) {
    for (std::size_t i = 0; i < 30; ++i) {
      if (name == "q") state.set(m.coordinates()[i].q, values[i]);
      if (name == "dq") state.set(m.coordinates()[i].dq, values[i]);
    }
    if (name == "delta_q") delta = values;
  }
  std::vector<double> M(900, 0.0);
  double largest = 0;
  for (const auto& [name, values] : rows("/tests/physics/locomotive_mass_matrix.csv")) {
    if (name == "q") continue;
    const auto r = static_cast<std::size_t>(std::stoi(name)),
               c = static_cast<std::size_t>(values[0]);
    M[c * 30 + r] = M[r * 30 + c] = values[1];
    largest = std::max(largest, std::abs(values[1]));
  }
  // both programs round in their own order
  const std::vector<double> M_found = test::values_at(m, test::dense(m, e.M_qq), state);
  for (std::size_t i = 0; i < 900; ++i) EXPECT_NEAR(M_found[i], M[i], 1e-13 * largest) << i;
  const std::vector<double> found = test::values_at(m, e.delta_q, state);
  ASSERT_EQ(delta.size(), 30u);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(found[i], delta[i], 1e-13 * 333605) << i;
}

TEST_F(Locomotive, wheels_stand_right_then_left_per_wheelset) {
  std::vector<std::string> wheels, wheelsets;
  for (const WheelPlace& w : vehicle->wheels) wheels.push_back(w.name);
  for (const WheelsetPlace& w : vehicle->wheelsets) wheelsets.push_back(w.name);
  EXPECT_THAT(wheels, ElementsAre("rear.front.right", "rear.front.left", "rear.rear.right",
                                  "rear.rear.left", "front.front.right", "front.front.left",
                                  "front.rear.right", "front.rear.left"));
  EXPECT_THAT(wheelsets, ElementsAre("rear.front", "rear.rear", "front.front", "front.rear"));
  const WheelsetPlace& second = vehicle->wheelsets[1];
  EXPECT_EQ(second.spin, 19u);
  EXPECT_THAT(second.wheels, ElementsAre(2u, 3u));
  EXPECT_EQ(vehicle->wheels[2].y_w, -0.535);
  EXPECT_EQ(vehicle->wheels[3].y_w, 0.535);
  const mech::Vector r =
      mech::in_base(mech::position(second.centre, vehicle->wheels[3].reference), second.still);
  EXPECT_EQ(sym::value(r.y()), 0.535);
}

TEST_F(Locomotive, its_body_is_the_reference_and_its_inertia_is_doubted) {
  ASSERT_TRUE(vehicle->reference.has_value());
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(vehicle->reference->coordinates[i], i);
  // body, two bogie frames (their inertia is about the point) and two motor housings
  EXPECT_EQ(vehicle->warnings.size(), 5u);
  EXPECT_THAT(vehicle->warnings[0], HasSubstr("'body'"));
}

}  // namespace
}  // namespace klingel::model
