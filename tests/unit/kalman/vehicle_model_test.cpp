// Subject: kalman/vehicle_model. Claim: the model of the filter is the vehicle's step with its
// derivatives, parameters act, the rail moves, and setups that cannot be are refused.
#include "kalman/vehicle_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocation_count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::kalman {
namespace {

using testing::HasSubstr;

struct Vehicle {
  compile::CompiledVehicle compiled = test::compiled("wheelset_suspended");
  simulation::Instance instance{compiled.description};
  Setup setup;

  Vehicle() {
    instance.start();
    setup.states = {{"q.*", 1e-3, 0}, {"dq.*", 1e-2, 1e-2}};
    setup.without = {"*spin", "q.x", "dq.x"};
    setup.sensors = {{"y_rel.wheelset", 1e-4}};
    setup.outputs = {"Q.*"};
    setup.irregularities = {
        {simulation::lateral,
         track::erri_b176(track::TrackQuality::low_disturbance, track::SpectrumOf::lateral)}};
  }
  std::string refusal() {
    return test::error_of([&] { VehicleModel(compiled.description, instance, setup); });
  }
};

TEST(vehicle_model, derivatives_tell_how_results_change) {
  Vehicle v;
  const step::VehicleState begin = v.instance.simulator().state();
  VehicleModel model(v.compiled.description, v.instance, v.setup);
  std::vector<double> x = model.start(), a(model.results()), b(model.results());
  for (std::size_t i = 0; i < model.states(); ++i) x[i] += 1e-5 * std::cos(static_cast<double>(i));
  Array J(model.results(), model.n), other = J;
  model.settle(x.data());
  ASSERT_TRUE(model.go(x.data(), a.data(), J));
  std::vector<double> d(model.n), y = x;
  for (std::size_t i = 0; i < model.n; ++i) {
    d[i] = 1e-3 * std::sqrt(square(model.start_root().row(i), i + 1)) * (i % 2 == 0 ? 1 : -1);
    y[i] += d[i];
  }
  v.instance.simulator().set_state(begin);
  model.settle(y.data());
  ASSERT_TRUE(model.go(y.data(), b.data(), other));
  for (std::size_t i = 0; i < model.results(); ++i) {
    double expected = 0, size = 0;
    for (std::size_t j = 0; j < model.n; ++j)
      expected += J(i, j) * d[j], size += std::abs(J(i, j) * d[j]);
    EXPECT_NEAR(b[i] - a[i], expected, 0.01 * size + 1e-15) << i;
  }
}

TEST(vehicle_model, columns_renewed_in_turn_are_the_same_in_steady_motion) {
  Vehicle all, some;
  some.setup.columns = 3;
  VehicleModel a(all.compiled.description, all.instance, all.setup);
  VehicleModel b(some.compiled.description, some.instance, some.setup);
  Filter fa(a, a.start(), a.start_root(), a.noise(), a.sensor_sigma());
  Filter fb(b, b.start(), b.start_root(), b.noise(), b.sensor_sigma());
  const double nothing[] = {std::nan("")};
  std::size_t allocations = 0;
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(fa.step(nothing));
    const std::size_t before = test::allocation_count();
    ASSERT_TRUE(fb.step(nothing));
    if (k > 1) allocations += test::allocation_count() - before;
  }
  EXPECT_EQ(allocations, 0u);
  for (std::size_t i = 0; i < a.n; ++i)
    EXPECT_NEAR(fb.sigma(i), fa.sigma(i), 0.02 * fa.sigma(i)) << a.names()[i];
}

// Rails are moved, friction and a parameter are estimated; columns of differences do not matter.
TEST(vehicle_model, generated_derivatives_are_those_of_differences) {
  Vehicle one, two;
  for (Vehicle* v : {&one, &two}) {
    v->setup.sensors = {{"dq.y", 1e-3}, {"dq.yaw", 1e-3}};
    v->setup.outputs = {"Q.*", "Y.*"};
    v->setup.walks = {{"friction.all", 0.05, 0.01},
                      {"p." + v->instance.parameter_names().front(), 1, 0.1}};
    v->setup.columns = v == &two ? 2 : 0;
  }
  VehicleModel a(one.compiled.description, one.instance, one.setup);
  const auto derivatives = compile::with_derivatives(two.compiled, two.compiled.description, {});
  VehicleModel b(derivatives, two.instance, two.setup);
  EXPECT_FALSE(a.generates());
  ASSERT_TRUE(b.generates());
  std::vector<double> x = a.start(), y(a.results());
  for (std::size_t i = 0; i < a.n; ++i)
    x[i] += (i < a.states() ? 1e-7 : 1e-5) * std::cos(static_cast<double>(i));
  Array A(a.results(), a.n), B = A;
  for (VehicleModel* m : {&a, &b}) {
    std::vector<double> at = x;
    m->settle(at.data());
    ASSERT_TRUE(m->go(at.data(), y.data(), m == &a ? A : B));
  }
  EXPECT_EQ(b.differenced(), 0u);
  for (std::size_t j = 0; j < a.n; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < a.results(); ++i) largest = std::max(largest, std::abs(A(i, j)));
    // forces of some 1e5 N are rounded more coarsely
    for (std::size_t i = 0; i < a.results(); ++i)
      EXPECT_NEAR(B(i, j), A(i, j), 2e-6 * largest + (i < a.n ? 1e-7 : 1e-3))
          << i << " by " << a.names()[j];
  }
}

TEST(vehicle_model, both_filters_agree_where_the_step_is_nearly_linear) {
  Vehicle one, two;
  for (Vehicle* v : {&one, &two}) {
    for (auto& s : v->setup.states) s.sigma *= 0.01, s.noise *= 0.01;
    v->setup.irregularities[0].spectrum.A *= 1e-4;
  }
  two.setup.filter.method = Method::unscented;
  VehicleModel a(one.compiled.description, one.instance, one.setup);
  VehicleModel b(two.compiled.description, two.instance, two.setup);
  Filter fa(a, a.start(), a.start_root(), a.noise(), a.sensor_sigma(), a.options());
  Filter fb(b, b.start(), b.start_root(), b.noise(), b.sensor_sigma(), b.options());
  for (int k = 0; k < 20; ++k) {
    const double y[] = {1e-4 * std::sin(0.2 * k)};
    ASSERT_TRUE(fa.step(y));
    ASSERT_TRUE(fb.step(y));
  }
  EXPECT_EQ(fb.lost_points(), 0u);
  for (std::size_t i = 0; i < a.n; ++i)
    EXPECT_NEAR(fb.x()[i], fa.x()[i], 0.3 * fa.sigma(i)) << a.names()[i];
}

TEST(vehicle_model, setups_that_cannot_be_are_refused) {
  Vehicle v;
  v.setup.states = {{"q.*", 0, 0}};
  EXPECT_THAT(v.refusal(), HasSubstr("singular"));
  v.setup = Vehicle().setup;
  v.setup.sensors = {{"y_rel.wheelset", 1e-4}, {"y_rel.wheelset", 1e-4}};
  EXPECT_THAT(v.refusal(), HasSubstr("twice"));
  v.setup = Vehicle().setup;
  v.setup.walks = {{"p.k_lateral_", 1, 0}};
  EXPECT_THAT(v.refusal(), HasSubstr("no parameter, friction or input"));
  v.setup = Vehicle().setup;
  v.setup.walks = {{"friction.all", 0.1, 0, 0.5, 0.6}};
  EXPECT_THAT(v.refusal(), HasSubstr("outside its limits"));
  v.setup = Vehicle().setup;
  v.setup.irregularities[0].wheelsets = "whelset";
  EXPECT_THAT(v.refusal(), HasSubstr("wheelset"));
}

}  // namespace
}  // namespace klingel::kalman
