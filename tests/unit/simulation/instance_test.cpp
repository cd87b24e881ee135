// Subject: simulation/instance. Claim: an instance does what its description says, goes on bit for
// bit from a saved state, answers unknown names with near ones, shares nothing with others and does
// not allocate in a step.
#include "simulation/instance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::simulation {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

void steps(Instance& vehicle, int count) {
  for (int i = 0; i < count; ++i) ASSERT_TRUE(vehicle.step()) << vehicle.failure();
}

TEST(instance, does_not_step_before_it_was_started) {
  Instance vehicle(test::wheelset());
  EXPECT_FALSE(vehicle.step());
  EXPECT_THAT(vehicle.failure(), HasSubstr("call start()"));
  vehicle.start();
  EXPECT_TRUE(vehicle.step());
  EXPECT_EQ(vehicle.failure(), "");
  EXPECT_DOUBLE_EQ(vehicle.time(), 1e-3);
}

TEST(instance, lives_longer_than_what_compiled_it) {
  std::shared_ptr<const Description> description;
  {
    const compile::CompiledVehicle compiled = test::compiled("wheelset");
    description = compiled.description;
  }
  Instance vehicle(description);
  vehicle.start();
  steps(vehicle, 3);
}

TEST(instance, goes_on_bit_for_bit_from_a_saved_state) {
  const auto description = test::wheelset();
  Instance one(description), other(description);
  one.start();
  steps(one, 40);
  const std::string saved = one.save();
  steps(one, 60);
  other.restore(saved);
  EXPECT_DOUBLE_EQ(other.time(), 0.04);
  steps(other, 60);
  EXPECT_TRUE(one.simulator().state() == other.simulator().state());
  // and back again
  one.restore(saved);
  EXPECT_FALSE(one.simulator().state() == other.simulator().state());
  steps(one, 60);
  EXPECT_TRUE(one.simulator().state() == other.simulator().state());
}

TEST(instance, a_damaged_state_is_refused_and_changes_nothing) {
  Instance vehicle(test::wheelset());
  vehicle.start();
  const std::string before = vehicle.save();
  EXPECT_THROW(vehicle.restore("nothing of a state"), base::Error);
  EXPECT_EQ(vehicle.save(), before);
}

TEST(instance, starts_again_as_at_the_first_time) {
  Instance vehicle(test::wheelset());
  vehicle.start();
  const std::string first = vehicle.save();
  vehicle.set_input(vehicle.input("torque"), 500);
  steps(vehicle, 20);
  vehicle.set_input(vehicle.input("torque"), 0);
  vehicle.start();
  EXPECT_EQ(vehicle.save(), first);
}

TEST(instance, starts_elsewhere_if_asked_to) {
  Instance vehicle(test::wheelset());
  vehicle.start_options().position = 20;
  vehicle.start_options().speed = 7;
  vehicle.start();
  EXPECT_NEAR(vehicle.value(vehicle.channel("s")), 20, 1e-6);
  EXPECT_NEAR(vehicle.simulator().state().dq[0], 7, 1e-6);
}

TEST(instance, inputs_that_were_given_stay_and_the_others_follow_the_scenario) {
  auto description = std::make_shared<Description>(*test::wheelset());
  description->inputs = {{0, {0, 1}, {0, 1000}}};
  Instance vehicle(description);
  vehicle.start();
  steps(vehicle, 11);
  EXPECT_DOUBLE_EQ(vehicle.input_value(0), 10);
  vehicle.set_input(vehicle.input("torque"), -3);
  steps(vehicle, 5);
  EXPECT_EQ(vehicle.input_value(0), -3);
}

TEST(instance, parameters_change_the_motion) {
  const auto description = test::wheelset();
  Instance light(description), heavy(description);
  const std::size_t m = heavy.parameter("m");
  EXPECT_EQ(heavy.parameter_value(m), 1813);
  heavy.set_parameter(m, 2500);
  EXPECT_EQ(heavy.parameter_value(m), 2500);
  light.start();
  heavy.start();
  steps(light, 20);
  steps(heavy, 20);
  const std::size_t Q = light.channel("Q.wheelset.left");
  ASSERT_EQ(heavy.channel("Q.wheelset.left"), Q);
  EXPECT_NEAR(light.value(Q), 1813 * 9.81 / 2, 200);
  EXPECT_NEAR(heavy.value(Q), 2500 * 9.81 / 2, 300);
}

TEST(instance, what_cannot_be_is_refused_and_nothing_changes) {
  Instance vehicle(test::wheelset());
  const auto says = [](const char* text) { return ThrowsMessage<base::Error>(HasSubstr(text)); };
  const std::size_t m = vehicle.parameter("m");
  EXPECT_THAT([&] { vehicle.set_parameter(m, -5); },
              says("with m = -5 the value 'mass' (vehicle.toml:"));
  EXPECT_THAT([&] { vehicle.set_parameter(m, NAN); }, says("must be a finite number"));
  EXPECT_EQ(vehicle.parameter_value(m), 1813);
  EXPECT_THAT([&] { vehicle.give_friction(0, -0.3); }, says("from 0 to 2, found -0.3"));
  vehicle.start_options().speed = NAN;
  EXPECT_THAT([&] { vehicle.start(); }, says("from -300 to 300 m/s, found nan"));
  vehicle.start_options().speed = 10;
  vehicle.start();
  steps(vehicle, 3);
  EXPECT_NEAR(vehicle.value(vehicle.channel("Q.wheelset.left")), 1813 * 9.81 / 2, 200);
}

TEST(instance, unknown_names_are_answered_with_near_ones) {
  Instance vehicle(test::wheelset());
  const auto says = [](const char* text) { return ThrowsMessage<base::Error>(HasSubstr(text)); };
  EXPECT_THAT([&] { vehicle.channel("Q.wheelset.lefd"); },
              says("no channel 'Q.wheelset.lefd'; did you mean 'Q.wheelset.left'"));
  EXPECT_THAT([&] { vehicle.input("torqe"); }, says("no input 'torqe'; did you mean 'torque'?"));
  EXPECT_THAT([&] { vehicle.parameter("I_spim"); }, says("did you mean 'I_spin'"));
  EXPECT_THAT([&] { vehicle.wheel("wheelset.rihgt"); }, says("did you mean 'wheelset.right'"));
  EXPECT_THAT([&] { vehicle.record({"Qq.*"}); }, ThrowsMessage<base::Error>(HasSubstr("Qq.*")));
}

TEST(instance, channels_are_the_values_of_a_recording_of_every_step) {
  Instance vehicle(test::wheelset());
  vehicle.record({"Q.wheelset.left", "y_rel.*"}, 1e-3);
  vehicle.start();
  const std::size_t Q = vehicle.channel("Q.wheelset.left"), y = vehicle.channel("y_rel.wheelset");
  std::vector<double> forces, places{vehicle.value(y)};
  for (int i = 0; i < 30; ++i) {
    steps(vehicle, 1);
    forces.push_back(vehicle.value(Q));
    places.push_back(vehicle.value(y));
  }
  const record::Recording& recording = vehicle.recorded();
  ASSERT_EQ(recording.rows(), 31u);
  EXPECT_EQ(recording.channels().size(), 3u) << "t, and what was asked for";
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(recording.column("Q.wheelset.left")[i], forces[i]) << i;
    EXPECT_EQ(recording.column("y_rel.wheelset")[i], places[i]) << i;
  }
  EXPECT_NE(places.front(), places.back());
}

TEST(instance, reading_a_recording_does_not_change_it) {
  const auto description = test::wheelset();
  Instance read_often(description), read_once(description);
  for (Instance* vehicle : {&read_often, &read_once}) {
    vehicle->start();
    vehicle->record({"q.*", "N.*"}, 5e-3);
  }
  for (int i = 0; i < 8; ++i) {
    steps(read_often, 3);
    read_often.recorded();
    read_often.recorded();
    steps(read_once, 3);
  }
  const record::Recording &a = read_often.recorded(), &b = read_once.recorded();
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.channels().size(); ++i) {
    for (std::size_t row = 0; row < a.rows(); ++row)
      EXPECT_EQ(a.column(i)[row], b.column(i)[row]) << a.channels()[i].name << " in row " << row;
  }
}

TEST(instance, forces_after_a_restore_are_those_of_the_saved_state) {
  Instance vehicle(test::wheelset());
  vehicle.start();
  steps(vehicle, 20);
  const std::string saved = vehicle.save();
  const double N = vehicle.simulator().tread()[0].N;
  vehicle.start();
  vehicle.restore(saved);
  EXPECT_EQ(vehicle.simulator().tread()[0].N, N);
}

TEST(instance, nothing_recorded_is_said) {
  Instance vehicle(test::wheelset());
  vehicle.start();
  EXPECT_THAT([&] { vehicle.recorded(); }, ThrowsMessage<base::Error>(HasSubstr("call record()")));
}

TEST(instance, ends_after_the_duration) {
  auto description = std::make_shared<Description>(*test::wheelset());
  description->duration = 0.02;
  Instance vehicle(description);
  vehicle.start();
  int count = 0;
  while (!vehicle.finished() && vehicle.step()) ++count;
  EXPECT_EQ(count, 20);
}

TEST(instance, a_step_does_not_allocate) {
  Instance vehicle(test::wheelset());
  vehicle.record({"*"});
  vehicle.start();
  const std::size_t Q = vehicle.channel("Q.wheelset.left");
  steps(vehicle, 5);
  const std::size_t before = test::allocation_count();
  double sum = 0;
  for (int i = 0; i < 50; ++i) {
    vehicle.set_input(0, 10.0 * i);
    vehicle.step();
    sum += vehicle.value(Q);
  }
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_GT(sum, 0);
}

TEST(instance, two_models_in_one_process_do_what_each_does_alone) {
  const auto one = test::wheelset(), two = test::compiled("bogie").description;
  Instance alone(one), beside(one), other(two);
  alone.start();
  steps(alone, 30);
  beside.start();
  other.start();
  for (int i = 0; i < 30; ++i) {
    steps(other, 1);
    steps(beside, 1);
  }
  EXPECT_TRUE(alone.simulator().state() == beside.simulator().state());
  EXPECT_NE(other.simulator().coordinates(), beside.simulator().coordinates());
}

}  // namespace
}  // namespace klingel::simulation
