// Which sets of wheels belong to the same wheelsets.
#include "step/wheelset_groups.hpp"

#include <gtest/gtest.h>

namespace klingel::step {
namespace {

// Axles of two wheels each. Wheels with charts need no kernels to be put into sets, and nobody
// looks at the charts.
WheelsetGroups groups_of(std::size_t axles) {
  VehicleData data;
  static const int somewhere = 0;
  const std::shared_ptr<const contact::ChartedPair> charts(
      std::shared_ptr<void>(), reinterpret_cast<const contact::ChartedPair*>(&somewhere));
  for (std::size_t k = 0; k < axles; ++k) {
    for (const profile::Side side : {profile::Side::left, profile::Side::right}) {
      WheelData wheel;
      wheel.wheelset = k;
      wheel.side = side;
      wheel.pair = charts;
      data.wheels.push_back(wheel);
    }
  }
  return wheelset_groups(Points(data));
}

TEST(WheelsetGroups, LeftAndRightOfFourAxlesGoTogether) {
  EXPECT_EQ(groups_of(4), (WheelsetGroups{{0, 1}}));
  EXPECT_EQ(groups_of(8), (WheelsetGroups{{0, 2}, {1, 3}}));
}

// sets are then filled across the sides: axles 4, 5 on the left and 0, 1 on the right share one
TEST(WheelsetGroups, OtherNumbersOfAxlesStayAlone) {
  EXPECT_EQ(groups_of(2), (WheelsetGroups{{0}}));
  EXPECT_EQ(groups_of(6), (WheelsetGroups{{0}, {1}, {2}}));
}

}  // namespace
}  // namespace klingel::step
