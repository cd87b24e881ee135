// The heart of loaded contact: normal forces N = k (-phi)^(3/2) along the gradient of phi do no net
// work. A wheel is led around random loops and along random ways in x, y, z, yaw and roll, on a
// rail that bends, cants and waves, on its tread, over its root and up its flank; and with wheels
// of random profiles. What N does is summed up from the wrenches that the simulator uses.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "spline/spline_fit.hpp"
#include "tests/support/property.hpp"
#include "tests/support/random.hpp"
#include "tests/unit/step/loaded_motion.hpp"

namespace klingel::step {
namespace {

using namespace test;
using profile::Side;

// A way of the wheelset by a parameter p, in x, y, z, yaw and roll: a mean, some harmonics of
// 2 pi p, and a rise, zero for loops.
struct Way {
  static constexpr int harmonics = 2;
  double mean[5], rise[5], sine[5][harmonics], cosine[5][harmonics];

  // Place and rate by p, as kernels give them; no accelerations.
  Motion::State at(double p) const {
    double x[5], dx[5];
    for (int i = 0; i < 5; ++i) {
      x[i] = mean[i] + rise[i] * p;
      dx[i] = rise[i];
      for (int k = 0; k < harmonics; ++k) {
        const double w = 2 * std::numbers::pi * (k + 1), s = std::sin(w * p), c = std::cos(w * p);
        x[i] += sine[i][k] * s + cosine[i][k] * c;
        dx[i] += w * (sine[i][k] * c - cosine[i][k] * s);
      }
    }
    Motion m{};
    m.r = Vector(x[0], x[1], x[2]);
    m.v = Vector(dx[0], dx[1], dx[2]);
    m.yaw[0] = x[3], m.yaw[1] = dx[3];
    m.roll[0] = x[4], m.roll[1] = dx[4];
    return m.at(0);
  }
};

struct Work {
  double net = 0, exchanged = 0;  // J
  double deepest = 0;             // m
  double begin = 0, end = 0;      // energy stored in the sheets, J
  bool inside = true;
};

// Both sheets' work on the wheel along a way. Loops are summed by the trapezoidal rule, the best
// for periodic functions; other ways by Simpson's.
Work work_along(LoadedSet set, const contact::ChartedPair& charts, const Way& way, double s_r,
                int steps, bool loop) {
  Work out;
  for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane) set.set_s_r(lane, s_r);
  for (int i = 0; i <= steps; ++i) {
    const Motion::State s = way.at(static_cast<double>(i) / steps);
    const double *pose = s.pose.data(), *twist = s.twist.data(), *bias = s.bias.data();
    set.evaluate({pose, pose, pose, pose}, {twist, twist, twist, twist}, {bias, bias, bias, bias});
    double power = 0, stored = 0;
    const auto add = [&](const LoadedSet::Sheet& sheet, double k) {
      const double delta = -sheet.phi[0];
      if (sheet.has == 0 || !(delta > 0)) return;
      power += k * delta * std::sqrt(delta) * along(sheet.frame.W_n, twist);
      stored += 0.4 * k * delta * delta * std::sqrt(delta);
      out.deepest = std::max(out.deepest, delta);
      out.inside = out.inside && (sheet.inside & 1) != 0;
    };
    add(set.tread(), charts.tread.k);
    if (charts.flange) add(set.flange(), charts.flange->k);
    const bool at_end = i == 0 || i == steps;
    const double weight = loop ? (at_end ? 0.5 : 1) : (at_end ? 1 : i % 2 == 1 ? 4 : 2) / 3.0;
    out.net += weight * power / steps;
    out.exchanged += std::abs(power) / steps;
    if (i == 0) out.begin = stored;
    if (i == steps) out.end = stored;
  }
  return out;
}

// Ways around a case: some millimetres and mrad across, decimetres along.
Way any_way(const Case& c, klingel::test::Random& random, bool loop, double size) {
  const Motion::State s = c.motion.at(0);
  Way way{};
  const double mean[] = {s.pose[0], s.pose[1], s.pose[2], c.motion.yaw[0], c.motion.roll[0]};
  const double reach[] = {0.05, 1e-3, 5e-5, 4e-3, 1e-4};
  for (int i = 0; i < 5; ++i) {
    way.mean[i] = mean[i];
    if (!loop) way.rise[i] = size * random.within(reach[i]);
    for (int k = 0; k < Way::harmonics; ++k) {
      way.sine[i][k] = size * random.within(reach[i]) / (k + 1);
      way.cosine[i][k] = size * random.within(reach[i]) / (k + 1);
    }
  }
  return way;
}

Side any_side(klingel::test::Random& random) {
  return random.chance(0.5) ? Side::left : Side::right;
}

constexpr Where everywhere[] = {Where::tread, Where::root, Where::flank};

// Both kinds of ways: what is left after summing, as a share of what was exchanged. Loops that
// leave their charts, or hardly press, say nothing.
struct Left {
  double worst = 0;
  int used = 0;

  void add(const Work& work) {
    if (work.exchanged < 1e-3 || !work.inside) return;
    ++used;
    const double left = std::abs(work.net + work.end - work.begin) / work.exchanged;
    if (!(left <= worst)) worst = left;
  }
};

constexpr int runs = 20, steps = 1500;

// Splines of the third degree and forces that begin with (-phi)^(3/2) leave errors of the third
// order in 1/steps; ways that are not closed have those of their ends, too.
constexpr double loop_error = 5e-6, way_error = 5e-5;

void lead(Where where, bool loop) {
  Left left;
  klingel::test::check_property(runs, [&] {
    klingel::test::Random random(*rc::gen::arbitrary<std::uint32_t>());
    const Side side = any_side(random);
    const Case c = any_case(side, where, random, -1e-4, -2e-5);
    const Way way = any_way(c, random, loop, random.uniform(0.1, 1));
    Left this_one;
    this_one.add(work_along(one_wheel(side), standard().charts, way, c.s, steps, loop));
    left.used += this_one.used;
    left.worst = std::max(left.worst, this_one.worst);
    RC_ASSERT(this_one.worst < (loop ? loop_error : way_error));
  });
  EXPECT_GE(left.used, runs / 3);
}

TEST(loaded_contact_property, treads_do_no_work_around_loops) { lead(Where::tread, true); }
TEST(loaded_contact_property, flange_roots_do_no_work_around_loops) { lead(Where::root, true); }
TEST(loaded_contact_property, flanks_do_no_work_around_loops) { lead(Where::flank, true); }

TEST(loaded_contact_property, work_of_treads_is_what_they_store) { lead(Where::tread, false); }
TEST(loaded_contact_property, work_of_flange_roots_is_what_they_store) { lead(Where::root, false); }
TEST(loaded_contact_property, work_of_flanks_is_what_they_store) { lead(Where::flank, false); }

// It is the sum that errs, not the model: with finer steps less is left.
TEST(loaded_contact_property, finer_sums_leave_less) {
  klingel::test::Random random(3);
  double coarse = 0, fine = 0;
  for (int i = 0; i < 6; ++i) {
    const Case c = any_case(Side::left, everywhere[i % 3], random, -1e-4, -5e-5);
    const Way way = any_way(c, random, true, 0.2);
    const LoadedSet set = one_wheel(Side::left);
    const Work a = work_along(set, standard().charts, way, c.s, 200, true);
    const Work b = work_along(set, standard().charts, way, c.s, 3200, true);
    if (b.exchanged < 1e-3 || !b.inside) continue;
    coarse = std::max(coarse, std::abs(a.net) / a.exchanged);
    fine = std::max(fine, std::abs(b.net) / b.exchanged);
  }
  EXPECT_GT(coarse, 0);
  EXPECT_LT(fine, 0.02 * coarse);
  EXPECT_LT(fine, 1e-7);
}

// A wheel with waves of 10 to 20 mm on its tread, some hundredths of a millimetre high, on a round
// rail.
TEST(loaded_contact_property, wheels_of_any_shape_do_no_work_around_loops) {
  Left left;
  klingel::test::check_property(4, [&] {
    klingel::test::Random random(*rc::gen::arbitrary<std::uint32_t>());
    double height[3], wave[3], phase[3];
    for (int i = 0; i < 3; ++i) {
      height[i] = random.within(3e-5);
      wave[i] = random.uniform(0.01, 0.02);
      phase[i] = random.within(3);
    }
    const double slope = random.uniform(-0.15, -0.02);
    std::vector<double> u, f, u_r, f_r;
    for (int k = -120; k <= 120; ++k) {
      u.push_back(5e-4 * k);
      f.push_back(0.46 + slope * u.back());
      for (int i = 0; i < 3; ++i)
        f.back() += height[i] * std::sin(2 * std::numbers::pi * u.back() / wave[i] + phase[i]);
      u_r.push_back(3e-4 * k);
      f_r.push_back(std::sqrt(0.09 - u_r.back() * u_r.back()) - 0.3);
    }
    const spline::CubicSpline f_w = spline::interpolate(u, f);
    const contact::ChartedPair charts = charted(
        loaded_pair(f_w, spline::interpolate(u_r, f_r), 0, 60e3, contact::HertzTable(210e9, 0.28)),
        f_w);
    const double r0 = charts.r0;
    for (int loop = 0; loop < 8; ++loop) {
      const double s = random.uniform(-30, 60);
      const track::RailFrame rail = track::rail_frame(rail_of(Side::left), s);
      const Vector across = eigen(rail.axes.y), up = eigen(rail.axes.z), t = eigen(rail.axes.x);
      LoadedSet set;
      for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane)
        set.occupy(lane, charts, rail_of(Side::left), Side::left, r0, 0.75);
      Case c{Side::left, Where::tread, s, {}};
      c.motion.yaw[0] = std::atan2(t.y(), t.x()) + random.within(5e-3);
      c.motion.roll[0] = std::asin(across.z()) + random.within(2e-3);
      const Motion::State turned = c.motion.at(0);
      const Vector axle(turned.pose[6], turned.pose[7], turned.pose[8]);
      c.motion.r = eigen(rail.origin) + random.within(4e-3) * across + r0 * up - 0.75 * axle;
      const double phi = random.uniform(-1e-4, -3e-5);
      for (int i = 0; i < 20; ++i) {
        evaluate(set, c.motion.at(0), s);
        c.motion.r += (phi - set.tread().phi[0]) / set.tread().G[1][0] * up;
      }
      left.add(work_along(set, charts, any_way(c, random, true, random.uniform(0.1, 1)), s, steps,
                          true));
    }
    RC_ASSERT(left.worst < loop_error);
  });
  EXPECT_GE(left.used, 8);
}

}  // namespace
}  // namespace klingel::step
