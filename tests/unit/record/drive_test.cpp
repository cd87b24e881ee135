// The loop of a run: it ends as it should, and counts lifts, extremes and events at every step.
#include "record/drive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_reader.hpp"
#include "record/ending.hpp"
#include "record/summary_text.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/record/lifted_wheelset.hpp"

namespace klingel::record {
namespace {

using test::error_of;

using testing::HasSubstr;

struct Course {
  step::Simulator simulator = rolling();
  track::Track track = straight_track();
  Recorder recorder{simulator, track, {.duration = 1, .body = wheelset_body}};
  Tally tally{simulator};

  RunSummary drive(const DriveOptions& options) {
    return record::drive(simulator, recorder, tally, options);
  }
};

TEST(drive, runs_to_the_end_with_a_row_at_both_ends) {
  Course r;
  const RunSummary s = r.drive({.duration = 0.5});
  EXPECT_EQ(s.end, RunEnd::completed);
  EXPECT_EQ(s.steps, 500);
  EXPECT_NEAR(s.t_end, 0.5, 1e-12);
  EXPECT_GT(s.real_time_factor, 0);
  EXPECT_GE(s.step_max, s.step_p99);
  EXPECT_GE(s.step_p99, s.step_p50);
  const Recording& rows = r.recorder.recording();
  EXPECT_EQ(rows.rows(), 51u);
  EXPECT_EQ(rows.column("t").back(), 0.5);
  EXPECT_EQ(rows.column("body.x").back(), r.simulator.state().q[0]);
  EXPECT_EQ(s.wheels[0].lift, 0);
  EXPECT_NEAR(s.wheels[0].min_N + s.wheels[1].max_N, weight, 0.05 * weight);
}

TEST(drive, the_longest_lift_counts_and_not_the_sum) {
  Course r;
  // up with 1.5 g for 20 ms, later for 30 ms
  const RunSummary s =
      r.drive({.duration = 0.6, .inputs = [](step::Simulator& simulator, double t) {
                 const bool up = (t > 0.0495 && t < 0.0695) || (t > 0.2995 && t < 0.3295);
                 simulator.set_input(0, up ? 1.5 * weight : 0);
               }});
  ASSERT_EQ(s.end, RunEnd::completed) << s.message;
  std::vector<double> off, on;
  for (const step::Event& e : s.events) {
    if (e.wheel != 0) continue;
    (e.kind == step::Event::Kind::release ? off : on).push_back(e.t);
  }
  ASSERT_GE(off.size(), 2u);
  ASSERT_EQ(on.size(), off.size());
  double longest = 0, sum = 0;
  for (std::size_t i = 0; i < off.size(); ++i) {
    longest = std::max(longest, on[i] - off[i]);
    sum += on[i] - off[i];
  }
  // the steps at both ends are counted as one does
  EXPECT_NEAR(s.wheels[0].lift, longest, 2.5e-3);
  EXPECT_GT(sum, longest + 5e-3);
  // thrown up with half of g for 30 ms: 0.147 m/s and 2.2 mm, down again after 0.036 s
  EXPECT_NEAR(s.wheels[0].lift, 0.03 + 0.037, 5e-3);
  EXPECT_EQ(s.wheels[0].min_N, 0);
  EXPECT_THAT(summary_text(s), HasSubstr("release"));
}

TEST(drive, stops_on_request_with_the_rows_so_far) {
  Course r;
  int asked = 0;
  const RunSummary s = r.drive({.duration = 1, .stop = [&] { return ++asked > 105; }});
  EXPECT_EQ(s.end, RunEnd::stopped);
  EXPECT_EQ(s.steps, 105);
  EXPECT_EQ(r.recorder.recording().rows(), 12u);  // 0, 10, ... 100 ms, and the last
  EXPECT_EQ(r.recorder.recording().column("t").back(), 0.105);
}

TEST(drive, the_end_of_the_track_is_an_end_of_its_own) {
  Course r;
  step::VehicleState state = r.simulator.state();
  state.q[0] = 395;  // the rails end at 400
  for (step::PointState& p : state.tread) p.s[2] = 395;
  r.simulator.set_state(state);
  const RunSummary s = r.drive({.duration = 1});
  EXPECT_EQ(s.end, RunEnd::end_of_track) << s.message;
  EXPECT_NEAR(s.t_end, 0.4, 0.01);  // a metre before its end
  const Recording& rows = r.recorder.recording();
  EXPECT_EQ(rows.column("body.x").back(), r.simulator.state().q[0]);
  EXPECT_GT(rows.column("N.ws.left").back(), 0.4 * weight);
  EXPECT_THAT(summary_text(s), HasSubstr("end of track: "));
  EXPECT_THAT(summary_text(s), HasSubstr("the track ends here"));
}

TEST(drive, also_backwards) {
  Course r;
  step::VehicleState state = r.simulator.state();
  for (double& v : state.dq) v = -v;
  r.simulator.set_state(state);  // at 0, the rails begin at -20
  const RunSummary s = r.drive({.duration = 3});
  EXPECT_EQ(s.end, RunEnd::end_of_track) << s.message;
  EXPECT_NEAR(s.t_end, 1.9, 0.02);
}

TEST(drive, a_wheelset_that_is_lifted_off_has_derailed) {
  Course r;
  step::StepOptions method;
  method.balance = true;
  const RunSummary s =
      r.drive({.duration = 1, .method = method, .inputs = [](step::Simulator& simulator, double) {
                 simulator.set_input(0, 1.5 * weight);
               }});
  EXPECT_EQ(s.end, RunEnd::derailed) << s.message;
  EXPECT_TRUE(s.has_balance);
  EXPECT_LT(std::abs(s.energy.error()), 0.01 * s.energy.exchanged);
}

TEST(drive, what_is_not_finite_has_failed) {
  Course r;
  const RunSummary s = r.drive({.duration = 1, .inputs = [](step::Simulator& simulator, double t) {
                                  if (t > 0.0995) simulator.set_input(0, std::nan(""));
                                }});
  EXPECT_EQ(s.end, RunEnd::failed);
  EXPECT_THAT(s.message, HasSubstr("not finite"));
  EXPECT_NEAR(s.t_end, 0.1, 0.002);
  EXPECT_THAT(summary_text(s), HasSubstr("failed: "));
}

// What a step says is compared with where the wheel is and with the energy.
struct Judged {
  Course r;
  RunSummary s;

  RunSummary& judge(runtime::Status status, double error, double exchanged) {
    r.recorder.forces().before(r.simulator);
    const Ending ending(r.simulator, r.recorder.forces());
    s.has_balance = true;
    s.energy.kinetic = error, s.energy.exchanged = exchanged;
    ending.judge(r.simulator, r.recorder.forces(), status, RunEnd::completed, s);
    return s;
  }
};

TEST(ending, energy_above_a_hundredth_is_a_warning_and_above_a_tenth_a_failure) {
  EXPECT_EQ(Judged().judge(runtime::Status::ok, 0.9, 0).end, RunEnd::completed);  // rounding
  Judged fine, doubtful, broken, infinite;
  EXPECT_EQ(fine.judge(runtime::Status::ok, 900, 1e5).end, RunEnd::completed);
  EXPECT_TRUE(fine.s.warnings.empty());
  EXPECT_EQ(doubtful.judge(runtime::Status::ok, -1100, 1e5).end, RunEnd::completed);
  ASSERT_EQ(doubtful.s.warnings.size(), 1u);
  const std::string text = summary_text(doubtful.s);
  EXPECT_LT(text.find("warning: energy error -1.1e+03 J, 1.1 % of the 1e+05 J exchanged"),
            text.find("run time per step"));
  EXPECT_EQ(broken.judge(runtime::Status::ok, 71e3, 306e3).end, RunEnd::failed);
  EXPECT_THAT(broken.s.message, HasSubstr("cannot be trusted"));
  EXPECT_EQ(infinite.judge(runtime::Status::ok, std::nan(""), 1).end, RunEnd::failed);
}

TEST(ending, a_derailment_with_missing_energy_is_a_failure) {
  Judged j;
  EXPECT_EQ(j.judge(runtime::Status::derailed, 5.75e17, 5.75e17).end, RunEnd::failed);
  EXPECT_THAT(j.s.message, HasSubstr("no derailment"));
  // rigid wheels hit their rails: a loss of some percent is none, a gain is
  Judged gain;
  EXPECT_EQ(gain.judge(runtime::Status::derailed, 2e3, 1e5).end, RunEnd::failed);
  Judged loss;
  EXPECT_EQ(loss.judge(runtime::Status::derailed, -2e3, 1e5).end, RunEnd::derailed);
  EXPECT_EQ(loss.s.warnings.size(), 1u);
}

TEST(ending, a_wheel_that_has_not_moved_has_not_derailed) {
  // a contact search that found nothing: the rail is gone below a wheel that stands on it
  Course r;
  r.recorder.forces().before(r.simulator);
  const Ending ending(r.simulator, r.recorder.forces());
  r.simulator.set_input(0, 1e9);  // lost within one step
  const runtime::Status status = r.simulator.step(1e-3);
  ASSERT_EQ(status, runtime::Status::derailed);
  RunSummary s;
  ending.judge(r.simulator, r.recorder.forces(), status, RunEnd::completed, s);
  EXPECT_EQ(s.end, RunEnd::failed);
  EXPECT_THAT(s.message, HasSubstr("only risen by 0 mm"));
}

TEST(summary, a_run_without_balance_says_so) {
  Course r;
  const RunSummary s = r.drive({.duration = 0.1});
  EXPECT_FALSE(s.has_balance);
  EXPECT_THAT(summary_text(s), HasSubstr("not computed"));
  EXPECT_THAT(summary_text(s), testing::Not(HasSubstr("0 J of 0 J")));
}

TEST(drive, without_time_there_is_one_row_and_no_extremes) {
  Course r;
  const RunSummary s = r.drive({.duration = 0});
  EXPECT_EQ(s.end, RunEnd::completed);
  EXPECT_EQ(r.recorder.recording().rows(), 1u);
  EXPECT_EQ(s.wheels[0].min_N, 0);
  EXPECT_EQ(s.wheels[0].max_YQ, 0);
  EXPECT_NE(error_of([&] { r.drive({.step = 0}); }), "no error");
}

TEST(drive, tells_its_progress_at_the_end) {
  Course r;
  double simulated = 0, wall = 0;
  r.drive({.duration = 0.2, .progress = [&](double t, double w) { simulated = t, wall = w; }});
  EXPECT_NEAR(simulated, 0.2, 1e-12);
  EXPECT_GT(wall, 0);
}

TEST(summary, has_the_keys_others_rely_on) {
  Course r;
  step::StepOptions method;
  method.balance = true;
  RunSummary s = r.drive({.duration = 0.2, .method = method});
  s.scenario = "a \"quoted\" one";
  s.warnings = {"beware"};
  s.events = {{step::Event::Kind::release, 1, 7, 0.007, -3.5}};
  const base::JsonValue json = base::parse_json(summary_json(s), "json");
  EXPECT_TRUE(json["completed"].truth);
  EXPECT_EQ(json["t_end"].number, s.t_end);
  EXPECT_EQ(json["steps"].number, 200);
  EXPECT_EQ(json["step_s"].number, 1e-3);
  EXPECT_GT(json["wall_s"].number, 0);
  EXPECT_GT(json["real_time_factor"].number, 0);
  EXPECT_LT(json["max_phi_m"].number, 1e-9);
  for (const char* key : {"min_N", "max_N", "lift_s", "max_YQ", "max_Nf"})
    EXPECT_EQ(json[key].keys, (std::vector<std::string>{"ws.right", "ws.left"})) << key;
  EXPECT_NEAR(json["min_N"]["ws.left"].number, weight / 2, 0.1 * weight);
  for (const char* key : {"newton_q", "newton_s"}) {
    double sum = 0;
    for (const base::JsonValue& n : json[key].items) sum += n.number;
    EXPECT_EQ(sum, 200) << key;
  }
  EXPECT_EQ(json["events"][0]["kind"].text, "release");
  EXPECT_EQ(json["events"][0]["wheel"].text, "ws.left");
  EXPECT_EQ(json["events"][0]["value"].number, -3.5);
  EXPECT_EQ(json["events"][0]["unit"].text, "N");
  EXPECT_EQ(json["warnings"][0].text, "beware");
  EXPECT_EQ(json["scenario"].text, "a \"quoted\" one");
  EXPECT_LT(std::abs(json["energy"]["relative_error"].number), 0.01);
  EXPECT_EQ(json["vehicle"].text, "lifted");
}

TEST(step_times, quantiles_are_right_to_three_percent) {
  StepTimes times;
  for (int i = 1; i <= 1000; ++i) times.add(1e-6 * i);
  EXPECT_NEAR(times.quantile(0.5), 500e-6, 0.03 * 500e-6);
  EXPECT_NEAR(times.quantile(0.99), 990e-6, 0.03 * 990e-6);
  EXPECT_DOUBLE_EQ(times.largest(), 1000e-6);
  EXPECT_NEAR(times.mean(), 500.5e-6, 1e-12);
  times.add(0), times.add(1e9);  // beyond the cells at both ends
  EXPECT_EQ(times.largest(), 1e9);
  EXPECT_EQ(StepTimes().quantile(0.5), 0);
}

TEST(tally, events_beyond_its_room_are_counted) {
  step::Simulator s = rolling();
  Tally tally(s, 1);
  s.set_input(0, 2 * weight);
  ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
  ASSERT_EQ(s.events().size(), 2u);
  tally.add_events(s);
  EXPECT_EQ(tally.summary(s).events.size(), 1u);
  EXPECT_EQ(tally.summary(s).events_left_out, 1);
  EXPECT_THAT(summary_text(tally.summary(s)), HasSubstr("and 1 more, not recorded"));
}

}  // namespace
}  // namespace klingel::record
