// The constraints of one contact: closed answers, and the Jacobian against differences.
#include "contact/contact_equations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "contact_surfaces.hpp"
#include "tests/support/random.hpp"

namespace klingel::contact {
namespace {

using namespace test;

double& coordinate(ContactCoordinates& s, int j) {
  return j == 0 ? s.theta_w : j == 1 ? s.u_w : j == 2 ? s.s_r : s.u_r;
}

ContactPoint solve(const WheelSurface& wheel, const RailSurface& rail, const WheelPose& pose,
                   ContactCoordinates s) {
  for (int i = 0; i < 20; ++i) {
    double ds[4];
    newton_step(contact_equations(wheel, rail, pose, s), ds);
    for (int j = 0; j < 4; ++j) coordinate(s, j) += ds[j];
  }
  double ds[4];
  const ContactEquations e = contact_equations(wheel, rail, pose, s);
  return contact_point(e, s, newton_step(e, ds));
}

TEST(rail_frame, agrees_with_section) {
  const track::RailLine line = bent_line();
  for (const double s : {-31.3, -4.0, 0.1, 7.7, 42.0}) {
    const track::RailFrame f = rail_frame(line, s);
    const track::RailSection S = section(line, s);
    EXPECT_LT(norm(f.origin - S.origin), 1e-14);
    EXPECT_LT(norm(f.axes.x - S.axes.x) + norm(f.axes.y - S.axes.y) + norm(f.axes.z - S.axes.z),
              1e-14);
    EXPECT_DOUBLE_EQ(f.v, S.ds);
  }
}

TEST(rail_frame, turning_and_its_change_are_derivatives_of_the_frame) {
  const track::RailLine line = bent_line();
  const double h = 1e-4;
  for (const double s : {-31.33, -4.1, 0.13, 7.7, 42.01}) {
    const track::RailFrame f = rail_frame(line, s), a = rail_frame(line, s - h),
                           b = rail_frame(line, s + h);
    const spline::Vec3 k = to_parent(f.axes, f.k);
    // central differences of rates near 0.1 1/m: error h^2, rounding 1e-12
    EXPECT_LT(norm((1 / (2 * h)) * (b.axes.x - a.axes.x) - cross(k, f.axes.x)), 1e-8);
    EXPECT_LT(norm((1 / (2 * h)) * (b.axes.y - a.axes.y) - cross(k, f.axes.y)), 1e-8);
    EXPECT_LT(norm((1 / (2 * h)) * (b.axes.z - a.axes.z) - cross(k, f.axes.z)), 1e-8);
    EXPECT_LT(norm((1 / (2 * h)) * (b.k - a.k) - f.dk), 1e-8);
    EXPECT_NEAR((b.v - a.v) / (2 * h), f.dv, 1e-8);
  }
}

struct RandomCase {
  WheelPose pose;
  ContactCoordinates s;
};
RandomCase random_case(klingel::test::Random& random, const track::RailLine& line) {
  const double s_r = random.within(40);
  const WheelPose pose = pose_at(line, s_r, random.within(0.01), 0.66 + random.within(0.01),
                                 random.within(0.03), random.within(0.04));
  return {pose,
          {std::numbers::pi / 2 + random.within(0.05), random.within(0.05),
           s_r + random.within(0.02), random.within(0.03)}};
}

double largest(const double (&phi)[4]) {
  return std::max({std::abs(phi[0]), std::abs(phi[1]), std::abs(phi[2]), std::abs(phi[3])});
}

// the largest difference between dphi_d_ds and differences of phi_d
double jacobian_error(const WheelSurface& wheel, const RailSurface& rail, const WheelPose& pose,
                      const ContactCoordinates& s) {
  const ContactEquations e = contact_equations(wheel, rail, pose, s);
  double worst = 0;
  for (int j = 0; j < 4; ++j) {
    const double h = 1e-6;
    ContactCoordinates sa = s, sb = s;
    coordinate(sa, j) -= h;
    coordinate(sb, j) += h;
    const ContactEquations a = contact_equations(wheel, rail, pose, sa);
    const ContactEquations b = contact_equations(wheel, rail, pose, sb);
    for (int i = 0; i < 4; ++i) {
      worst = std::max(worst, std::abs((b.phi_d[i] - a.phi_d[i]) / (2 * h) - e.dphi_d_ds[i][j]));
    }
  }
  return worst;
}

TEST(contact_equations, jacobian_is_the_derivative_where_phi_d_is_zero) {
  const WheelSurface wheel{metre_gauge_wheel()};
  const RailSurface rail{metre_gauge_rail(), bent_line()};
  klingel::test::Random random(7);
  int checked = 0;
  for (int n = 0; n < 300; ++n) {
    const RandomCase c = random_case(random, rail.line);
    const ContactPoint p = solve(wheel, rail, c.pose, c.s);
    if (!(largest(contact_equations(wheel, rail, c.pose, p.s).phi_d) < 1e-12)) continue;
    // differences across a knot of the profile mix two curvatures
    if (rail.f_r.index(p.s.u_r - 1e-6) != rail.f_r.index(p.s.u_r + 1e-6)) continue;
    ++checked;
    // curvatures reach 500 1/m and change by 1e5 1/m^2: differences are good to h^2 of that
    EXPECT_LT(jacobian_error(wheel, rail, c.pose, p.s), 2e-5) << "gap " << p.gap;
  }
  EXPECT_GT(checked, 100);
}

// what is left out elsewhere is phi_d times the rail's rate of turning, which is up to 0.1 1/m
// here, and what the twist adds to it
TEST(contact_equations, error_of_the_jacobian_vanishes_with_phi_d) {
  const WheelSurface wheel{metre_gauge_wheel()};
  const RailSurface rail{metre_gauge_rail(), bent_line()};
  klingel::test::Random random(7);
  for (int n = 0; n < 200; ++n) {
    const RandomCase c = random_case(random, rail.line);
    const ContactEquations e = contact_equations(wheel, rail, c.pose, c.s);
    EXPECT_LT(jacobian_error(wheel, rail, c.pose, c.s), 2e-5 + 0.2 * largest(e.phi_d));
  }
}

TEST(contact_equations, newton_steps_square_the_error) {
  const WheelSurface wheel{cone(0.46, -0.05)};
  const RailSurface rail{arc(0.3, 0, 0.03), bent_line()};
  klingel::test::Random random(11);
  for (int n = 0; n < 50; ++n) {
    const double s_r = random.within(40);
    const WheelPose pose =
        pose_at(rail.line, s_r, random.within(0.003), 0.46 + random.within(0.005),
                random.within(0.02), random.within(0.02));
    const ContactPoint p = solve(wheel, rail, pose, {std::numbers::pi / 2, 0, s_r, 0});
    ContactCoordinates s = p.s;
    s.theta_w += 0.01, s.u_w += 1e-3, s.s_r += 0.01, s.u_r -= 1e-3;
    double before = 0.01;
    for (int i = 0; i < 2; ++i) {
      double ds[4];
      newton_step(contact_equations(wheel, rail, pose, s), ds);
      double error = 0;
      for (int j = 0; j < 4; ++j) {
        coordinate(s, j) += ds[j];
        ContactCoordinates exact = p.s;
        error = std::max(error, std::abs(coordinate(s, j) - coordinate(exact, j)));
      }
      EXPECT_LT(error, 20 * before * before + 1e-12) << "step " << i;
      before = error;
    }
  }
}

TEST(contact_equations, phi_n_does_not_change_with_s_on_the_tangent_manifold) {
  const WheelSurface wheel{metre_gauge_wheel()};
  const RailSurface rail{metre_gauge_rail(), bent_line()};
  const WheelPose pose = pose_at(rail.line, 3, 0.002, 0.6585, 0.01, 0.002);
  const ContactPoint p = solve(wheel, rail, pose, {std::numbers::pi / 2, -0.01, 3, -0.008});
  const ContactEquations e = contact_equations(wheel, rail, pose, p.s);
  for (int i = 0; i < 4; ++i) ASSERT_LT(std::abs(e.phi_d[i]), 1e-13);
  for (int j = 0; j < 4; ++j) {
    const double h = 1e-5;
    ContactCoordinates sa = p.s, sb = p.s;
    coordinate(sa, j) -= h;
    coordinate(sb, j) += h;
    // a gap of g tilts the normal by g times the rate of turning, which r is parallel to: nothing
    // is left at first order
    EXPECT_NEAR((contact_equations(wheel, rail, pose, sb).phi_n -
                 contact_equations(wheel, rail, pose, sa).phi_n) /
                    (2 * h),
                0, 1e-7);
  }
}

TEST(contact_equations, cone_on_an_arc_touches_where_slopes_agree) {
  const double slope = -0.05, r = 0.46, R = 0.3;
  const WheelSurface wheel{cone(r, slope)};
  const RailSurface rail{arc(R, 0, 0.03), straight_line()};
  const WheelPose pose = pose_at(rail.line, 0, 0, r + 0.001, 0, 0);
  const ContactPoint p = solve(wheel, rail, pose, {std::numbers::pi / 2, 0, 0, 0});
  // height of the wheel's surface falls to the flange: rail slope f_r' = -f_w'
  const double angle = std::atan(-slope);
  EXPECT_NEAR(p.s.u_r, -R * std::sin(angle), 1e-9);
  EXPECT_NEAR(p.angle, angle, 1e-8);
  EXPECT_NEAR(p.s.theta_w, std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(p.Rw_x, (r + slope * p.s.u_w) / std::cos(angle), 1e-12);
  EXPECT_TRUE(std::isinf(p.Rw_y));
  EXPECT_TRUE(std::isinf(p.Rr_x));
  EXPECT_NEAR(p.Rr_y, R, 1e-4 * R);  // second derivatives of a sampled arc
  EXPECT_NEAR(p.det, 1 / R, 2e-2 / R);
}

TEST(contact_equations, radii_are_positive_where_convex_and_negative_where_concave) {
  const WheelSurface wheel{arc(0.4, 0.46, 0.03, +1)};  // hollow tread
  const RailSurface rail{arc(0.3, 0, 0.03), straight_line()};
  const WheelPose pose = pose_at(rail.line, 0, 0, 0.46, 0, 0);
  const ContactPoint p = solve(wheel, rail, pose, {std::numbers::pi / 2, 0.001, 0, 0.001});
  EXPECT_NEAR(p.Rw_y, -0.4, 1e-4);
  EXPECT_NEAR(p.Rr_y, 0.3, 1e-4);
  EXPECT_NEAR(p.det, 1 / 0.3 - 1 / 0.4, 1e-3);
}

TEST(contact_equations, det_is_negative_where_the_gap_has_no_minimum) {
  const WheelSurface wheel{arc(0.2, 0.46, 0.03, +1)};  // hollower than the rail is round
  const RailSurface rail{arc(0.3, 0, 0.03), straight_line()};
  const WheelPose pose = pose_at(rail.line, 0, 0, 0.46, 0, 0);
  EXPECT_LT(solve(wheel, rail, pose, {std::numbers::pi / 2, 0, 0, 0}).det, 0);
}

TEST(contact_equations, rail_radius_along_a_crest_is_that_of_the_line) {
  const double R = 80;
  track::RailLine line = straight_line();
  line.z = spline::CubicSpline({-50, 50}, {{0, -1 / (2 * R), 50 / R, -50 * 50 / (2 * R), -50}});
  const WheelSurface wheel{cone(0.46, 0)};
  const RailSurface rail{arc(0.3, 0, 0.03), line};
  const ContactPoint p =
      solve(wheel, rail, pose_at(line, 0, 0, 0.46, 0, 0), {std::numbers::pi / 2, 0, 0, 0});
  EXPECT_NEAR(p.Rr_x, R, 1e-6 * R);
}

TEST(contact_equations, yawed_cone_touches_ahead_by_radius_yaw_and_slope) {
  const double slope = -0.1, r = 0.5, yaw = 0.02;
  const WheelSurface wheel{cone(r, slope)};
  const RailSurface rail{arc(0.08, 0, 0.03), straight_line()};
  const WheelPose pose = pose_at(rail.line, 0, 0, r, yaw, 0);
  const ContactPoint p = solve(wheel, rail, pose, {std::numbers::pi / 2, 0, 0, 0});
  // cos(theta_w) = f_w' t_y / t_x with t = (cos yaw, -sin yaw, 0) in the wheel's base
  const double cos_theta = -slope * std::tan(yaw);
  EXPECT_NEAR(std::cos(p.s.theta_w), cos_theta, 1e-9);
  const double f = r + slope * p.s.u_w;
  EXPECT_NEAR(p.s.s_r, f * cos_theta * std::cos(yaw) - p.s.u_w * std::sin(yaw), 1e-9);
}

}  // namespace
}  // namespace klingel::contact
