// Subject: FMUs of FMI 3.0. Claim: as for 2.0: bit for bit what a run gives, errors with messages
// for illegal orders and for what is not supported.
#include "fmu/fmi3.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "tests/fmu/unpacked_fmu.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

void logger3(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String text) {
  *static_cast<std::string*>(environment) += std::string(text) + "\n";
}

class Fmi3 : public testing::Test {
 protected:
  static void SetUpTestSuite() { fmu = new test::Unpacked(3); }
  static void TearDownTestSuite() {
    delete fmu;
    fmu = nullptr;
  }

  fmi3Instance make(std::string token = "", std::string resources = "") {
    if (token.empty()) token = test::wheelset_parts().model->token;
    if (resources.empty()) resources = fmu->resources() + "/";
    return KLINGEL_CALL(*fmu, fmi3InstantiateCoSimulation)("one", token.c_str(), resources.c_str(),
                                                           false, false, false, false, nullptr, 0,
                                                           &messages, logger3, nullptr);
  }
  fmi3Instance ready() {
    fmi3Instance c = make();
    EXPECT_NE(c, nullptr) << messages;
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterInitializationMode)(c, false, 0, 0, true, 10), fmi3OK);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3ExitInitializationMode)(c), fmi3OK) << messages;
    return c;
  }
  fmi3Status step(fmi3Instance c, double now, double size) {
    bool event = true, early = true;
    return KLINGEL_CALL(*fmu, fmi3DoStep)(c, now, size, true, &event, &terminate, &early, &last);
  }
  std::vector<double> outputs(fmi3Instance c) {
    const std::size_t n = test::wheelset_parts().model->of(capi::Kind::output).size();
    std::vector<double> values(n);
    std::vector<unsigned> references;
    for (std::size_t i = 0; i < n; ++i)
      references.push_back((2u << 20) + static_cast<unsigned>(i) + 1);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3GetFloat64)(c, references.data(), n, values.data(), n),
              fmi3OK);
    return values;
  }
  void free(fmi3Instance c) { KLINGEL_CALL(*fmu, fmi3FreeInstance)(c); }

  static test::Unpacked* fmu;
  std::string messages;
  bool terminate = true;
  double last = -1;
};
test::Unpacked* Fmi3::fmu = nullptr;

TEST_F(Fmi3, gives_what_the_model_gives_here) {
  fmi3Instance c = ready();
  const std::unique_ptr<capi::Runner> run = test::wheelset_parts().model->make();
  run->look_ahead(true);
  run->start();
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> values = outputs(c);
    for (std::size_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], run->output(k)) << k;
    ASSERT_EQ(step(c, 5e-3 * i, 5e-3), fmi3OK) << messages;
    EXPECT_FALSE(terminate);
    for (int k = 0; k < 5; ++k) ASSERT_EQ(run->step(1e-3), runtime::Status::ok);
    EXPECT_EQ(last, run->time());
  }
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3Terminate)(c), fmi3OK);
  free(c);
}

TEST_F(Fmi3, goes_on_from_saved_states_bit_for_bit) {
  fmi3Instance a = ready(), b = make();
  ASSERT_EQ(step(a, 0, 0.02), fmi3OK);
  fmi3FMUState state = nullptr, other = nullptr;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3GetFMUState)(a, &state), fmi3OK);
  std::size_t size = 0;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3SerializedFMUStateSize)(a, state, &size), fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3SerializeFMUState)(a, state, bytes.data(), size), fmi3OK);
  ASSERT_EQ(step(a, 0.02, 0.03), fmi3OK);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3DeserializeFMUState)(b, bytes.data(), size, &other), fmi3OK);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3SetFMUState)(b, other), fmi3OK) << messages;
  ASSERT_EQ(step(b, 0.02, 0.03), fmi3OK) << messages;
  EXPECT_EQ(outputs(b), outputs(a));
  for (fmi3FMUState* s : {&state, &other})
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3FreeFMUState)(a, s), fmi3OK);
  free(a), free(b);
}

TEST_F(Fmi3, illegal_orders_and_wrong_values_are_errors) {
  EXPECT_EQ(make("another"), nullptr);
  EXPECT_THAT(messages, HasSubstr("is not that of this FMU"));
  EXPECT_EQ(make("", "/no/such/folder"), nullptr);
  fmi3Instance c = make();
  EXPECT_EQ(step(c, 0, 1e-3), fmi3Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3ExitInitializationMode)(c), fmi3Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3Terminate)(c), fmi3Error);
  free(c);
  c = ready();
  EXPECT_EQ(step(c, 0, 0), fmi3Error);
  const unsigned torque = test::reference_of(capi::Kind::input, "torque");
  const double bad = NAN, good = 5;
  double value = 0;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3SetFloat64)(c, &torque, 1, &bad, 1), fmi3Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3SetFloat64)(c, &torque, 1, &good, 2), fmi3Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3SetFloat64)(c, &torque, 1, &good, 1), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3GetFloat64)(c, &torque, 1, &value, 1), fmi3OK);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(step(c, 0, 1e-3), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3Reset)(c), fmi3OK);
  EXPECT_EQ(step(c, 0, 1e-3), fmi3Error);
  free(c);
  free(nullptr);
}

TEST_F(Fmi3, the_end_of_the_track_asks_for_the_end_of_the_simulation) {
  fmi3Instance c = make();
  const unsigned position = test::reference_of(capi::Kind::parameter, "start.position");
  const double near = test::wheelset()->track.end() - 2;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3SetFloat64)(c, &position, 1, &near, 1), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterInitializationMode)(c, false, 0, 0, false, 0), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3ExitInitializationMode)(c), fmi3OK) << messages;
  terminate = false;
  int i = 0;
  for (; i < 1000 && !terminate; ++i) ASSERT_EQ(step(c, 1e-3 * i, 1e-3), fmi3OK) << messages;
  EXPECT_TRUE(terminate);
  EXPECT_NEAR(last, 1e-3 * (i - 1), 1e-12) << "the last step was not done";
  EXPECT_THAT(messages, HasSubstr("the track ends here"));
  EXPECT_GT(outputs(c).size(), 50u) << "they stay readable";
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3Terminate)(c), fmi3OK);
  free(c);
}

TEST_F(Fmi3, event_mode_can_be_used_and_has_nothing_to_do) {
  const std::string token = test::wheelset_parts().model->token, resources = fmu->resources();
  fmi3Instance c = KLINGEL_CALL(*fmu, fmi3InstantiateCoSimulation)(
      "one", token.c_str(), resources.c_str(), false, false, true, true, nullptr, 0, &messages,
      logger3, nullptr);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterInitializationMode)(c, false, 0, 0, true, 10), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3ExitInitializationMode)(c), fmi3OK) << messages;
  EXPECT_EQ(step(c, 0, 1e-3), fmi3Error) << "it is in event mode";
  bool flag = true;
  double next = 0;
  EXPECT_EQ(
      KLINGEL_CALL(*fmu, fmi3UpdateDiscreteStates)(c, &flag, &flag, &flag, &flag, &flag, &next),
      fmi3OK);
  EXPECT_FALSE(flag);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EvaluateDiscreteStates)(c), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterStepMode)(c), fmi3OK);
  EXPECT_EQ(step(c, 0, 1e-3), fmi3OK) << messages;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterEventMode)(c), fmi3OK);
  const unsigned torque = test::reference_of(capi::Kind::input, "torque");
  const double value = 5;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3SetFloat64)(c, &torque, 1, &value, 1), fmi3OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterStepMode)(c), fmi3OK);
  EXPECT_EQ(step(c, 1e-3, 1e-3), fmi3OK) << messages;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3Terminate)(c), fmi3OK);
  free(c);
}

TEST_F(Fmi3, what_is_not_supported_answers_with_a_message) {
  EXPECT_STREQ(KLINGEL_CALL(*fmu, fmi3GetVersion)(), "3.0");
  const std::string token = test::wheelset_parts().model->token, resources = fmu->resources();
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3InstantiateModelExchange)("x", token.c_str(), resources.c_str(),
                                                             false, false, &messages, logger3),
            nullptr);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3InstantiateScheduledExecution)(
                "x", token.c_str(), resources.c_str(), false, false, &messages, logger3, nullptr,
                nullptr, nullptr),
            nullptr);
  EXPECT_THAT(messages, HasSubstr("no partitions"));
  fmi3Instance c = ready();
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3SetDebugLogging)(c, true, 0, nullptr), fmi3OK);
  const auto refused = [&](const char* name, fmi3Status status) {
    EXPECT_EQ(status, fmi3Error) << name;
    EXPECT_THAT(messages, HasSubstr(std::string(name) + ":"));
  };
#define REFUSED3(name, ...) refused(#name, KLINGEL_CALL(*fmu, name)(c, ##__VA_ARGS__))
  const unsigned vr = 1;
#define OTHER_TYPE(type)                        \
  do {                                          \
    fmi3##type value{};                         \
    REFUSED3(fmi3Get##type, &vr, 1, &value, 1); \
    REFUSED3(fmi3Set##type, &vr, 1, &value, 1); \
  } while (false)
  OTHER_TYPE(Float32);
  OTHER_TYPE(Int8);
  OTHER_TYPE(UInt8);
  OTHER_TYPE(Int16);
  OTHER_TYPE(UInt16);
  OTHER_TYPE(Int32);
  OTHER_TYPE(UInt32);
  OTHER_TYPE(Int64);
  OTHER_TYPE(UInt64);
  OTHER_TYPE(Boolean);
  OTHER_TYPE(String);
  std::size_t size = 0, index = 0;
  fmi3Binary binary = nullptr;
  fmi3Clock clock = false;
  bool flag = false;
  double x = 0;
  fmi3UInt64 count = 0;
  unsigned other = 0;
  fmi3DependencyKind kind = fmi3Independent;
  fmi3IntervalQualifier qualifier = fmi3IntervalChanged;
  const fmi3Int32 order = 1;
  REFUSED3(fmi3GetBinary, &vr, 1, &size, &binary, 1);
  REFUSED3(fmi3SetBinary, &vr, 1, &size, &binary, 1);
  REFUSED3(fmi3GetClock, &vr, 1, &clock);
  REFUSED3(fmi3SetClock, &vr, 1, &clock);
  REFUSED3(fmi3GetNumberOfVariableDependencies, vr, &size);
  REFUSED3(fmi3GetVariableDependencies, vr, &index, &other, &index, &kind, 1);
  REFUSED3(fmi3GetAdjointDerivative, &vr, 1, &vr, 1, &x, 1, &x, 1);
  REFUSED3(fmi3EnterConfigurationMode);
  REFUSED3(fmi3ExitConfigurationMode);
  REFUSED3(fmi3GetIntervalDecimal, &vr, 1, &x, &qualifier);
  REFUSED3(fmi3GetIntervalFraction, &vr, 1, &count, &count, &qualifier);
  REFUSED3(fmi3GetShiftDecimal, &vr, 1, &x);
  REFUSED3(fmi3GetShiftFraction, &vr, 1, &count, &count);
  REFUSED3(fmi3SetIntervalDecimal, &vr, 1, &x);
  REFUSED3(fmi3SetIntervalFraction, &vr, 1, &count, &count);
  REFUSED3(fmi3SetShiftDecimal, &vr, 1, &x);
  REFUSED3(fmi3SetShiftFraction, &vr, 1, &count, &count);
  REFUSED3(fmi3EvaluateDiscreteStates);
  REFUSED3(fmi3UpdateDiscreteStates, &flag, &flag, &flag, &flag, &flag, &x);
  REFUSED3(fmi3EnterEventMode);
  REFUSED3(fmi3EnterContinuousTimeMode);
  REFUSED3(fmi3CompletedIntegratorStep, true, &flag, &flag);
  REFUSED3(fmi3SetTime, 1);
  REFUSED3(fmi3SetContinuousStates, &x, 1);
  REFUSED3(fmi3GetContinuousStateDerivatives, &x, 1);
  REFUSED3(fmi3GetEventIndicators, &x, 1);
  REFUSED3(fmi3GetContinuousStates, &x, 1);
  REFUSED3(fmi3GetNominalsOfContinuousStates, &x, 1);
  REFUSED3(fmi3GetNumberOfEventIndicators, &size);
  REFUSED3(fmi3GetNumberOfContinuousStates, &size);
  REFUSED3(fmi3EnterStepMode);
  REFUSED3(fmi3GetOutputDerivatives, &vr, 1, &order, &x, 1);
  REFUSED3(fmi3ActivateModelPartition, vr, 0);
  free(c);
}

}  // namespace
}  // namespace klingel
