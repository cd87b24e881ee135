// Subject: largest counts of a step. Claim: ordinary runs never meet them; where they are met, the
// best that was found by then is used, an event says so, and the run goes on.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

struct Outcome {
  std::int64_t limits = 0, steps = 0;
  std::vector<double> q;
};

// The article's run on rigid treads, with its jumps, flanges and releases.
Outcome run(const std::string& scenario, double duration,
            const std::function<void(step::StepOptions&)>& change) {
  vehicle::Scenario s = vehicle::load_scenario(scenario);
  const compile::PreparedRun p = compile::prepare_run(s);
  step::StepOptions options = p.description->method;
  change(options);
  Outcome o;
  for (; o.steps < std::llround(duration / s.step); ++o.steps) {
    p.instance->set_inputs(p.simulator->time());
    if (p.simulator->step(s.step, options) != runtime::Status::ok) break;
    for (const step::Event& e : p.simulator->events())
      o.limits += e.kind == step::Event::Kind::limit;
  }
  o.q = p.simulator->state().q;
  return o;
}

TEST(limits, are_not_met_by_ordinary_runs) {
  for (const char* scenario : {"feve3000_corrected", "article_flat", "s_curve_2m"}) {
    // those of a real-time loop, which are the lowest
    const Outcome o = run(scenario, 18, [](step::StepOptions& s) { s.limit_searches(); });
    EXPECT_EQ(o.limits, 0) << scenario;
    EXPECT_EQ(o.steps, 18000) << scenario;
  }
}

// Treads jump 231 times, and flanges come near and go away: charts of places know where.
TEST(limits, ordinary_runs_need_no_search) {
  const auto none = [](step::StepOptions& o) { o.searches_per_wheel = 0; };
  const Outcome all = run("feve3000_corrected", 18, [](step::StepOptions&) {});
  const Outcome without = run("feve3000_corrected", 18, none);
  EXPECT_EQ(without.limits, 0);
  EXPECT_EQ(without.steps, 18000);
  EXPECT_EQ(without.q, all.q);
  EXPECT_EQ(run("s_curve_2m", 18, none).limits, 0);
}

// Here wheels leave their treads at 0.15 s.
TEST(limits, of_searches_leave_points_where_they_were) {
  const Outcome all = run("article_as_printed", 0.155, [](step::StepOptions&) {});
  const Outcome none =
      run("article_as_printed", 0.155, [](step::StepOptions& o) { o.searches_per_wheel = 0; });
  EXPECT_EQ(all.limits, 0);
  EXPECT_GT(none.limits, 0);
  EXPECT_EQ(none.steps, 155);
  for (std::size_t i = 0; i < all.q.size(); ++i) EXPECT_NEAR(none.q[i], all.q[i], 2e-3) << i;
}

TEST(limits, of_solutions_let_wheels_pull_for_a_step) {
  const Outcome o = run("article_feve3000", 4, [](step::StepOptions& s) { s.most_attempts = 0; });
  EXPECT_GT(o.limits, 0);
}

TEST(limits, of_corrections_use_what_is_met_well_enough) {
  const Outcome all = run("feve3000_corrected", 6, [](step::StepOptions&) {});
  const Outcome few = run("feve3000_corrected", 6, [](step::StepOptions& o) {
    o.most_iterations = 1;
    o.phi_limit = 1e-4, o.rate_limit = 1e-2;
  });
  EXPECT_GT(few.limits, 0);
  EXPECT_EQ(few.steps, 6000);
  for (std::size_t i = 0; i < all.q.size(); ++i) EXPECT_NEAR(few.q[i], all.q[i], 2e-3) << i;
}

}  // namespace
}  // namespace klingel
