// Subject: step::RailShift. Claim: rails that are shifted under a wheelset as an irregular track
// lies there act as this track does: in place, in slip and in forces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/unit/simulation/wheelset.hpp"
#include "track/track.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::simulation {
namespace {

// As the track has it: a wave that grows from 2 m to 10 m.
double height(double s) {
  const double t = std::clamp((s - 2) / 8, 0.0, 1.0);
  const double grown = t * t * t * (10 - 15 * t + 6 * t * t);
  return 1e-3 * grown * std::sin(2 * std::numbers::pi * s / 8);
}

// Runs both, and compares a force of the left wheel with the range it has.
void expect_the_same(track::Channel channel, const char* output, double share) {
  const compile::CompiledVehicle smooth = test::compiled("wheelset_suspended");
  const auto rough = std::make_shared<Description>(*smooth.description);
  const std::string file = vehicle::find_track("straight", "").string();
  track::TrackDescription d = vehicle::read_track(file);
  track::Irregularity irregularity;
  irregularity.channel = channel;
  irregularity.signal = track::Harmonic{1e-3, 8, 0};
  irregularity.from = 2, irregularity.to = 100, irregularity.fade = 8;
  d.irregularities = {irregularity};
  rough->track = track::build_track(d);
  rough->data.left.line = rough->track.left, rough->data.right.line = rough->track.right;

  Instance on_track(rough), on_shift(smooth.description);
  on_track.start(), on_shift.start();
  const double h = smooth.description->step;
  const std::size_t channel_of = on_track.channel(output);
  double least = 1e9, most = -1e9, difference = 0;
  for (int k = 0; k < 800; ++k) {
    step::Simulator& simulator = on_shift.simulator();
    for (std::size_t w = 0; w < 2; ++w) {
      const double at = simulator.state().tread[w].s[2], next = at + h * 30;
      const bool lateral = channel == track::Channel::lateral;
      const double now = height(at), rate = (height(next) - now) / h;
      simulator.shift_rail(
          w, lateral ? step::RailShift{now, 0, rate, 0} : step::RailShift{0, now, 0, rate});
    }
    ASSERT_TRUE(on_track.step());
    ASSERT_TRUE(on_shift.step());
    const double truth = on_track.value(channel_of);
    difference = std::max(difference, std::abs(truth - on_shift.value(channel_of)));
    least = std::min(least, truth), most = std::max(most, truth);
  }
  EXPECT_GT(most - least, 100);
  EXPECT_LT(difference, share * (most - least));
}

TEST(rail_shift, sideways_is_a_lateral_irregularity) {
  expect_the_same(track::Channel::lateral, "Y.wheelset.left", 0.05);
}

TEST(rail_shift, upwards_is_a_vertical_irregularity) {
  expect_the_same(track::Channel::vertical, "Q.wheelset.left", 0.05);
}

}  // namespace
}  // namespace klingel::simulation
