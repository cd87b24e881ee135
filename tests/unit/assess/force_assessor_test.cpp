// Forces of a wheelset whose assessment is known on paper.
#include "assess/force_assessor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/json_reader.hpp"

namespace klingel::assess {
namespace {

constexpr double dt = 1e-3, v = 20;

using Forces = std::function<std::array<WheelForces, 2>(double t)>;

Assessment assessed(double duration, const Forces& forces) {
  ForceAssessor a({{"axle.left", 0, 50e3}, {"axle.right", 0, 50e3}}, {"axle"}, dt);
  for (int i = 0; i * dt < duration; ++i) a.add(i * dt, i > 0 ? v * dt : 0, forces(i * dt));
  return a.assessment();
}

// Y of both wheels to the left
std::array<WheelForces, 2> wheelset(double Y_left, double Y_right, double Q_left, double Q_right) {
  return {{{Y_left, Q_left, -Y_left, 20}, {Y_right, Q_right, Y_right, 30}}};
}

TEST(force_assessor, signs_and_quasi_static_values_are_those_of_the_forces) {
  // a curve to the left: the right wheel guides, the rail pushes it to the left
  const Assessment a = assessed(3, [](double) { return wheelset(-5e3, 20e3, 45e3, 55e3); });
  const WheelAssessment &left = a.wheels[0], &right = a.wheels[1];
  EXPECT_NEAR(right.Y->value, 20e3, 1e-6);
  EXPECT_NEAR(left.Y->value, -5e3, 1e-6);
  EXPECT_NEAR(*right.Y_median, 20e3, 40);
  EXPECT_NEAR(*left.Y_median, -5e3, 10);
  EXPECT_NEAR(right.YQ_2m->value, 20.0 / 55, 1e-9);
  EXPECT_NEAR(left.YQ_2m->value, 5.0 / 45, 1e-9);
  EXPECT_NEAR(a.wheelsets[0].sum_Y_2m->value, 15e3, 1e-6);
  EXPECT_NEAR(left.unloading->value, 0.1, 1e-9);
  EXPECT_NEAR(*right.T_gamma_mean, 30, 1e-9);
}

TEST(force_assessor, limits_are_those_of_the_standard) {
  const Assessment a = assessed(1, [](double) { return wheelset(0, 0, 50e3, 50e3); });
  // static load of the wheelset 100 kN: 10 kN + 33.3 kN
  EXPECT_NEAR(*a.wheelsets[0].P0, 100e3, 1e-6);
  EXPECT_NEAR(*a.wheelsets[0].limit, 43.333e3, 1);
  EXPECT_NEAR(*a.wheelsets[0].limit_freight, 0.85 * 43.333e3, 1);
  EXPECT_NEAR(limit_nadal(70 * std::numbers::pi / 180, 0.3), 1.3407, 1e-3);
  base::Json json;
  write(json, a);
  EXPECT_EQ(base::parse_json(json.text(), "json")["limit_YQ"].number, 0.8);
}

TEST(force_assessor, in_the_air_Y_over_Q_is_undefined) {
  const Assessment a = assessed(2, [](double t) {
    const bool up = t > 1 && t < 1.2;
    return up ? wheelset(-4, 0, 10, 100e3) : wheelset(-20e3, 0, 50e3, 50e3);
  });
  // not 0 and not 90: the value while the wheel carries
  EXPECT_NEAR(a.wheels[0].YQ_2m->value, 0.4, 0.15);
  EXPECT_NEAR(*a.wheels[0].YQ_median, 0.4, 0.01);
  EXPECT_NEAR(a.wheels[0].undefined_YQ, 0.2, 0.05);
  EXPECT_EQ(a.wheels[1].undefined_YQ, 0);
}

TEST(force_assessor, a_single_step_is_not_an_extreme) {
  const Assessment a = assessed(2, [](double t) {
    const bool spike = std::abs(t - 1) < dt / 2;
    return wheelset(0, spike ? 40e3 : 0, 50e3, spike ? 0 : 50e3);
  });
  EXPECT_LT(a.wheels[1].Y->value, 5e3);
  EXPECT_LT(a.wheels[1].unloading->value, 0.15);
  EXPECT_LT(a.wheelsets[0].sum_Y_2m->value, 1e3);
}

TEST(force_assessor, hunting_shows_as_instability_at_its_frequency) {
  const Assessment a = assessed(12, [](double t) {
    return wheelset(0, 8e3 * std::sin(2 * std::numbers::pi * 6 * t), 50e3, 50e3);
  });
  // rms of a sine; the edges of the band, 2 Hz away, take 7 % of it
  EXPECT_NEAR(a.wheelsets[0].instability->value, 0.93 * 8e3 / std::numbers::sqrt2, 60);
  EXPECT_NEAR(*a.wheelsets[0].f0, 6, 1);
  // a steady force in a curve is none
  const Assessment calm = assessed(12, [](double) { return wheelset(0, 8e3, 50e3, 50e3); });
  EXPECT_NEAR(calm.wheelsets[0].instability->value, 0, 1e-3);
}

TEST(force_assessor, the_mean_over_2_m_is_after_the_filter) {
  // a sine of 100 Hz is gone after 20 Hz, but for its beginning
  const Assessment a = assessed(3, [](double t) {
    return wheelset(0, 30e3 * std::sin(2 * std::numbers::pi * 100 * t), 50e3, 50e3);
  });
  EXPECT_LT(std::abs(a.wheels[1].Y->value), 3e3);  // its beginning
}

}  // namespace
}  // namespace klingel::assess
