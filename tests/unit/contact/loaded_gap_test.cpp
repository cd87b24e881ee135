// The soft minimum of the gap: Gaussian sums in closed form, its gradient by differences, the rigid
// search as its limit, silhouettes of turned wheels, and the rows that charts are made of.
#include "contact/loaded_gap.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.hpp"
#include "loaded_cases.hpp"
#include "tests/support/compare.hpp"

namespace klingel::contact {
namespace {

using namespace test;
using klingel::test::raise;
using std::numbers::pi;

constexpr double r0 = 0.46, eps = 15e-6, length = 1e-2;

// A cone of slope s on a parabola: g = c (z - r0 - s u + B (y + u)^2), c = 1/sqrt(1 + s^2), is a
// parabola again and all sums are those of a Gaussian.
struct ConeOnParabola {
  double slope, B, y, z;
  double c = 1 / std::sqrt(1 + slope * slope);

  LoadedGap gap(double width = eps) const {
    return {cone(r0, slope), parabola(B), {}, 1e-3, width, length};
  }
  LoadedPlace at(double width = eps) const { return gap(width).at({y, z, 0, 0}); }
  double u_r() const { return slope / (2 * B); }
  double smallest() const { return c * (z - r0 + slope * y - slope * slope / (4 * B)); }
  double phi(double width = eps) const {
    return smallest() - width * std::log(std::sqrt(pi * width / (c * B)) / (c * length));
  }
};

constexpr double half_inverse(double R) { return 1 / (2 * R); }

const ConeOnParabola cones[] = {{0, half_inverse(0.3), 0, r0},
                                {-0.05, half_inverse(0.3), 2e-3, r0 + 1e-4},
                                {-0.025, half_inverse(0.08), -3e-3, r0 - 3e-5},
                                {0.3, half_inverse(0.013), 1e-3, r0 + 1e-3}};

// The rail's heights are straight between points 10 um apart: a parabola is B h^2/6 = 6e-10/6 m too
// low in the mean at the largest B here.
constexpr double rail_error = 1.5e-10 + 38 * 1e-10 / 4;  // m: mean and largest together

TEST(loaded_gap, of_a_parabola_is_a_gaussian_sum) {
  for (const ConeOnParabola& pair : cones) {
    const LoadedPlace at = pair.at();
    EXPECT_NEAR(at.phi, pair.phi(), rail_error) << pair.slope;
    // points every 0.2 mm miss the lowest one by at most 0.1 mm
    EXPECT_GE(at.smallest, pair.smallest() - rail_error);
    EXPECT_LE(at.smallest, pair.smallest() + pair.B * 1e-8 * 1.01 + rail_error);
  }
}

TEST(loaded_gap, variance_of_a_parabola_gives_its_curvature_back) {
  for (const ConeOnParabola& pair : cones) {
    const LoadedPlace at = pair.at();
    const double along_surface = pair.B * pair.c * pair.c * pair.c;  // f''/2 (1 + f'^2)^(-3/2)
    EXPECT_NEAR(at.variance / (eps / (2 * along_surface)), 1, 1e-5);
    EXPECT_NEAR(at.B(eps) / along_surface, 1, 1e-5);
  }
}

TEST(loaded_gap, means_of_a_parabola_are_at_its_lowest_point) {
  for (const ConeOnParabola& pair : cones) {
    const LoadedPlace at = pair.at();
    // rail heights 1e-9 m off act on 1e-9 / eps of the width, 1 mm
    EXPECT_NEAR(at.u_r, pair.u_r(), 1e-7);
    EXPECT_NEAR(at.u_w, pair.u_r() - pair.y, 1e-7);
    EXPECT_NEAR(at.slope, -2 * pair.B * pair.u_r(), 1e-6);
    EXPECT_NEAR(at.radius, r0 + pair.slope * (pair.u_r() - pair.y), 1e-7);
    EXPECT_NEAR(at.phi_z, pair.c, 1e-12);  // one slope all over the wheel
    EXPECT_NEAR(at.phi_y, pair.c * pair.slope, 1e-6);
    // leaning about O_w: the arm of the normal force, and eps s of a patch that is wide
    EXPECT_NEAR(at.phi_n, pair.c * (at.u_w + pair.slope * at.radius) + pair.slope * eps, 1e-6);
    EXPECT_EQ(at.phi_t, 0);
  }
}

TEST(loaded_gap, length_and_width_only_enter_phi_as_they_should) {
  const ConeOnParabola pair = cones[1];
  LoadedGap gap = pair.gap();
  const LoadedPlace before = gap.at({pair.y, pair.z, 0, 0});
  gap.set_width(eps, 2 * length);
  const LoadedPlace longer = gap.at({pair.y, pair.z, 0, 0});
  EXPECT_NEAR(longer.phi - before.phi, eps * std::log(2.0), 1e-17);
  EXPECT_EQ(longer.phi_y, before.phi_y);
  gap.set_width(2 * eps, length);
  EXPECT_NEAR(gap.at({pair.y, pair.z, 0, 0}).phi, pair.phi(2 * eps), rail_error);
}

TEST(loaded_gap, tends_to_the_smallest_gap_as_eps_vanishes) {
  for (const ConeOnParabola& pair : cones) {
    double last = HUGE_VAL;
    for (const double width : {3e-5, 1e-5, 3e-6, 1e-6, 3e-7}) {
      const LoadedPlace at = pair.at(width);
      const double off = std::abs(at.phi - pair.smallest());
      EXPECT_LT(off, last);
      // eps |ln(sqrt(pi eps / B) / l)|
      EXPECT_LT(off, 5 * width);
      last = off;
    }
  }
}

// A gap between surfaces that are no parabolas, against differences.
struct Gradient {
  double y = 0, z = 0, n = 0, t = 0;
};

// Five points, so that the error is that of the fifth derivative. Steps of y and z are some of the
// pieces of the rail long, whose kinks then do not count.
template <class F>
double slope_of(F f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

Gradient by_differences(const LoadedGap& gap, const SectionPose& p) {
  const auto phi = [&](double dy, double dz, double dn, double dt) {
    return gap.at({p.y + dy, p.z + dz, p.e_n + dn, p.e_t + dt}).phi;
  };
  return {slope_of([&](double h) { return phi(h, 0, 0, 0); }, 2e-5),
          slope_of([&](double h) { return phi(0, h, 0, 0); }, 1e-6),
          slope_of([&](double h) { return phi(0, 0, h, 0); }, 4e-5),
          slope_of([&](double h) { return phi(0, 0, 0, h); }, 2e-4)};
}

Gradient worst_gradient(const LoadedGap& gap, double y_low, double y_high, double lean, double turn,
                        double deep) {
  klingel::test::Random random(7);
  Gradient worst;
  for (int i = 0; i < 200; ++i) {
    SectionPose p{random.uniform(y_low, y_high), 0, random.within(lean), random.within(turn)};
    p.z = resting_height(gap, p.y, p.e_n, p.e_t) - random.uniform(-2e-5, deep);
    const LoadedPlace at = gap.at(p);
    const Gradient d = by_differences(gap, p);
    raise(worst.y, std::abs(at.phi_y - d.y));
    raise(worst.z, std::abs(at.phi_z - d.z));
    raise(worst.n, std::abs(at.phi_n - d.n));
    raise(worst.t, std::abs(at.phi_t - d.t));
  }
  return worst;
}

// What is left are the kinks of the rail's heights, which are straight between points 10 um apart:
// slopes jump by f'' 1e-5 m there, and gradients use their mean.
TEST(loaded_gap, gradient_is_that_of_phi_on_a_cone_and_an_arc) {
  const LoadedGap gap(cone(r0, -0.05), arc(0.3, 0, 0.036), {}, 1e-3, eps, length);
  const Gradient worst = worst_gradient(gap, -5e-3, 5e-3, 0.02, 0.04, 1e-4);
  EXPECT_LT(worst.y, 1e-10);
  EXPECT_LT(worst.z, 1e-10);
  EXPECT_LT(worst.n, 1e-6);
  EXPECT_LT(worst.t, 1e-7);
}

TEST(loaded_gap, gradient_is_that_of_phi_on_both_sheets_of_S1002) {
  const LoadedPair& pair = standard_loaded();
  const Gradient tread =
      worst_gradient(pair.tread.gap, pair.y_rest - 5e-3, pair.y_rest + 7e-3, 0.02, 0.04, 1e-4);
  EXPECT_LT(tread.y, 1e-6);
  EXPECT_LT(tread.z, 1e-9);
  EXPECT_LT(tread.n, 5e-6);
  EXPECT_LT(tread.t, 1e-6);
  // f'' is 1900 1/m on a flank of 70 degrees with a radius of 13 mm
  const Gradient flange =
      worst_gradient(pair.flange->gap, pair.y_both - 1e-3, pair.y_both + 2e-3, 0.02, 0.04, 1e-4);
  EXPECT_LT(flange.y, 5e-5);
  EXPECT_LT(flange.z, 1e-9);
  EXPECT_LT(flange.n, 2e-4);
  EXPECT_LT(flange.t, 5e-5);
}

// The rigid contact: how far down a wheel goes until it touches.
struct Rigid {
  WheelSurface wheel;
  RailSurface rail;
  ContactSearch search;
  Rigid(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r)
      : wheel{f_w}, rail{f_r, straight_line()}, search(wheel, rail) {}
  Minimum touch(const SectionPose& p) const {
    return search.drop(pose_of(p), 0, {0, 0, 1}).front();
  }
};

// z at which the smallest gap of the sheet vanishes
double rigid_rest(const LoadedGap& gap, SectionPose p) {
  for (int i = 0; i < 200; ++i) {
    const double g = gap.at(p).smallest;
    if (std::abs(g) < 1e-13) break;
    p.z -= g;  // at most as much as the height
  }
  return p.z;
}

TEST(loaded_gap, silhouette_of_a_turned_wheel_is_that_of_the_rigid_search) {
  struct Case {
    const char* name;
    spline::CubicSpline f_w, f_r;
    double y_low, y_high;
    int flanges;
  };
  const StandardWheel& s = standard_wheel();
  for (const Case& c :
       {Case{"cone on arc", cone(r0, -0.05), arc(0.3, 0, 0.036), -5e-3, 5e-3, 0},
        Case{"S1002 on 60E1", s.f_w, s.f_r, s.y_rest - 6e-3, s.y_rest + 9e-3, 30}}) {
    const Rigid rigid(c.f_w, c.f_r);
    const LoadedGap gap(c.f_w, c.f_r, {}, 1e-3, 1e-6, length);
    klingel::test::Random random(3);
    int flanges = 0;
    for (int i = 0; i < 300; ++i) {
      const SectionPose p{random.uniform(c.y_low, c.y_high), r0 + 0.03, random.within(0.02),
                          random.within(0.04)};
      const Minimum rigid_touch = rigid.touch(p);
      const double deeper = p.z - rigid_touch.distance - rigid_rest(gap, p);
      // points every 0.2 mm miss the lowest one by 0.1 mm and its gap by B (0.1 mm)^2, seen along
      // the height; curvatures change within this
      const ContactPoint& point = rigid_touch.point;
      const double B = (1 / point.Rw_y + 1 / point.Rr_y) / 2;
      EXPECT_GT(deeper, -1e-9) << c.name << i;
      EXPECT_LT(deeper, 2 * std::abs(B) * 1e-8 / std::cos(point.angle) + 2e-8) << c.name << i;
      flanges += point.angle > 0.5;
    }
    EXPECT_GE(flanges, c.flanges) << c.name;
  }
}

TEST(loaded_gap, is_the_gap_of_the_rigid_search_near_contact) {
  const spline::CubicSpline f_w = cone(r0, -0.05), f_r = arc(0.3, 0, 0.036);
  const Rigid rigid(f_w, f_r);
  const LoadedGap gap(f_w, f_r, {}, 1e-3, 1e-6, length);
  klingel::test::Random random(4);
  for (int i = 0; i < 100; ++i) {
    SectionPose p{random.within(5e-3), r0 + 0.03, random.within(0.02), random.within(0.04)};
    p.z -= rigid.touch(p).distance + random.within(1e-4);
    const double expected = rigid.search.minima(pose_of(p), 0).front().point.gap;
    // lean changes the slope of 0.05 by 0.02: 1e-3 of the gap; and what the points miss
    EXPECT_NEAR(gap.at(p).smallest, expected, 2e-3 * std::abs(expected) + 3e-8);
  }
}

TEST(loaded_gap, is_the_same_for_both_ways_of_turning) {
  const LoadedPair& pair = standard_loaded();
  for (const double e_t : {5e-3, 0.03}) {
    const LoadedPlace one = pair.tread.gap.at({pair.y_rest, r0, 4e-3, e_t});
    const LoadedPlace other = pair.tread.gap.at({pair.y_rest, r0, 4e-3, -e_t});
    EXPECT_EQ(one.phi, other.phi);
    EXPECT_EQ(one.phi_t, -other.phi_t);
    EXPECT_EQ(one.phi_y, other.phi_y);
  }
}

TEST(loaded_gap, gaps_are_those_the_smallest_is_taken_of) {
  const LoadedGap& gap = standard_loaded().tread.gap;
  const SectionPose p{standard_loaded().y_rest, r0, 3e-3, 0.02};
  double smallest = HUGE_VAL, u = -HUGE_VAL, arc = -HUGE_VAL;
  for (const LoadedGap::Gap& g : gap.gaps(p)) {
    smallest = std::min(smallest, g.g);
    EXPECT_GT(g.u_w, u);
    EXPECT_GT(g.arc, arc);
    u = g.u_w, arc = g.arc;
  }
  EXPECT_EQ(smallest, gap.at(p).smallest);
}

TEST(loaded_gap, a_sheet_fades_out_beyond_its_ends) {
  const spline::CubicSpline f_w = cone(r0, 0), f_r = parabola(half_inverse(0.3));
  // a point contact that moves from -10 to 10 mm over a sheet that begins at u = 0, fades over 4 mm
  const LoadedGap whole(f_w, f_r, {}, 4e-3, 1e-6, length);
  const LoadedGap sheet(f_w, f_r, {0, Interval{}.high}, 4e-3, 1e-6, length);
  const LoadedGap beyond(f_w, f_r, {Interval{}.low, -4e-3}, 4e-3, 1e-6, length);
  double last = 0;
  for (double u = 10e-3; u > -10e-3; u -= 1e-4) {
    const SectionPose p{-u, r0, 0, 0};
    const double more = sheet.at(p).phi - whole.at(p).phi;
    EXPECT_GE(more, last - 1e-12) << u;
    EXPECT_LT(more, u > 4e-3 ? 1e-12 : 1e-2);
    last = more;
    // the weights of two sheets that meet in the same place add up to one
    const double W = std::exp(-sheet.at(p).phi / 1e-6) + std::exp(-beyond.at(p).phi / 1e-6);
    EXPECT_NEAR(-1e-6 * std::log(W), whole.at(p).phi, 1e-15) << u;
  }
  // far beyond, the gap is that of the sheet's last points
  EXPECT_GT(last, half_inverse(0.3) * 5e-3 * 5e-3);
}

TEST(loaded_gap, what_has_no_points_or_no_width_is_an_error) {
  const spline::CubicSpline f_w = cone(r0, 0), f_r = parabola(1);
  EXPECT_THROW(LoadedGap(f_w, f_r, {}, 1e-3, 0, 1), base::Error);
  EXPECT_THROW(LoadedGap(f_w, f_r, {}, 1e-3, 1e-5, -1), base::Error);
  EXPECT_THROW(LoadedGap(f_w, f_r, {}, 0, 1e-5, 1), base::Error);
  EXPECT_THROW(LoadedGap(f_w, f_r, {}, 1e-3, std::nan(""), 1), base::Error);
  EXPECT_THROW(LoadedGap(f_w, f_r, {0.08, 0.09}, 1e-3, 1e-5, 1), base::Error);
}

// Rows: places that charts are made of.

struct RowCase {
  const char* name;
  const LoadedGap* gap;
  double tilt, begin, end;  // across
};

std::vector<RowCase> row_cases() {
  const LoadedPair& pair = standard_loaded();
  const ContactChart& flange = standard_charts().flange->chart;
  return {{"tread", &pair.tread.gap, 0, pair.y_rest - 0.012, pair.y_rest + 0.009},
          {"tilted tread", &pair.tread.gap, 0.8, pair.y_rest - 5e-3, pair.y_rest + 5e-3},
          {"flange", &pair.flange->gap, 0.8, flange.across().begin, flange.across().end()},
          {"upright flange", &pair.flange->gap, 0, pair.y_both - 1e-3, pair.y_both + 6e-3}};
}

TEST(loaded_row, rests_where_phi_vanishes) {
  for (const RowCase& c : row_cases()) {
    klingel::test::Random random(11);
    for (int i = 0; i < 20; ++i) {
      const double e_n = random.within(0.02), e_t = random.within(0.04);
      LoadedGap::Row row(*c.gap, e_n, e_t, c.tilt);
      for (int k = 0; k < 20; ++k) {
        const double across = c.begin + (c.end - c.begin) * k / 19;
        const LoadedGap::Row::Rest rest = row.at(across);
        const LoadedPlace at = c.gap->at(pose_of_row(*c.gap, across, rest.down, e_n, e_t, c.tilt));
        // Newton stops at 1e-12 m; points beyond 22 eps are left out by exp(-22) = 3e-10, here and
        // there not the same ones, which is more in squares of distances
        EXPECT_NEAR(at.phi, 0, 2e-12) << c.name << ' ' << across;
        EXPECT_NEAR(rest.radius, at.radius, 1e-9) << c.name;
        EXPECT_NEAR(rest.variance / at.variance, 1, 1e-5) << c.name;
        // along a direction that is tilted inwards: d(down) = (-sin, cos)
        EXPECT_NEAR(rest.phi_down, std::cos(c.tilt) * at.phi_z - std::sin(c.tilt) * at.phi_y, 1e-8)
            << c.name;
      }
    }
  }
}

// The largest difference of rows that are walked through, there and back, from fresh ones.
double walked(const RowCase& c, double step) {
  double worst = 0;
  for (const bool back : {false, true}) {
    LoadedGap::Row row(*c.gap, 5e-3, 0.01, c.tilt);
    for (double way = 0; way < c.end - c.begin; way += step) {
      const double across = back ? c.end - way : c.begin + way;
      LoadedGap::Row fresh(*c.gap, 5e-3, 0.01, c.tilt);
      raise(worst, std::abs(row.at(across).down - fresh.at(across).down));
    }
  }
  return worst;
}

// phi to 1e-12 m, which is w times the height; steps as charts take them
TEST(loaded_row, finds_the_same_wherever_it_was_before) {
  for (const RowCase& c : row_cases()) EXPECT_LT(walked(c, 3e-4), 6e-12) << c.name;
}

// 1 mm farther on a flank is some mm of height, where other points are near.
TEST(loaded_row, finds_the_same_wherever_it_was_before_in_steps_of_a_millimetre) {
  for (const RowCase& c : row_cases()) EXPECT_LT(walked(c, 1e-3), 6e-12) << c.name;
}

TEST(loaded_row, lowest_and_highest_are_those_of_the_gaps) {
  const StandardWheel& s = standard_wheel();
  const LoadedGap gap(s.f_w, s.f_r, {}, 1e-3, 1e-6, length);
  const LoadedGap::Row row(gap, 0, 0);
  for (double y = s.y_rest - 6e-3; y < s.y_rest + 8e-3; y += 5e-4) {
    double low = HUGE_VAL, high = -HUGE_VAL, u_low = 0, u_high = 0;
    for (const LoadedGap::Gap& g : gap.gaps({y, r0, 0, 0})) {
      const double df = s.f_w.derivative(g.u_w), height = g.g * std::sqrt(1 + df * df);
      if (height < low) low = height, u_low = g.u_w;
      if (-0.03 <= g.u_w && g.u_w <= -0.01 && height > high) high = height, u_high = g.u_w;
    }
    EXPECT_EQ(row.lowest(y), u_low);
    EXPECT_EQ(row.highest(y, -0.03, -0.01), u_high);
  }
}

TEST(loaded_row, resting_height_is_where_phi_vanishes) {
  const LoadedGap& gap = standard_loaded().tread.gap;
  for (const double e_n : {0.0, 0.015}) {
    const double y = standard_loaded().y_rest + 2e-3;
    const double z = resting_height(gap, y, e_n, 0.01);
    EXPECT_NEAR(gap.at({y, z, e_n, 0.01}).phi, 0, 3e-12);
  }
}

}  // namespace
}  // namespace klingel::contact
