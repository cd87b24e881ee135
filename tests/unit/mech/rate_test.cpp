// Time derivatives of scalars and the angular velocity hidden in a matrix.
#include "mech/rate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mech/model.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

using test::error_of;
using testing::HasSubstr;

class rate_of : public testing::Test {
 protected:
  Model m{"m"};
  sym::Coordinate q = m.coordinate("q"), r = m.coordinate("r");
  Expr p = m.parameter("p", 2);
};

TEST_F(rate_of, constants_is_zero) {
  EXPECT_TRUE(rate(m.number(3)).is(0));
  EXPECT_TRUE(rate(p * p).is(0));
  EXPECT_TRUE(rate(p, Ddq::zero).is(0));
}

TEST_F(rate_of, coordinates_are_velocities_and_then_accelerations) {
  EXPECT_EQ(rate(q.q), q.dq);
  EXPECT_EQ(rate(q.dq), q.ddq);
  EXPECT_EQ(rate(p * q.q), p * q.dq);
  EXPECT_EQ(rate(q.q * r.q), q.dq * r.q + q.q * r.dq);
}

TEST_F(rate_of, velocities_is_zero_without_accelerations) {
  EXPECT_TRUE(rate(q.dq, Ddq::zero).is(0));
  EXPECT_TRUE(rate(p * q.dq, Ddq::zero).is(0));
  EXPECT_EQ(rate(r.q * q.dq, Ddq::zero), r.dq * q.dq);
  EXPECT_EQ(rate(r.q * q.dq, Ddq::symbols), r.dq * q.dq + r.q * q.ddq);
}

TEST_F(rate_of, time_is_one_and_declared_rates_count) {
  const Expr t = m.graph().time();
  EXPECT_TRUE(rate(t).is(1));
  EXPECT_EQ(rate(t * q.dq, Ddq::zero), q.dq);
  const Expr u = m.input("u"), v = m.input("v");
  m.graph().set_rate(u, v);
  EXPECT_EQ(rate(u), v);
  EXPECT_EQ(rate(u * q.dq, Ddq::zero), v * q.dq);
}

TEST_F(rate_of, an_input_without_a_rate_is_an_error_with_its_name) {
  const Expr u = m.input("u");
  EXPECT_THAT(error_of([&] { rate(q.q + u); }), HasSubstr("'u' (input)"));
  EXPECT_THAT(error_of([&] { rate(q.dq * u, Ddq::zero); }), HasSubstr("'u' (input)"));
}

TEST_F(rate_of, time_is_known_by_its_kind_not_by_its_name) {
  EXPECT_FALSE(time_of(m.graph()).has_value());
  m.parameter("t", 1);
  EXPECT_FALSE(time_of(m.graph()).has_value());
  Model other("other");
  const Expr t = other.graph().time();
  EXPECT_EQ(time_of(other.graph()), t);
}

TEST_F(rate_of, a_matrix_is_the_angular_velocity_in_the_turned_base) {
  for (const int k : {axis::x, axis::y, axis::z}) {
    const Base B = m.rotation("B" + std::to_string(k), m.ground_base(), k, q.q);
    const Triple w = angular_velocity_of(m.bases()[B.index].R_PB);
    const std::vector<double> v =
        test::values_at(m, w, test::State(m).set(q.q, 0.4).set(q.dq, 1.5));
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(v[i], i == static_cast<std::size_t>(k) ? 1.5 : 0, 1e-15);
  }
}

}  // namespace
}  // namespace klingel::mech
