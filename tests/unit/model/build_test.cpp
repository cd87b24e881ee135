// From vehicle files to models: the same mechanics as written in C++, wheels and reference body in
// their places, doubts kept as warnings.
#include "model/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "sym/tape.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<VehicleModel> built(const std::string& text) {
  return build(vehicle::parse_vehicle(text, "v.toml"));
}

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

// two free bodies, to be joined by one element
const char* const two_bodies = R"(
[vehicle]
name = "two"
[parameters]
k = 100
c = 7
[coordinates]
x1 = 0.1
a1 = 0.2
b2 = 0.3
x2 = 1.4
y2 = 0.5
z2 = -0.6
[inputs]
F = 3
[[base]]
name = "A"
axis = "z"
angle = "a1"
[[base]]
name = "B"
axis = [1, 2, "k/100"]
angle = "b2"
[[point]]
name = "P"
r = ["x1", 0, 0]
[[point]]
name = "Q"
r = ["x2", "y2", "z2"]
[[point]]
name = "Q2"
parent = "Q"
base = "B"
r = [0.1, 0.2, 0]
[[body]]
name = "one"
point = "P"
base = "A"
mass = 2
inertia = [1, 1.1, 1.2]
[[body]]
name = "two"
point = "Q"
base = "B"
mass = 3
com = [0, 0.1, 0]
inertia = [0.5, 0.6, 0.7, 0.01, 0, 0]
about = "point"
)";

struct Two {
  explicit Two(mech::Model& m) : model(m) {
    k = m.parameter("k", 100);
    c = m.parameter("c", 7);
    const auto x1 = m.coordinate("x1", 0.1);
    a1 = m.coordinate("a1", 0.2);
    b2 = m.coordinate("b2", 0.3);
    const auto x2 = m.coordinate("x2", 1.4), y2 = m.coordinate("y2", 0.5),
               z2 = m.coordinate("z2", -0.6);
    F = m.input("F", 3);
    const mech::Base G = m.ground_base();
    A = m.rotation("A", G, mech::axis::z, a1.q);
    B = m.rotation("B", G, {1, 2, k / 100}, b2.q);
    P = m.point("P", m.origin(), m.vector(G, x1.q, 0, 0));
    Q = m.point("Q", m.origin(), m.vector(G, x2.q, y2.q, z2.q));
    Q2 = m.point("Q2", Q, m.vector(B, 0.1, 0.2, 0));
    m.body("one", P, A, 2, m.vector(A, 0, 0, 0), m.inertia(A, 1, 1.1, 1.2));
    m.body_about_point("two", Q, B, 3, m.vector(B, 0, 0.1, 0),
                       m.inertia(B, 0.5, 0.6, 0.7, 0.01, 0, 0));
    m.set_gravity(m.vector(G, 0, 0, -9.81));
  }
  mech::Model& model;
  sym::Expr k, c, F;
  sym::Coordinate a1, b2;
  mech::Base A, B;
  mech::Point P, Q, Q2;
};

std::vector<double> forces(mech::Model& m) {
  const std::vector<sym::Expr> delta = mech::generalized_forces(m);
  const test::State state = test::random_state(m, 7);
  return test::values_at(m, delta, state);
}

// The element in the file and the call in C++ make the same forces, to the last bit.
template <class Add>
void expect_same(const std::string& element, const Add& add) {
  const auto file = built(two_bodies + element);
  mech::Model m("two");
  const Two two(m);
  const std::vector<double> without = forces(m);
  mech::Model m2("two");
  const Two again(m2);
  add(m2, again);
  EXPECT_EQ(forces(file->mechanics), forces(m2)) << element;
  EXPECT_NE(forces(file->mechanics), without) << "the element does nothing: " << element;
}

TEST(build, a_pendulum_has_the_mass_and_weight_of_a_pendulum) {
  const auto v = built(pendulum);
  const mech::Equations e = mech::equations(v->mechanics);
  // rod about its end: m l^2 / 3; moment of weight -m g l/2 sin(theta). Rounding only
  EXPECT_NEAR(sym::value(e.M_qq.find(0, 0)->value), 2 * 1.5 * 1.5 / 3, 1e-14);
  EXPECT_NEAR(sym::value(e.delta_q[0]), -2 * 9.81 * 0.75 * std::sin(0.5), 1e-13);
  EXPECT_EQ(v->mechanics.parameters().size(), 2u);  // J follows the others
}

TEST(build, every_force_element_is_the_one_of_the_library) {
  expect_same(
      "[[isotropic_spring]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\nstiffness = 'k'\n"
      "damping = 'c'\nseen_from = 'B'\npreload = [0, 0, 'k/2']\n",
      [](mech::Model& m, const Two& t) {
        mech::isotropic_spring(m, "s", t.P, t.Q2, t.k, t.c, t.B,
                               m.vector(m.ground_base(), 0, 0, t.k / 2));
      });
  expect_same(
      "[[line_spring]]\nname = 's'\nfrom = 'P'\nto = 'Q2'\nstiffness = 'k'\n"
      "damping = 'c'\nnatural_length = 0.3\npreload = 4\n",
      [](mech::Model& m, const Two& t) { mech::line_spring(m, "s", t.P, t.Q2, t.k, t.c, 0.3, 4); });
  expect_same(
      "[[bushing]]\nname = 's'\nfrom = 'P'\nfrom_base = 'A'\nto = 'Q2'\nto_base = 'B'\n"
      "stiffness = ['k', 2, 3]\ndamping = [4, 5, 6]\nturning_stiffness = [7, 8, 9]\n"
      "turning_damping = [1, 2, 'c']\n",
      [](mech::Model& m, const Two& t) {
        mech::bushing(m, "s", {t.P, t.A}, {t.Q2, t.B}, t.A,
                      {{t.k, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 2, t.c}});
      });
  expect_same(
      "[[torsion_spring]]\nname = 's'\nfrom = 'A'\nto = 'B'\naxis = [0, 1, 1]\n"
      "angle = 'b2 - a1'\nstiffness = 'k'\ndamping = 2\nrest = 0.1\npreload = 5\n",
      [](mech::Model& m, const Two& t) {
        mech::torsion_spring(m, "s", t.A, t.B, m.vector(t.A, 0, 1, 1), t.b2.q - t.a1.q, t.k, 2, 0.1,
                             5);
      });
  expect_same(
      "[[gear_pair]]\nname = 's'\none = { point = 'P', base = 'A', angle = 'a1', radius = "
      "0.1 }\ntwo = { point = 'Q', base = 'B', angle = 'b2', radius = 0.2 }\nmesh = 'Q2'\n"
      "line = 'z'\nline_base = 'A'\nstiffness = 'k'\ndamping = 'c'\n",
      [](mech::Model& m, const Two& t) {
        mech::gear_pair(m, "s", {{t.P, t.A}, t.a1.q, 0.1}, {{t.Q, t.B}, t.b2.q, 0.2}, t.Q2,
                        m.axis_vector(t.A, 2), t.k, t.c);
      });
  expect_same(
      "[[applied_force]]\nname = 's'\nforce = ['F', 0, '2*F']\nbase = 'A'\nto = 'Q2'\n"
      "from = 'P'\n",
      [](mech::Model& m, const Two& t) {
        mech::applied_force(m, "s", m.vector(t.A, t.F, 0, 2 * t.F), t.Q2, t.P);
      });
  expect_same("[[applied_torque]]\nname = 's'\ntorque = [0, 'F', 0]\nto = 'B'\nfrom = 'A'\n",
              [](mech::Model& m, const Two& t) {
                mech::applied_torque(m, "s", m.vector(t.B, 0, t.F, 0), t.B, t.A);
              });
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
