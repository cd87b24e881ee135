// Vehicles with reduced equations run as the whole ones do: to rounding where values do not change,
// close to them where coordinates are linearised.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "tests/support/error_of.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

vehicle::Scenario scenario_until(const char* name, double duration) {
  vehicle::Scenario s = vehicle::load_scenario(name);
  s.duration = duration;
  return s;
}

// Largest difference of a channel.
double change(const VehicleRun& x, const VehicleRun& y, const char* channel) {
  const std::span<const double> a = x.channel(channel), b = y.channel(channel);
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(reductions, without_approximation_change_a_run_by_rounding) {
  vehicle::Scenario s = scenario_until("feve3000_corrected", 0.3);
  VehicleRun whole(s);
  whole.go();
  s.reductions = vehicle::Reductions{{"base_parameters", "trigonometric"}, {}, {}, {}};
  VehicleRun reduced(s);
  reduced.go();
  ASSERT_EQ(reduced.summary.end, record::RunEnd::completed);
  EXPECT_LT(change(whole, reduced, "speed"), 1e-7);
  EXPECT_LT(change(whole, reduced, "y_rel.rear.front"), 1e-8);
  EXPECT_LT(change(whole, reduced, "N.rear.front.right"), 1);
}

// The locomotive in the article's run, until it is in the first curve.
TEST(reductions, a_linearised_locomotive_runs_like_the_whole_one) {
  vehicle::Scenario s = scenario_until("feve3000_corrected", 4);
  VehicleRun whole(s);
  whole.go();
  s.reductions = vehicle::Reductions{{"linearisation"}, {"roll", "pitch"}, {}, {}};
  VehicleRun linear(s);
  linear.go();
  ASSERT_EQ(linear.summary.end, record::RunEnd::completed);
  EXPECT_LT(linear.unbalanced(), 0.01);
  EXPECT_NEAR(linear.mean("N.rear.front.right", 3.5, 4), whole.mean("N.rear.front.right", 3.5, 4),
              900);  // 2 % of the load; 655 N were measured
  EXPECT_NEAR(linear.mean("body.roll", 3.5, 4), whole.mean("body.roll", 3.5, 4), 2e-4);
  EXPECT_NEAR(linear.mean("y_rel.rear.front", 3.5, 4), whole.mean("y_rel.rear.front", 3.5, 4),
              1e-4);
  // it is another model
  EXPECT_GT(change(whole, linear, "N.rear.front.right"), 0.1);
}

// Kernels on lanes are made from the model a second time: they must be the same atoms.
TEST(reductions, made_twice_are_the_same_atoms) {
  vehicle::Scenario s = scenario_until("wagon_2axle", 0.1);
  s.reductions =
      vehicle::Reductions{{"base_parameters", "trigonometric", "linearisation"}, {"roll"}, {}, {}};
  const compile::CompiledVehicle v = compile::compile(s, {exec::Backend::interpreter});
  const gen::Program first = compile::vehicle_program(*v.model),
                     second = compile::vehicle_program(*v.model);
  ASSERT_EQ(first.functions().size(), second.functions().size());
  for (std::size_t f = 0; f < first.functions().size(); ++f) {
    const auto &x = first.functions()[f].outputs, &y = second.functions()[f].outputs;
    for (std::size_t o = 0; o < x.size(); ++o) {
      ASSERT_EQ(x[o].matrix.entries().size(), y[o].matrix.entries().size());
      for (std::size_t i = 0; i < x[o].matrix.entries().size(); ++i)
        ASSERT_EQ(x[o].matrix.entries()[i].value, y[o].matrix.entries()[i].value)
            << first.functions()[f].name;
    }
  }
}

TEST(reductions, of_vehicles_are_refused_where_they_make_no_sense) {
  vehicle::Scenario s = scenario_until("feve3000_corrected", 0.1);
  const auto error = [&](vehicle::Reductions r) {
    s.reductions = std::move(r);
    return test::error_of([&] { compile::compile(s); });
  };
  EXPECT_NE(error({{"linearisation"}, {"spin"}, {}, {}}).find("is never small"), std::string::npos);
  EXPECT_NE(error({{"linearisation"}, {"z"}, {}, {}}).find("starts at"), std::string::npos);
  EXPECT_NE(error({{"elimination"}, {}, {"J_xx(bdy)"}, {}}).find("has no inertial parameter"),
            std::string::npos);
}

}  // namespace
}  // namespace klingel
