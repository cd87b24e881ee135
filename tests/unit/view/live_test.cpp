// A run that pages watch and drive, without pages: commands, limits, and what ends it.
#include "view/live.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tests/unit/record/lifted_wheelset.hpp"

namespace klingel::view {
namespace {

using Kind = Command::Kind;

LiveOptions options() {
  LiveOptions o;
  o.body = record::wheelset_body;
  o.controls = {{"lift", "N", 0, 30000, {0}}, {"friction", "", 0.02, 0.6, {}}};
  return o;
}

struct Stage {
  track::Track track = record::straight_track();
  step::Simulator simulator = record::rolling();
  Live live{simulator, track, options()};

  double t() const { return simulator.state().t; }
};

TEST(live, shows_a_row_before_anybody_asks) {
  const Stage s;
  EXPECT_EQ(s.live.state(), LiveState::running);
  ASSERT_EQ(s.live.values().size(), 2 + s.live.channels().size());
  EXPECT_EQ(s.live.values()[0], 0);
  EXPECT_EQ(s.live.values()[1], s.simulator.friction(0));
}

TEST(live, commands_that_make_no_sense_change_nothing) {
  Stage s;
  const std::vector<double> before = s.live.values();
  EXPECT_FALSE(s.live.apply({Kind::set, 2, 0.1}));    // no such control
  EXPECT_FALSE(s.live.apply({Kind::set, 0, 30001}));  // beyond its end
  EXPECT_FALSE(s.live.apply({Kind::set, 1, 0.01}));   // friction below its begin
  EXPECT_FALSE(s.live.apply({Kind::set, 1, std::nan("")}));
  EXPECT_EQ(s.live.values(), before);
}

TEST(live, a_slider_is_an_input_until_the_reset) {
  Stage s;
  EXPECT_TRUE(s.live.apply({Kind::set, 0, 500}));
  EXPECT_TRUE(s.live.apply({Kind::set, 1, 0.1}));
  EXPECT_EQ(s.simulator.input(0), 500);
  EXPECT_EQ(s.simulator.friction(1), 0.1);
  EXPECT_EQ(s.live.values()[0], 500) << "shown at once, also while the run rests";
  EXPECT_EQ(s.live.advance(50), 50);
  EXPECT_EQ(s.simulator.input(0), 500);
  s.live.apply({Kind::reset});
  EXPECT_EQ(s.simulator.input(0), 0);
  EXPECT_EQ(s.simulator.friction(1), 0.3);
  EXPECT_NEAR(s.t(), 1e-3, 1e-12) << "the step that every start shows";
}

TEST(live, a_scenario_drives_what_pages_leave_alone) {
  track::Track track = record::straight_track();
  step::Simulator simulator = record::rolling();
  LiveOptions o = options();
  o.inputs = [&](double t) { simulator.set_input(0, 1000 * t); };
  Live live(simulator, track, o);
  live.advance(100);
  EXPECT_NEAR(simulator.input(0), 100, 1e-9);
  live.apply({Kind::set, 0, 7});
  live.advance(10);
  EXPECT_EQ(simulator.input(0), 7);
}

TEST(live, a_wheelset_that_is_lifted_off_ends_the_run_and_reset_begins_it_again) {
  Stage s;
  s.live.apply({Kind::set, 0, 30000});  // more than twice its weight
  s.live.advance(2000);
  EXPECT_EQ(s.live.state(), LiveState::derailed);
  const double end = s.t();
  EXPECT_EQ(s.live.advance(10), 0) << "nothing moves after the end";
  EXPECT_TRUE(s.live.apply({Kind::pause}));
  EXPECT_EQ(s.live.state(), LiveState::derailed) << "and there is nothing to pause";
  EXPECT_EQ(s.t(), end);
  s.live.apply({Kind::reset});
  EXPECT_EQ(s.live.state(), LiveState::running);
  EXPECT_EQ(s.live.advance(10), 10);
}

TEST(live, a_wheel_that_is_lost_within_one_step_is_a_failure) {
  track::Track track = record::straight_track();
  step::Simulator simulator = record::rolling();
  LiveOptions o = options();
  double pull = 0;
  o.inputs = [&](double) { simulator.set_input(0, pull); };
  Live live(simulator, track, o);
  pull = 1e9;
  live.advance(1);
  EXPECT_EQ(live.state(), LiveState::failed);
}

TEST(live, the_track_ends_the_run_however_many_steps_a_frame_has) {
  Stage s;
  // 10 m/s to 400 m, all in one frame
  EXPECT_LT(s.live.advance(1'000'000), 41'000);
  EXPECT_EQ(s.live.state(), LiveState::track_ended);
  EXPECT_NEAR(s.simulator.state().q[0], 399, 0.1);
  s.live.apply({Kind::reset});
  EXPECT_EQ(s.live.state(), LiveState::running);
  EXPECT_EQ(s.live.advance(100), 100);
}

TEST(live, runs_in_time_with_the_clock_and_nobody_has_to_look) {
  Stage s;
  ServerOptions any;
  any.port = 0;
  Server server(any, "page");
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  int frames = 0;
  s.live.run(
      server, [&] { return passed() > 0.3; }, [&] { ++frames; });
  // never ahead of the clock; a busy machine may be behind
  EXPECT_LE(s.t(), passed() + 0.05);
  EXPECT_GT(s.t(), 0.01);
  EXPECT_GE(frames, 1);
  EXPECT_EQ(server.counts().pages, 0u);
}

}  // namespace
}  // namespace klingel::view
