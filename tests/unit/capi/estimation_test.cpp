// Subject: capi/estimation. Claim: derivatives and filters of C are those of C++, steps of a filter
// do not allocate, and wrong calls are answered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "capi/vehicle_model.hpp"
#include "klingel.h"
#include "simulation/linearise.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::capi {
namespace {

struct Started {
  std::shared_ptr<const simulation::Description> description =
      test::compiled("wheelset_suspended").description;
  klingel_model* model = for_c(vehicle_model({description, {}}));
  klingel_instance* instance = klingel_create(model, nullptr, 0);
  char message[400] = "";

  Started() { EXPECT_EQ(klingel_start(instance), KLINGEL_OK); }
  ~Started() {
    klingel_free(instance);
    klingel_model_free(model);
  }
};

TEST(capi_estimation, derivatives_are_those_of_the_lineariser) {
  Started s;
  const char *states[] = {"q.*", "dq.*"}, *given[] = {"friction.all"}, *outputs[] = {"Q.*"};
  klingel_lineariser* l = klingel_lineariser_create(s.instance, states, 2, given, 1, outputs, 1,
                                                    s.message, sizeof s.message);
  ASSERT_NE(l, nullptr) << s.message;
  const std::size_t rows = klingel_lineariser_rows(l), columns = klingel_lineariser_columns(l);
  EXPECT_STREQ(klingel_lineariser_column(l, columns - 1), "friction.all");
  EXPECT_EQ(klingel_lineariser_row(l, rows), nullptr);
  std::vector<double> J(rows * columns);
  ASSERT_EQ(klingel_linearise(l, s.instance, J.data(), J.size()), KLINGEL_OK);
  simulation::Instance same(s.description);
  same.start();
  simulation::Lineariser own(s.description, same, {{"q.*", "dq.*"}, {"friction.all"}, {"Q.*"}});
  ASSERT_TRUE(own.linearise(same));
  EXPECT_EQ(own.result().J, J);
  EXPECT_EQ(klingel_linearise(l, s.instance, J.data(), 3), KLINGEL_WRONG);
  EXPECT_EQ(klingel_linearise(l, nullptr, J.data(), J.size()), KLINGEL_WRONG);
  klingel_lineariser_free(l);
  const char* wrong[] = {"q.yy"};
  EXPECT_EQ(klingel_lineariser_create(s.instance, wrong, 1, nullptr, 0, nullptr, 0, s.message,
                                      sizeof s.message),
            nullptr);
  EXPECT_THAT(s.message, testing::HasSubstr("q.y"));
}

TEST(capi_estimation, a_filter_follows_the_vehicle_without_allocating) {
  Started s;
  klingel_filter_setup* setup = klingel_filter_setup_create();
  EXPECT_EQ(klingel_filter_state(setup, "*", 1e-3, 1e-3), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_without(setup, "*spin"), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_without(setup, "*.x"), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_state(setup, "*", 0, 0), KLINGEL_WRONG);
  EXPECT_EQ(klingel_filter_sensor(setup, "y_rel.wheelset", 1e-4), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_output(setup, "Q.*"), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_irregularity(setup, KLINGEL_LATERAL, 0, 3, 70), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_irregularity(setup, KLINGEL_LATERAL, 0, 70, 3), KLINGEL_WRONG);
  klingel_filter* f = klingel_filter_create(s.instance, setup, s.message, sizeof s.message);
  ASSERT_NE(f, nullptr) << s.message;
  const long y_rel = klingel_find(s.model, KLINGEL_OUTPUT, "y_rel.wheelset");
  const long Q = klingel_find(s.model, KLINGEL_OUTPUT, "Q.wheelset.left");
  ASSERT_GE(y_rel, 0);
  std::size_t allocations = 0;
  std::vector<double> values(klingel_filter_count(f, KLINGEL_FILTER_OUTPUT)), sigmas = values;
  for (int k = 0; k < 60; ++k) {
    ASSERT_EQ(klingel_step(s.instance), KLINGEL_OK);
    const double y[] = {k % 3 == 0
                            ? std::nan("")
                            : klingel_get_output(s.instance, static_cast<std::size_t>(y_rel))};
    const std::size_t before = test::allocation_count();
    ASSERT_EQ(klingel_filter_step(f, y, 1), KLINGEL_OK);
    ASSERT_EQ(klingel_filter_get(f, KLINGEL_FILTER_OUTPUT, values.data(), sigmas.data(), 2),
              KLINGEL_OK);
    if (k > 1) allocations += test::allocation_count() - before;
  }
  EXPECT_EQ(allocations, 0u);
  EXPECT_NEAR(values[1], klingel_get_output(s.instance, static_cast<std::size_t>(Q)),
              6 * sigmas[1] + 10);
  EXPECT_STREQ(klingel_filter_name(f, KLINGEL_FILTER_SENSOR, 0), "y_rel.wheelset");
  std::size_t measurements = 7;
  EXPECT_TRUE(std::isfinite(klingel_filter_nis(f, &measurements)));
  EXPECT_LE(measurements, 1u);
  const double y[] = {0, 0};
  EXPECT_EQ(klingel_filter_step(f, y, 2), KLINGEL_WRONG);
  klingel_filter_free(f);
  EXPECT_EQ(klingel_filter_sensor(setup, "sensor.none", 1), KLINGEL_OK);
  EXPECT_EQ(klingel_filter_create(s.instance, setup, s.message, sizeof s.message), nullptr);
  EXPECT_THAT(s.message, testing::HasSubstr("sensor.none"));
  klingel_filter_setup_free(setup);
}

}  // namespace
}  // namespace klingel::capi
