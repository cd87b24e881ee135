// Subject: include/klingel. Claim: the public classes load, drive and read a vehicle by names, and
// give what the rooms behind them give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <klingel/compile.hpp>

#include "compile/prepare_run.hpp"

namespace klingel {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::ThrowsMessage;

const LoadOptions quick{"interpreter", "", {}};

TEST(public_api, drives_a_vehicle_by_names) {
  Simulation vehicle = load("wheelset", quick);
  EXPECT_THAT(vehicle.inputs(), Contains("torque"));
  EXPECT_THAT(vehicle.parameters(), Contains("I_spin"));
  EXPECT_THAT(vehicle.channels(), Contains("Q.wheelset.left"));
  EXPECT_EQ(vehicle.duration(), 5);
  EXPECT_EQ(vehicle.time_step(), 1e-3);
  vehicle.set_parameter("I_spin", 120);
  EXPECT_EQ(vehicle.parameter("I_spin"), 120);
  vehicle.set_friction(0.25);
  vehicle.set_friction("wheelset.left", 0.2);
  vehicle.record({"Q.*"}, 1e-3);
  vehicle.start(10, 5);
  EXPECT_NEAR(vehicle.value("s"), 10, 1e-6);
  vehicle.set_input("torque", 30);
  const std::string start = vehicle.save();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(vehicle.step()) << vehicle.failure();
  EXPECT_EQ(vehicle.input("torque"), 30);
  EXPECT_FALSE(vehicle.finished());
  EXPECT_EQ(vehicle.recorded("Q.wheelset.left").size, 11u);
  EXPECT_THAT(vehicle.recorded(), Contains("Q.wheelset.right"));
  const std::string end = vehicle.save();
  vehicle.restore(start);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(vehicle.step());
  EXPECT_EQ(vehicle.save(), end);
}

TEST(public_api, lanes_are_like_a_single_vehicle) {
  Batch batch = load_batch("wheelset", 4, quick);
  Simulation vehicle = load("wheelset", quick);
  vehicle.start();
  ASSERT_EQ(batch.size(), 4u);
  batch.set_friction(1, 0.1);
  batch.set_input(2, "torque", 40);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(batch.step());
    ASSERT_TRUE(vehicle.step());
  }
  EXPECT_EQ(batch.save(0), vehicle.save());
  EXPECT_EQ(batch.save(3), vehicle.save());
  EXPECT_NE(batch.save(2), vehicle.save());
  const std::size_t Q = batch.channel("Q.wheelset.left");
  EXPECT_EQ(batch.value(0, Q), vehicle.value("Q.wheelset.left"));
  EXPECT_EQ(batch.time(0), vehicle.time());
  EXPECT_THROW(batch.save(4), std::runtime_error);
}

TEST(public_api, mistakes_are_runtime_errors_with_near_names) {
  EXPECT_THAT([] { load("coach_30m"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("did you mean 'coach_300m'")));
  LoadOptions options = quick;
  options.track = "straigt";
  EXPECT_THAT([&] { load("wheelset", options); },
              ThrowsMessage<std::runtime_error>(HasSubstr("did you mean 'straight'")));
  options = quick;
  options.parameters = {{"mm", "3"}};
  EXPECT_THROW(load("wheelset", options), std::runtime_error);
  Simulation vehicle = load("wheelset", quick);
  EXPECT_THAT([&] { vehicle.value("Q.wheelset.lefd"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("'Q.wheelset.left'")));
}

}  // namespace
}  // namespace klingel
