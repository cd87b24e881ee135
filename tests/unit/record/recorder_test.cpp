// A recorder takes rows at exact times, with the right numbers, and nothing from the heap.
#include "record/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "record/drive.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/record/lifted_wheelset.hpp"

namespace klingel::record {
namespace {

using test::error_of;

using testing::HasSubstr;

std::vector<std::string> names(const Recording& r) {
  std::vector<std::string> result;
  for (const Channel& c : r.channels()) result.push_back(c.name);
  return result;
}

TEST(recorder, records_by_default_what_others_rely_on) {
  const step::Simulator s = rolling();
  const track::Track track = straight_track();
  const Recorder r(s, track, {.duration = 1, .body = wheelset_body});
  EXPECT_THAT(
      names(r.recording()),
      testing::ElementsAre("t", "body.x", "body.y", "body.z", "body.roll", "body.yaw", "speed", "s",
                           "y_rel.ws", "N.ws.right", "N.ws.left", "Nf.ws.right", "Nf.ws.left",
                           "Y.ws.right", "Y.ws.left", "Q.ws.right", "Q.ws.left"));
  EXPECT_EQ(r.recording().capacity(), 102u);
}

TEST(recorder, a_vehicle_without_a_body_has_no_channels_of_it) {
  const step::Simulator s = rolling();
  const track::Track track = straight_track();
  const Recorder r(s, track, {.duration = 1});
  EXPECT_THAT(names(r.recording()), testing::Not(testing::Contains("speed")));
  EXPECT_THAT(error_of([&] { Recorder(s, track, {.channels = {"body.*"}}); }),
              HasSubstr("no channel matches 'body.*'"));
}

TEST(recorder, every_channel_has_a_unit_a_meaning_and_a_finite_value) {
  step::Simulator s = rolling();
  const track::Track track = straight_track();
  Recorder r(s, track, {.duration = 0.1, .channels = {"*"}, .body = wheelset_body});
  for (int i = 0; i < 20; ++i) {
    r.before(s);
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
    r.after(s);
  }
  const Recording& all = r.recording();
  EXPECT_EQ(all.rows(), 2u);
  for (const Channel& c : all.channels()) {
    EXPECT_FALSE(c.unit.empty() || c.about.empty()) << c.name;
    for (const double x : all.column(c.name)) EXPECT_TRUE(std::isfinite(x)) << c.name;
  }
}

TEST(recorder, a_row_is_the_state_at_t_with_the_forces_of_the_step_from_t) {
  step::Simulator s = rolling(2e-3);
  const track::Track track = straight_track();
  Recorder r(s, track,
             {.interval = 1e-3, .duration = 0.1, .channels = {"*"}, .body = wheelset_body});
  std::vector<double> t, y, N, u_w, energy;
  for (int i = 0; i < 70; ++i) {
    t.push_back(i / 1000.0);
    y.push_back(s.state().q[1]);
    u_w.push_back(s.state().tread[0].s[1]);
    energy.push_back(s.evaluate("energy")[0]);
    r.before(s);
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
    r.after(s);
    N.push_back(s.tread()[0].N);
  }
  const auto column = [&](const char* name) {
    const std::span<const double> c = r.recording().column(name);
    return std::vector<double>(c.begin(), c.end());
  };
  EXPECT_EQ(column("t"), t);  // 0.07, not 0.07000000000000001
  EXPECT_EQ(column("body.y"), y);
  EXPECT_EQ(column("q.y"), y);
  EXPECT_EQ(column("N.ws.right"), N);
  EXPECT_EQ(column("u_w.ws.right"), u_w);
  EXPECT_EQ(column("energy.kinetic"), energy);
  EXPECT_EQ(column("s").back(), r.recording().column("body.x").back());
}

TEST(recorder, the_wheelset_s_place_is_taken_half_a_metre_below_the_axle_in_the_track_frame) {
  step::Simulator s = rolling(2e-3);
  const double roll = s.state().q[4], z = s.state().q[2];
  const track::Track flat = straight_track(), canted = straight_track(0.1);
  for (const bool tilted : {false, true}) {
    RailForces f(s, tilted ? canted : flat);
    f.before(s);
    // the point, then its components in a frame turned about x
    const double y = 2e-3 + 0.5 * std::sin(roll), h = z - 0.5 * std::cos(roll);
    const double expected = tilted ? y * std::cos(0.1) + h * std::sin(0.1) : y;
    EXPECT_NEAR(f.wheelset(0).y_rel, expected, 1e-12);
  }
}

TEST(rail_forces, Q_carries_the_weight_and_Y_balances_on_straight_track) {
  step::Simulator s = rolling(0);
  const track::Track track = straight_track(), canted = straight_track(0.1);
  RailForces f(s, track), turned(s, canted);
  for (int i = 0; i < 50; ++i) {
    f.before(s), turned.before(s);
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
    f.after(s), turned.after(s);
  }
  EXPECT_NEAR(f.wheel(0).Q + f.wheel(1).Q, weight, 1e-6 * weight);
  EXPECT_NEAR(f.wheelset(0).sum_Y, 0, 1e-6 * weight);
  // conical wheels are pushed to the middle by the component of N, and by spin
  EXPECT_GT(f.wheel(0).YQ, 0);
  EXPECT_NEAR(f.wheel(0).YQ, f.wheel(1).YQ, 1e-9);
  EXPECT_NEAR(f.wheel(0).YQ, f.wheel(0).Y / f.wheel(0).Q, 1e-15);
  EXPECT_GE(f.wheel(0).T_gamma, 0);
  // the same force in the turned frame
  const double Y = f.wheel(0).Y, Q = f.wheel(0).Q, c = std::cos(0.1), sn = std::sin(0.1);
  EXPECT_NEAR(turned.wheel(0).Y, c * Y + sn * Q, 1e-9 * weight);
  EXPECT_NEAR(turned.wheel(0).Q, c * Q - sn * Y, 1e-9 * weight);
}

TEST(recorder, the_loop_does_not_allocate) {
  step::Simulator s = rolling();
  const track::Track track = straight_track();
  Recorder r(s, track, {.duration = 2, .channels = {"*"}, .body = wheelset_body});
  Tally tally(s);
  step::StepOptions options;
  options.balance = true;
  const auto step = [&] {
    r.before(s);
    ASSERT_EQ(s.step(1e-3, options), runtime::Status::ok);
    r.after(s);
    tally.add(s, r.forces(), 1e-3, 1e-5);
  };
  step();
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 1000; ++i) step();
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(r.recording().rows(), 101u);
}

TEST(recorder, an_interval_that_is_no_multiple_of_the_step_is_an_error_with_one_that_is) {
  const step::Simulator s = rolling();
  const track::Track track = straight_track();
  EXPECT_EQ(error_of([&] { Recorder(s, track, {.step = 0.002, .interval = 0.005}); }),
            "the interval of rows, 0.005 s, is not a multiple of the step of 0.002 s; use 0.006 s");
  EXPECT_THAT(error_of([&] { Recorder(s, track, {.interval = 1e-4}); }), HasSubstr("use 0.001 s"));
  EXPECT_THAT(error_of([&] { Recorder(s, track, {.interval = NAN}); }), HasSubstr("interval"));
  EXPECT_THAT(error_of([&] { Recorder(s, track, {.duration = 1e9}); }),
              HasSubstr("cannot be recorded"));
  EXPECT_EQ(error_of([&] { Recorder(s, track, {.step = 0.1 / 3, .interval = 0.1}); }), "no error");
}

}  // namespace
}  // namespace klingel::record
