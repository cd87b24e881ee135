// Vehicles on lanes: each does what it would do alone, to the last bit, whatever its neighbours do.
#include "step/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

// four vehicles of a scenario on lanes, and one alone
struct Four {
  explicit Four(const std::string& scenario)
      : pipeline(compile::prepare_run(vehicle::load_scenario(scenario))),
        lanes(compile::side_by_side(pipeline, {})) {}
  step::Simulator& alone() { return *pipeline.simulator; }

  compile::PreparedRun pipeline;
  simulation::Batch lanes;
};

void expect_same(const step::VehicleState& a, const step::VehicleState& b) {
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.dq, b.dq);
  for (std::size_t i = 0; i < a.tread.size(); ++i) {
    EXPECT_EQ(a.tread[i].s, b.tread[i].s);
    EXPECT_EQ(a.tread[i].N, b.tread[i].N);
    EXPECT_EQ(a.flange[i].N, b.flange[i].N);
  }
}

TEST(batch, four_locomotives_do_what_each_does_alone) {
  Four lanes("feve3000_corrected");
  step::Batch& batch = lanes.lanes.lanes();
  ASSERT_EQ(batch.size(), 4u);
  step::Simulator& alone = lanes.alone();
  const step::VehicleState start = alone.state();

  // from other places of the track, with other friction and another parameter
  constexpr std::int64_t steps = 1500;
  std::vector<step::VehicleState> starts{start};
  for (int lane = 1; lane < 4; ++lane) {
    for (int i = 0; i < 1400 * lane; ++i) {
      lanes.pipeline.instance->set_inputs(alone.state().t);
      ASSERT_EQ(alone.step(1e-3), runtime::Status::ok) << alone.failure_text();
    }
    starts.push_back(alone.state());
    alone.set_state(start);
  }
  const auto vary = [](step::Simulator& s, std::size_t lane) {
    for (std::size_t i = 0; i < s.data().wheels.size(); ++i)
      s.set_friction(i, 0.3 - 0.05 * static_cast<double>(lane));
    const step::KernelIds& id = s.description()->id;
    if (id.has_p) {
      const klingel_input& p = s.data().vehicle->inputs[id.p];
      s.set_parameter(0, p.nominal[0] * (1 + 0.02 * static_cast<double>(lane)));
    }
    for (std::size_t i = 0; i < s.input_names().size(); ++i)
      s.set_input(i, 100.0 * static_cast<double>(lane));
  };
  std::vector<step::VehicleState> ends;
  std::vector<std::size_t> events(4), counted(4);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    vary(alone, lane);
    alone.set_state(starts[lane]);
    for (std::int64_t i = 0; i < steps; ++i) {
      ASSERT_EQ(alone.step(1e-3), runtime::Status::ok) << alone.failure_text();
      events[lane] += alone.events().size();
    }
    ends.push_back(alone.state());
  }
  for (std::size_t lane = 0; lane < 4; ++lane) {
    vary(batch[lane], lane);
    batch[lane].set_state(starts[lane]);
  }
  for (std::int64_t i = 0; i < steps; ++i) {
    ASSERT_TRUE(batch.step(1e-3));
    for (std::size_t lane = 0; lane < 4; ++lane) counted[lane] += batch[lane].events().size();
  }
  std::size_t all = 0;
  for (std::size_t lane = 0; lane < 4; ++lane) {
    SCOPED_TRACE(lane);
    EXPECT_EQ(batch.status(lane), runtime::Status::ok);
    expect_same(batch[lane].state(), ends[lane]);
    EXPECT_EQ(counted[lane], events[lane]);
    all += events[lane];
  }
  EXPECT_GT(all, 20u) << "flanges and jumps are part of it";
}

TEST(batch, a_vehicle_that_fails_leaves_the_others_alone) {
  Four lanes("feve3000_corrected");
  step::Batch& batch = lanes.lanes.lanes();
  step::Simulator& alone = lanes.alone();
  const step::VehicleState start = alone.state();
  for (std::size_t lane = 0; lane < 4; ++lane) batch[lane].set_state(start);
  step::VehicleState lost = start;
  for (double& dq : lost.dq) dq = std::nan("");
  batch[2].set_state(lost);
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(batch.step(1e-3));
    ASSERT_EQ(alone.step(1e-3), runtime::Status::ok);
  }
  EXPECT_NE(batch.status(2), runtime::Status::ok);
  EXPECT_FALSE(batch[2].failure_text().empty());
  EXPECT_EQ(batch[2].state().q, lost.q) << "it stays where it failed";
  for (const std::size_t lane : {0u, 1u, 3u}) expect_same(batch[lane].state(), alone.state());
  // and comes back
  batch[2].set_state(alone.state());
  batch.revive(2);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(batch.step(1e-3));
    ASSERT_EQ(alone.step(1e-3), runtime::Status::ok);
  }
  expect_same(batch[2].state(), alone.state());
}

// Other ways to solve the system, and loaded treads.
struct Method {
  const char* scenario;
  step::LinearMethod method;
  step::Projections projections;
};

class MethodOnLanes : public testing::TestWithParam<Method> {};

TEST_P(MethodOnLanes, does_what_it_does_alone) {
  Four lanes(GetParam().scenario);
  step::Batch& batch = lanes.lanes.lanes();
  step::Simulator& alone = lanes.alone();
  step::StepOptions options = lanes.pipeline.description->method;
  options.method = GetParam().method;
  options.projections = GetParam().projections;
  std::vector<step::VehicleState> starts{alone.state()};
  for (int lane = 1; lane < 4; ++lane) {
    for (int i = 0; i < 150; ++i) ASSERT_EQ(alone.step(1e-3), runtime::Status::ok);
    starts.push_back(alone.state());
  }
  for (std::size_t lane = 0; lane < 4; ++lane) batch[lane].set_state(starts[lane]);
  constexpr int steps = 200;
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(batch.step(1e-3, options));
  for (std::size_t lane = 0; lane < 4; ++lane) {
    SCOPED_TRACE(lane);
    alone.set_state(starts[lane]);
    for (int i = 0; i < steps; ++i) ASSERT_EQ(alone.step(1e-3, options), runtime::Status::ok);
    EXPECT_EQ(batch.status(lane), runtime::Status::ok);
    expect_same(batch[lane].state(), alone.state());
  }
}

INSTANTIATE_TEST_SUITE_P(batch, MethodOnLanes,
                         testing::Values(Method{"feve3000_corrected",
                                                step::LinearMethod::partitioning,
                                                step::Projections::predicted},
                                         Method{"feve3000_corrected", step::LinearMethod::static_lu,
                                                step::Projections::full},
                                         Method{"coach_300m", step::LinearMethod::static_lu,
                                                step::Projections::predicted}));

}  // namespace
}  // namespace klingel
