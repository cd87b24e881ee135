// Subject: realtime/loop and realtime/statistics. Claim: overruns are skipped, made up for, or end
// the loop; the end of a run repeats, holds or stops; silent devices lead to safe inputs; and only
// what our own processor time makes late counts as ours. With a clock of the test's own.
#include "realtime/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.hpp"
#include "realtime/statistics.hpp"
#include "tests/support/allocation_count.hpp"

namespace klingel::realtime {
namespace {

constexpr std::int64_t ms = 1'000'000, us = 1'000;

// Time passes only where a test lets it, and a little with every look at it.
class FakeClock : public Clock {
 public:
  std::int64_t now() noexcept override { return time += 10; }
  std::int64_t thread_time() noexcept override { return own; }
  void sleep_until(std::int64_t until) noexcept override { time = std::max(time, until + wake); }
  Usage usage() noexcept override { return {}; }
  void pass(std::int64_t wall, std::int64_t ours) { time += wall, own += ours; }

  std::int64_t time = 0, own = 0, wake = 0;
};

struct FakePlant : Plant {
  explicit FakePlant(FakeClock& c) : clock(c) {}
  void set_inputs(std::span<const double> values) noexcept override { input = values[0]; }
  runtime::Status step() noexcept override {
    ++steps, ++since_start;
    clock.pass(20 * us, 20 * us);
    if (on_step) on_step(steps);
    heard.push_back(input);
    return status;
  }
  void read_outputs(std::span<double> values) noexcept override { values[0] = since_start; }
  double time() const noexcept override { return since_start * 1e-3; }
  bool ended() const noexcept override { return since_start >= length; }
  bool begin_again() noexcept override {
    if (!ready) return false;
    since_start = 0;
    return true;
  }
  std::string failure() const override { return "it broke"; }

  FakeClock& clock;
  std::function<void(int)> on_step;
  runtime::Status status = runtime::Status::ok;
  int steps = 0, since_start = 0, length = 1'000'000;
  bool ready = true;
  double input = 0;
  std::vector<double> heard = [] {
    std::vector<double> v;
    v.reserve(10'000);
    return v;
  }();
};

class FakeDevice : public Device {
 public:
  bool receive(Frame& inputs) noexcept override {
    if (speaks && !speaks(sent)) return false;
    inputs.values[0] = value;
    inputs.header.answers = last;
    return true;
  }
  void send(const Frame& outputs) noexcept override {
    ++sent;
    last = outputs.header.sequence;
    flags = outputs.header.flags;
  }
  std::function<bool(int)> speaks;
  double value = 7;
  int sent = 0;
  std::uint64_t last = 0;
  std::uint32_t flags = 0;
};

struct Rig {
  FakeClock clock;
  FakePlant plant{clock};
  FakeDevice device;
  Layout layout;
  LoopOptions options;
  Queue<Period> periods{1 << 12};
  LoopCounts counts;
  Statistics statistics{ms};
  std::vector<Period> list;

  Rig() {
    layout.inputs.push_back({"brake", "", 0, -1});
    layout.outputs.push_back({"speed", "", 0, 0});
    options.periods = 10;
  }
  Ending run(bool with_device = false) {
    const std::atomic<bool> stop = false;
    Loop loop(plant, with_device ? &device : nullptr, layout, clock, options, periods, nullptr);
    Ending ending = loop.run(stop);
    counts = loop.counts();
    for (Period p; periods.pop(p);) {
      list.push_back(p);
      statistics.add(p, false);
    }
    return ending;
  }
  // The third step takes so long, and so much of it is our own.
  void delay(std::int64_t wall, std::int64_t own) {
    plant.on_step = [this, wall, own](int step) {
      if (step == 3) clock.pass(wall, own);
    };
  }
};

TEST(loop, keeps_its_period) {
  Rig rig;
  rig.clock.wake = 30 * us;
  EXPECT_EQ(rig.run().why, Ending::Why::done);
  EXPECT_EQ(rig.counts.steps, 10);
  EXPECT_EQ(rig.counts.overruns, 0);
  for (std::size_t i = 1; i < rig.list.size(); ++i) {
    EXPECT_EQ(rig.list[i].begin - rig.list[i - 1].begin, ms);
    EXPECT_NEAR(static_cast<double>(rig.list[i].wake), 30 * us, us);
    EXPECT_NEAR(static_cast<double>(rig.list[i].step), 20 * us, us);
    EXPECT_NEAR(static_cast<double>(rig.list[i].slack), ms - 50 * us, us);
  }
}

TEST(loop, spins_away_what_a_sleep_is_late) {
  Rig rig;
  rig.clock.wake = 30 * us;
  rig.options.spin = 100 * us;
  rig.run();
  EXPECT_LT(rig.statistics.wake.most(), us);
}

TEST(loop, several_steps_in_a_period) {
  Rig rig;
  rig.options.steps = 3;
  rig.run();
  EXPECT_EQ(rig.counts.steps, 30);
}

TEST(loop, skips_periods_that_are_over) {
  Rig rig;
  rig.delay(2500 * us, 0);
  EXPECT_EQ(rig.run().why, Ending::Why::done);
  EXPECT_EQ(rig.counts.overruns, 1);
  EXPECT_EQ(rig.counts.skipped, 2);
  EXPECT_EQ(rig.counts.made_up, 0);
  EXPECT_EQ(rig.list[3].begin - rig.list[2].begin, 3 * ms);
  EXPECT_EQ(rig.counts.steps, 10);
}

TEST(loop, makes_up_for_time) {
  Rig rig;
  rig.options.overrun = Overrun::catch_up;
  rig.delay(2500 * us, 0);
  EXPECT_EQ(rig.run().why, Ending::Why::done);
  EXPECT_EQ(rig.counts.skipped, 0);
  EXPECT_EQ(rig.counts.made_up, 2);
  EXPECT_EQ(rig.list.back().begin - rig.list.front().begin, 9 * ms);
  EXPECT_FALSE(rig.list.back().late());
}

TEST(loop, stops_at_an_overrun) {
  Rig rig;
  rig.options.overrun = Overrun::stop;
  rig.delay(2500 * us, 0);
  const Ending ending = rig.run();
  EXPECT_EQ(ending.why, Ending::Why::overrun);
  EXPECT_THAT(ending.message, testing::HasSubstr("period 3"));
  EXPECT_EQ(rig.counts.periods, 3);
}

// preempted: the clock went on, our own time did not
TEST(statistics, tells_whose_fault_an_overrun_is) {
  Rig preempted, ours, woken_late;
  preempted.delay(2500 * us, 0);
  preempted.run();
  EXPECT_EQ(preempted.statistics.overruns, 1);
  EXPECT_EQ(preempted.statistics.overruns_own, 0);
  EXPECT_THAT(Statistics::reasons(preempted.statistics.worst), testing::Contains("preempted"));
  ours.delay(2500 * us, 2500 * us);
  ours.run();
  EXPECT_EQ(ours.statistics.overruns_own, 1);
  EXPECT_EQ(ours.statistics.worst.number, 2);
  woken_late.clock.wake = 990 * us;
  woken_late.run();
  EXPECT_GT(woken_late.statistics.overruns, 0);
  EXPECT_EQ(woken_late.statistics.overruns_own, 0);
  Statistics stolen(ms);
  for (const Period& p : ours.list) stolen.add(p, true);
  EXPECT_EQ(stolen.overruns_own, 0);
  EXPECT_EQ(stolen.overruns_stolen, 1);
}

TEST(statistics, says_why_a_step_was_long) {
  Period p;
  p.story.jumps = 2;
  p.story.newton_q = 7;
  p.minor_faults = 1;
  p.migrated = true;
  EXPECT_THAT(Statistics::reasons(p),
              testing::ElementsAre("jump of 2 wheels", "7 iterations of q", "1 page faults",
                                   "moved to another processor"));
  Period late;
  late.wake = 5 * ms;
  EXPECT_THAT(Statistics::reasons(late), testing::ElementsAre("woken 5000 us late"));
}

TEST(loop, repeats_holds_or_stops_at_the_end) {
  Rig repeat, hold, stop;
  for (Rig* rig : {&repeat, &hold, &stop}) rig->plant.length = 4;
  EXPECT_EQ(repeat.run().why, Ending::Why::done);
  EXPECT_EQ(repeat.counts.restarts, 2);
  EXPECT_EQ(repeat.counts.steps, 10);
  hold.options.at_end = AtEnd::hold;
  EXPECT_EQ(hold.run(true).why, Ending::Why::done);
  EXPECT_EQ(hold.counts.steps, 4);
  EXPECT_EQ(hold.counts.held_at_end, 6);
  EXPECT_EQ(hold.device.sent, 11) << "outputs are still sent";
  EXPECT_TRUE(hold.device.flags & at_end);
  stop.options.at_end = AtEnd::stop;
  EXPECT_EQ(stop.run().why, Ending::Why::end_of_run);
  EXPECT_EQ(stop.counts.steps, 4);
}

TEST(loop, holds_while_the_start_is_not_ready) {
  Rig rig;
  rig.plant.length = 4;
  rig.plant.ready = false;
  EXPECT_EQ(rig.run().why, Ending::Why::done);
  EXPECT_EQ(rig.counts.restarts, 0);
  EXPECT_EQ(rig.counts.held_at_end, 6);
}

TEST(loop, ends_with_the_reason_of_a_failed_step) {
  Rig failed, derailed;
  failed.plant.status = runtime::Status::not_converged;
  derailed.plant.status = runtime::Status::derailed;
  const Ending ending = failed.run();
  EXPECT_EQ(ending.why, Ending::Why::failed);
  EXPECT_EQ(ending.message, "it broke");
  EXPECT_EQ(derailed.run().why, Ending::Why::derailed);
}

// six outputs, then silence: held for 2 ms, then safe, until it speaks again
TEST(loop, silent_devices_lead_to_safe_inputs) {
  Rig rig;
  rig.options.hold = 2500 * us;
  rig.device.speaks = [](int sent) { return sent <= 3 || sent == 9; };
  rig.run(true);
  EXPECT_THAT(rig.plant.heard, testing::ElementsAre(7, 7, 7, 7, 7, -1, -1, -1, 7, 7));
  EXPECT_EQ(rig.counts.missing, 6);
  EXPECT_EQ(rig.counts.safe, 3);
}

TEST(loop, without_frames_the_scenario_acts) {
  Rig rig;
  rig.device.speaks = [](int) { return false; };
  rig.run(true);
  EXPECT_THAT(rig.plant.heard, testing::Each(0));
  EXPECT_EQ(rig.counts.missing, 0);
}

TEST(loop, lockstep_waits_for_each_answer_and_not_for_the_clock) {
  Rig rig;
  rig.options.lockstep = true;
  EXPECT_EQ(rig.run(true).why, Ending::Why::done);
  EXPECT_LT(rig.clock.time, 2 * ms);
  EXPECT_THAT(rig.plant.heard, testing::Each(7));
  Rig silent;
  silent.options.lockstep = true;
  silent.options.patience = ms;
  silent.device.speaks = [](int) { return false; };
  EXPECT_EQ(silent.run(true).why, Ending::Why::device_silent);
}

TEST(loop, does_not_allocate) {
  Rig rig;
  const std::atomic<bool> stop = false;
  Loop loop(rig.plant, &rig.device, rig.layout, rig.clock, rig.options, rig.periods, nullptr);
  const std::size_t before = test::allocation_count();
  const Ending ending = loop.run(stop);
  EXPECT_EQ(test::allocation_count(), before);
}

// A view that does not keep up loses rows; the loop does not notice.
TEST(loop, shows_every_third_period_and_drops_what_is_not_taken) {
  Rig rig;
  rig.options.show_every = 3;
  const std::atomic<bool> stop = false;
  Queue<double> shown(2, 2);
  Loop loop(rig.plant, nullptr, rig.layout, rig.clock, rig.options, rig.periods, nullptr, &shown);
  loop.run(stop);
  EXPECT_EQ(loop.counts().periods, 10);
  EXPECT_EQ(shown.dropped(), 2);  // of periods 0, 3, 6 and 9
  std::vector<double> row(2);
  EXPECT_TRUE(shown.pop(row));
  const double first = row[1];
  EXPECT_TRUE(shown.pop(row));
  EXPECT_NEAR(row[1] - first, 3e-3, 1e-9);
  EXPECT_FALSE(shown.pop(row));
}

TEST(loop, knows_its_words) {
  EXPECT_EQ(overrun_named("catch-up"), Overrun::catch_up);
  EXPECT_EQ(at_end_named("hold"), AtEnd::hold);
  EXPECT_THROW(overrun_named("wait"), base::Error);
  EXPECT_THROW(at_end_named("skip"), base::Error);
}

}  // namespace
}  // namespace klingel::realtime
