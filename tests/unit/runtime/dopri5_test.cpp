// Attempts of a step: their order, what they change, and what a refused one leaves alone.
#include "runtime/dopri5.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace klingel::runtime {
namespace {

using Vector = Dopri5::Vector;

void oscillate(const Vector& x, Vector& dx, double /*t*/) {
  dx[0] = x[1];
  dx[1] = -x[0];
}

struct Oscillator {
  Vector x{0, 1}, dx{1, 0};
  double t = 0;
};

// the error of one step of size h that is accepted for certain
double error_of_a_step(double h) {
  Dopri5 method(2, 1.0);
  Oscillator o;
  EXPECT_TRUE(method.attempt(oscillate, o.x, o.dx, o.t, h));
  return std::hypot(o.x[0] - std::sin(o.t), o.x[1] - std::cos(o.t));
}

TEST(dopri5, the_error_of_a_step_is_of_sixth_order) {
  EXPECT_NEAR(std::log2(error_of_a_step(0.2) / error_of_a_step(0.1)), 6, 0.3);
}

TEST(dopri5, an_accepted_step_ends_with_its_derivative) {
  Dopri5 method(2, 1e-6);
  Oscillator o;
  double h = 0.01;
  ASSERT_TRUE(method.attempt(oscillate, o.x, o.dx, o.t, h));
  EXPECT_EQ(o.t, 0.01);
  EXPECT_GT(h, 0.01);  // it was much more accurate than asked for
  EXPECT_EQ(o.dx, (Vector{o.x[1], -o.x[0]}));
}

TEST(dopri5, a_refused_step_changes_only_its_size) {
  Dopri5 method(2, 1e-12);
  Oscillator o;
  double h = 1;
  EXPECT_FALSE(method.attempt(oscillate, o.x, o.dx, o.t, h));
  EXPECT_LT(h, 1);
  EXPECT_EQ(o.t, 0);
  EXPECT_EQ(o.x, (Vector{0, 1}));
}

TEST(dopri5, the_tolerance_is_kept_over_many_steps) {
  Dopri5 method(2, 1e-10);
  Oscillator o;
  double h = 0.1;
  while (o.t < 10) method.attempt(oscillate, o.x, o.dx, o.t, h);
  EXPECT_NEAR(o.x[0], std::sin(o.t), 1e-8);
  EXPECT_GT(std::abs(o.x[0] - std::sin(o.t)), 1e-14);  // and not by steps that are far too short
}

}  // namespace
}  // namespace klingel::runtime
