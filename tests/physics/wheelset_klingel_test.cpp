// A free wheelset on straight track hunts with the wavelength Klingel found in 1883,
// 2 pi sqrt(r0 b / lambda), with conicity lambda and half base b.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/simple_vehicle.hpp"

namespace klingel::physics {
namespace {

using namespace support;

struct Hunting {
  SimpleVehicle v;
  step::VehicleState state;
};

Hunting start(const SimpleGeometry& g, double speed, double offset) {
  Hunting h{
      simple_vehicle("klingel_wheelset", g,
                     [&](mech::Model& m) { return free_wheelset(m, 1250, 700, 100, g.r0 + 1e-4); }),
      {}};
  step::Simulator& s = *h.v.simulator;
  h.state = s.state();
  h.state.q = {0, offset, g.r0 + 1e-4, 0, 0, 0};
  start::settle(s, h.state, {.held = {0, 1, 3, 5}});
  h.state.dq = {speed, 0, 0, 0, 0, speed / start::rolling_radius(s, h.state, 0)};
  start::project_velocities(s, h.state);
  return h;
}

TEST(free_wheelset, stands_with_its_weight_on_two_wheels) {
  Hunting h = start({}, 10, 0);
  EXPECT_NEAR(h.state.tread[0].N, 1250 * 9.81 / 2 / std::cos(std::atan(0.05)), 20);
  EXPECT_NEAR(h.state.tread[0].N, h.state.tread[1].N, 1e-6);
}

TEST(free_wheelset, hunts_with_klingels_wavelength) {
  // on round rails the roll of the wheelset adds to the conicity, by a share of its own size: half
  // a per cent here
  SimpleGeometry g;
  g.conicity = 0.01;
  Hunting h = start(g, 5, 1e-3);
  step::Simulator& s = *h.v.simulator;
  double crossing[8];
  int crossings = 0;
  double y = h.state.q[1], x = 0;
  while (crossings < 6 && s.state().q[0] < 150) {
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok) << s.failure_text();
    const double y_new = s.state().q[1], x_new = s.state().q[0];
    if ((y > 0) != (y_new > 0)) crossing[crossings++] = x + (x_new - x) * y / (y - y_new);
    y = y_new, x = x_new;
  }
  ASSERT_GE(crossings, 5);
  const double wavelength = (crossing[4] - crossing[0]) / 2;
  const double klingel = 2 * std::numbers::pi * std::sqrt(g.r0 * g.half_base / g.conicity);
  EXPECT_NEAR(wavelength / klingel, 1, 0.01);
}

}  // namespace
}  // namespace klingel::physics
