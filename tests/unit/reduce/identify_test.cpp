#include "reduce/identify.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "examples/mechanisms.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::reduce {
namespace {

using test::error_of;

class Identify : public testing::Test {
 protected:
  Identify() { examples::build_arm(arm); }
  mech::Model arm{"arm"};
};

TEST_F(Identify, exact_data_give_exact_parameters) {
  const Identified r = identify(arm, simulated_experiment(arm, {}));
  EXPECT_EQ(r.parameters.size(), 43u);
  EXPECT_LT(r.condition, 200);
  for (const IdentifiedParameter& p : r.parameters)
    EXPECT_NEAR(p.value, p.nominal, 1e-9 * std::max(1.0, std::abs(p.nominal))) << p.formula;
}

// Of 43 parameters in 4 experiments, about 5 per cent may be outside two standard deviations.
TEST_F(Identify, confidence_of_noisy_data_is_true) {
  int outside = 0, all = 0;
  double error = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Identified r = identify(arm, simulated_experiment(arm, {.noise = 0.02, .seed = seed}));
    for (const IdentifiedParameter& p : r.parameters) {
      const double off = std::abs(p.value - p.nominal) / p.sigma;
      error += off * off;
      outside += off > 2 ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(outside, 0);
  EXPECT_LT(outside, all / 8);
  EXPECT_NEAR(error / all, 1, 0.35);
}

TEST_F(Identify, more_data_give_narrower_bounds) {
  const Identified few = identify(arm, simulated_experiment(arm, {.duration = 10, .noise = 0.02}));
  const Identified many =
      identify(arm, simulated_experiment(arm, {.duration = 10, .interval = 0.0025, .noise = 0.02}));
  for (std::size_t i = 0; i < few.parameters.size(); ++i)
    EXPECT_NEAR(many.parameters[i].sigma / few.parameters[i].sigma, 0.5, 0.05);
}

TEST_F(Identify, a_recording_without_excitation_is_refused) {
  const Measured still = simulated_experiment(arm, {.amplitude = 1e-10});
  const std::string text = error_of([&] { identify(arm, still); });
  EXPECT_NE(text.find("does not excite"), std::string::npos);
  EXPECT_NE(text.find("condition number"), std::string::npos);
}

TEST_F(Identify, too_few_samples_and_loops_are_refused) {
  Measured few = simulated_experiment(arm, {});
  few.states.resize(3);
  few.forces.resize(3);
  EXPECT_NE(error_of([&] { identify(arm, few); }).find("too few"), std::string::npos);
  few.forces[0][0] = NAN;
  EXPECT_NE(error_of([&] { identify(arm, few); }).find("not a finite number"), std::string::npos);
  mech::Model loop("four_bar");
  examples::build_four_bar(loop);
  EXPECT_NE(error_of([&] { identify(loop, {}); }).find("has constraints"), std::string::npos);
}

TEST(derivatives, of_a_cubic_are_exact) {
  std::vector<double> q;
  for (int k = 0; k < 40; ++k) {
    const double t = 0.1 * k;
    q.push_back(1 + t - 2 * t * t + 0.5 * t * t * t);
  }
  const Derivatives d = differentiated(q, 0.1, 5);
  ASSERT_EQ(d.count, 30u);
  for (std::size_t k = 0; k < d.count; ++k) {
    const double t = 0.1 * static_cast<double>(k + d.first);
    EXPECT_NEAR(d.dq[k], 1 - 4 * t + 1.5 * t * t, 1e-9);
    EXPECT_NEAR(d.ddq[k], -4 + 3 * t, 1e-8);
  }
  EXPECT_NE(error_of([&] { differentiated(q, 0.1, 30); }).find("too few"), std::string::npos);
}

}  // namespace
}  // namespace klingel::reduce
