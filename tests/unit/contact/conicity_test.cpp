// Equivalent conicity: closed answers, one-sided shapes, the standard's reference cases.
#include "contact/conicity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

#include "base/error.hpp"
#include "contact/wheelset_contact.hpp"
#include "profile/named_profile.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/reference.hpp"

namespace klingel::contact {
namespace {

using testing::HasSubstr;

constexpr double e = 1.5, r0 = 0.46;

template <typename F>
RadiusDifference sampled(double reach, double step, F f) {
  RadiusDifference d;
  const int n = static_cast<int>(std::lround(reach / step));
  for (int i = -n; i <= n; ++i) {
    d.y.push_back(step * i);
    d.delta_r.push_back(f(step * i));
  }
  return d;
}

using klingel::test::error_of;

TEST(conicity, of_cones_is_their_slope_and_klingels_wavelength) {
  const RadiusDifference cones = sampled(8e-3, 1e-4, [](double y) { return 2 * 0.05 * y; });
  for (const double amplitude : {0.5e-3, 3e-3, 3.14159e-3, 8e-3}) {
    const Conicity c = equivalent_conicity(cones, amplitude, e, r0);
    EXPECT_NEAR(c.tan_gamma, 0.05, 1e-12);
    EXPECT_NEAR(c.wavelength, 2 * std::numbers::pi * std::sqrt(e * r0 / (2 * 0.05)), 1e-9);
    EXPECT_NEAR(c.centre, 0, 1e-12);
  }
  const RadiusDifference two_points{{-0.01, 0.01}, {-0.001, 0.001}};
  EXPECT_NEAR(equivalent_conicity(two_points, 2e-3, e, r0).tan_gamma, 0.05, 1e-12);
}

TEST(conicity, of_a_cubic_is_that_of_its_elliptic_integral) {
  // y'' = -k y^3 has the wavelength 4 K(1/sqrt 2) / (A sqrt k), K = 1.8540746773013719
  const double c3 = 200.0;
  const RadiusDifference cubic = sampled(6e-3, 1e-5, [=](double y) { return c3 * y * y * y; });
  const double A = 5e-3, k = c3 / (e * r0);
  const Conicity c = equivalent_conicity(cubic, A, e, r0);
  // chords of 0.01 mm instead of the curve: (0.01 / 5)^2 relative
  EXPECT_NEAR(c.wavelength / (4 * 1.8540746773013719 / (A * std::sqrt(k))), 1, 1e-5);
}

TEST(conicity, a_shifted_curve_swings_about_its_own_middle) {
  const RadiusDifference shifted =
      sampled(8e-3, 1e-4, [](double y) { return 2 * 0.1 * (y - 1.2e-3); });
  const Conicity c = equivalent_conicity(shifted, 3e-3, e, r0);
  EXPECT_NEAR(c.centre, 1.2e-3, 1e-12);
  EXPECT_NEAR(c.tan_gamma, 0.1, 1e-12);
}

TEST(conicity, different_slopes_on_both_sides_add_half_waves) {
  // a = 0.2 on the left, b = 0.05 on the right: amplitudes with the same energy, half waves of each
  const double a = 0.2, b = 0.05;
  const RadiusDifference bent =
      sampled(20e-3, 1e-4, [=](double y) { return 2 * (y > 0 ? a : b) * y; });
  const Conicity c = equivalent_conicity(bent, 3e-3, e, r0);
  const double half =
      std::numbers::pi * (std::sqrt(e * r0 / (2 * a)) + std::sqrt(e * r0 / (2 * b)));
  EXPECT_NEAR(c.wavelength, half, 1e-9);
  // turning points A_l sqrt(a) = A_r sqrt(b), A_l + A_r = 2 A
  const double left = 6e-3 * std::sqrt(b) / (std::sqrt(a) + std::sqrt(b));
  EXPECT_NEAR(c.centre, left - 3e-3, 1e-9);
}

TEST(conicity, is_zero_where_nothing_brings_the_wheelset_back) {
  const RadiusDifference flat = sampled(5e-3, 1e-4, [](double) { return 0.0; });
  EXPECT_EQ(equivalent_conicity(flat, 2e-3, e, r0).tan_gamma, 0);
  EXPECT_TRUE(std::isinf(equivalent_conicity(flat, 2e-3, e, r0).wavelength));
  const RadiusDifference away = sampled(5e-3, 1e-4, [](double y) { return -0.1 * y; });
  EXPECT_EQ(equivalent_conicity(away, 2e-3, e, r0).tan_gamma, 0);
  // a plain of 2 mm with walls
  const RadiusDifference walls = sampled(
      8e-3, 1e-4, [](double y) { return std::abs(y) < 2.05e-3 ? 0.0 : std::copysign(2e-3, y); });
  EXPECT_EQ(equivalent_conicity(walls, 1e-3, e, r0).tan_gamma, 0);
  EXPECT_GT(equivalent_conicity(walls, 3e-3, e, r0).tan_gamma, 0.1);
}

TEST(conicity, input_that_cannot_be_used_is_refused) {
  const RadiusDifference cones = sampled(5e-3, 1e-4, [](double y) { return 0.1 * y; });
  EXPECT_THAT(error_of([&] { equivalent_conicity(cones, 6e-3, e, r0); }), HasSubstr("too short"));
  EXPECT_THAT(error_of([&] { equivalent_conicity(cones, 0, e, r0); }), HasSubstr("positive"));
  EXPECT_THAT(error_of([&] { equivalent_conicity(cones, 1e-3, 0, r0); }), HasSubstr("positive"));
  EXPECT_THAT(error_of([&] {
                equivalent_conicity({{0, 0}, {1, 1}}, 1e-3, e, r0);
              }),
              HasSubstr("does not ascend"));
  EXPECT_THAT(error_of([&] {
                equivalent_conicity({{0}, {1}}, 1e-3, e, r0);
              }),
              HasSubstr("at least two"));
}

// Computed apart from this code, from delta_r every 0.01 mm; ours is every 0.05 mm.
TEST(conicity, rigid_S1002_on_60E1) {
  for (const char* rail : {"60E1:1:40", "60E1:1:20"}) {
    const WheelsetGeometry g(profile::profile("S1002"), profile::profile(rail), {});
    const RadiusDifference f =
        sampled(5.1e-3, 5e-5, [&](double y) { return g.at(y, 0, 0.0)->delta_r(); });
    for (const test::ReferenceRow& row : test::reference_table("loaded_conicity.csv")) {
      if (row.text("rail") != rail) continue;
      EXPECT_NEAR(equivalent_conicity(f, 1e-3 * row["amplitude"], e, r0).tan_gamma, row["rigid"],
                  5e-4)
          << rail << " at " << row["amplitude"];
    }
  }
}

TEST(conicity, reference_cases_of_the_standard_are_met_within_one_thousandth) {
  const char* from = std::getenv("KLINGEL_REFERENCE_DATA");
  const std::filesystem::path folder =
      (from ? std::filesystem::path(from)
            : std::filesystem::path(KLINGEL_SOURCE_DIR) / "../shared/data") /
      "en15302";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "no reference data in " << folder << "; set KLINGEL_REFERENCE_DATA";
  }
  for (const char* name : {"E1", "E2", "E3", "E4"}) {
    RadiusDifference f;
    std::ifstream values(folder / (std::string("dr_ce_") + name + ".dat"));
    for (double mm; values >> mm;) f.delta_r.push_back(1e-3 * mm);
    for (std::size_t i = 0; i < f.delta_r.size(); ++i) {
      f.y.push_back(1e-4 *
                    (static_cast<double>(i) - 0.5 * (static_cast<double>(f.delta_r.size()) - 1)));
    }
    std::ifstream expected(folder / (std::string("ben_") + name + ".dat"));
    int compared = 0;
    for (std::string line; std::getline(expected, line);) {
      std::istringstream words(line);
      double amplitude = 0, tan_gamma = 0;
      if (!(words >> amplitude >> tan_gamma) || 1e-3 * amplitude > f.y.back()) continue;
      EXPECT_NEAR(equivalent_conicity(f, 1e-3 * amplitude, e, r0).tan_gamma, tan_gamma, 1e-3)
          << name << " at " << amplitude << " mm";
      ++compared;
    }
    EXPECT_GT(compared, 50) << name;
  }
}

}  // namespace
}  // namespace klingel::contact
