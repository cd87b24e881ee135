// The description of a mechanism: what it accepts, how it stands, and what it says when it refuses.
#include "mech/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "mech/equations.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class model : public testing::Test {
 protected:
  std::array<double, 9> matrix(Base b, double q_value) {
    test::State state(m);
    state.set(q.q, q_value);
    const std::vector<double> v = test::values_at(m, m.bases()[b.index].R_PB, state);
    std::array<double, 9> R;
    std::copy_n(v.begin(), 9, R.begin());
    return R;
  }
  void expect_rotation(Base b) {
    const auto R = matrix(b, 0.7);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        double d = 0;
        for (std::size_t k = 0; k < 3; ++k) d += R[3 * i + k] * R[3 * j + k];
        EXPECT_NEAR(d, i == j ? 1 : 0, 1e-15);
      }
    }
  }
  Tensor unit_inertia(Base b) { return m.inertia(b, 1, 1, 1); }

  Model m{"m"};
  sym::Coordinate q = m.coordinate("q", 0.3, 0.1);
  Expr p = m.parameter("p", 2);
  Base A = m.rotation("A", m.ground_base(), axis::z, q.q);
  Point P = m.point("P", m.origin(), m.vector(A, p, 0, 0));
};

TEST_F(model, starts_with_a_ground_and_an_origin) {
  Model fresh("fresh");
  EXPECT_EQ(fresh.bases().size(), 1u);
  EXPECT_EQ(fresh.points().size(), 1u);
  EXPECT_EQ(fresh.base("ground"), fresh.ground_base());
  EXPECT_EQ(fresh.point("O"), fresh.origin());
  EXPECT_TRUE(fresh.warnings().empty());
}

TEST_F(model, keeps_symbols_in_the_order_of_definition) {
  const Expr u = m.input("u", 3), f = m.force("f");
  const auto s = m.contact_coordinate("s");
  EXPECT_THAT(m.parameters(), ElementsAre(p));
  EXPECT_THAT(m.inputs(), ElementsAre(u));
  EXPECT_THAT(m.forces(), ElementsAre(f));
  EXPECT_EQ(m.contact_coordinates()[0].q, s.q);
  EXPECT_EQ(sym::value(q.q), 0.3);
  EXPECT_EQ(sym::value(q.dq), 0.1);
  EXPECT_EQ(sym::value(u), 3);
}

// bases

TEST_F(model, a_rotation_takes_the_axes_of_the_parent_to_the_new_ones) {
  // e_x of A stands at the angle q from e_x of the ground
  const auto R = matrix(A, 0.7);
  EXPECT_DOUBLE_EQ(R[0], std::cos(0.7));
  EXPECT_DOUBLE_EQ(R[3], std::sin(0.7));
  EXPECT_DOUBLE_EQ(R[1], -std::sin(0.7));
  EXPECT_EQ(m.bases()[A.index].w_PB[2], q.dq);
}

TEST_F(model, an_axis_along_a_coordinate_axis_is_that_axis) {
  const Base B = m.rotation("B", m.ground_base(), {0, 0, 5}, q.q);
  EXPECT_EQ(m.bases()[B.index].R_PB, m.bases()[A.index].R_PB);
  const Base C = m.rotation("C", m.ground_base(), {0, 0, -0.5}, q.q);
  EXPECT_NEAR(matrix(C, 0.7)[3], -std::sin(0.7), 1e-16);
  EXPECT_EQ(m.bases()[C.index].w_PB[2], -q.dq);
}

TEST_F(model, an_arbitrary_axis_is_normalised_and_stays_where_it_is) {
  const Base B = m.rotation("B", m.ground_base(), {1, 2, -2}, q.q);
  expect_rotation(B);
  const auto R = matrix(B, 0.7);
  const double n[] = {1 / 3., 2 / 3., -2 / 3.};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(R[3 * i] * n[0] + R[3 * i + 1] * n[1] + R[3 * i + 2] * n[2], n[i], 1e-15);
  EXPECT_NEAR(R[0] + R[4] + R[8], 1 + 2 * std::cos(0.7), 1e-15);
}

TEST_F(model, euler_parameters_of_half_the_angle_give_the_rotation) {
  const auto e0 = m.coordinate("e0", 1), e1 = m.coordinate("e1"), e2 = m.coordinate("e2"),
             e3 = m.coordinate("e3");
  const Base E = m.euler_parameters("E", m.ground_base(), {e0.q, e1.q, e2.q, e3.q});
  test::State state(m);
  state.set(e0.q, std::cos(0.35L)).set(e3.q, std::sin(0.35L)).set(q.q, 0.7L);
  const auto R = test::values_at(m, m.bases()[E.index].R_PB, state);
  const auto R_A = test::values_at(m, m.bases()[A.index].R_PB, state);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(R[i], R_A[i], 1e-15);
}

TEST_F(model, a_matrix_that_is_no_rotation_is_refused) {
  EXPECT_EQ(error_of([&] {
              m.rotation_matrix("B", A, {1, 0, 0, 0, 2, 0, 0, 0, 1});
            }),
            "the matrix of base 'B' is not a rotation: rows 2 and 2 give 4 at the nominal values");
  EXPECT_EQ(error_of([&] {
              m.rotation_matrix("B", A, {1, 0, 0, 1, 0, 0, 0, 0, 1});
            }),
            "the matrix of base 'B' is not a rotation: rows 1 and 2 give 1 at the nominal values");
  EXPECT_EQ(error_of([&] {
              m.rotation_matrix("B", A, {1, 0, 0, 0, 1, 0, 0, 0, -1});
            }),
            "the matrix of base 'B' is a reflection, not a rotation");
  EXPECT_EQ(m.bases().size(), 2u);
}

TEST_F(model, axes_are_checked) {
  EXPECT_EQ(error_of([&] { m.rotation("B", A, 3, q.q); }),
            "the axis of base 'B' must be 0, 1 or 2 (x, y, z), found 3");
  EXPECT_EQ(error_of([&] { m.rotation("B", A, -1, q.q); }),
            "the axis of base 'B' must be 0, 1 or 2 (x, y, z), found -1");
  EXPECT_EQ(error_of([&] {
              m.rotation("B", A, {0, 0, 0}, q.q);
            }),
            "the axis of base 'B' is the zero vector");
  EXPECT_THAT(error_of([&] { m.axis_vector(A, 3); }), HasSubstr("must be 0, 1 or 2 (x, y, z)"));
}

// names

TEST_F(model, unknown_names_are_errors_with_the_nearest) {
  m.rotation("rear_bogie", A, axis::x, 0.1);
  m.point("left_axle", P, m.vector(A, 1, 0, 0));
  m.body("wheelset", P, A, 1);
  EXPECT_EQ(error_of([&] { m.base("rear_bogy"); }),
            "the model 'm' has no base 'rear_bogy' so far: define it before its first use; "
            "did you mean 'rear_bogie'?");
  EXPECT_THAT(error_of([&] { m.point("lef_axle"); }), HasSubstr("did you mean 'left_axle'?"));
  EXPECT_THAT(error_of([&] { m.body("wheelse"); }), HasSubstr("did you mean 'wheelset'?"));
  EXPECT_EQ(error_of([&] { m.base("xyzzy"); }),
            "the model 'm' has no base 'xyzzy' so far: define it before its first use");
  EXPECT_EQ(m.body("wheelset").name, "wheelset");
}

TEST_F(model, names_are_unique_and_not_empty) {
  EXPECT_EQ(error_of([&] { m.rotation("A", A, axis::x, 0.1); }),
            "the base 'A' exists already in 'm'");
  EXPECT_EQ(error_of([&] { m.point("P", P, m.vector(A, 1, 0, 0)); }),
            "the point 'P' exists already in 'm'");
  EXPECT_EQ(error_of([&] { m.point("", P, m.vector(A, 1, 0, 0)); }), "a point of 'm' has no name");
  m.body("b", P, A, 1);
  EXPECT_EQ(error_of([&] { m.body("b", P, A, 1); }), "the body 'b' exists already in 'm'");
  EXPECT_THAT(error_of([&] { m.coordinate("q"); }), HasSubstr("'q' exists already"));
  // points and bases may share a name
  EXPECT_EQ(error_of([&] { m.point("A", P, m.vector(A, 1, 0, 0)); }), "no error");
  // what was refused is not there
  EXPECT_EQ(m.bases().size(), 2u);
  EXPECT_EQ(m.bodies().size(), 1u);
}

// other models

TEST_F(model, nothing_of_another_model_is_accepted) {
  Model other("other");
  const auto x = other.coordinate("x");
  EXPECT_EQ(error_of([&] { m.rotation("B", other.ground_base(), axis::x, q.q); }),
            "a base of 'm' uses a base of another model, 'other'");
  EXPECT_EQ(error_of([&] { m.rotation("B", A, axis::x, x.q); }),
            "an expression of another model was used in 'm'");
  EXPECT_EQ(error_of([&] { m.point("Q", other.origin(), m.vector(A, 1, 0, 0)); }),
            "a point of 'm' uses a point of another model, 'other'");
  EXPECT_EQ(error_of([&] { m.point("Q", P, other.vector(other.ground_base(), 1, 0, 0)); }),
            "a point of 'm' uses a base of another model, 'other'");
  EXPECT_EQ(error_of([&] { m.vector(A, x.q, 0, 0); }),
            "an expression of another model was used in 'm'");
  EXPECT_THAT(error_of([&] { m.body("b", P, other.ground_base(), 1); }),
              HasSubstr("of 'm' uses a base of another model, 'other'"));
  EXPECT_EQ(error_of([&] { m.constrain("c", x.q); }),
            "an expression of another model was used in 'm'");
  EXPECT_EQ(error_of([&] { m.output("o", std::array{x.q}); }),
            "an expression of another model was used in 'm'");
  EXPECT_EQ(error_of([&] { m.add_force("f", other.zero_vector(), P); }),
            "a force of 'm' uses a base of another model, 'other'");
  EXPECT_EQ(error_of([&] { m.set_gravity(other.zero_vector()); }),
            "gravity of 'm' uses a base of another model, 'other'");
  EXPECT_EQ(error_of([&] { m.point("Q", Point{}, m.vector(A, 1, 0, 0)); }),
            "a point of 'm' needs a point, found an empty one");
  EXPECT_EQ(error_of([&] { m.rotation("B", Base{}, axis::x, q.q); }),
            "a base of 'm' needs a base, found an empty one");
}

TEST_F(model, two_models_live_in_two_threads) {
  std::array<double, 2> energy{};
  const auto run = [&](std::size_t i) {
    Model own("own" + std::to_string(i));
    const auto a = own.coordinate("a", 0.5, 1);
    const Base B = own.rotation("B", own.ground_base(), axis::y, a.q);
    own.body("bob", own.point("P", own.origin(), own.vector(B, 0, 0, -2)), B, 3);
    energy[i] = sym::value(equations(own).kinetic_energy);
  };
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  EXPECT_DOUBLE_EQ(energy[0], 6);
  EXPECT_EQ(energy[0], energy[1]);
}

// bodies

TEST_F(model, mass_data_must_be_constant_in_the_body) {
  EXPECT_EQ(error_of([&] { m.body("b", P, A, q.q); }),
            "the mass of body 'b' must be constant in its base; it depends on more than "
            "parameters");
  // given in the ground, the centre of mass would wander through the body
  EXPECT_EQ(
      error_of([&] { m.body("b", P, A, 1, m.vector(m.ground_base(), 1, 0, 0), unit_inertia(A)); }),
      "the centre of mass of body 'b' must be constant in its base; it depends on more than "
      "parameters");
  EXPECT_THAT(error_of([&] {
                m.body("b", P, A, 1, m.vector(A, 0, 0, 0), m.inertia(m.ground_base(), 1, 2, 3));
              }),
              HasSubstr("the inertia of body 'b' must be constant"));
  EXPECT_TRUE(m.bodies().empty());
}

TEST_F(model, a_tensor_must_be_symmetric) {
  const Tensor t = m.tensor(A, {1, 0.1, 0, 0, 1, 0, 0, 0, 1});
  EXPECT_EQ(error_of([&] { m.body("b", P, A, 1, m.vector(A, 0, 0, 0), t); }),
            "the inertia tensor of body 'b' is not symmetric");
  EXPECT_EQ(error_of([&] { m.body_about_point("b", P, A, 1, m.vector(A, 1, 2, 3), t); }),
            "the inertia tensor of body 'b' is not symmetric");
}

TEST_F(model, data_in_a_base_fixed_to_the_body_are_turned_into_its_base) {
  const Base tilted = m.rotation("tilted", A, {1, 2, 3}, 0.4);
  const Body& b = m.body("b", P, A, 1, m.vector(tilted, 1, 0, 0), m.inertia(tilted, 1, 2, 2.5));
  EXPECT_EQ(b.inertia.base, A);
  EXPECT_TRUE(is_symmetric(b.inertia.c));
  const double trace = sym::value(b.inertia.c[0] + b.inertia.c[4] + b.inertia.c[8]);
  EXPECT_NEAR(trace, 5.5, 1e-14);
}

TEST_F(model, a_body_of_revolution_loses_its_spin) {
  const Expr I = m.parameter("I", 1), J = m.parameter("J", 1.5);
  const Body& disc = m.body("disc", P, A, 1, m.vector(A, 0, 0, p), m.inertia(A, I, I, J));
  EXPECT_EQ(disc.base, A);
  EXPECT_EQ(disc.inertia.base, m.ground_base());
  EXPECT_EQ(disc.com.base, m.ground_base());
  // not if the moments are two parameters, the axis is another one, or the centre is off the axis
  const Expr I2 = m.parameter("I2", 1);
  EXPECT_EQ(m.body("two", P, A, 1, m.vector(A, 0, 0, p), m.inertia(A, I, I2, J)).inertia.base, A);
  EXPECT_EQ(m.body("axis", P, A, 1, m.vector(A, 0, 0, p), m.inertia(A, I, J, I)).inertia.base, A);
  EXPECT_EQ(m.body("off", P, A, 1, m.vector(A, p, 0, 0), m.inertia(A, I, I, J)).inertia.base, A);
  EXPECT_EQ(m.body("xz", P, A, 1, m.vector(A, 0, 0, 0), m.inertia(A, I, I, J, 0, 0.1)).inertia.base,
            A);
}

// the data of the article's locomotive, which has to be warned about and not refused
TEST_F(model, unphysical_data_are_a_warning_with_the_reason) {
  m.body("vehicle", P, A, 22608, m.vector(A, -0.1372, 0, 3.5), m.inertia(A, 7800, 53079, 17000));
  m.body("housing", P, A, 568.8, m.vector(A, 0, 0, 0), m.inertia(A, 49.3, 139.1, 6.69));
  m.body("balloon", P, A, -3);
  m.body("hollow", P, A, 1, m.vector(A, 0, 0, 0), m.inertia(A, 1, -0.5, 1));
  m.body_about_point("shifted", P, A, 2, m.vector(A, 0, 0, 1), m.inertia(A, 1, 3, 3));
  m.body("good", P, A, 2, m.vector(A, 0, 0, 1), m.inertia(A, 1, 2, 3));
  EXPECT_THAT(
      m.warnings(),
      ElementsAre("body 'vehicle' of 'm': the principal moments of inertia about the centre of "
                  "mass, 7800, 17000 and 53079, break the triangle inequality: no real body has "
                  "them",
                  "body 'housing' of 'm': the principal moments of inertia about the centre of "
                  "mass, 6.69, 49.3 and 139.1, break the triangle inequality: no real body has "
                  "them",
                  "body 'balloon' of 'm': the mass -3 is negative",
                  "body 'hollow' of 'm': a principal moment of inertia about the centre of mass is "
                  "negative, -0.5",
                  "body 'shifted' of 'm': a principal moment of inertia about the centre of mass "
                  "is negative, -1"));
  EXPECT_EQ(m.bodies().size(), 6u);
}

TEST_F(model, a_refused_body_leaves_no_warning) {
  m.body("b", P, A, 1);
  error_of([&] { m.body("b", P, A, -1); });
  EXPECT_TRUE(m.warnings().empty());
}

// positions and constraints

TEST_F(model, positions_do_not_depend_on_velocities) {
  EXPECT_EQ(error_of([&] { m.point("Q", P, m.vector(A, q.dq, 0, 0)); }),
            "the point 'Q' depends on velocities or accelerations; it may use coordinates, "
            "parameters and time only");
  EXPECT_EQ(error_of([&] { m.rotation("B", A, axis::x, q.q + q.ddq); }),
            "the base 'B' depends on velocities or accelerations; it may use coordinates, "
            "parameters and time only");
}

TEST_F(model, constraints_are_equations_in_coordinates) {
  m.constrain("c", q.q - p);
  EXPECT_EQ(m.constraints()[0].name, "c");
  EXPECT_EQ(error_of([&] { m.constrain("c", q.q); }), "the constraint 'c' exists already in 'm'");
  EXPECT_EQ(error_of([&] { m.constrain("v", q.q + q.dq); }),
            "the constraint 'v' of 'm' depends on velocities, accelerations or forces; it may use "
            "coordinates, parameters and time only");
  EXPECT_THAT(error_of([&] { m.constrain("f", q.q + m.force("f")); }), HasSubstr("forces"));
  EXPECT_EQ(error_of([&] { m.constrain("n", q.q - q.q); }),
            "the constraint 'n' of 'm' is the constant 0");
  EXPECT_EQ(error_of([&] { m.constrain("p", p - 1); }),
            "the constraint 'p' of 'm' depends on no coordinate, so it restricts nothing");
  EXPECT_EQ(m.constraints().size(), 1u);
}

}  // namespace
}  // namespace klingel::mech
