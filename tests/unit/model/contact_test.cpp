// The symbolic contact of one wheel against finite differences along a motion, and against closed
// forms.
#include "model/contact.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "exec/evaluator.hpp"
#include "exec/load.hpp"
#include "gen/emit_c.hpp"
#include "gen/manifest.hpp"
#include "gen/program.hpp"
#include "spline/vec3.hpp"

namespace klingel::model {
namespace {

using spline::Axes;
using spline::cross;
using spline::dot;
using spline::Vec3;

exec::Kernel kernel(sym::Interface (*make)(sym::Graph&), const char* name) {
  sym::Graph graph;
  const gen::Program program(graph, name, make(graph));
  exec::Options options;
  options.backend = exec::Backend::interpreter;
  return exec::load(program, options);
}

Vec3 turned(const Vec3& axis_angle, const Vec3& u) {
  const double angle = norm(axis_angle);
  if (angle == 0) return u;
  const Vec3 k = (1 / angle) * axis_angle;
  return std::cos(angle) * u + std::sin(angle) * cross(k, u) +
         (dot(k, u) * (1 - std::cos(angle))) * k;
}

// a wheelset that moves with constant v + a t and turns with w(t) = w + dw t
struct Motion {
  Vec3 r{0.1, 0.004, 0.66}, v{20, 0.3, -0.1}, a{0.2, -0.4, 0.1};
  Axes axes;
  Vec3 w{0.02, 0.03, -0.04}, dw{0.3, -0.2, 0.5};
  double spin = 39;
  std::array<double, 4> s{1.56, 0.004, 0.11, -0.002}, ds{0.02, -0.03, 20.1, 0.01};

  Vec3 r_at(double t) const { return r + t * v + (t * t / 2) * a; }
  // the turn of second order in t: enough for second differences
  Axes axes_at(double t) const {
    const Vec3 turn = t * w + (t * t / 2) * dw;
    return {turned(turn, axes.x), turned(turn, axes.y), turned(turn, axes.z)};
  }
  std::vector<double> pose_at(double t) const {
    const Vec3 p = r_at(t);
    const Axes e = axes_at(t);
    return {p.x, p.y, p.z, e.x.x, e.x.y, e.x.z, e.y.x, e.y.y, e.y.z, e.z.x, e.z.y, e.z.z};
  }
  std::vector<double> twist_at(double t) const {
    const Vec3 vt = v + t * a, wt = w + t * dw;
    return {vt.x, vt.y, vt.z, wt.x, wt.y, wt.z, spin};
  }
  std::vector<double> s_at(double t) const {
    std::vector<double> x(4);
    for (int i = 0; i < 4; ++i) x[i] = s[i] + t * ds[i];
    return x;
  }
};

// wheel and rail of the size of a locomotive's, on a curved, canted, uneven track
const std::vector<double> spline = {30,    -1.5, 0.05, 0.5,    0.001,  //
                                    -40,   -2.0, 0.01, 0.159,  0.002,  //
                                    -1e-5, 2e-4, 0.99, 0.0,    0.0,    //
                                    2e-5,  3e-3, 0.02, -0.535, 0.0,    //
                                    -3e-4, 2e-3, 0.01, 0.003,  0.0,    //
                                    1e-4,  1e-3, 3e-3, 0.04,   0.0};

class ContactKernel : public ::testing::Test {
 protected:
  ContactKernel()
      : contact(kernel(contact_interface, "contact")),
        reference(kernel(contact_reference_interface, "contact_reference")) {
    motion.axes = {turned({0, 0, 0.01}, {1, 0, 0}), turned({0, 0, 0.01}, {0, 1, 0}), {0, 0, 1}};
    for (exec::Evaluator* e : {&contact, &reference}) {
      e->set("y_w", {-0.535});
      e->set("spline", spline);
    }
    at(0);
  }

  void at(double t) {
    for (exec::Evaluator* e : {&contact, &reference}) {
      e->set("pose", motion.pose_at(t));
      e->set("s", motion.s_at(t));
      e->set("twist", motion.twist_at(t));
      const Vec3 &a = motion.a, &dw = motion.dw;
      e->set("bias", {a.x, a.y, a.z, dw.x, dw.y, dw.z});
      e->set("ds", motion.ds);
    }
  }

  std::vector<double> value(exec::Evaluator& e, const char* function, const char* output) {
    e.evaluate(function);
    const auto values = e.output(function, output);
    return {values.begin(), values.end()};
  }

  // moves s onto phi_d = 0 by the kernel's own corrections
  double settle() {
    double size = 1;
    for (int i = 0; i < 30 && size > 1e-15; ++i) {
      const std::vector<double> step = value(contact, "tangent", "step");
      size = 0;
      for (int k = 0; k < 4; ++k) {
        motion.s[k] += step[k];
        size = std::max(size, std::abs(step[k]));
      }
      at(0);
    }
    return size;
  }

  Motion motion;
  exec::Evaluator contact, reference;
};

TEST_F(ContactKernel, newton_corrections_meet_the_tangent_constraints) {
  EXPECT_LT(settle(), 1e-14);
  for (const double phi : value(contact, "tangent", "phi_d")) EXPECT_LT(std::abs(phi), 1e-14);
}

TEST_F(ContactKernel, both_interfaces_give_the_same_constraints) {
  EXPECT_EQ(value(contact, "tangent", "phi_n"), value(reference, "constraints", "phi_n"));
  EXPECT_EQ(value(contact, "tangent", "phi_d"), value(reference, "constraints", "phi_d"));
}

TEST_F(ContactKernel, gap_does_not_depend_on_s_where_the_tangent_constraints_hold) {
  settle();
  // the surfaces are apart or overlap by millimetres here: it holds all the same
  EXPECT_GT(std::abs(value(contact, "tangent", "phi_n")[0]), 1e-4);
  for (const double d : value(reference, "jacobians", "dphi_n_ds")) EXPECT_LT(std::abs(d), 1e-13);
}

TEST_F(ContactKernel, wrenches_give_the_rate_of_the_gap) {
  settle();
  const std::vector<double> W_n = value(contact, "frame", "W_n");
  const std::vector<double> J = value(reference, "jacobians", "dphi_n_dtwist");
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(W_n[i], J[i], 1e-14) << i;
  EXPECT_EQ(J[6], 0) << "spin does not move the gap";
}

TEST_F(ContactKernel, jacobians_equal_finite_differences) {
  const std::vector<double> J = value(reference, "jacobians", "dphi_d_ds");
  const double h = 1e-5;
  for (int k = 0; k < 4; ++k) {
    const double kept = motion.s[k];
    motion.s[k] = kept + h;
    at(0);
    const std::vector<double> up = value(reference, "constraints", "phi_d");
    motion.s[k] = kept - h;
    at(0);
    const std::vector<double> down = value(reference, "constraints", "phi_d");
    motion.s[k] = kept;
    // errors: h^2 times third derivatives near 1e2, and round-off over h
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(J[4 * k + i], (up[i] - down[i]) / (2 * h), 2e-8) << i << k;
  }
}

TEST_F(ContactKernel, rates_keep_the_tangent_constraints) {
  settle();
  motion.a = motion.dw = {};
  at(0);
  const std::vector<double> ds = value(contact, "rates", "ds_of_twist");
  for (int k = 0; k < 4; ++k) motion.ds[k] = ds[k];
  const double h = 1e-6;
  at(h);
  const std::vector<double> up = value(contact, "tangent", "phi_d");
  at(-h);
  const std::vector<double> down = value(contact, "tangent", "phi_d");
  for (int i = 0; i < 4; ++i) EXPECT_NEAR((up[i] - down[i]) / (2 * h), 0, 1e-7) << i;
}

// 2,697 operations and 67 divisions when the constraints were differentiated in the ground's base
TEST(contact_program, is_short) {
  sym::Graph graph;
  const gen::Manifest manifest =
      gen::emit_c(gen::Program(graph, "contact", contact_interface(graph))).manifest;
  sym::Count sum;
  for (const auto& stage : manifest.stages) sum += stage.count;
  for (const auto& function : manifest.functions) sum += function.count;
  EXPECT_LE(sum.total(), 1073u);
  EXPECT_LE(sum.div, 11u);
}

// phi_d = 0 with its own rates: where the step's derivatives hold
TEST_F(ContactKernel, derivatives_of_the_step_are_those_of_the_constraints_in_contact) {
  settle();
  const std::vector<double> ds = value(contact, "rates", "ds_of_twist");
  for (int k = 0; k < 4; ++k) motion.ds[k] = ds[k];
  at(0);
  EXPECT_GT(std::abs(value(contact, "tangent", "phi_n")[0]), 1e-4) << "a gap, so that it counts";
  const std::vector<double> J_s = value(reference, "jacobians", "dphi_d_ds");
  const std::vector<double> J_t = value(reference, "jacobians", "dphi_d_dtwist");
  const std::vector<double> twist = motion.twist_at(0);
  for (int i = 0; i < 4; ++i) {
    double rate = 0;
    for (int k = 0; k < 7; ++k) rate += J_t[4 * k + i] * twist[k];
    for (int k = 0; k < 4; ++k) rate += J_s[4 * k + i] * ds[k];
    EXPECT_NEAR(rate, 0, 1e-12) << i;
  }
  const double gamma_n = value(reference, "gamma", "gamma_n")[0];
  EXPECT_GT(std::abs(gamma_n), 0.1);
  EXPECT_NEAR(value(contact, "motion", "gamma_n")[0], gamma_n, 1e-12 * std::abs(gamma_n));
}

TEST_F(ContactKernel, gamma_equals_second_differences_along_the_motion) {
  at(0);
  const double gamma_n = value(reference, "gamma", "gamma_n")[0];
  const std::vector<double> gamma_d = value(reference, "gamma", "gamma_d");
  const double h = 2e-5;
  std::array<std::vector<double>, 3> phi;
  for (int i = 0; i < 3; ++i) {
    at((i - 1) * h);
    phi[i] = value(reference, "constraints", "phi_d");
    phi[i].push_back(value(reference, "constraints", "phi_n")[0]);
  }
  for (int k = 0; k < 5; ++k) {
    const double second = (phi[2][k] - 2 * phi[1][k] + phi[0][k]) / (h * h);
    const double expected = k < 4 ? gamma_d[k] : gamma_n;
    EXPECT_NEAR(-second, expected, 2e-5 * (1 + std::abs(expected))) << k;
  }
}

TEST_F(ContactKernel, change_of_slip_equals_differences_along_the_motion) {
  const std::vector<double> dnu = value(contact, "motion", "dnu");
  const double h = 1e-6;
  at(h);
  const std::vector<double> up = value(contact, "motion", "nu");
  at(-h);
  const std::vector<double> down = value(contact, "motion", "nu");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(dnu[i], (up[i] - down[i]) / (2 * h), 1e-5) << i;
}

TEST_F(ContactKernel, the_mean_velocity_has_the_sign_of_rolling) {
  const double forwards = value(contact, "motion", "V")[0];
  EXPECT_NEAR(forwards, 20, 0.5);
  const auto turn_back = [&](Vec3& v) { v = -1.0 * v; };
  turn_back(motion.v), turn_back(motion.w), motion.spin = -motion.spin;
  at(0);
  EXPECT_EQ(value(contact, "motion", "V")[0], -forwards);
  // a locked wheel slides in its direction, and one that spins on the spot rolls in its own
  motion.spin = 0;
  at(0);
  EXPECT_NEAR(value(contact, "motion", "V")[0], -10, 0.1);
  motion.v = motion.w = {};
  motion.spin = -40;
  at(0);
  EXPECT_NEAR(value(contact, "motion", "V")[0], -10, 0.5);
}

// a cone on a circular head: everything follows from plane geometry
TEST_F(ContactKernel, upright_cone_on_a_round_rail_is_plane_geometry) {
  const double slope = 0.05, radius = 0.3, r0 = 0.46, half = 0.75;
  const double alpha = std::atan(slope), sine = std::sin(alpha), cosine = std::cos(alpha);
  // the head as its parabola at the contact: height, slope and curvature there are the circle's
  const double u = radius * sine, f = radius * (cosine - 1);
  const double second = -1 / (cosine * cosine * cosine * radius);
  motion = {};
  motion.r = {0, 0, r0};
  motion.v = {20, 0, 0};
  motion.a = motion.w = motion.dw = {};
  motion.spin = 20 / r0;
  // right wheel: its flange is on the left, so the radius grows with u_w and the rail must fall
  motion.s = {std::numbers::pi / 2, 0, 0, u};
  motion.ds = {0, 0, 20, 0};
  std::vector<double> pieces(30, 0.0);
  pieces[2] = slope, pieces[3] = r0;
  pieces[6] = second / 2, pieces[7] = -slope, pieces[8] = f, pieces[9] = u;
  pieces[12] = 1, pieces[18] = -half;
  for (exec::Evaluator* e : {&contact, &reference}) {
    e->set("y_w", {-half});
    e->set("spline", pieces);
  }
  at(0);
  EXPECT_LT(settle(), 1e-14);
  EXPECT_NEAR(motion.s[0], std::numbers::pi / 2, 1e-14);
  EXPECT_NEAR(motion.s[3], u, 1e-14) << "where the rail has the slope of the cone";
  const std::vector<double> K = value(contact, "frame", "curvatures");
  const double r = r0 + slope * motion.s[1];
  EXPECT_NEAR(K[0], cosine / r, 1e-12);
  EXPECT_NEAR(K[1], 0, 1e-14);
  EXPECT_NEAR(K[2], 1 / radius, 1e-12);
  EXPECT_NEAR(value(contact, "frame", "sin_angle")[0], -std::sin(alpha), 1e-14);
  EXPECT_NEAR(value(contact, "frame", "cos_angle")[0], std::cos(alpha), 1e-14);
  const std::vector<double> nu = value(contact, "motion", "nu");
  EXPECT_NEAR(nu[0], 20 - motion.spin * r, 1e-12);
  EXPECT_NEAR(nu[1], 0, 1e-14);
  EXPECT_NEAR(nu[2], motion.spin * sine, 1e-12);
  EXPECT_NEAR(value(contact, "motion", "V")[0], (20 + motion.spin * r) / 2, 1e-12);
  EXPECT_NEAR(value(contact, "motion", "gamma_n")[0], 0, 1e-12);
}

}  // namespace
}  // namespace klingel::model
