// Steady curves against balances by hand.
#include "stability/curving.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/steady_vehicle.hpp"

namespace klingel::stability {
namespace {

using support::steady_vehicle, support::SteadyVehicle;

TEST(curving, forces_of_the_rails_balance_weight_and_inertia) {
  const SteadyVehicle v = steady_vehicle("manchester1");
  Curving curving(*v.vehicle.description, v.linear->abi());
  const double mass = 32000 + 2 * 2615 + 4 * 1813, g = 9.81;
  for (const CurveCase& one : {CurveCase{300, 15, 0.1, {}}, CurveCase{-800, 25, 0.05, 0.2}}) {
    const CurveResult r = curving.solve(one);
    ASSERT_EQ(r.failure, "");
    const double angle = std::asin(one.cant() / CurveCase::base);
    const double centrifugal = one.speed * one.speed / std::abs(one.radius);
    const double a_q = centrifugal * std::cos(angle) - g * std::sin(angle);
    const double a_n = g * std::cos(angle) + centrifugal * std::sin(angle);
    double Q = 0, Y = 0;
    for (const CurveResult::Wheel& w : r.wheels) Q += w.Q, Y += w.Y;
    EXPECT_NEAR(Q / (mass * a_n), 1, 2e-3);
    // to the middle of the curve
    EXPECT_NEAR(Y * (one.radius > 0 ? 1 : -1) / (mass * a_q), 1, 5e-3);
    // cant deficiency as it was asked for
    EXPECT_NEAR(a_q / g * CurveCase::base, one.cant_deficiency, 2e-3);
  }
}

TEST(curving, the_leading_wheelset_of_a_bogie_runs_against_the_outer_rail) {
  const SteadyVehicle v = steady_vehicle("manchester1");
  Curving curving(*v.vehicle.description, v.linear->abi());
  const CurveResult r = curving.solve({300, 15, 0, {}});
  ASSERT_EQ(r.failure, "");
  const std::vector<std::string>& names = v.vehicle.description->data.wheelsets;
  const std::size_t leading = static_cast<std::size_t>(
      std::find(names.begin(), names.end(), "front.front") - names.begin());
  EXPECT_LT(r.wheelsets[leading].attack, -2e-3) << "points outwards, to the right";
  EXPECT_LT(r.wheelsets[leading].y, -4e-3);
}

TEST(curving, a_right_curve_mirrors_a_left_one) {
  const SteadyVehicle v = steady_vehicle("bogie");
  Curving curving(*v.vehicle.description, v.linear->abi());
  const CurveResult left = curving.solve({500, 20, 0.05, {}}),
                    right = curving.solve({-500, 20, 0.05, {}});
  ASSERT_EQ(left.failure + right.failure, "");
  for (std::size_t k = 0; k < left.wheelsets.size(); ++k) {
    EXPECT_NEAR(left.wheelsets[k].attack, -right.wheelsets[k].attack, 1e-6);
    EXPECT_NEAR(left.wheels[2 * k].Q / right.wheels[2 * k + 1].Q, 1, 1e-4);
  }
}

TEST(curving, what_cannot_be_is_said_and_the_next_curve_goes_on) {
  const SteadyVehicle v = steady_vehicle("bogie");
  Curving curving(*v.vehicle.description, v.linear->abi());
  EXPECT_NE(curving.solve({300, 40, 0, {}}).failure.find("mm of cant"), std::string::npos);
  EXPECT_NE(curving.solve({5, 10, 0, {}}).failure.find("radius"), std::string::npos);
  EXPECT_NE(curving.solve({300, 0, 0, {}}).failure.find("speed"), std::string::npos);
  EXPECT_EQ(curving.solve({800, 20, 0, {}}).failure, "");
}

}  // namespace
}  // namespace klingel::stability
