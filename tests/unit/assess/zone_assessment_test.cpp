// Sections, statistics and quantities of EN 14363 with signals whose answers are known.
#include "assess/zone_assessment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "assess/comfort.hpp"
#include "base/error.hpp"

namespace klingel::assess {
namespace {

constexpr double row_apart = 0.005, cart_speed = 20;

// 600 m straight, 60 m of transition, 400 m of an arc, at 20 m/s.
RunSignals known_run(double radius, double cant) {
  RunSignals run;
  run.name = "known", run.vehicle = "cart";
  TrackCourse& c = run.course;
  c.interval = row_apart;
  for (double t = 0; t * cart_speed < 1060; t += row_apart) {
    const double s = t * cart_speed;
    const double share = std::clamp((s - 600) / 60, 0.0, 1.0);
    c.t.push_back(t), c.s.push_back(s), c.speed.push_back(cart_speed);
    c.curvature.push_back(share / radius);
    c.cant.push_back(-share * cant * (radius > 0 ? 1 : -1));
  }
  const std::size_t n = c.t.size();
  WheelsetSignal w;
  w.name = "axle";
  w.left = {"axle.left", std::vector<double>(n, -2e3), std::vector<double>(n, 50e3), 50e3};
  w.right = {"axle.right", std::vector<double>(n, 12e3), std::vector<double>(n, 60e3), 50e3};
  run.wheelsets = {w};
  run.roll = std::vector<double>(n, 0.0);
  return run;
}

TEST(track_sections, a_run_is_cut_by_radius_away_from_transitions) {
  const Cut cut = assess::cut(known_run(500, 0.05).course);
  ASSERT_EQ(cut.transitions.size(), 1);
  std::map<Zone, int> count;
  for (const TrackSection& s : cut.sections) ++count[s.zone];
  EXPECT_EQ(count[Zone::straight], 2);  // 250 m each of 590
  EXPECT_EQ(count[Zone::small], 3);     // 100 m each of 390
  // 1500 (v^2/(g R) - sin cant)
  EXPECT_NEAR(cut.sections.back().cant_deficiency, 1500 * (400 / (9.81 * 500) - 0.05), 0.1);
  EXPECT_EQ(zone_of(1.0 / 3000), Zone::straight);
  EXPECT_EQ(zone_of(-1.0 / 300), Zone::very_small);
  EXPECT_EQ(zone_of(1.0 / 150), Zone::beyond);
}

TEST(section_statistics, percentiles_means_and_the_border_of_a_regression) {
  const double x[] = {4, 1, 3, 2, 5};
  EXPECT_DOUBLE_EQ(percentile(x, 0.5), 3);
  EXPECT_DOUBLE_EQ(percentile(x, 0), 1);
  EXPECT_NEAR(percentile(x, 0.9985), 4.994, 1e-12);
  const OneDimensional one = one_dimensional(x, 3);
  EXPECT_DOUBLE_EQ(one.mean, 3);
  EXPECT_NEAR(*one.estimated, 3 + 3 * std::sqrt(2.5), 1e-12);
  // quantiles of tables
  EXPECT_NEAR(student_quantile(0.975, 10), 2.2281, 1e-4);
  EXPECT_NEAR(student_quantile(0.995, 3), 5.8409, 1e-4);
  // on a line nothing scatters
  const double at[] = {10, 20, 30, 40}, on[] = {3, 5, 7, 9};
  EXPECT_NEAR(two_dimensional(at, on, 100, 0.975)->estimated, 21, 1e-9);
  const double same[] = {10, 10, 10, 10};
  EXPECT_FALSE(two_dimensional(same, on, 100, 0.975));
}

TEST(zone_assessment, constant_forces_are_what_is_judged) {
  const ZoneAssessment a = assess_zones({known_run(500, 0.05)});
  const auto of = [&](std::string_view key, Zone zone) -> const Judged& {
    for (const Judged& j : a.judged)
      if (j.quantity->key == key && j.zone == zone) return j;
    ADD_FAILURE() << key;
    return a.judged.front();
  };
  EXPECT_NEAR(of("sum_Y", Zone::straight).one.mean, 10e3, 1);
  // k1 (10 kN + P0/3) with P0 = 100 kN
  EXPECT_NEAR(*of("sum_Y", Zone::straight).limit, 10e3 + 100e3 / 3, 1e-6);
  EXPECT_NEAR(*of("sum_Y", Zone::straight).margin(), 1 - 10e3 / (10e3 + 100e3 / 3), 1e-3);
  // the outer wheel of a left curve is the right one
  EXPECT_NEAR(of("Q_qst", Zone::small).one.mean, 60e3, 1);
  EXPECT_NEAR(of("Y_Q", Zone::small).one.mean, 0.2, 1e-4);
  EXPECT_NEAR(of("instability", Zone::straight).one.mean, 0, 1);
  EXPECT_EQ(worst(a).front()->zone, Zone::straight);
  // and of a right curve the left one
  const ZoneAssessment right = assess_zones({known_run(-500, 0.05)});
  for (const Judged& j : right.judged)
    if (j.quantity->key == "Q_qst") EXPECT_NEAR(j.one.mean, 50e3, 1);
}

TEST(zone_assessment, hunting_of_the_sum_of_Y_is_instability) {
  RunSignals run = known_run(500, 0.05);
  for (std::size_t i = 0; i < run.course.t.size(); ++i)
    run.wheelsets[0].left.Y[i] += 20e3 * std::sin(2 * M_PI * 6 * run.course.t[i]);
  for (const Judged& j : assess_zones({run}).judged)
    if (j.quantity->key == "instability" && j.zone == Zone::straight)
      EXPECT_NEAR(j.one.largest, 20e3 / std::sqrt(2), 0.1 * 20e3 / std::sqrt(2));
}

TEST(zone_assessment, recordings_of_two_vehicles_are_refused) {
  RunSignals other = known_run(500, 0.05);
  other.vehicle = "wagon";
  EXPECT_THROW(assess_zones({known_run(500, 0.05), other}), base::Error);
  EXPECT_THROW(assess_zones({}), base::Error);
  RunSignals empty;
  EXPECT_THROW(assess_zones({empty}), base::Error);
}

TEST(comfort, a_transition_of_constant_jerk_has_the_formulas_value) {
  RunSignals run = known_run(500, 0.0);
  const std::size_t n = run.course.t.size();
  FloorSignal f{"middle", {}};
  f.a[0] = f.a[2] = std::vector<double>(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    f.a[1].push_back(cart_speed * cart_speed * run.course.curvature[i]);
    run.roll[i] = 0.02 * run.course.curvature[i] * 500;  // 0.02 rad in 3 s
  }
  run.floor = {f};
  const std::vector<TransitionComfort> list = transition_comfort(run, 0);
  ASSERT_EQ(list.size(), 1);
  EXPECT_NEAR(list[0].y, 0.8, 0.01);
  EXPECT_NEAR(list[0].jerk, 0.8 / 3, 0.02);
  EXPECT_NEAR(list[0].roll, 0.02 / 3 * 180 / M_PI, 0.02);
  EXPECT_NEAR(
      list[0].standing,
      28.54 * list[0].y + 20.69 * list[0].jerk - 11.1 + 0.185 * std::pow(list[0].roll, 2.283),
      1e-9);
  EXPECT_GT(list[0].standing, list[0].seated);
}

TEST(comfort, a_sine_has_the_rms_of_its_weighting_in_every_index) {
  FloorSignal f{"middle", {}};
  for (int i = 0; i < 12000; ++i) {
    f.a[0].push_back(0);
    f.a[1].push_back(0.5 * std::sin(2 * M_PI * 1.0 * i * row_apart));
    f.a[2].push_back(0);
  }
  const Comfort c = *comfort(f, row_apart);
  EXPECT_NEAR(c.N_MV, 6 * c.continuous_y, 0.05 * c.N_MV);
  EXPECT_NEAR(c.N_VD, 6 * c.continuous_y + 5 * c.continuous_y, 0.05 * c.N_VD);
  EXPECT_NEAR(c.N_VA, 2 * c.continuous_y, 0.05 * c.N_VA);
}

}  // namespace
}  // namespace klingel::assess
