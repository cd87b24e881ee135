// Subject: realtime/plant, session and worst_case. Claim: a plant begins again bit for bit, wets
// rails where it is told, and does not allocate in steps; steps at all their limits still do their
// work.
#include "realtime/plant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "capi/vehicle_model.hpp"
#include "realtime/session.hpp"
#include "realtime/steal.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::realtime {
namespace {

std::shared_ptr<simulation::Description> short_run() {
  static const auto wheelset = test::wheelset();
  auto d = std::make_shared<simulation::Description>(*wheelset);
  d->duration = 20 * d->step;
  return d;
}

// The same with rigid treads, which have constraints and corrections.
std::shared_ptr<simulation::Description> short_rigid_run() {
  const std::string file = testing::TempDir() + "klingel_rigid_wheelset.toml";
  base::write_file(file,
                   "[scenario]\nname = \"rigid\"\nvehicle = \"wheelset\"\ntrack = \"straight\"\n"
                   "speed = 10.0\nduration = 0.02\nstep = 1e-3\nhold = { y = 0.001, yaw = 0.0 "
                   "}\n[contact]\ntread = \"rigid\"\n");
  static const auto wheelset = test::compiled(file);
  return std::make_shared<simulation::Description>(*wheelset.description);
}

std::shared_ptr<const capi::Model> model(std::shared_ptr<const simulation::Description> d) {
  return capi::vehicle_model({std::move(d), {}});
}

std::vector<double> run(ModelPlant& plant, std::size_t outputs) {
  std::vector<double> values(outputs), all;
  while (!plant.ended()) {
    EXPECT_EQ(plant.step(), runtime::Status::ok);
    plant.read_outputs(values);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(plant, begins_again_bit_for_bit) {
  const auto m = model(short_run());
  const Layout layout = layout_of(*m, {{}, {"s", "Y.*"}, {}});
  ModelPlant plant(m, layout);
  const std::vector<double> first = run(plant, layout.outputs.size());
  EXPECT_EQ(first.size(), 20 * layout.outputs.size());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(plant.begin_again());
    EXPECT_FALSE(plant.begin_again()) << "the spare one is in use";
    plant.tend();
    plant.rehearse();
    EXPECT_EQ(run(plant, layout.outputs.size()), first);
  }
}

TEST(plant, does_not_allocate_in_a_period) {
  const auto m = model(short_run());
  const Layout layout = layout_of(*m, {});
  ModelPlant plant(m, layout, {{-1e3, 1e3, 0.08}});
  std::vector<double> out(layout.outputs.size());
  plant.step();
  plant.read_outputs(out);
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 10; ++i) {
    plant.rehearse();
    plant.step();
    plant.read_outputs(out);
  }
  plant.begin_again();
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(plant, wets_rails_where_told) {
  const auto d = short_run();
  const auto m = model(d);
  const Layout layout = layout_of(*m, {{}, {"Y.*"}, {}});
  ModelPlant dry(m, layout), elsewhere(m, layout, {{1e5, 2e5, 0.08}}),
      wet(m, layout, {{-1e5, 1e5, 0.08}});
  const std::vector<double> reference = run(dry, layout.outputs.size());
  EXPECT_EQ(run(elsewhere, layout.outputs.size()), reference);
  EXPECT_NE(run(wet, layout.outputs.size()), reference);
  EXPECT_EQ(wet_section("-5:20.5:0.08").to, 20.5);
  for (const char* wrong : {"1:2", "2:1:0.1", "1:2:0", "1:2:3", "1:2:nan", "1:2:0.1x", ""})
    EXPECT_THROW(wet_section(wrong), base::Error) << wrong;
}

// corrections and searches at their limits change the result by no more than tolerances
TEST(worst_case, forced_steps_are_longer_and_right) {
  const auto plain = short_rigid_run(), forced = short_rigid_run();
  forced->method.exhaust = true;
  const auto m = model(plain), f = model(forced);
  const Layout layout = layout_of(*m, {{}, {"y_rel.*", "speed"}, {}});
  ModelPlant a(m, layout), b(f, layout);
  const std::vector<double> right = run(a, 2), exhausted = run(b, 2);
  ASSERT_EQ(right.size(), exhausted.size());
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(exhausted[i], right[i], 1e-6);
  const WorstCase w = worst_case(*plain, 20);
  EXPECT_FALSE(w.failed);
  EXPECT_EQ(w.steps, 20);
  EXPECT_GT(w.longest, w.plain);
}

// without any corrections: what is left of the constraint is used and noted, or the step fails
TEST(worst_case, a_limit_is_noted_or_fails) {
  const auto lenient = short_rigid_run(), strict = short_rigid_run();
  for (const auto& d : {lenient, strict}) {
    d->method.most_iterations = 0;
    d->method.phi_tolerance = 0;
  }
  lenient->method.phi_limit = 1;
  strict->method.phi_limit = 0;
  const auto a = model(lenient)->make(), b = model(strict)->make();
  a->start(), b->start();
  EXPECT_EQ(a->step(lenient->step), runtime::Status::ok);
  EXPECT_EQ(a->story().limits, 1u);
  const double t = b->time();
  EXPECT_EQ(b->step(strict->step), runtime::Status::not_converged);
  EXPECT_EQ(b->time(), t);
  EXPECT_THAT(b->failure(), testing::HasSubstr("projection of q"));
}

TEST(session, writes_its_numbers) {
  const auto m = model(short_run());
  const Layout layout = layout_of(*m, {});
  ModelPlant plant(m, layout);
  SessionOptions options;
  options.loop.period = 2'000'000;
  options.loop.periods = 50;
  options.permissions.priority = 0;
  options.cyclictest = false;
  options.record = testing::TempDir() + "klingel_rows.csv";
  const Result r = run_session(plant, nullptr, layout, options, [] { return false; });
  EXPECT_EQ(r.counts.periods, 50);
  EXPECT_EQ(r.counts.restarts, 2);
  EXPECT_EQ(r.statistics.step.count(), 50);
  const std::string json = json_text(r);
  for (const char* key : {"step_us", "wake_us", "slack_us", "p99999", "overruns_own", "limits"})
    EXPECT_THAT(json, testing::HasSubstr(key));
  EXPECT_THAT(summary_text(r), testing::HasSubstr("of our own"));
}

TEST(steal, is_the_eighth_number) {
  EXPECT_EQ(stolen_time("cpu  1 2 3 4 5 6 7 100 9 10"), 100 * 10'000'000);
  EXPECT_EQ(stolen_time("cpu 1 2 3"), 0);
  EXPECT_EQ(stolen_time(""), 0);
}

TEST(cyclictest, is_read) {
  const auto t = read_cyclictest(
      "# /dev/cpu_dma_latency set to 0us\n"
      "T: 0 ( 1234) P:80 I:1000 C:  10000 Min:      5 Act:   10 Avg:    8 Max:      40\n");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->least, 5);
  EXPECT_EQ(t->mean, 8);
  EXPECT_EQ(t->most, 40);
  EXPECT_FALSE(read_cyclictest("cyclictest: could not set priority"));
}

// one that would go on for long is ended with the loop
TEST(cyclictest, runs_where_it_is_installed) {
  const std::filesystem::path folder = testing::TempDir() + "klingel_cyclictest";
  base::write_file(folder / "cyclictest",
                   "#!/bin/sh\necho 'Min: 5 Avg: 8 Max: 40'\nexec sleep 60\n");
  std::filesystem::permissions(folder / "cyclictest", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  EXPECT_FALSE(Cyclictest(1, 1'000'000).running());
  setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  Cyclictest test(60, 1'000'000);
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(test.running());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto times = test.result();
  EXPECT_FALSE(test.running());
  // a machine under load may not have begun it yet
  if (times) {
    EXPECT_EQ(times->most, 40);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace klingel::realtime
