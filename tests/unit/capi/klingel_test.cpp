// Subject: capi and include/klingel.h. Claim: an instance of C does bit for bit what a simulation
// does, goes on from saved states with all its outputs, answers wrong calls with a message, and
// does not allocate in a step.
#include "klingel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "capi/vehicle_model.hpp"
#include "simulation/instance.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::capi {
namespace {

using testing::HasSubstr;

struct ModelFree {
  void operator()(klingel_model* m) const { klingel_model_free(m); }
};
struct InstanceFree {
  void operator()(klingel_instance* i) const { klingel_free(i); }
};
using ModelPointer = std::unique_ptr<klingel_model, ModelFree>;
using InstancePointer = std::unique_ptr<klingel_instance, InstanceFree>;

ModelPointer wheelset() {
  static const auto description = test::wheelset();
  return ModelPointer(for_c(vehicle_model({description, {}})));
}
InstancePointer instance_of(const ModelPointer& model) {
  return InstancePointer(klingel_create(model.get(), nullptr, 0));
}
std::size_t find(const ModelPointer& model, klingel_kind kind, const char* name) {
  const long i = klingel_find(model.get(), kind, name);
  EXPECT_GE(i, 0) << name;
  return static_cast<std::size_t>(i);
}
void steps(const InstancePointer& i, int count) {
  for (int k = 0; k < count; ++k)
    ASSERT_EQ(klingel_step(i.get()), KLINGEL_OK) << klingel_message(i.get());
}
std::vector<double> outputs(const ModelPointer& m, const InstancePointer& i) {
  std::vector<double> values(klingel_count(m.get(), KLINGEL_OUTPUT));
  EXPECT_EQ(klingel_get_outputs(i.get(), values.data(), values.size()), KLINGEL_OK);
  return values;
}
std::string state(const ModelPointer& m, const InstancePointer& i) {
  std::string bytes(klingel_state_size(m.get()), 0);
  EXPECT_EQ(klingel_state_save(i.get(), bytes.data(), bytes.size()), KLINGEL_OK);
  return bytes;
}

TEST(klingel_h, forces_of_the_next_step_make_the_rows_of_a_recording) {
  const ModelPointer model = wheelset();
  const InstancePointer one = instance_of(model);
  ASSERT_EQ(klingel_set_forces(one.get(), KLINGEL_FORCES_NEXT), KLINGEL_OK);
  ASSERT_EQ(klingel_start(one.get()), KLINGEL_OK) << klingel_message(one.get());
  simulation::Instance other(test::wheelset());
  other.record({"*"}, 1e-3);
  other.start();
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 30; ++i) {
    rows.push_back(outputs(model, one));
    steps(one, 1);
    ASSERT_TRUE(other.step());
  }
  const record::Recording& recording = other.recorded();
  std::size_t compared = 0;
  for (std::size_t c = 0; c < recording.channels().size(); ++c) {
    const long index =
        klingel_find(model.get(), KLINGEL_OUTPUT, recording.channels()[c].name.c_str());
    if (index < 0) continue;
    ++compared;
    for (std::size_t i = 0; i < rows.size(); ++i)
      ASSERT_EQ(rows[i][static_cast<std::size_t>(index)], recording.column(c)[i])
          << recording.channels()[c].name << " in row " << i;
  }
  EXPECT_GT(compared, 50u);
}

TEST(klingel_h, reading_outputs_changes_nothing) {
  const ModelPointer model = wheelset();
  const InstancePointer read = instance_of(model), ahead = instance_of(model),
                        alone = instance_of(model);
  const std::size_t torque = find(model, KLINGEL_INPUT, "torque");
  klingel_set_forces(ahead.get(), KLINGEL_FORCES_NEXT);
  for (const InstancePointer* i : {&read, &ahead, &alone})
    ASSERT_EQ(klingel_start(i->get()), KLINGEL_OK);
  for (int k = 0; k < 40; ++k) {
    outputs(model, read);
    outputs(model, ahead);
    for (const InstancePointer* i : {&read, &ahead, &alone}) {
      klingel_set_input(i->get(), torque, k % 3 == 0 ? 10.0 * k : 1);
      steps(*i, 1);
    }
  }
  klingel_set_forces(ahead.get(), KLINGEL_FORCES_LAST);
  EXPECT_EQ(outputs(model, read), outputs(model, alone));
  EXPECT_EQ(state(model, read), state(model, alone));
  EXPECT_EQ(state(model, ahead), state(model, alone));
}

// Rows far apart have the bits of rows of every step: places are followed in between.
TEST(klingel_h, the_interval_of_rows_does_not_matter) {
  const ModelPointer model = wheelset();
  const InstancePointer one = instance_of(model);
  ASSERT_EQ(klingel_start(one.get()), KLINGEL_OK) << klingel_message(one.get());
  simulation::Instance other(test::wheelset());
  other.record({"s", "curvature", "cant", "y_rel.*"}, 0.01);
  other.start();
  const record::Recording& recording = other.recorded();
  for (int row = 0; row < 20; ++row) {
    const std::vector<double> now = outputs(model, one);
    for (int k = 0; k < 10; ++k) {
      steps(one, 1);
      ASSERT_TRUE(other.step());
    }
    for (std::size_t c = 0; c < recording.channels().size(); ++c) {
      const std::string& name = recording.channels()[c].name;
      if (name == "t") continue;
      EXPECT_EQ(now[find(model, KLINGEL_OUTPUT, name.c_str())],
                recording.column(c)[static_cast<std::size_t>(row)])
          << name << " in row " << row;
    }
  }
}

TEST(klingel_h, friction_that_is_set_holds_against_friction_along_the_track) {
  auto wet = std::make_shared<simulation::Description>(*test::wheelset());
  wet->rail_friction = {{0, 1000}, {0.1, 0.1}, {0.2, 0.2}};
  const ModelPointer model(for_c(vehicle_model({wet, {}})));
  const InstancePointer one = instance_of(model), other = instance_of(model);
  const std::size_t left = find(model, KLINGEL_INPUT, "friction.wheelset.left");
  ASSERT_EQ(klingel_start(one.get()), KLINGEL_OK);
  steps(one, 3);
  EXPECT_EQ(klingel_get_input(one.get(), left), 0.1);
  EXPECT_EQ(klingel_set_input(one.get(), left, 0.4), KLINGEL_OK);
  steps(one, 3);
  EXPECT_EQ(klingel_get_input(one.get(), left), 0.4);
  const std::string saved = state(model, one);
  ASSERT_EQ(klingel_state_restore(other.get(), saved.data(), saved.size()), KLINGEL_OK);
  for (const InstancePointer* i : {&one, &other}) steps(*i, 5);
  EXPECT_EQ(klingel_get_input(other.get(), left), 0.4);
  EXPECT_EQ(outputs(model, one), outputs(model, other));
  EXPECT_EQ(klingel_release_input(one.get(), left), KLINGEL_OK);
  steps(one, 1);
  EXPECT_EQ(klingel_get_input(one.get(), left), 0.1);
}

TEST(klingel_h, a_shorter_step_is_a_step) {
  const ModelPointer model = wheelset();
  const InstancePointer one = instance_of(model), same = instance_of(model);
  for (const klingel_forces which : {KLINGEL_FORCES_LAST, KLINGEL_FORCES_NEXT}) {
    klingel_set_forces(one.get(), which);
    ASSERT_EQ(klingel_start(one.get()), KLINGEL_OK);
    ASSERT_EQ(klingel_start(same.get()), KLINGEL_OK);
    outputs(model, one);
    const double h = klingel_model_step(model.get());
    EXPECT_EQ(klingel_step_by(one.get(), h), KLINGEL_OK);
    steps(same, 1);
    klingel_set_forces(one.get(), KLINGEL_FORCES_LAST);
    EXPECT_EQ(outputs(model, one), outputs(model, same)) << "a whole one is klingel_step";
    EXPECT_EQ(klingel_step_by(one.get(), 0.3 * h), KLINGEL_OK);
    EXPECT_EQ(klingel_step_by(one.get(), 0.7 * h), KLINGEL_OK);
    steps(same, 1);
    EXPECT_NEAR(klingel_time(one.get()), klingel_time(same.get()), 1e-15);
    const std::size_t s = find(model, KLINGEL_OUTPUT, "s");
    EXPECT_NEAR(klingel_get_output(one.get(), s), klingel_get_output(same.get(), s), 1e-6);
  }
  const std::string before = state(model, one);
  for (const double wrong : {0.0, -1e-3, 1.0, std::nan("")})
    EXPECT_EQ(klingel_step_by(one.get(), wrong), KLINGEL_WRONG);
  EXPECT_EQ(klingel_step_by(nullptr, 1e-3), KLINGEL_WRONG);
  EXPECT_EQ(state(model, one), before);
}

TEST(klingel_h, accelerations_are_what_short_steps_tend_to) {
  const ModelPointer model = wheelset();
  const InstancePointer one = instance_of(model);
  std::vector<double> ddq(klingel_coordinates(model.get()));
  ASSERT_GT(ddq.size(), 3u);
  EXPECT_EQ(klingel_accelerations(one.get(), ddq.data(), ddq.size()), KLINGEL_WRONG) << "no start";
  ASSERT_EQ(klingel_start(one.get()), KLINGEL_OK);
  ASSERT_EQ(klingel_set_input(one.get(), find(model, KLINGEL_INPUT, "torque"), 500), KLINGEL_OK);
  steps(one, 20);
  const std::string before = state(model, one);
  ASSERT_EQ(klingel_accelerations(one.get(), ddq.data(), ddq.size()), KLINGEL_OK)
      << klingel_message(one.get());
  EXPECT_EQ(state(model, one), before);
  EXPECT_EQ(klingel_accelerations(one.get(), ddq.data(), 1), KLINGEL_WRONG);
  const auto rates = [&] {
    std::vector<double> dq;
    for (std::size_t i = 0; i < klingel_count(model.get(), KLINGEL_OUTPUT); ++i)
      if (std::string(klingel_variable_at(model.get(), KLINGEL_OUTPUT, i)->name).starts_with("dq."))
        dq.push_back(klingel_get_output(one.get(), i));
    return dq;
  };
  const std::vector<double> now = rates();
  const double h = 1e-6;
  ASSERT_EQ(klingel_step_by(one.get(), h), KLINGEL_OK);
  const std::vector<double> then = rates();
  double largest = 0;
  for (std::size_t i = 0; i < ddq.size(); ++i) largest = std::fmax(largest, std::abs(ddq[i]));
  EXPECT_GT(largest, 0.01);
  // the step is of first order, and differences of rates lose nine digits
  for (std::size_t i = 0; i < ddq.size(); ++i)
    EXPECT_NEAR((then[i] - now[i]) / h, ddq[i], 2e-3 * largest) << i;
}

TEST(klingel_h, goes_on_from_a_saved_state_bit_for_bit) {
  for (const klingel_forces which : {KLINGEL_FORCES_LAST, KLINGEL_FORCES_NEXT}) {
    const ModelPointer model = wheelset();
    const InstancePointer one = instance_of(model), other = instance_of(model);
    klingel_set_forces(one.get(), which), klingel_set_forces(other.get(), which);
    ASSERT_EQ(klingel_start(one.get()), KLINGEL_OK);
    klingel_set_input(one.get(), find(model, KLINGEL_INPUT, "torque"), 40);
    klingel_set_input(one.get(), find(model, KLINGEL_INPUT, "friction.wheelset.left"), 0.2);
    klingel_set_parameter(one.get(), find(model, KLINGEL_PARAMETER, "m"), 1900);
    steps(one, 40);
    const std::string saved = state(model, one);
    const std::vector<double> at_saving = outputs(model, one);
    steps(one, 30);
    ASSERT_EQ(klingel_state_restore(other.get(), saved.data(), saved.size()), KLINGEL_OK)
        << klingel_message(other.get());
    EXPECT_EQ(outputs(model, other), at_saving);
    EXPECT_EQ(klingel_get_parameter(other.get(), find(model, KLINGEL_PARAMETER, "m")), 1900);
    steps(other, 30);
    EXPECT_EQ(outputs(model, other), outputs(model, one));
    EXPECT_EQ(state(model, other), state(model, one));
    const InstancePointer copy(klingel_copy(one.get(), nullptr, 0));
    steps(one, 5), steps(copy, 5);
    EXPECT_EQ(state(model, copy), state(model, one));
  }
}

TEST(klingel_h, reset_is_a_new_instance) {
  const ModelPointer model = wheelset();
  const InstancePointer one = instance_of(model), other = instance_of(model);
  klingel_start(one.get()), klingel_start(other.get());
  klingel_set_input(one.get(), 0, 77);
  klingel_set_parameter(one.get(), 0, 1900);
  steps(one, 10);
  ASSERT_EQ(klingel_reset(one.get()), KLINGEL_OK);
  EXPECT_EQ(klingel_step(one.get()), KLINGEL_WRONG);
  EXPECT_THAT(klingel_message(one.get()), HasSubstr("klingel_start"));
  klingel_start(one.get());
  steps(one, 10), steps(other, 10);
  EXPECT_EQ(state(model, one), state(model, other));
}

TEST(klingel_h, a_stored_start_is_used_only_with_nominal_parameters) {
  const auto description = test::wheelset();
  simulation::Instance found(description);
  found.start();
  const ModelPointer stored(for_c(vehicle_model({description, found.simulator().state()}))),
      plain(for_c(vehicle_model({description, {}})));
  for (const double m : {1813.0, 2000.0}) {
    const InstancePointer one = instance_of(stored), other = instance_of(plain);
    for (const InstancePointer* i : {&one, &other}) {
      klingel_set_parameter(i->get(), find(plain, KLINGEL_PARAMETER, "m"), m);
      ASSERT_EQ(klingel_start(i->get()), KLINGEL_OK);
      steps(*i, 10);
    }
    EXPECT_EQ(outputs(stored, one), outputs(plain, other)) << m;
  }
}

TEST(klingel_h, the_end_of_the_track_is_a_status_of_its_own) {
  const ModelPointer model = wheelset();
  const InstancePointer i = instance_of(model);
  const std::size_t position = find(model, KLINGEL_PARAMETER, "start.position");
  const double end = test::wheelset()->track.end();
  ASSERT_EQ(klingel_set_parameter(i.get(), position, end - 2), KLINGEL_OK);
  ASSERT_EQ(klingel_start(i.get()), KLINGEL_OK) << klingel_message(i.get());
  klingel_status status = KLINGEL_OK;
  for (int k = 0; k < 1000 && status == KLINGEL_OK; ++k) status = klingel_step(i.get());
  EXPECT_EQ(status, KLINGEL_END_OF_TRACK);
  EXPECT_STREQ(klingel_message(i.get()), "the track ends here");
  const double t = klingel_time(i.get());
  EXPECT_EQ(klingel_step(i.get()), KLINGEL_END_OF_TRACK) << "and stays so";
  EXPECT_EQ(klingel_time(i.get()), t);
  EXPECT_LT(klingel_get_output(i.get(), find(model, KLINGEL_OUTPUT, "s")), end - 0.9);
  // usable: from another place it runs
  ASSERT_EQ(klingel_set_parameter(i.get(), position, 0), KLINGEL_OK);
  ASSERT_EQ(klingel_start(i.get()), KLINGEL_OK);
  steps(i, 3);
}

TEST(klingel_h, wrong_calls_are_answered_and_change_nothing) {
  const ModelPointer model = wheelset();
  const InstancePointer one = instance_of(model);
  klingel_start(one.get());
  const std::string before = state(model, one);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(klingel_set_input(one.get(), 0, nan), KLINGEL_WRONG);
  EXPECT_THAT(klingel_message(one.get()), HasSubstr("'torque' cannot be nan"));
  EXPECT_EQ(klingel_set_input(one.get(), 999, 1), KLINGEL_WRONG);
  EXPECT_THAT(klingel_message(one.get()), HasSubstr("no input 999"));
  for (const double mu : {-1.0, 2.1, 1e300}) {
    const std::size_t friction = find(model, KLINGEL_INPUT, "friction.wheelset.left");
    EXPECT_EQ(klingel_set_input(one.get(), friction, mu), KLINGEL_WRONG);
    EXPECT_THAT(klingel_message(one.get()),
                HasSubstr("'friction.wheelset.left' must be from 0 to 2"));
  }
  EXPECT_EQ(klingel_set_parameter(one.get(), 999, 1), KLINGEL_WRONG);
  EXPECT_TRUE(std::isnan(klingel_get_output(one.get(), 999999)));
  EXPECT_EQ(klingel_get_outputs(one.get(), nullptr, 3), KLINGEL_WRONG);
  EXPECT_EQ(klingel_state_restore(one.get(), "short", 5), KLINGEL_WRONG);
  std::string damaged = before;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_EQ(klingel_state_restore(one.get(), damaged.data(), damaged.size()), KLINGEL_WRONG);
  EXPECT_THAT(klingel_message(one.get()), HasSubstr("checksum"));
  EXPECT_EQ(klingel_step(nullptr), KLINGEL_WRONG);
  EXPECT_EQ(klingel_find(model.get(), KLINGEL_INPUT, "none"), -1);
  EXPECT_EQ(klingel_create(nullptr, nullptr, 0), nullptr);
  char message[60];
  EXPECT_EQ(klingel_load("no_such_vehicle", message, sizeof message), nullptr);
  EXPECT_THAT(message, HasSubstr("no_such_vehicle"));
  EXPECT_EQ(state(model, one), before);
}

TEST(klingel_h, a_state_of_another_model_is_refused) {
  const ModelPointer model = wheelset(),
                     other(for_c(vehicle_model({test::wheelset(), {}}, "other data")));
  const InstancePointer one = instance_of(model), two = instance_of(other);
  klingel_start(one.get());
  const std::string saved = state(model, one);
  EXPECT_EQ(klingel_state_restore(two.get(), saved.data(), saved.size()), KLINGEL_WRONG);
  EXPECT_THAT(klingel_message(two.get()), HasSubstr("another model"));
}

TEST(klingel_h, an_instance_may_outlive_its_model_and_does_not_allocate_in_a_step) {
  ModelPointer model = wheelset();
  const InstancePointer last = instance_of(model), next = instance_of(model);
  klingel_set_forces(next.get(), KLINGEL_FORCES_NEXT);
  std::vector<double> values(klingel_count(model.get(), KLINGEL_OUTPUT));
  model.reset();
  for (const InstancePointer* i : {&last, &next}) {
    ASSERT_EQ(klingel_start(i->get()), KLINGEL_OK);
    steps(*i, 2);
    const std::size_t before = test::allocation_count();
    for (int k = 0; k < 5; ++k) {
      klingel_set_input(i->get(), 0, k);
      klingel_get_outputs(i->get(), values.data(), values.size());
      klingel_step(i->get());
    }
    EXPECT_EQ(test::allocation_count(), before);
  }
}

}  // namespace
}  // namespace klingel::capi
