// Subject: capi/filter_model and capi/filter_description. Claim: a filter behind klingel.h takes
// measurements as inputs, allocates in no step, goes on from saved states bit for bit, also within
// a round of differences; wrong calls and damaged data are answered.
#include "capi/filter_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "capi/filter_description.hpp"
#include "klingel.h"
#include "tests/support/allocation_count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::capi {
namespace {

using testing::HasSubstr;

FilterDescription described(double gate = 5) {
  FilterDescription d;
  d.name = "small";
  const auto vehicle = test::compiled("wheelset_suspended").description;
  simulation::Instance instance(vehicle);
  instance.start();
  d.vehicle = {vehicle, instance.simulator().state()};
  d.on_lanes = vehicle;  // one lane, differences
  d.setup.states = {{"*", 1e-4, 1e-4}};
  d.setup.without = {"*spin", "*.x", "*carriage*"};
  d.setup.walks = {{"p.k_y", 20e3, 1e3, 0, 1e6}};
  d.setup.sensors = {{"q.y", 1e-4, 0}, {"q.yaw", 1e-4, 2}, {"dq.roll", 1e-3, 0}, {"dq.z", 1e-3, 0}};
  d.setup.outputs = {"Q.*"};
  d.setup.columns = 4;  // rounds of several steps
  d.setup.filter.most_delay = 2;
  d.setup.filter.gate = gate;
  d.start = {{"p.k_y", 240e3}};
  return d;
}

struct Running {
  klingel_model* model;
  klingel_instance* filter;

  explicit Running(double gate = 5)
      : model(for_c(filter_model(described(gate), "bytes"))),
        filter(klingel_create(model, nullptr, 0)) {
    EXPECT_EQ(klingel_start(filter), KLINGEL_OK) << klingel_message(filter);
  }
  ~Running() {
    klingel_free(filter);
    klingel_model_free(model);
  }
  std::size_t input(const char* name) const {
    const long i = klingel_find(model, KLINGEL_INPUT, name);
    EXPECT_GE(i, 0) << name;
    return static_cast<std::size_t>(i);
  }
  double output(const char* name) const {
    const long i = klingel_find(model, KLINGEL_OUTPUT, name);
    EXPECT_GE(i, 0) << name;
    return klingel_get_output(filter, static_cast<std::size_t>(i));
  }
};

void measure(klingel_instance* filter, const Running& at, int k) {
  const double y = 1e-3 * std::cos(0.02 * k);
  EXPECT_EQ(klingel_set_input(filter, at.input("q.y"), y), KLINGEL_OK);
  EXPECT_EQ(klingel_set_input(filter, at.input("q.yaw"), k % 3 == 0 ? 1e-5 : std::nan("")),
            KLINGEL_OK);
  EXPECT_EQ(klingel_set_input(filter, at.input("dq.roll"), 0), KLINGEL_OK);
}

TEST(filter_model, steps_without_allocating) {
  Running r;
  EXPECT_EQ(klingel_is_filter(r.model), 1);
  EXPECT_EQ(klingel_count(r.model, KLINGEL_PARAMETER), 0u);
  EXPECT_EQ(r.output("p.k_y"), 240e3);
  EXPECT_EQ(r.output("p.k_y.sigma"), 20e3);
  EXPECT_EQ(r.output("Q.wheelset.left"), 0);
  const double h = klingel_model_step(r.model);
  std::size_t allocations = 0;
  for (int k = 0; k < 60; ++k) {
    measure(r.filter, r, k);
    const std::size_t before = test::allocation_count();
    ASSERT_EQ(klingel_step(r.filter), KLINGEL_OK) << klingel_message(r.filter);
    if (k > 1) allocations += test::allocation_count() - before;
    EXPECT_NEAR(klingel_time(r.filter), (k + 1) * h, 1e-9);
  }
  EXPECT_EQ(allocations, 0u);
  EXPECT_GT(r.output("Q.wheelset.left"), 1e3);
  EXPECT_EQ(r.output("nis.freedom"), 2);  // q.yaw comes late, dq.z was never set
  EXPECT_EQ(r.output("dq.z.used"), 0);
  EXPECT_LT(r.output("q.y.sigma"), 1e-4);
}

TEST(filter_model, copies_go_on_bit_for_bit_also_within_a_round) {
  Running r;
  for (int k = 0; k < 40; ++k) {
    measure(r.filter, r, k);
    ASSERT_EQ(klingel_step(r.filter), KLINGEL_OK);
    if (k < 30) continue;
    klingel_instance* copy = klingel_copy(r.filter, nullptr, 0);
    ASSERT_NE(copy, nullptr);
    std::vector<double> state(klingel_state_size(r.model) / 8 + 1);
    ASSERT_EQ(klingel_state_save(r.filter, state.data(), state.size() * 8), KLINGEL_OK);
    for (int more = k + 1; more < k + 15; ++more)
      for (klingel_instance* f : {r.filter, copy}) {
        measure(f, r, more);
        ASSERT_EQ(klingel_step(f), KLINGEL_OK);
      }
    for (std::size_t i = 0; i < klingel_count(r.model, KLINGEL_OUTPUT); ++i)
      ASSERT_EQ(klingel_get_output(copy, i), klingel_get_output(r.filter, i))
          << klingel_variable_at(r.model, KLINGEL_OUTPUT, i)->name;
    ASSERT_EQ(klingel_state_restore(r.filter, state.data(), state.size() * 8), KLINGEL_OK);
    klingel_free(copy);
  }
}

TEST(filter_model, wrong_calls_are_answered) {
  Running r;
  EXPECT_EQ(klingel_set_input(r.filter, r.input("q.y"), INFINITY), KLINGEL_WRONG);
  EXPECT_EQ(klingel_set_input(r.filter, r.input("valid.q.y"), std::nan("")), KLINGEL_WRONG);
  EXPECT_EQ(klingel_step_by(r.filter, 0.5 * klingel_model_step(r.model)), KLINGEL_WRONG);
  EXPECT_THAT(klingel_message(r.filter), HasSubstr("one length"));
  EXPECT_EQ(klingel_find(r.model, KLINGEL_OUTPUT, "q.spin"), -1);
  EXPECT_EQ(klingel_linearise(nullptr, r.filter, nullptr, 0), KLINGEL_WRONG);
  EXPECT_EQ(klingel_lineariser_create(r.filter, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0),
            nullptr);
}

TEST(filter_model, a_filter_that_fails_begins_again) {
  Running r(0);
  // a place far beside the rails, believed: there are no outliers without a gate
  klingel_status status = KLINGEL_OK;
  for (int k = 0; k < 400 && status == KLINGEL_OK; ++k) {
    ASSERT_EQ(klingel_set_input(r.filter, r.input("q.y"), 0.3 * k), KLINGEL_OK);
    status = klingel_step(r.filter);
  }
  ASSERT_NE(status, KLINGEL_OK);
  EXPECT_THAT(klingel_message(r.filter), HasSubstr("filter"));
  EXPECT_EQ(klingel_step(r.filter), status);  // it does not go on
  ASSERT_EQ(klingel_start(r.filter), KLINGEL_OK);
  EXPECT_EQ(r.output("p.k_y"), 240e3);
  measure(r.filter, r, 0);
  EXPECT_EQ(klingel_step(r.filter), KLINGEL_OK);
}

TEST(filter_description, goes_to_bytes_and_back) {
  const FilterDescription d = described();
  const std::string bytes = filter_bytes(d);
  EXPECT_TRUE(is_filter(bytes));
  EXPECT_FALSE(is_filter(simulation::description_bytes(d.vehicle)));
  const klingel_kernel* kernels[] = {d.vehicle.description->data.vehicle};
  const FilterDescription again = read_filter(bytes, kernels, "test");
  EXPECT_EQ(filter_bytes(again), bytes);
  EXPECT_EQ(again.setup.sensors[1].delay, 2u);
  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_NE(test::error_of([&] { read_filter(damaged, kernels, "test"); }), "");
  EXPECT_THAT(test::error_of([&] { read_filter(bytes, {}, "test"); }), HasSubstr("missing"));
}

}  // namespace
}  // namespace klingel::capi
