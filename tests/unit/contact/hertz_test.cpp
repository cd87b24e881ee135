// Hertz' ellipse against elliptic integrals evaluated the other way round: from the ellipse to the
// curvatures that make it, which needs no root.
#include "contact/hertz.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "base/error.hpp"

namespace klingel::contact {
namespace {

using std::numbers::pi;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double E = 210e9, poisson = 0.27, E_star = E / (2 * (1 - poisson * poisson));

// Everything from the semi-axes and the force; long double, so that K - E keeps its digits. The
// formulas are those of a long axis and a short one (Johnson, Contact Mechanics, chapter 4).
struct Exact {
  double A, B, delta, p0;
};
Exact exact(double a, double b, double N) {
  const long double L = std::max(a, b), S = std::min(a, b), k = S / L, e2 = (1 - k) * (1 + k),
                    e = std::sqrt(e2), p0 = 1.5L * N / (pi * L * S), p = p0 / E_star;
  const long double K = std::comp_ellint_1l(e), Ee = std::comp_ellint_2l(e);
  // the circle is a limit: both differences are pi/4 e^2 there
  const long double small = e2 > 0 ? p * S / (e2 * L * L) * (K - Ee) : p * pi / (4 * L);
  const long double large = e2 > 0 ? p * S / (e2 * L * L) * (Ee / (k * k) - K) : small;
  return {static_cast<double>(a > b ? small : large), static_cast<double>(a > b ? large : small),
          static_cast<double>(p * S * K), static_cast<double>(p0)};
}

TEST(hertz, axes_and_approach_are_those_of_the_elliptic_integrals) {
  const HertzTable table(E, poisson);
  double worst = 0, least = 1, most = 1;
  for (int i = -700; i <= 700; ++i) {
    // a/b from 0.003 to 300: A/B from 7e-5 to 14e3
    const double ratio = std::pow(10.0, i / 280.0), b = 5e-3 / std::sqrt(ratio), a = ratio * b;
    const Exact x = exact(a, b, 40e3);
    const HertzPatch patch = table.patch({x.A, x.B}, 40e3);
    ASSERT_TRUE(patch.valid && !patch.limited) << ratio;
    least = std::min(least, x.A / x.B);
    most = std::max(most, x.A / x.B);
    for (const double d :
         {patch.a / a - 1, patch.b / b - 1, patch.delta / x.delta - 1, patch.p0() / x.p0 - 1,
          table.stiffness({x.A, x.B}) * std::pow(x.delta, 1.5) / 40e3 - 1})
      worst = std::max(worst, std::abs(d));
  }
  EXPECT_LT(least, 1e-4);
  EXPECT_GT(most, 1e4);
  EXPECT_LT(worst, 1e-6);  // 16 cells per octave, cubic: (1/16)^4/384 times derivatives below 10
}

TEST(hertz, a_ball_on_a_plane_has_a_round_patch) {
  const HertzTable table(E, poisson);
  const double R = 0.46, N = 70e3, a = std::cbrt(3 * N * R / (4 * E_star));
  const HertzPatch patch = table.patch(curvatures(R, R, infinite, infinite), N);
  EXPECT_NEAR(patch.a, a, 1e-9 * a);
  EXPECT_EQ(patch.a, patch.b);
  EXPECT_NEAR(patch.delta, a * a / R, 1e-9 * a * a / R);
  EXPECT_NEAR(table.stiffness(curvatures(R, R, infinite, infinite)),
              4.0 / 3 * E_star * std::sqrt(R), 1e-9 * E_star);
}

TEST(hertz, a_long_patch_has_the_width_of_a_line_contact) {
  // with p0 given, a cylinder has S = p0/(E* (A + B)); a patch 200 times as long as wide nearly so
  const Exact x = exact(1.0, 5e-3, 1e6);
  EXPECT_NEAR(5e-3 / (x.p0 / (E_star * (x.A + x.B))), 1, 2e-4);
  const HertzPatch patch = HertzTable(E, poisson).patch({x.A, x.B}, 1e6);
  EXPECT_NEAR(patch.b, 5e-3, 1e-6 * 5e-3);
}

TEST(hertz, exchanging_the_directions_exchanges_the_axes) {
  const HertzTable table(E, poisson);
  for (const double B : {0.01, 0.3, 1.0, 2.7, 60.0}) {
    const HertzPatch one = table.patch({1, B}, 5e4), other = table.patch({B, 1}, 5e4);
    EXPECT_EQ(one.a, other.b);
    EXPECT_EQ(one.b, other.a);
    EXPECT_EQ(one.a > one.b, B > 1);  // long where the surfaces are flat
  }
}

TEST(hertz, the_patch_passes_smoothly_through_the_circle_and_from_cell_to_cell) {
  const HertzTable table(E, poisson);
  // slopes from both sides agree to what the differences can resolve
  for (const double ratio : {1.0, 0.5, 0.53125, 0.25, 4.0, 0.0009765625}) {
    const auto a = [&](double r) { return table.patch({r, 1}, 4e4).a; };
    const double h = 1e-5 * ratio;
    const double left = (a(ratio) - a(ratio - h)) / h, right = (a(ratio + h) - a(ratio)) / h;
    EXPECT_NEAR(left, right, 1e-4 * std::abs(left)) << ratio;
  }
}

TEST(hertz, the_force_scales_the_patch_with_its_cube_root) {
  const HertzTable table(E, poisson);
  for (const double N : {1e-3, 1.0, 1e3, 1e7}) {
    const HertzPatch one = table.patch({1.1, 0.4}, N), eight = table.patch({1.1, 0.4}, 8 * N);
    EXPECT_NEAR(eight.a / one.a, 2, 1e-12);
    EXPECT_NEAR(eight.delta / one.delta, 4, 1e-12);
  }
}

TEST(hertz, a_concave_wheel_is_floored_and_says_so) {
  const HertzTable table(E, poisson);
  const Curvatures hollow = curvatures(0.5, -0.25, infinite, 0.3);
  EXPECT_LT(hollow.B, 0);
  const HertzPatch floored = table.patch(hollow, 5e4, 0.05), same = table.patch({1, 0.05}, 5e4);
  EXPECT_TRUE(floored.valid && floored.limited);
  EXPECT_FALSE(same.limited);
  EXPECT_EQ(floored.a, same.a);
  EXPECT_EQ(floored.b, same.b);
  // without a floor: the end of the table
  const HertzPatch line = table.patch(hollow, 5e4);
  EXPECT_TRUE(line.valid && line.limited);
  EXPECT_TRUE(std::isfinite(line.a) && std::isfinite(line.b));
}

TEST(hertz, no_patch_where_the_surfaces_do_not_curve_apart) {
  const HertzTable table(E, poisson);
  for (const Curvatures c : {Curvatures{1, -1}, {0.2, -3}, {0, 0}, {NAN, 1}, {INFINITY, 1}}) {
    const HertzPatch patch = table.patch(c, 5e4);
    EXPECT_FALSE(patch.valid);
    EXPECT_EQ(patch.a, 0);
    EXPECT_EQ(patch.b, 0);
    EXPECT_EQ(table.stiffness(c), 0);
  }
}

TEST(hertz, no_force_no_patch) {
  const HertzTable table(E, poisson);
  for (const double N : {0.0, -1e3}) {
    const HertzPatch patch = table.patch({1, 1}, N);
    EXPECT_TRUE(patch.valid);
    EXPECT_EQ(patch.a, 0);
    EXPECT_EQ(patch.N, 0);
    EXPECT_EQ(patch.delta, 0);
  }
  EXPECT_GT(table.stiffness({1, 1}), 0);
}

TEST(hertz, impossible_materials_are_refused) {
  EXPECT_THROW(HertzTable(0, 0.3), base::Error);
  try {
    HertzTable(210e9, 0.6);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "Poisson's ratio is 0.6, expected between 0 and 0.5");
  }
}

}  // namespace
}  // namespace klingel::contact
