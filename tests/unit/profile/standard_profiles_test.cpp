// Subject: profile/standard_profiles and named_profile. Claims: S1002 and the rail heads have the
// measures of their standards and follow their curves to a micrometre; simple shapes are exact;
// inclined profiles are the turned curve; names mean what the error for a wrong one says.
#include "profile/standard_profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "profile/millimetre.hpp"
#include "profile/named_profile.hpp"

namespace klingel::profile {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::filesystem::path reference_data() {
  const char* folder = std::getenv("KLINGEL_REFERENCE_DATA");
  return folder ? folder : KLINGEL_SOURCE_DIR "/../shared/data";
}

// y on the spline between a and b where z has the given value; z must be monotone there.
double y_at(const spline::CubicSpline& z, double value, double a, double b) {
  const bool falling = z.value(a) > z.value(b);
  for (int i = 0; i < 80; ++i) {
    const double m = (a + b) / 2;
    ((z.value(m) > value) == falling ? a : b) = m;
  }
  return a;
}

TEST(s1002, follows_its_sections_to_a_fifth_of_a_micrometre) {
  const Profile p = s1002();
  double worst = 0, worst_slope = 0;
  for (double y = p.z.begin(); y <= p.z.end(); y += 2e-6) {
    worst = std::max(worst, std::abs(p.z.value(y) - s1002_z(y)));
    worst_slope = std::max(worst_slope, std::abs(p.z.derivative(y) - s1002_slope(y)) /
                                            (1 + std::pow(s1002_slope(y), 2)));
  }
  // seven rounded junctions of 3e-8 m each
  EXPECT_LT(worst, 2.1e-7);
  // angle of contact, rad; largest where arcs meet
  EXPECT_LT(worst_slope, 2e-3);
  EXPECT_LT(p.z.begin(), -69.8 * mm);
  EXPECT_EQ(p.z.end(), 60 * mm);
  EXPECT_LT(p.z.largest_jump(2), 1e-6);
}

TEST(s1002, has_the_measures_of_the_standard) {
  const Profile p = s1002();
  // taping line at 0, tip of the flange 28 mm lower at -55, 32.5 mm thick 10 mm below the taping
  // line, 70 degrees steep, tread 1:15 outside
  EXPECT_NEAR(p.z.value(0), 0, 1e-7);
  EXPECT_NEAR(p.z.value(-55 * mm), 28 * mm, 1e-7);
  EXPECT_NEAR(p.z.derivative(-55 * mm), 0, 1e-4);
  const double y10 = y_at(p.z, 10 * mm, -55 * mm, 0);
  EXPECT_NEAR(y10 - p.flange_back, 32.5 * mm, 1e-6);
  EXPECT_NEAR(std::atan(-p.z.derivative(-39 * mm)), 70 * M_PI / 180, 1e-4);
  EXPECT_NEAR(p.z.derivative(50 * mm), -1.0 / 15, 1e-6);
  // distance qR between 10 mm below the taping line and 2 mm above the tip
  EXPECT_NEAR(y10 - y_at(p.z, 26 * mm, -55 * mm, 0), 11 * mm, 0.5 * mm);
  // a point of the standard's table
  EXPECT_NEAR(p.z.value(-35 * mm), 6.867 * mm, 1e-6);
}

TEST(s1002, sections_meet) {
  for (const double b :
       {-62.764705882, -49.662510381, -39.764473993, -38.426669071, -35.0, -26.0, 32.15796}) {
    const double left = b * mm - 1e-12, right = b * mm + 1e-12;
    // 1e-12 m times slopes below 3, and ten digits of the coefficients
    EXPECT_NEAR(s1002_z(left), s1002_z(right), 1e-10) << b;
    EXPECT_NEAR(s1002_slope(left), s1002_slope(right), 1e-6) << b;
  }
}

TEST(s1002, curvature_is_right_away_from_junctions) {
  const Profile p = s1002();
  const auto radius = [&](double y) {
    return std::pow(1 + std::pow(p.z.derivative(y), 2), 1.5) / p.z.second_derivative(y);
  };
  EXPECT_NEAR(radius(-55 * mm), -12 * mm, 0.05 * mm);
  EXPECT_NEAR(radius(-45 * mm), -20 * mm, 0.1 * mm);
  EXPECT_NEAR(radius(-36.5 * mm), 13 * mm, 0.05 * mm);
  // the tread at y = 0: z'' = 2 * 0.001565681624 per mm
  EXPECT_NEAR(p.z.second_derivative(0), 3.131363248, 0.003);
  EXPECT_NEAR(p.z.second_derivative(50 * mm), 0, 0.001);
}

TEST(s1002, agrees_with_the_points_of_the_contact_benchmark) {
  const auto file = reference_data() / "contact" / "MBench_S1002_v3.prw";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "NOT COMPARED with the benchmark's S1002: no " << file
                 << "; set KLINGEL_REFERENCE_DATA";
  }
  const FittedProfile read = read_profile_with_notes(file);
  ASSERT_EQ(read.points.size(), 399u);
  for (const ProfilePoint& p : read.points) {
    // 1e-4 mm of rounded coefficients, see standard_profiles.cpp, and eight digits in the file
    EXPECT_NEAR(s1002_z(p.y), p.z, 0.2e-6) << p.y;
  }
  // between its points, where these are dense enough to know
  for (double y = -68 * mm; y < 60 * mm; y += 0.01 * mm) {
    EXPECT_NEAR(read.profile.z.value(y), s1002_z(y), 1e-6) << y;
  }
}

TEST(rail_head, has_the_measures_of_60E1) {
  const Profile p = rail_head(head_60e1, "60E1");
  EXPECT_NEAR(p.z.value(0), 0, 1e-7);
  // crown to 10.228 mm: sagitta of R300
  EXPECT_NEAR(p.z.value(10.228 * mm), (300 - std::sqrt(300 * 300 - 10.228 * 10.228)) * mm, 1e-7);
  // the shoulder ends 52.053 mm apart with slope tan(asin((26.0265 - 7.5005) / 80))
  EXPECT_NEAR(p.z.derivative(26.0265 * mm), 0.2380, 1e-3);
  // 72 mm wide 14.3 mm below the top; the spline ends a little before
  EXPECT_NEAR(p.z.end(), 35.95 * mm, 0.01 * mm);
  EXPECT_NEAR(p.z.value(p.z.end()), 13.655 * mm, 0.005 * mm);
  EXPECT_NEAR(p.z.derivative(p.z.end()), 10, 1e-9);
  for (double y = 0; y < p.z.end(); y += 0.1 * mm) EXPECT_NEAR(p.z.value(y), p.z.value(-y), 1e-9);
}

TEST(rail_head, follows_its_arcs_to_a_micrometre) {
  const Profile p = rail_head(head_60e1, "60E1");
  // centres worked out by hand: shoulder (7.500533, 80.127896), corner (23.016219, 14.949193) mm
  for (double y = 0; y < p.z.end(); y += 5e-6) {
    const double z = p.z.value(y), a = y / mm, b = z / mm;
    const double off = a < 10.228   ? std::hypot(a, 300 - b) - 300
                       : a < 26.027 ? std::hypot(a - 7.500533, 80.127896 - b) - 80
                                    : std::hypot(a - 23.016219, 14.949191 - b) - 13;
    EXPECT_LT(std::abs(off), 1e-3) << a;
  }
}

// The benchmark's rail leans 1:40 and has its origin at its highest point, 300 mm sin(atan(1/40)) =
// 7.498 mm from ours, or rather 6 micrometres inside of it, as a fit of the arcs shows.
constexpr double benchmark_origin = 7.4917 * mm;

double distance_to_benchmark(const Profile& ours) {
  const FittedProfile theirs =
      read_profile_with_notes(reference_data() / "contact" / "MBench_UIC60_v3.prr");
  const double top = benchmark_origin;
  double worst = 0;
  for (const ProfilePoint& p : theirs.points) {
    const double y = p.y + top;
    if (!ours.z.contains(y)) continue;
    // normal to the curve
    const double off = ours.z.value(y) - ours.z.value(top) - p.z;
    worst = std::max(worst, std::abs(off) / std::hypot(1, ours.z.derivative(y)));
  }
  return worst;
}

TEST(rail_head, agrees_with_the_points_of_the_contact_benchmark) {
  if (!std::filesystem::exists(reference_data() / "contact" / "MBench_UIC60_v3.prr")) {
    GTEST_SKIP() << "NOT COMPARED with the benchmark's UIC60: no file in " << reference_data()
                 << "; set KLINGEL_REFERENCE_DATA";
  }
  EXPECT_LT(distance_to_benchmark(profile("60E1:1:40")), 0.05 * mm);
  EXPECT_LT(distance_to_benchmark(profile("UIC60:1:40")), 0.001 * mm);
  // the comparison can fail
  EXPECT_GT(distance_to_benchmark(profile("60E1:1:20")), 0.1 * mm);
}

TEST(rail_head, typed_points_of_the_benchmark_lie_on_it) {
  // a few lines of the benchmark's file, mm
  const double points[][2] = {{-41.416991, 9.1264297},  {-31.512448, 2.5231803},
                              {-10.468881, 0.18292609}, {6.4443153, 0.1232364},
                              {18.328219, 1.6518593},   {25.401535, 5.5611066}};
  const Profile p = profile("UIC60:1:40");
  const double top = 300 * mm * std::sin(std::atan(1.0 / 40));
  const double z_top = p.z.value(benchmark_origin);
  for (const auto& [y, z] : points) {
    EXPECT_NEAR(p.z.value(y * mm + benchmark_origin) - z_top, z * mm, 1e-6) << y;
  }
  // the highest point is where the crown's normal was leaning 1:40
  EXPECT_NEAR(p.z.derivative(top), 0, 1e-4);
}

TEST(inclined, is_the_turned_curve) {
  const Profile p = rail_head(head_60e1, "60E1");
  const double angle = std::atan(1.0 / 20);
  const Profile q = inclined(p, angle);
  for (double y = -30 * mm; y < 30 * mm; y += 0.05 * mm) {
    const double z = p.z.value(y);
    const double turned_y = y * std::cos(angle) + z * std::sin(angle);
    EXPECT_NEAR(q.z.value(turned_y), z * std::cos(angle) - y * std::sin(angle), 2e-8) << y;
  }
  // a rail leaning inwards is highest on the outer side
  EXPECT_LT(q.z.value(10 * mm), q.z.value(-10 * mm));
  EXPECT_LE(std::abs(q.z.derivative(q.z.begin())), 10 + 1e-6);
}

TEST(inclined, back_and_forth_is_the_same) {
  const Profile p = rail_head(head_60e1, "60E1");
  const Profile q = inclined(inclined(p, 0.025), -0.025);
  for (double y = -34 * mm; y < 34 * mm; y += 0.1 * mm) {
    // two fits of 1e-8 m, divided by the cosine of steep parts
    EXPECT_NEAR(q.z.value(y), p.z.value(y), 2e-7) << y;
  }
}

TEST(simple_shapes, are_exact) {
  const Profile c = cone(0.05);
  EXPECT_DOUBLE_EQ(c.z.value(20 * mm), -1 * mm);
  EXPECT_EQ(c.z.second_derivative(0.01), 0);
  const Profile rail = arc(0.3, ProfileKind::rail);
  const Profile wheel = arc(0.3, ProfileKind::wheel), hollow = arc(-0.33, ProfileKind::wheel);
  for (double y = -29 * mm; y < 29 * mm; y += 0.1 * mm) {
    const double sagitta = 0.3 - std::sqrt(0.09 - y * y);
    EXPECT_NEAR(rail.z.value(y), sagitta, 1e-9);
    EXPECT_NEAR(wheel.z.value(y), -sagitta, 1e-9);
    EXPECT_NEAR(hollow.z.value(y), 0.33 - std::sqrt(0.33 * 0.33 - y * y), 1e-9);
  }
}

TEST(named_profile, built_in_names_have_their_kind) {
  EXPECT_EQ(profile("S1002").kind, ProfileKind::wheel);
  EXPECT_EQ(profile("60E1", ProfileKind::rail).name, "60E1");
  EXPECT_EQ(profile("60E1:1:40").name, "60E1:1:40");
  EXPECT_EQ(profile("arc:0.3").kind, ProfileKind::rail);
  EXPECT_EQ(profile("arc:0.3", ProfileKind::wheel).kind, ProfileKind::wheel);
  EXPECT_DOUBLE_EQ(profile("cone:0.025").z.derivative(0), -0.025);
  EXPECT_EQ(profile("cylinder").z.derivative(0), 0);
}

TEST(named_profile, shipped_files_are_found) {
  EXPECT_EQ(profile("feve_wheel").kind, ProfileKind::wheel);
  EXPECT_EQ(profile("feve_rail", ProfileKind::rail).kind, ProfileKind::rail);
  EXPECT_LT(profile("feve_rail:1:40").z.value(0.01), profile("feve_rail").z.value(0.01));
}

TEST(named_profile, wrong_names_say_what_there_is) {
  const auto message = [](auto matcher) { return ThrowsMessage<base::Error>(matcher); };
  EXPECT_THAT([] { profile("S1003"); },
              message(AllOf(HasSubstr("no profile 'S1003'; did you mean 'S1002'"),
                            HasSubstr("cone:CONICITY"), HasSubstr("feve_wheel"))));
  EXPECT_THAT([] { profile("60E1", ProfileKind::wheel); },
              message(HasSubstr("is that of a rail, expected a wheel")));
  EXPECT_THAT([] { profile("feve_rail", ProfileKind::wheel); },
              message(HasSubstr("profile of a rail, expected a wheel")));
  EXPECT_THAT([] { profile("cone:steep"); }, message(HasSubstr("as in 'cone:0.05'")));
  EXPECT_THAT([] { profile("cone:2"); }, message(HasSubstr("between -1 and 1")));
  EXPECT_THAT([] { profile("arc:0"); }, message(HasSubstr("0.005")));
  EXPECT_THAT([] { profile("arc:nan"); }, message(HasSubstr("finite")));
  EXPECT_THAT([] { profile("60E1:1:1"); }, message(HasSubstr("1:3 at most")));
  EXPECT_THAT([] { profile("60E1:1:forty"); }, message(HasSubstr("like 1:40")));
  EXPECT_THAT([] { profile(""); }, message(HasSubstr("no profile ''")));
}

}  // namespace
}  // namespace klingel::profile
