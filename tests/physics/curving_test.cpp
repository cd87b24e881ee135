// Steady curves that were solved for against a run that came there: the coach in its curve of 300
// m.
#include "stability/curving.hpp"

#include <gtest/gtest.h>

#include "tests/support/steady_vehicle.hpp"

namespace klingel::physics {
namespace {

TEST(curving, a_run_through_the_curve_comes_to_what_was_solved_for) {
  const compile::CompiledVehicle c =
      compile::compile(vehicle::load_scenario(KLINGEL_SOURCE_DIR "/scenarios/coach_300m.toml"));
  simulation::Instance run(c.description);
  run.start();
  const std::size_t s = run.channel("s"), speed = run.channel("speed");
  // the arc ends at 310 m, and half of the coach is ahead
  while (!run.finished() && run.value(s) < 295) ASSERT_TRUE(run.step()) << run.failure();
  const double v = run.value(speed);

  const support::SteadyVehicle vehicle = support::steady_vehicle("manchester1");
  stability::Curving curving(*vehicle.vehicle.description, vehicle.linear->abi());
  stability::CurveCase one{300, v, 0, {}};
  one.cant_deficiency = one.cant() - 0.1;
  const stability::CurveResult r = curving.solve(one);
  ASSERT_EQ(r.failure, "");
  const std::vector<step::WheelData>& wheels = vehicle.vehicle.description->data.wheels;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const double Q = run.value(run.channel("Q." + wheels[i].name));
    const double Y = run.value(run.channel("Y." + wheels[i].name));
    printf("    %-20s Q %.0f, run %.0f N; Y %.0f, run %.0f N\n", wheels[i].name.c_str(),
           r.wheels[i].Q, Q, r.wheels[i].Y, Y);
    EXPECT_NEAR(r.wheels[i].Q / Q, 1, 0.02);
    EXPECT_NEAR(r.wheels[i].Y, Y, 600) << "N, a per cent of the load";
  }
  const std::vector<std::string>& wheelsets = vehicle.vehicle.description->data.wheelsets;
  for (std::size_t k = 0; k < wheelsets.size(); ++k) {
    const double y = run.value(run.channel("y_rel." + wheelsets[k]));
    printf("    %-20s y %.3f, run %.3f mm; attack %.3f mrad\n", wheelsets[k].c_str(),
           1e3 * r.wheelsets[k].y, 1e3 * y, 1e3 * r.wheelsets[k].attack);
    EXPECT_NEAR(r.wheelsets[k].y, y, 3e-4);
  }
}

}  // namespace
}  // namespace klingel::physics
