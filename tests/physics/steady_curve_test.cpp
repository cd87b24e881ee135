// Steady running in curves against formulas one can do by hand: load transfer by cant deficiency,
// the offset of pure rolling, and a run that stays where it began.
#include <gtest/gtest.h>

#include <cmath>

#include "run/quasi_static.hpp"
#include "tests/support/curve_vehicle.hpp"

namespace klingel::physics {
namespace {

using namespace support;

run::SteadyRun bogie_run(double speed, const Curve& c) {
  run::SteadyRun o;
  o.body = {0, 1, 2, 4, 5, 3};
  o.spins = {Bogie::spins.begin(), Bogie::spins.end()};
  o.speed = speed;
  o.curvature = c.curvature;
  return o;
}

run::VehicleState bogie_state(const run::Simulator& s, const Curve& c) {
  run::VehicleState state = s.state();
  state.q.assign(Bogie::coordinates, 0);
  state.q[2] = Bogie::height;
  state.q[4] = c.cant;
  for (const std::size_t spin : Bogie::spins) state.q[spin - 3] = 0.45 - Bogie::height;
  return state;
}

TEST(steady_curve, a_free_wheelset_rolls_at_the_offset_of_pure_rolling) {
  // the outer wheel must be larger by the ratio of the rails' lengths
  const Curve curve{1.0 / 2000, 0};
  SimpleGeometry g;
  g.head_radius = 0.1;
  SimpleVehicle v = simple_vehicle("klingel_wheelset", g, [&](mech::Model& m) {
    return free_wheelset(m, 1250, 700, 100, g.r0 + 1e-4);
  });
  put_on(v, g, curve);
  run::Simulator& s = *v.simulator;
  run::VehicleState state = s.state();
  state.q = {0, 0, g.r0 + 1e-4, 0, 0, 0};
  run::SteadyRun o;
  // this wheelset has no pitch: its spin is one. The column is not used but for yaw, x and y
  o.body = {0, 1, 2, 4, 5, 3};
  o.spins = {5};
  o.speed = 5;
  o.curvature = curve.curvature;
  const run::SteadyForces found = run::settle_in_curve(s, state, o);
  const double r_right = v.data.wheels[0].surface.f_w.value(state.tread[0].s[1]);
  const double r_left = v.data.wheels[1].surface.f_w.value(state.tread[1].s[1]);
  const double rails = 2 * g.half_base * curve.curvature;
  printf(
      "    offset %.4f mm, radii differ by %.4f mm, pure rolling %.4f mm; F %.2f N, %d "
      "iterations\n",
      1e3 * state.q[1], 1e3 * (r_right - r_left), 1e3 * g.r0 * rails, found.forward,
      found.iterations);
  // the rest is spin creep and the small lateral force: per cents
  EXPECT_NEAR((r_right - r_left) / (g.r0 * rails), 1, 0.05);
  EXPECT_LT(state.q[1], 0) << "towards the outer rail";
}

TEST(steady_curve, a_run_that_begins_there_stays_there) {
  const Curve curve{1.0 / 1500, 0.03};
  const double speed = 20;
  SimpleVehicle v = bogie_vehicle({}, curve);
  run::Simulator& s = *v.simulator;
  run::VehicleState state = bogie_state(s, curve);
  const run::SteadyForces found = run::settle_in_curve(s, state, bogie_run(speed, curve));
  printf("    found in %d iterations, unbalanced %.1e, F %.1f N\n", found.iterations,
         found.unbalanced, found.forward);
  const double R = 1 / curve.curvature;
  const auto offset = [&](const run::VehicleState& at) {
    return R - std::hypot(at.q[0], at.q[1] - R);
  };
  const double y = offset(state), N = state.tread[3].N;
  double moved = 0, load = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(s.step(1e-3), run::Status::ok) << s.failure_text();
    moved = std::max(moved, std::abs(offset(s.state()) - y));
    load = std::max(load, std::abs(s.tread()[3].N - N));
    const double turned = s.state().q[3] - std::atan2(s.state().q[0], R - s.state().q[1]);
    moved = std::max(moved, std::abs(turned - state.q[3]));
  }
  printf("    in 1 s offset or yaw move by %.1e m or rad, N by %.1f of %.0f N\n", moved, load, N);
  // what the scheme's first order leaves at 1 ms
  EXPECT_LT(moved, 5e-5);
  EXPECT_LT(load, 0.005 * N);
}

TEST(steady_curve, a_wrong_start_is_an_error_that_says_so) {
  SimpleVehicle v = bogie_vehicle();
  run::Simulator& s = *v.simulator;
  run::VehicleState state = bogie_state(s, {});
  run::SteadyRun o = bogie_run(0, {});
  EXPECT_THROW(run::settle_in_curve(s, state, o), base::Error);
  o.speed = 10;
  o.spins.pop_back();
  EXPECT_THROW(run::settle_in_curve(s, state, o), base::Error);
}

}  // namespace
}  // namespace klingel::physics
