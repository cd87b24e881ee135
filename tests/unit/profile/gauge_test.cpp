// The gauge point: found 14 mm below the top on the inner side of the rail, and refused where the
// profile does not reach it.
#include "profile/gauge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::profile {
namespace {

using testing::HasSubstr;

// A round head: z = 20 (y - 3 mm)^2 for |y| < 40 mm, 14 mm deep at y = 3 mm -+ 26.457 mm.
Profile parabola(double from = -0.04, double to = 0.04) {
  Profile rail;
  rail.name = "parabola";
  rail.kind = ProfileKind::rail;
  const double y0 = 0.003;
  rail.z = spline::CubicSpline({from, to}, {{0, 20, -2 * 20 * y0, 20 * y0 * y0, 0}});
  return rail;
}

using test::error_of;

TEST(gauge, gauge_point_lies_14_mm_below_the_top_on_the_inner_side) {
  const double y = gauge_point_y(parabola());
  // bisection ends at the last bit; 1e-15 m leaves room for the spline's own rounding
  EXPECT_NEAR(y, 0.003 - std::sqrt(0.014 / 20), 1e-15);
  EXPECT_NEAR(gauge_point_y(parabola(), 0.005), 0.003 - std::sqrt(0.005 / 20), 1e-15);
}

TEST(gauge, distance_of_origins_is_gauge_plus_twice_the_inner_half_of_the_head) {
  EXPECT_NEAR(rail_distance(1.435, parabola()), 1.435 - 0.006 + 2 * std::sqrt(0.014 / 20), 1e-14);
}

TEST(gauge, top_is_found_inside_a_piece_of_third_order) {
  Profile rail = parabola();
  // z = y^3 / 3 - a^2 y has its top (smallest z) at y = a = 30 mm, inside the piece
  const double a = 0.03;
  rail.z = spline::CubicSpline({-0.04, 0.04}, {{1e3 / 3, 0, -1e3 * a * a, 0, 0}});
  const double y = gauge_point_y(rail), top = rail.z.value(a);
  EXPECT_LT(y, a);
  EXPECT_NEAR(rail.z.value(y) - top, 0.014, 1e-15);
}

TEST(gauge, steep_face_that_was_cut_goes_on_straight) {
  // z = -a y^3 with the slope -10 at its end, 12 mm inside the top
  const double y_end = -0.012, a = 10 / (3 * y_end * y_end), z_end = -a * y_end * y_end * y_end;
  Profile rail = parabola();
  rail.z = spline::CubicSpline({y_end, 0}, {{-a, 0, 0, 0, 0}});
  EXPECT_NEAR(gauge_point_y(rail, z_end + 0.0004), y_end - 0.00004, 1e-12);
  // further down the line would be a guess
  EXPECT_THAT(error_of([&] { gauge_point_y(rail, z_end + 0.0006); }), HasSubstr("ends 40.000 mm"));
}

TEST(gauge, profile_that_ends_above_the_gauge_point_is_refused) {
  const std::string text = error_of([] { gauge_point_y(parabola(-0.01, 0.04)); });
  EXPECT_THAT(text, HasSubstr("rail profile 'parabola' ends 3.380 mm below its top"));
  EXPECT_THAT(text, HasSubstr("rail_distance"));
}

TEST(gauge, wheels_and_impossible_numbers_are_refused) {
  Profile wheel = parabola();
  wheel.kind = ProfileKind::wheel;
  EXPECT_THAT(error_of([&] { gauge_point_y(wheel); }), HasSubstr("between rails"));
  EXPECT_THAT(error_of([] { gauge_point_y(parabola(), 0); }), HasSubstr("depth of 0 m"));
  EXPECT_THAT(error_of([] { gauge_point_y(parabola(), std::nan("")); }), HasSubstr("depth"));
  EXPECT_THAT(error_of([] { rail_distance(-1, parabola()); }), HasSubstr("positive"));
}

}  // namespace
}  // namespace klingel::profile
