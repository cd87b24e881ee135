// Subject: FMUs of estimates. Claim: their steps are those of `klingel estimate`, bit for bit, with
// generated derivatives, missing and late samples; states can be saved; wrong calls are answered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "estimate/experiment.hpp"
#include "fmu/fmi2.hpp"
#include "fmu/fmi3.hpp"
#include "tests/fmu/unpacked_fmu.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

// One wheelset whose lateral spring is estimated. Samples are missing, and some come late.
constexpr const char* small = R"(
[estimate]
name = "small"
run = "wheelset_suspended"
duration = 0.4
settle = 0.1
interval = 1e-3
outputs = ["Y.*"]
without = ["q.spin", "q.x", "dq.x", "dq.spin", "*carriage*"]
[[state]]
names = "*"
sigma = 1e-4
noise = 1e-4
[[parameter]]
name = "p.k_y"
sigma = 20e3
noise = 1e3
least = 0
[[irregularity]]
channel = "lateral"
spectrum = "erri_low"
[[sensor]]
channel = "q.y"
sigma = 1e-4
missing = 0.2
[[sensor]]
channel = "q.yaw"
sigma = 1e-4
rate = 250
delay = 3e-3
[[sensor]]
channel = "dq.roll"
sigma = 1e-3
[[sensor]]
channel = "dq.z"
sigma = 1e-3
[truth]
step = 1e-3
)";

const estimate::Experiment& experiment() {
  static const estimate::Experiment of(estimate::parse_estimate(small, "small.toml"), {});
  return of;
}

const packaging::Parts& parts() {
  static const packaging::Parts of = [] {
    const estimate::Estimate& file = experiment().file();
    return packaging::filter_parts(experiment().scenario(),
                                   {file.name, file.setup, file.start, experiment().samples(200)});
  }();
  return of;
}

unsigned reference(capi::Kind kind, const std::string& name) {
  const std::vector<capi::Variable>& list = parts().model->of(kind);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name)
      return (static_cast<unsigned>(kind) << 20) + static_cast<unsigned>(i) + 1;
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

std::vector<unsigned> sensors() {
  std::vector<unsigned> list;
  for (const kalman::Setup::Sensor& s : experiment().file().setup.sensors)
    list.push_back(reference(capi::Kind::input, s.channel));
  return list;
}

void filter_log(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String text) {
  *static_cast<std::string*>(environment) += std::string(text) + "\n";
}

class FilterFmu : public testing::Test {
 protected:
  static void SetUpTestSuite() { fmu = new test::Unpacked(3, parts()); }
  static void TearDownTestSuite() {
    delete fmu;
    fmu = nullptr;
  }

  fmi3Instance ready() {
    fmi3Instance c = KLINGEL_CALL(*fmu, fmi3InstantiateCoSimulation)(
        "one", parts().model->token.c_str(), (fmu->resources() + "/").c_str(), false, false, false,
        false, nullptr, 0, &messages, filter_log, nullptr);
    EXPECT_NE(c, nullptr) << messages;
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3EnterInitializationMode)(c, false, 0, 0, true, 10), fmi3OK);
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3ExitInitializationMode)(c), fmi3OK) << messages;
    return c;
  }
  fmi3Status set(fmi3Instance c, const std::vector<unsigned>& which,
                 const std::vector<double>& values) {
    return KLINGEL_CALL(*fmu, fmi3SetFloat64)(c, which.data(), which.size(), values.data(),
                                              values.size());
  }
  double get(fmi3Instance c, const std::string& name) {
    const unsigned which = reference(capi::Kind::output, name);
    double value = NAN;
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3GetFloat64)(c, &which, 1, &value, 1), fmi3OK);
    return value;
  }
  std::vector<double> outputs(fmi3Instance c) {
    std::vector<double> values;
    for (const capi::Variable& v : parts().model->of(capi::Kind::output))
      values.push_back(get(c, v.name));
    return values;
  }
  fmi3Status step(fmi3Instance c, double now, double size) {
    bool event = true, early = true, terminate = true;
    double last = 0;
    return KLINGEL_CALL(*fmu, fmi3DoStep)(c, now, size, true, &event, &terminate, &early, &last);
  }
  void free(fmi3Instance c) { KLINGEL_CALL(*fmu, fmi3FreeInstance)(c); }

  static test::Unpacked* fmu;
  std::string messages;
};
test::Unpacked* FilterFmu::fmu = nullptr;

TEST_F(FilterFmu, its_steps_are_those_of_klingel_estimate_bit_for_bit) {
  const estimate::RunResult run = experiment().run(0);
  ASSERT_EQ(run.failure, "");
  ASSERT_GT(run.late, 50u);
  ASSERT_GT(run.missing, 50u);
  const std::vector<std::vector<double>> samples = experiment().samples(run.rows.rows());
  ASSERT_EQ(samples.size(), 400u);
  fmi3Instance c = ready();
  EXPECT_EQ(get(c, "Y.wheelset.left"), 0);  // no step yet
  EXPECT_NEAR(get(c, "p.k_y"), 250e3, 1e-6);
  const double h = parts().model->step;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    ASSERT_EQ(set(c, sensors(), samples[k]), fmi3OK) << messages;
    ASSERT_EQ(step(c, static_cast<double>(k) * h, h), fmi3OK) << messages;
    const auto same = [&](const std::string& ours, const std::string& column) {
      ASSERT_EQ(get(c, ours), run.rows.column(column)[k]) << ours << " in step " << k;
    };
    for (const std::string& name : experiment().quantities())
      same(name, name), same(name + ".sigma", name + ".sigma");
    same("nis", "nis"), same("nis.freedom", "nis_freedom");
  }
  EXPECT_LT(get(c, "differenced"), 40);  // else derivatives are generated
  free(c);
}

TEST_F(FilterFmu, goes_on_from_saved_states_bit_for_bit) {
  const std::vector<std::vector<double>> samples = experiment().samples(80);
  const double h = parts().model->step;
  fmi3Instance a = ready(), b = ready();
  const auto go = [&](fmi3Instance c, std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      ASSERT_EQ(set(c, sensors(), samples[k]), fmi3OK);
      ASSERT_EQ(step(c, static_cast<double>(k) * h, h), fmi3OK) << messages;
    }
  };
  go(a, 0, 41);
  go(b, 0, 7);  // what it did before does not matter
  fmi3FMUState state = nullptr, other = nullptr;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3GetFMUState)(a, &state), fmi3OK) << messages;
  std::size_t size = 0;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3SerializedFMUStateSize)(a, state, &size), fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3SerializeFMUState)(a, state, bytes.data(), size), fmi3OK);
  go(a, 41, 80);
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3DeserializeFMUState)(b, bytes.data(), size, &other), fmi3OK)
      << messages;
  ASSERT_EQ(KLINGEL_CALL(*fmu, fmi3SetFMUState)(b, other), fmi3OK) << messages;
  go(b, 41, 80);
  EXPECT_EQ(outputs(b), outputs(a));
  for (fmi3FMUState* s : {&state, &other})
    EXPECT_EQ(KLINGEL_CALL(*fmu, fmi3FreeFMUState)(a, s), fmi3OK);
  free(a), free(b);
}

TEST_F(FilterFmu, what_is_not_valid_is_missing) {
  const std::vector<std::vector<double>> samples = experiment().samples(12);
  const double h = parts().model->step;
  fmi3Instance a = ready(), b = ready(), none = ready();
  const unsigned valid = reference(capi::Kind::input, "valid.dq.roll");
  ASSERT_EQ(set(b, {valid}, {0}), fmi3OK);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    std::vector<double> without = samples[k];
    without[2] = NAN;
    ASSERT_EQ(set(a, sensors(), without), fmi3OK) << messages;
    ASSERT_EQ(set(b, sensors(), samples[k]), fmi3OK);
    for (fmi3Instance c : {a, b, none})
      ASSERT_EQ(step(c, static_cast<double>(k) * h, h), fmi3OK) << messages;
    EXPECT_EQ(get(b, "dq.roll.used"), 0);
    EXPECT_EQ(get(none, "nis.freedom"), 0);  // nothing was ever set
  }
  EXPECT_EQ(outputs(b), outputs(a));
  EXPECT_NE(get(a, "q.y"), get(none, "q.y"));
  for (fmi3Instance c : {a, b, none}) free(c);
}

TEST_F(FilterFmu, in_long_steps_measurements_are_those_of_the_end) {
  const double h = parts().model->step;
  fmi3Instance a = ready(), b = ready();
  const std::vector<double> y{1e-4, NAN, 1e-3, 2e-3}, nothing(4, NAN);
  ASSERT_EQ(set(a, sensors(), y), fmi3OK);
  ASSERT_EQ(step(a, 0, 5 * h), fmi3OK) << messages;
  for (int k = 0; k < 5; ++k) {
    ASSERT_EQ(set(b, sensors(), k == 4 ? y : nothing), fmi3OK);
    ASSERT_EQ(step(b, k * h, h), fmi3OK);
  }
  EXPECT_EQ(outputs(a), outputs(b));
  // parts of steps are refused, and nothing is changed
  EXPECT_EQ(step(a, 5 * h, 0.5 * h), fmi3Error);
  EXPECT_THAT(messages, HasSubstr("expected a multiple"));
  EXPECT_EQ(outputs(a), outputs(b));
  EXPECT_EQ(set(a, {sensors()[0]}, {INFINITY}), fmi3Error);
  for (fmi3Instance c : {a, b}) free(c);
}

TEST_F(FilterFmu, its_description_has_measurements_and_estimates) {
  const std::string text = base::read_file(fmu->folder() / "modelDescription.xml");
  EXPECT_THAT(text, HasSubstr("canHandleVariableCommunicationStepSize=\"false\""));
  EXPECT_THAT(text, HasSubstr("name=\"valid.dq.roll\""));
  EXPECT_THAT(text, HasSubstr("name=\"p.k_y.sigma\""));
  EXPECT_THAT(text, HasSubstr("measured 3 steps before"));
}

TEST(FilterFmu2, gives_what_the_model_gives_here) {
  const test::Unpacked fmu(2, parts());
  const fmi2CallbackFunctions callbacks{nullptr, nullptr, nullptr, nullptr, nullptr};
  const auto instantiate = KLINGEL_CALL(fmu, fmi2Instantiate);
  fmi2Component c = instantiate("one", fmi2CoSimulation, parts().model->token.c_str(),
                                ("file://" + fmu.resources()).c_str(), &callbacks, 0, 0);
  ASSERT_NE(c, nullptr);
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2SetupExperiment)(c, 0, 0, 0, 0, 0), fmi2OK);
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2EnterInitializationMode)(c), fmi2OK);
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2ExitInitializationMode)(c), fmi2OK);
  const std::unique_ptr<capi::Runner> run = parts().model->make();
  run->start();
  const double h = parts().model->step;
  const std::vector<unsigned> to = sensors();
  for (std::size_t k = 0; k < 50; ++k) {
    const std::vector<double>& y = parts().given[k];
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi2SetReal)(c, to.data(), to.size(), y.data()), fmi2OK);
    for (std::size_t i = 0; i < y.size(); ++i) run->set_input(parts().given_inputs[i], y[i]);
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi2DoStep)(c, static_cast<double>(k) * h, h, 1), fmi2OK);
    ASSERT_EQ(run->step(h), runtime::Status::ok);
    for (std::size_t i = 0; i < parts().model->of(capi::Kind::output).size(); ++i) {
      const unsigned which = (2u << 20) + static_cast<unsigned>(i) + 1;
      double value = NAN;
      ASSERT_EQ(KLINGEL_CALL(fmu, fmi2GetReal)(c, &which, 1, &value), fmi2OK);
      ASSERT_EQ(value, run->output(i)) << parts().model->of(capi::Kind::output)[i].name;
    }
  }
  KLINGEL_CALL(fmu, fmi2FreeInstance)(c);
}

// Of this thread, us: others work beside tests.
double processor_time() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

// The shipped filters as FMUs: the same bits, and what a step costs.
class ShippedFilter : public testing::TestWithParam<const char*> {};

TEST_P(ShippedFilter, as_fmu_gives_what_klingel_estimate_gives) {
  estimate::Estimate changed = estimate::load_estimate(GetParam());
  changed.changes.duration = 1.5;
  changed.interval = 2e-3;  // a row for each step
  const estimate::Experiment of(changed, {});
  const estimate::RunResult run = of.run(0);
  ASSERT_EQ(run.failure, "");
  const std::vector<std::vector<double>> samples = of.samples(run.rows.rows());
  const packaging::Parts filter = packaging::filter_parts(
      of.scenario(), {of.file().name, of.file().setup, of.file().start, samples});
  const test::Unpacked fmu(3, filter);
  std::string messages;
  fmi3Instance c = KLINGEL_CALL(fmu, fmi3InstantiateCoSimulation)(
      "one", filter.model->token.c_str(), (fmu.resources() + "/").c_str(), false, false, false,
      false, nullptr, 0, &messages, filter_log, nullptr);
  ASSERT_NE(c, nullptr) << messages;
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi3EnterInitializationMode)(c, false, 0, 0, true, 10), fmi3OK);
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi3ExitInitializationMode)(c), fmi3OK) << messages;

  std::vector<unsigned> inputs, outputs;
  std::vector<std::span<const double>> expected;
  for (const std::size_t i : filter.given_inputs)
    inputs.push_back((1u << 20) + static_cast<unsigned>(i) + 1);
  const std::vector<capi::Variable>& all = filter.model->of(capi::Kind::output);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<record::Channel>& columns = run.rows.channels();
    const bool known = std::any_of(columns.begin(), columns.end(),
                                   [&](const record::Channel& x) { return x.name == all[i].name; });
    if (!known) continue;
    outputs.push_back((2u << 20) + static_cast<unsigned>(i) + 1);
    expected.push_back(run.rows.column(all[i].name));
  }
  ASSERT_GT(outputs.size(), 2 * of.quantities().size());  // NIS, too

  const double h = filter.model->step;
  std::vector<double> times, found(outputs.size());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi3SetFloat64)(c, inputs.data(), inputs.size(), samples[k].data(),
                                                inputs.size()),
              fmi3OK)
        << messages;
    bool event = true, early = true, terminate = true;
    double last = 0;
    const double begin = processor_time();
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi3DoStep)(c, static_cast<double>(k) * h, h, true, &event,
                                            &terminate, &early, &last),
              fmi3OK)
        << messages;
    times.push_back(processor_time() - begin);
    KLINGEL_CALL(fmu, fmi3GetFloat64)
    (c, outputs.data(), outputs.size(), found.data(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i)  // innovations of missing samples are not there
      ASSERT_EQ(found[i], std::isnan(expected[i][k]) ? 0 : expected[i][k])
          << "output " << outputs[i] << " in step " << k;
  }
  KLINGEL_CALL(fmu, fmi3FreeInstance)(c);
  std::sort(times.begin(), times.end());
  std::printf("%s: doStep takes %.0f us of the processor in the median, %.0f us at 99 %%\n",
              GetParam(), times[times.size() / 2], times[times.size() * 99 / 100]);
}

INSTANTIATE_TEST_SUITE_P(estimates, ShippedFilter,
                         testing::Values("yaw_damper", "coach_forces", "rail_friction"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace klingel
