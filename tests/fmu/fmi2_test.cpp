// Subject: FMUs of FMI 2.0. Claim: an importer gets bit for bit what a run gives, in any legal
// order of calls; illegal ones and what is not supported are errors with a message, never a crash.
#include "fmu/fmi2.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <thread>

#include "simulation/instance.hpp"
#include "tests/fmu/unpacked_fmu.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

struct Messages {
  std::string all;
  int count = 0;
};

void logger(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String,
            fmi2String format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  auto* messages = static_cast<Messages*>(environment);
  messages->all += std::string(text) + "\n";
  ++messages->count;
}

class Fmi2 : public testing::Test {
 protected:
  static void SetUpTestSuite() { fmu = new test::Unpacked(2); }
  static void TearDownTestSuite() {
    delete fmu;
    fmu = nullptr;
  }

  fmi2Component make(fmi2Type type = fmi2CoSimulation, std::string guid = "",
                     std::string resources = "") {
    if (guid.empty()) guid = test::wheelset_parts().model->token;
    if (resources.empty()) resources = "file://" + fmu->resources();
    callbacks = {logger, nullptr, nullptr, nullptr, &messages};
    return KLINGEL_CALL(*fmu, fmi2Instantiate)("one", type, guid.c_str(), resources.c_str(),
                                               &callbacks, 0, 0);
  }
  void initialize(fmi2Component c) {
    ASSERT_NE(c, nullptr) << messages.all;
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetupExperiment)(c, 0, 0, 0, 1, 10), fmi2OK);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2EnterInitializationMode)(c), fmi2OK);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2ExitInitializationMode)(c), fmi2OK) << messages.all;
  }
  fmi2Component ready() {
    fmi2Component c = make();
    initialize(c);
    return c;
  }
  fmi2Status step(fmi2Component c, double now, double size) {
    return KLINGEL_CALL(*fmu, fmi2DoStep)(c, now, size, 1);
  }
  double get(fmi2Component c, unsigned reference) {
    double value = 0;
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetReal)(c, &reference, 1, &value), fmi2OK) << messages.all;
    return value;
  }
  fmi2Status set(fmi2Component c, unsigned reference, double value) {
    return KLINGEL_CALL(*fmu, fmi2SetReal)(c, &reference, 1, &value);
  }
  void free(fmi2Component c) { KLINGEL_CALL(*fmu, fmi2FreeInstance)(c); }
  std::vector<double> outputs(fmi2Component c) {
    const std::size_t n = test::wheelset_parts().model->of(capi::Kind::output).size();
    std::vector<double> values(n);
    std::vector<unsigned> references;
    for (std::size_t i = 0; i < n; ++i)
      references.push_back((2u << 20) + static_cast<unsigned>(i) + 1);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetReal)(c, references.data(), n, values.data()), fmi2OK);
    return values;
  }

  static test::Unpacked* fmu;
  Messages messages;
  fmi2CallbackFunctions callbacks{};
};
test::Unpacked* Fmi2::fmu = nullptr;

TEST_F(Fmi2, gives_the_rows_of_a_recording_bit_for_bit) {
  fmi2Component c = ready();
  simulation::Instance run(test::wheelset());
  run.record({"*"}, 5e-3);
  run.start();
  const std::vector<capi::Variable>& list = test::wheelset_parts().model->of(capi::Kind::output);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 20; ++i) {
    rows.push_back(outputs(c));
    ASSERT_EQ(step(c, 5e-3 * i, 5e-3), fmi2OK) << messages.all;
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(run.step());
  }
  EXPECT_NEAR(get(c, 0), 0.1, 1e-12);
  const record::Recording& recording = run.recorded();
  std::size_t compared = 0;
  for (std::size_t column = 0; column < recording.channels().size(); ++column) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (list[k].name != recording.channels()[column].name) continue;
      ++compared;
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i][k], recording.column(column)[i]) << list[k].name << " in row " << i;
    }
  }
  EXPECT_GT(compared, 50u);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2Terminate)(c), fmi2OK);
  EXPECT_EQ(get(c, 0), 0.1);
  free(c);
}

TEST_F(Fmi2, parameters_and_inputs_act) {
  fmi2Component c = make();
  const unsigned m = test::reference_of(capi::Kind::parameter, "m"),
                 torque = test::reference_of(capi::Kind::input, "torque"),
                 speed = test::reference_of(capi::Kind::parameter, "start.speed"),
                 Q = test::reference_of(capi::Kind::output, "Q.wheelset.left");
  EXPECT_EQ(set(c, m, 2500), fmi2OK);
  EXPECT_EQ(set(c, speed, 7), fmi2OK);
  initialize(c);
  EXPECT_EQ(get(c, m), 2500);
  EXPECT_NEAR(get(c, Q), 2500 * 9.81 / 2, 300);
  EXPECT_EQ(set(c, torque, 123), fmi2OK);
  EXPECT_EQ(get(c, torque), 123);
  EXPECT_EQ(step(c, 0, 0.01), fmi2OK);
  EXPECT_EQ(get(c, torque), 123);
  EXPECT_EQ(set(c, speed, 8), fmi2Error);
  EXPECT_THAT(messages.all, HasSubstr("belongs to the start"));
  EXPECT_EQ(set(c, Q, 1), fmi2Error);
  EXPECT_EQ(set(c, torque, NAN), fmi2Error);
  EXPECT_EQ(set(c, 99999, 1), fmi2Error);
  EXPECT_EQ(step(c, 0.01, 0.01), fmi2OK);  // still usable
  free(c);
}

TEST_F(Fmi2, goes_on_from_saved_states_bit_for_bit) {
  fmi2Component a = ready(), b = make();
  const unsigned torque = test::reference_of(capi::Kind::input, "torque");
  set(a, torque, 30);
  ASSERT_EQ(step(a, 0, 0.02), fmi2OK);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2GetFMUstate)(a, &state), fmi2OK);
  const std::vector<double> saved = outputs(a);
  std::size_t size = 0;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2SerializedFMUstateSize)(a, state, &size), fmi2OK);
  std::vector<char> bytes(size);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SerializeFMUstate)(a, state, bytes.data(), size - 1), fmi2Error);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2SerializeFMUstate)(a, state, bytes.data(), size), fmi2OK);
  ASSERT_EQ(step(a, 0.02, 0.03), fmi2OK);
  const std::vector<double> later = outputs(a);

  fmi2FMUstate other = nullptr;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2DeSerializeFMUstate)(b, bytes.data(), 7, &other), fmi2Error);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2DeSerializeFMUstate)(b, bytes.data(), size, &other), fmi2OK);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2SetFMUstate)(b, other), fmi2OK) << messages.all;
  EXPECT_EQ(outputs(b), saved);
  ASSERT_EQ(step(b, 0.02, 0.03), fmi2OK) << messages.all;
  EXPECT_EQ(outputs(b), later);
  // back in the first one
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2SetFMUstate)(a, state), fmi2OK);
  ASSERT_EQ(step(a, 0.02, 0.03), fmi2OK);
  EXPECT_EQ(outputs(a), later);
  // damaged
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2FreeFMUstate)(b, &other), fmi2OK);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2DeSerializeFMUstate)(b, bytes.data(), size, &other), fmi2OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetFMUstate)(b, other), fmi2Error);
  EXPECT_THAT(messages.all, HasSubstr("checksum"));
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetFMUstate)(b, nullptr), fmi2Error);
  for (fmi2FMUstate* s : {&state, &other}) {
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2FreeFMUstate)(a, s), fmi2OK);
    EXPECT_EQ(*s, nullptr);
  }
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2FreeFMUstate)(a, &state), fmi2OK);
  free(a), free(b);
}

TEST_F(Fmi2, the_end_of_the_track_terminates) {
  fmi2Component c = make();
  const unsigned position = test::reference_of(capi::Kind::parameter, "start.position");
  EXPECT_EQ(set(c, position, test::wheelset()->track.end() - 2), fmi2OK);
  initialize(c);
  fmi2Status status = fmi2OK;
  for (int i = 0; i < 1000 && status == fmi2OK; ++i) status = step(c, 1e-3 * i, 1e-3);
  EXPECT_EQ(status, fmi2Discard);
  EXPECT_THAT(messages.all, HasSubstr("the track ends here"));
  fmi2Boolean over = 0;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetBooleanStatus)(c, fmi2Terminated, &over), fmi2OK);
  EXPECT_TRUE(over);
  EXPECT_GT(outputs(c).size(), 50u) << "they stay readable";
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2Reset)(c), fmi2OK);
  initialize(c);
  EXPECT_EQ(step(c, 0, 1e-3), fmi2OK);
  free(c);
}

TEST_F(Fmi2, steps_without_length_are_refused_and_change_nothing) {
  fmi2Component c = ready();
  EXPECT_EQ(step(c, 0, 0), fmi2Error);
  EXPECT_THAT(messages.all, HasSubstr("cannot be done"));
  EXPECT_EQ(step(c, 0, -1e-3), fmi2Error);
  EXPECT_EQ(step(c, 0, 1e-9), fmi2Error);
  EXPECT_EQ(step(c, 0, INFINITY), fmi2Error);
  double last = -1;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetRealStatus)(c, fmi2LastSuccessfulTime, &last), fmi2OK);
  EXPECT_EQ(last, 0);
  EXPECT_EQ(step(c, 0.5, 1e-3), fmi2Error);  // from elsewhere
  EXPECT_EQ(step(c, 0, 1e-3), fmi2OK);
  free(c);
}

TEST_F(Fmi2, other_steps_end_with_a_shorter_inner_step) {
  fmi2Component c = ready(), same = ready();
  const unsigned y = test::reference_of(capi::Kind::output, "y_rel.wheelset");
  EXPECT_EQ(step(c, 0, 1.5e-3), fmi2OK) << messages.all;
  EXPECT_EQ(get(c, 0), 1.5e-3);
  EXPECT_EQ(step(c, 1.5e-3, 0.4e-3), fmi2OK) << messages.all;
  EXPECT_NEAR(get(c, 0), 1.9e-3, 1e-18);
  EXPECT_EQ(step(c, 1.9e-3, 18.1e-3), fmi2OK) << messages.all;
  EXPECT_EQ(step(same, 0, 0.02), fmi2OK);
  EXPECT_NEAR(get(c, 0), 0.02, 1e-15);
  // a method of first order, and a wheelset that has hardly moved sideways in 20 ms
  EXPECT_NEAR(get(c, y), get(same, y), 1e-7);
  free(c), free(same);
}

TEST_F(Fmi2, forces_at_the_stop_time_are_those_of_the_last_row_of_a_run) {
  fmi2Component c = make();
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetupExperiment)(c, 0, 0, 0, 1, 0.02), fmi2OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2EnterInitializationMode)(c), fmi2OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2ExitInitializationMode)(c), fmi2OK);
  const std::unique_ptr<capi::Runner> run = test::wheelset_parts().model->make();
  run->look_ahead(false);
  run->start();
  for (int k = 0; k < 20; ++k) {
    EXPECT_GT(outputs(c).size(), 0u);
    EXPECT_EQ(step(c, 1e-3 * k, 1e-3), fmi2OK);
    EXPECT_EQ(run->step(1e-3), runtime::Status::ok);
  }
  const std::vector<double> values = outputs(c);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], run->output(k)) << k;
  free(c);
}

TEST_F(Fmi2, directional_derivatives_are_those_of_the_continuous_equations) {
  fmi2Component c = ready();
  const unsigned torque = test::reference_of(capi::Kind::input, "torque"),
                 friction = test::reference_of(capi::Kind::input, "friction.wheelset.left");
  const std::vector<capi::Variable>& list = test::wheelset_parts().model->of(capi::Kind::output);
  std::vector<unsigned> ddq;  // in the order of the coordinates
  std::size_t spin = 0;
  for (const capi::Variable& v : list) {
    if (!v.name.starts_with("dq.")) continue;
    if (v.name == "dq.spin") spin = ddq.size();
    ddq.push_back((3u << 20) + static_cast<unsigned>(ddq.size()) + 1);
  }
  ASSERT_GT(ddq.size(), 3u);
  std::vector<double> at(ddq.size()), by(ddq.size()), twice(ddq.size());
  const auto derive = [&](unsigned known, double seed, std::vector<double>& to) {
    return KLINGEL_CALL(*fmu, fmi2GetDirectionalDerivative)(c, ddq.data(), ddq.size(), &known, 1,
                                                            &seed, to.data());
  };
  const std::vector<double> before = outputs(c);
  ASSERT_EQ(derive(torque, 1, by), fmi2OK) << messages.all;
  ASSERT_EQ(derive(torque, 2, twice), fmi2OK);
  for (std::size_t i = 0; i < by.size(); ++i) EXPECT_NEAR(twice[i], 2 * by[i], 1e-9);
  EXPECT_EQ(outputs(c), before) << "nothing has changed";
  // against plain differences of what the variables say
  const auto accelerations = [&](double value) {
    EXPECT_EQ(set(c, torque, value), fmi2OK);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetReal)(c, ddq.data(), ddq.size(), at.data()), fmi2OK);
    return at;
  };
  const std::vector<double> low = accelerations(-10), high = accelerations(10);
  for (std::size_t i = 0; i < by.size(); ++i) EXPECT_NEAR(by[i], (high[i] - low[i]) / 20, 1e-7);
  EXPECT_GT(std::abs(by[spin]), 1e-3);  // 1/I of an axle
  EXPECT_EQ(derive(friction, 1, by), fmi2OK) << messages.all;
  // neither parameters nor forces of the step
  EXPECT_EQ(derive(test::reference_of(capi::Kind::parameter, "m"), 1, by), fmi2Error);
  const unsigned Q = test::reference_of(capi::Kind::output, "Q.wheelset.left");
  const double one = 1;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetDirectionalDerivative)(c, &Q, 1, &torque, 1, &one, &by[0]),
            fmi2Error);
  EXPECT_THAT(messages.all, HasSubstr("belong to the discrete step"));
  EXPECT_EQ(step(c, 0, 1e-3), fmi2OK);
  free(c);
}

TEST_F(Fmi2, a_state_that_is_freed_by_itself_is_freed) {
  fmi2Component c = ready();
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi2GetFMUstate)(c, &state), fmi2OK);
  // what fmusim does: the state instead of where it is kept
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2FreeFMUstate)(c, static_cast<fmi2FMUstate*>(state)), fmi2OK);
  EXPECT_EQ(step(c, 0, 1e-3), fmi2OK);
  free(c);
}

TEST_F(Fmi2, reset_begins_again) {
  fmi2Component c = ready(), fresh = ready();
  set(c, test::reference_of(capi::Kind::input, "torque"), 50);
  step(c, 0, 0.02);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2Reset)(c), fmi2OK);
  EXPECT_EQ(step(c, 0, 1e-3), fmi2Error);
  initialize(c);
  step(c, 0, 0.02), step(fresh, 0, 0.02);
  EXPECT_EQ(outputs(c), outputs(fresh));
  free(c), free(fresh);
}

TEST_F(Fmi2, illegal_orders_are_errors_with_a_message) {
  fmi2Component c = make();
  double value = 0;
  const unsigned time = 0;
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetReal)(c, &time, 1, &value), fmi2Error);
  EXPECT_EQ(step(c, 0, 1e-3), fmi2Error);
  EXPECT_THAT(messages.all, HasSubstr("fmi2DoStep: not allowed now, the instance is instantiated"));
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2ExitInitializationMode)(c), fmi2Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2Terminate)(c), fmi2Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetupExperiment)(c, 0, 0, 5, 1, 4), fmi2Error);
  initialize(c);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2EnterInitializationMode)(c), fmi2Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetupExperiment)(c, 0, 0, 0, 0, 0), fmi2Error);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2Terminate)(c), fmi2OK);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2Terminate)(c), fmi2Error);
  EXPECT_EQ(step(c, 0, 1e-3), fmi2Error);
  EXPECT_EQ(set(c, test::reference_of(capi::Kind::input, "torque"), 1), fmi2Error);
  free(c);
  free(nullptr);
  EXPECT_EQ(step(nullptr, 0, 1), fmi2Error);
}

TEST_F(Fmi2, what_does_not_belong_together_is_not_instantiated) {
  EXPECT_EQ(make(fmi2CoSimulation, "another"), nullptr);
  EXPECT_THAT(messages.all, HasSubstr("is not that of this FMU"));
  EXPECT_EQ(make(fmi2CoSimulation, "", "file:///no/such/folder"), nullptr);
  EXPECT_THAT(messages.all, HasSubstr("/no/such/folder/wheelset.klingel"));
  EXPECT_EQ(make(fmi2CoSimulation, "", "http://x/y"), nullptr);
  EXPECT_EQ(make(fmi2ModelExchange), nullptr);
  EXPECT_THAT(messages.all, HasSubstr("Model Exchange is for mechanisms"));
}

TEST_F(Fmi2, two_instances_on_two_threads_do_not_meet) {
  fmi2Component alone = ready(), one = ready(), two = ready();
  const unsigned torque = test::reference_of(capi::Kind::input, "torque");
  set(two, torque, 100);
  const auto drive = [&](fmi2Component c) {
    for (int i = 0; i < 100; ++i) EXPECT_EQ(step(c, i * 1e-3, 1e-3), fmi2OK);
  };
  drive(alone);
  std::thread other([&] { drive(two); });
  drive(one);
  other.join();
  EXPECT_EQ(outputs(one), outputs(alone));
  EXPECT_NE(outputs(two), outputs(alone));
  free(alone), free(one), free(two);
}

TEST_F(Fmi2, what_is_not_supported_answers_with_a_message) {
  EXPECT_STREQ(KLINGEL_CALL(*fmu, fmi2GetVersion)(), "2.0");
  EXPECT_STREQ(KLINGEL_CALL(*fmu, fmi2GetTypesPlatform)(), "default");
  fmi2Component c = ready();
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2SetDebugLogging)(c, 1, 0, nullptr), fmi2OK);
  const unsigned vr = 1;
  double x = 0;
  int i = 0;
  const int order = 1;
  fmi2String text = nullptr;
  const auto refused = [&](const char* name, fmi2Status status) {
    EXPECT_EQ(status, fmi2Error) << name;
    EXPECT_THAT(messages.all, HasSubstr(std::string(name) + ":"));
  };
#define REFUSED(name, ...) refused(#name, KLINGEL_CALL(*fmu, name)(c, ##__VA_ARGS__))
  REFUSED(fmi2GetInteger, &vr, 1, &i);
  REFUSED(fmi2GetBoolean, &vr, 1, &i);
  REFUSED(fmi2GetString, &vr, 1, &text);
  REFUSED(fmi2SetInteger, &vr, 1, &i);
  REFUSED(fmi2SetBoolean, &vr, 1, &i);
  REFUSED(fmi2SetString, &vr, 1, &text);
  REFUSED(fmi2EnterEventMode);
  fmi2EventInfo info;
  REFUSED(fmi2NewDiscreteStates, &info);
  REFUSED(fmi2EnterContinuousTimeMode);
  // legal only in a mode that Co-Simulation never has
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2CompletedIntegratorStep)(c, 0, &i, &i), fmi2Error);
  REFUSED(fmi2SetTime, 1);
  REFUSED(fmi2SetContinuousStates, &x, 1);
  REFUSED(fmi2GetDerivatives, &x, 1);
  REFUSED(fmi2GetEventIndicators, &x, 1);
  REFUSED(fmi2GetContinuousStates, &x, 1);
  REFUSED(fmi2GetNominalsOfContinuousStates, &x, 1);
  REFUSED(fmi2SetRealInputDerivatives, &vr, 1, &order, &x);
  REFUSED(fmi2GetRealOutputDerivatives, &vr, 1, &order, &x);
  REFUSED(fmi2CancelStep);
  fmi2Status status = fmi2OK;
  REFUSED(fmi2GetStatus, fmi2DoStepStatus, &status);
  REFUSED(fmi2GetIntegerStatus, fmi2DoStepStatus, &i);
  REFUSED(fmi2GetStringStatus, fmi2PendingStatus, &text);
  EXPECT_EQ(KLINGEL_CALL(*fmu, fmi2GetBooleanStatus)(c, fmi2Terminated, &i), fmi2OK);
  EXPECT_EQ(i, 0);
  free(c);
}

}  // namespace
}  // namespace klingel
