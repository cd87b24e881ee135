// Steady running in curves against formulas one can do by hand: load transfer by cant deficiency,
// the offset of pure rolling, and a run that stays where it began.
#include <gtest/gtest.h>

#include <cmath>

#include "start/quasi_static.hpp"
#include "tests/support/curve_vehicle.hpp"

namespace klingel::physics {
namespace {

using namespace support;

// Wheel loads in the plane of the track, creep forces included: outer (right) less inner, and their
// moment about the middle of the track at x = 0, from where they stand on the rails.
struct Loads {
  double difference = 0, moment = 0;
};

Loads loads(step::Simulator& s, const SimpleVehicle& v, const Curve& curve, double half_base) {
  const double cant = curve.cant;
  Loads sum;
  for (std::size_t i = 0; i < v.data.wheels.size(); ++i) {
    const step::PointResult& r = s.tread()[i];
    double Q = 0;
    for (const auto& [F, W] : {std::pair(r.N, &r.W_n), {r.f[0], &r.W_x}, {r.f[1], &r.W_y}})
      Q += F * ((*W)[2] * std::cos(cant) - (*W)[1] * std::sin(cant));
    const double side = v.data.wheels[i].side == profile::Side::right ? 1 : -1;
    sum.difference += side * Q;
    // the rails curve away from the x axis by half a millimetre at the axles
    const double x = s.pose(v.data.wheels[i].wheelset)[0];
    sum.moment += Q * (side * half_base - s.state().tread[i].s[3] - curve.curvature * x * x / 2);
  }
  return sum;
}

start::SteadyRun bogie_run(double speed, const Curve& c) {
  start::SteadyRun o;
  o.body = {0, 1, 2, 4, 5, 3};
  o.spins = {Bogie::spins.begin(), Bogie::spins.end()};
  o.speed = speed;
  o.curvature = c.curvature;
  return o;
}

step::VehicleState bogie_state(const step::Simulator& s, const Curve& c) {
  step::VehicleState state = s.state();
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
  step::Simulator& s = *v.simulator;
  step::VehicleState state = s.state();
  state.q = {0, 0, g.r0 + 1e-4, 0, 0, 0};
  start::SteadyRun o;
  // this wheelset has no pitch: its spin is one. The column is not used but for yaw, x and y
  o.body = {0, 1, 2, 4, 5, 3};
  o.spins = {5};
  o.speed = 5;
  o.curvature = curve.curvature;
  const start::SteadyForces found = start::settle_in_curve(s, state, o);
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

TEST(steady_curve, cant_deficiency_moves_load_to_the_outer_wheels) {
  // a curve to the left, the right rail high
  const Curve curve{1.0 / 1500, -0.03};
  const double speed = 40, g = 9.81, half_base = 0.75;
  SimpleVehicle v = bogie_vehicle({}, curve);
  step::Simulator& s = *v.simulator;
  step::VehicleState state = bogie_state(s, curve);
  start::settle_in_curve(s, state, bogie_run(speed, curve));
  ASSERT_EQ(s.step(1e-6), runtime::Status::ok);
  const double c = std::cos(curve.cant), sine = std::sin(curve.cant);
  const double centrifugal = speed * speed * curve.curvature;
  const double a_q = centrifugal * c + g * sine, a_n = g * c - centrifugal * sine;
  // moments about the middle of the track: inertia at its height, weight off the middle
  const auto moment_of = [&](double mass, double y, double z) {
    return mass * (a_q * (z * c - y * sine) - a_n * (y * c + z * sine));
  };
  double moment = moment_of(Bogie::frame_mass, state.q[1], state.q[2]);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::span<const double> pose = s.pose(k);
    moment += moment_of(Bogie::wheelset_mass, pose[1], pose[2]);
    // gyroscopic, of the wheelset's moment of inertia
    moment += 100 * state.dq[Bogie::spins[k]] * speed * curve.curvature;
  }
  const Loads found = loads(s, v, curve, half_base);
  // delta Q = m a_q h / (2 b) on each side
  const double by_hand =
      (Bogie::frame_mass * Bogie::height + 2 * Bogie::wheelset_mass * 0.45) * a_q / half_base;
  printf("    a_q %.3f m/s2: moment of the loads %.1f N m, of inertia and weight %.1f N m\n", a_q,
         found.moment, moment);
  printf("    outer less inner load %.1f N, m a_q h / b %.1f N\n", found.difference, by_hand);
  // lateral forces act half a millimetre below the rails' tops, which are round
  EXPECT_NEAR(found.moment / moment, 1, 0.001);
  // springs let the frame lean out: more than a rigid vehicle's
  EXPECT_GT(found.difference, by_hand);
  EXPECT_LT(found.difference, 1.3 * by_hand);
}

TEST(steady_curve, a_run_that_begins_there_stays_there) {
  const Curve curve{1.0 / 1500, -0.03};
  const double speed = 20;
  SimpleVehicle v = bogie_vehicle({}, curve);
  step::Simulator& s = *v.simulator;
  step::VehicleState state = bogie_state(s, curve);
  const start::SteadyForces found = start::settle_in_curve(s, state, bogie_run(speed, curve));
  printf("    found in %d iterations, unbalanced %.1e, F %.1f N\n", found.iterations,
         found.unbalanced, found.forward);
  const double R = 1 / curve.curvature;
  const auto offset = [&](const step::VehicleState& at) {
    return R - std::hypot(at.q[0], at.q[1] - R);
  };
  const double y = offset(state), N = state.tread[3].N;
  double moved = 0, load = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok) << s.failure_text();
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
  step::Simulator& s = *v.simulator;
  step::VehicleState state = bogie_state(s, {});
  start::SteadyRun o = bogie_run(0, {});
  EXPECT_THROW(start::settle_in_curve(s, state, o), base::Error);
  o.speed = 10;
  o.spins.pop_back();
  EXPECT_THROW(start::settle_in_curve(s, state, o), base::Error);
}

}  // namespace
}  // namespace klingel::physics
