// Subject: estimate/estimate_file and estimate/experiment. Claim: wrong files are refused with a
// message that helps, before anything runs.
#include "estimate/estimate_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimate/chi_square.hpp"
#include "estimate/estimate_results.hpp"
#include "estimate/experiment.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::estimate {
namespace {

using testing::HasSubstr;

constexpr const char* good = R"(
[estimate]
name = "small"
run = "wheelset_suspended"
duration = 0.2
[[state]]
names = "*"
sigma = 1e-3
noise = 1e-3
[[sensor]]
channel = "y_rel.wheelset"
sigma = 1e-4
[truth]
step = 1e-3
)";

exec::Options kernels(exec::Backend backend) {
  exec::Options options;
  options.backend = backend;
  return options;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
std::string refusal(const std::string& text) {
  return test::error_of([&] { parse_estimate(text, "e.toml"); });
}
std::string refused_run(const std::string& text) {
  return test::error_of(
      [&] { Experiment(parse_estimate(text, "e.toml"), kernels(exec::Backend::interpreter)); });
}

TEST(estimate_file, reads_what_it_is_given) {
  const Estimate e = parse_estimate(good, "e.toml");
  EXPECT_EQ(e.setup.states.at(0).pattern, "*");
  EXPECT_EQ(e.setup.sensors.at(0).channel, "y_rel.wheelset");
  EXPECT_EQ(e.sensors.at(0).noise, 1e-4);  // as the filter believes
}

TEST(estimate_file, wrong_values_are_refused_at_their_place) {
  EXPECT_THAT(refusal(changed(good, "sigma = 1e-4", "sigma = 0")), HasSubstr("e.toml:12"));
  EXPECT_THAT(refusal(changed(good, "names = \"*\"", "name = \"*\"")), HasSubstr("names"));
  EXPECT_THAT(refusal(changed(good, "[[sensor]]", "[[sensors]]")), HasSubstr("sensor"));
  EXPECT_THAT(refusal(changed(good, "[truth]", "[truth]\nrecording = \"a.csv\"\nrun = \"b\"")),
              HasSubstr("exclude"));
  EXPECT_THAT(refusal(std::string(good) + "[alarm]\nname = \"p.k\"\nbelow = 1\n"),
              HasSubstr("no [[parameter]]"));
  EXPECT_THAT(refusal(changed(good, "sigma = 1e-4", "sigma = 1e-4\nmissing = 1.5")),
              HasSubstr("share"));
}

TEST(experiment, names_that_do_not_exist_come_with_near_ones) {
  EXPECT_THAT(refused_run(changed(good, "y_rel.wheelset", "y_rel.whelset")),
              AllOf(HasSubstr("e.toml:11"), HasSubstr("y_rel.wheelset")));
  EXPECT_THAT(refused_run(changed(good, "names = \"*\"", "names = \"q.yy\"")), HasSubstr("q.y"));
}

TEST(experiment, what_no_sensor_tells_is_refused) {
  // the angle of a wheel does not show anywhere
  EXPECT_THAT(refused_run(good), AllOf(HasSubstr("not observed"), HasSubstr("spin")));
}

TEST(experiment, a_filter_without_model_errors_is_as_good_as_it_says) {
  const std::string text = changed(changed(changed(good, "duration = 0.2",
                                                   "duration = 1.0\nsettle = 0.2\nwithout = "
                                                   "[\"q.spin\", \"q.x\", \"dq.x\", "
                                                   "\"dq.spin\", \"*carriage*\"]"),
                                           "noise = 1e-3", "noise = 1e-4"),
                                   "sigma = 1e-3", "sigma = 1e-4");
  const Experiment experiment(parse_estimate(text, "e.toml"), kernels(exec::Backend::jit));
  const RunResult r = experiment.run(0);
  EXPECT_EQ(r.failure, "");
  EXPECT_NEAR(r.nis.mean, 1, 0.25);
  EXPECT_GT(r.rows.rows(), 50u);
  // the same again, bit for bit
  const RunResult again = experiment.run(0);
  EXPECT_EQ(again.nis.mean, r.nis.mean);
}

TEST(estimate_results, a_summary_is_of_the_runs_that_came_to_their_end) {
  std::vector<RunResult> runs(4);
  const double rms[] = {3, 1, 100, 2};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Errors e;
    e.name = "Y", e.unit = "N", e.count = 10;
    e.rms = rms[i], e.truth_deviation = 10, e.sigma = static_cast<double>(i), e.inside = 0.5;
    e.bands = {{3, 6, i == 1 ? 0.01 : 5, 2.5}};
    runs[i].errors = {e};
    runs[i].nis.mean = rms[i], runs[i].nis.expected = 4;
  }
  runs[2].failure = "derailed";
  const RunsSummary s = summary_of(runs);
  EXPECT_EQ(s.runs, 3u);
  ASSERT_EQ(s.quantities.size(), 1u);
  const RunsOf& q = s.quantities[0];
  EXPECT_EQ(q.rms.least, 1);
  EXPECT_EQ(q.rms.median, 2);
  EXPECT_EQ(q.rms.largest, 3);
  EXPECT_DOUBLE_EQ(q.dynamic.largest, 0.3);
  EXPECT_DOUBLE_EQ(q.sigma, 4.0 / 3);
  // of a run whose truth has no such waves nothing is said
  ASSERT_EQ(q.waves.size(), 1u);
  EXPECT_EQ(q.waves[0].largest, 0.5);
  EXPECT_EQ(s.nis.median, 2);
  EXPECT_EQ(s.nis_expected, 4);
  EXPECT_EQ(summary_of({}).runs, 0u);
}

TEST(estimate_file, names_of_estimates_are_told_from_others) {
  EXPECT_TRUE(names_estimate("coach_forces"));
  EXPECT_FALSE(names_estimate("coach_300m"));
  EXPECT_FALSE(names_estimate("no_such_thing"));
}

TEST(chi_square, has_the_quantiles_of_tables) {
  EXPECT_NEAR(chi_square_quantile(0.975, 1), 5.0239, 1e-4);
  EXPECT_NEAR(chi_square_quantile(0.025, 10), 3.2470, 1e-4);
}

}  // namespace
}  // namespace klingel::estimate
