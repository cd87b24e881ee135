// Subject: simulation/batch. Claim: every vehicle on a lane does bit for bit what it does alone.
#include "simulation/batch.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::simulation {
namespace {

struct Lanes {
  compile::CompiledVehicle vehicle = test::compiled("wheelset");
  Instance one{vehicle.description};
  std::shared_ptr<const Description> on_lanes =
      compile::on_lanes(vehicle, {exec::Backend::interpreter}, 4);
};

void vary(Instance& vehicle, std::size_t lane) {
  vehicle.set_friction(0, 0.3 - 0.05 * static_cast<double>(lane));
  vehicle.set_input(vehicle.input("torque"), 50.0 * static_cast<double>(lane));
  vehicle.set_parameter(vehicle.parameter("I_spin"), 112.0 + static_cast<double>(lane));
}

TEST(batch, lanes_do_what_single_vehicles_do) {
  Lanes lanes;
  lanes.one.start();
  const std::string start = lanes.one.save();
  Batch batch(lanes.on_lanes, lanes.one);
  ASSERT_EQ(batch.size(), 4u);
  const std::size_t Q = lanes.one.channel("Q.wheelset.left");
  for (std::size_t i = 0; i < 4; ++i) vary(batch[i], i);
  std::size_t allocations = 0;
  for (int k = 0; k < 50; ++k) {
    const std::size_t before = test::allocation_count();
    ASSERT_TRUE(batch.step());
    if (k > 1) allocations += test::allocation_count() - before;
  }
  EXPECT_EQ(allocations, 0u);
  for (std::size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    lanes.one.restore(start);
    vary(lanes.one, i);
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(lanes.one.step());
    EXPECT_TRUE(batch[i].simulator().state() == lanes.one.simulator().state());
    EXPECT_EQ(batch[i].value(Q), lanes.one.value(Q));
    if (i > 0) EXPECT_NE(batch[i].value(Q), batch[0].value(Q));
  }
}

TEST(batch, a_vehicle_that_failed_goes_on_after_restore) {
  Lanes lanes;
  lanes.one.start();
  Batch batch(lanes.on_lanes, lanes.one);
  step::VehicleState lost = lanes.one.simulator().state();
  for (double& dq : lost.dq) dq = std::nan("");
  batch[2].simulator().set_state(lost);
  ASSERT_TRUE(batch.step());
  EXPECT_TRUE(batch.failed(2));
  EXPECT_NE(batch[2].failure(), "");
  EXPECT_FALSE(batch.failed(1));
  ASSERT_TRUE(batch.step());
  batch.restore(2, batch[1].save());
  EXPECT_FALSE(batch.failed(2));
  ASSERT_TRUE(batch.step());
  EXPECT_TRUE(batch[2].simulator().state() == batch[1].simulator().state());
}

TEST(batch, batches_that_work_in_the_same_memory_do_not_mix) {
  Lanes lanes;
  lanes.one.start();
  Batch first(lanes.on_lanes, lanes.one), alone(first, lanes.one);
  Batch second = Batch::beside(first, lanes.one);
  for (std::size_t i = 0; i < 4; ++i)
    vary(first[i], i), vary(second[i], 7 + i), vary(alone[i], 7 + i);
  // some steps of one, then of the other
  for (int block = 0; block < 4; ++block)
    for (Batch* batch : {&first, &second, &alone})
      for (int k = 0; k < 7; ++k) ASSERT_TRUE(batch->step());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(second[i].simulator().state() == alone[i].simulator().state());
    EXPECT_FALSE(second[i].simulator().state() == first[i].simulator().state());
  }
}

TEST(batch, says_how_many_vehicles_it_has) {
  Lanes lanes;
  lanes.one.start();
  Batch batch(lanes.on_lanes, lanes.one);
  EXPECT_THROW(batch.at(4), base::Error);
}

}  // namespace
}  // namespace klingel::simulation
