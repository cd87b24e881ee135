// Subject: simulation/description. Claim: signals are linear between their points and constant
// outside, and only inputs that have one are set.
#include "simulation/description.hpp"

#include <gtest/gtest.h>

#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::simulation {
namespace {

TEST(description, signals_are_linear_between_points) {
  const Signal signal{0, {1, 2, 4}, {10, 20, 0}};
  EXPECT_EQ(signal.at(0), 10);
  EXPECT_EQ(signal.at(1.5), 15);
  EXPECT_EQ(signal.at(2), 20);
  EXPECT_EQ(signal.at(3), 10);
  EXPECT_EQ(signal.at(9), 0);
}

TEST(description, inputs_without_a_signal_stay) {
  auto description = std::make_shared<Description>(*test::wheelset());
  step::Simulator simulator(description->data);
  simulator.set_input(0, 5);
  set_inputs(*description, simulator, 1);
  EXPECT_EQ(simulator.input(0), 5);
  description->inputs = {{0, {0}, {7}}};
  set_inputs(*description, simulator, 1);
  EXPECT_EQ(simulator.input(0), 7);
}

}  // namespace
}  // namespace klingel::simulation
