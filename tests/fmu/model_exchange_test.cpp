// Subject: Model Exchange of mechanisms. Claim: derivatives and directional derivatives are those
// of the mechanism, and an importer's own integration follows its motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "capi/mechanism_model.hpp"
#include "examples/mechanisms.hpp"
#include "fmu/fmi2.hpp"
#include "mech/equations.hpp"
#include "tests/fmu/unpacked_fmu.hpp"

namespace klingel {
namespace {

void silent(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String text, ...) {
  std::puts(text);
}

packaging::Parts pendulum() {
  mech::Model model("pendulum");
  examples::build_pendulum(model);
  const mech::Equations equations = mech::equations(model);
  const gen::Program program(model.graph(), "pendulum", mech::interface(model, equations));
  return packaging::mechanism_parts(program, "pendulum", {});
}

TEST(model_exchange, a_pendulum_swings_under_the_importers_own_integrator) {
  const packaging::Parts parts = pendulum();
  const test::Unpacked fmu(2, parts);
  fmi2CallbackFunctions callbacks{silent, nullptr, nullptr, nullptr, nullptr};
  fmi2Component c =
      KLINGEL_CALL(fmu, fmi2Instantiate)("p", fmi2ModelExchange, parts.model->token.c_str(),
                                         ("file://" + fmu.resources()).c_str(), &callbacks, 0, 0);
  ASSERT_NE(c, nullptr);
  KLINGEL_CALL(fmu, fmi2SetupExperiment)(c, 0, 0, 0, 0, 0);
  KLINGEL_CALL(fmu, fmi2EnterInitializationMode)(c);
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2ExitInitializationMode)(c), fmi2OK);
  fmi2EventInfo info;
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2NewDiscreteStates)(c, &info), fmi2OK);
  EXPECT_EQ(info.newDiscreteStatesNeeded, 0);
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2EnterContinuousTimeMode)(c), fmi2OK);
  EXPECT_EQ(KLINGEL_CALL(fmu, fmi2DoStep)(c, 0, 1e-3, 1), fmi2Error);

  // Heun's method against the steps of the mechanism itself
  const std::unique_ptr<capi::Runner> run = parts.model->make();
  run->start();
  double x[2], k1[2], k2[2];
  ASSERT_EQ(KLINGEL_CALL(fmu, fmi2GetContinuousStates)(c, x, 2), fmi2OK);
  const double h = 1e-3;
  for (int i = 0; i < 200; ++i) {
    KLINGEL_CALL(fmu, fmi2SetTime)(c, i * h);
    KLINGEL_CALL(fmu, fmi2SetContinuousStates)(c, x, 2);
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi2GetDerivatives)(c, k1, 2), fmi2OK);
    const double middle[] = {x[0] + h * k1[0], x[1] + h * k1[1]};
    KLINGEL_CALL(fmu, fmi2SetContinuousStates)(c, middle, 2);
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi2GetDerivatives)(c, k2, 2), fmi2OK);
    for (int k = 0; k < 2; ++k) x[k] += h / 2 * (k1[k] + k2[k]);
    KLINGEL_CALL(fmu, fmi2SetContinuousStates)(c, x, 2);
    fmi2Boolean event = 1, terminate = 1;
    ASSERT_EQ(KLINGEL_CALL(fmu, fmi2CompletedIntegratorStep)(c, 1, &event, &terminate), fmi2OK);
    EXPECT_EQ(event + terminate, 0);
    run->step(1e-3);
  }
  EXPECT_NEAR(x[0], run->output(0), 1e-5);
  EXPECT_NEAR(x[1], run->output(1), 1e-5);

  // d(ddq)/dq against a difference of our own; d(q')/d(dq) is one
  const unsigned states[] = {(2u << 20) + 1, (2u << 20) + 2};
  const unsigned derivatives[] = {(3u << 20) + 1, (3u << 20) + 2};
  const double along_q[] = {1, 0}, along_dq[] = {0, 1};
  double J[2];
  ASSERT_EQ(
      KLINGEL_CALL(fmu, fmi2GetDirectionalDerivative)(c, derivatives, 2, states, 2, along_dq, J),
      fmi2OK);
  EXPECT_NEAR(J[0], 1, 1e-8);
  ASSERT_EQ(
      KLINGEL_CALL(fmu, fmi2GetDirectionalDerivative)(c, derivatives, 2, states, 2, along_q, J),
      fmi2OK);
  double nominal[2], after[2];
  const double e = 1e-4, moved[] = {x[0] + e, x[1]};
  KLINGEL_CALL(fmu, fmi2GetDerivatives)(c, nominal, 2);
  KLINGEL_CALL(fmu, fmi2SetContinuousStates)(c, moved, 2);
  KLINGEL_CALL(fmu, fmi2GetDerivatives)(c, after, 2);
  EXPECT_NEAR(J[0], 0, 1e-8);
  EXPECT_NEAR(J[1], (after[1] - nominal[1]) / e, 1e-2);
  EXPECT_GT(std::abs(J[1]), 0.1);
  KLINGEL_CALL(fmu, fmi2FreeInstance)(c);
}

}  // namespace
}  // namespace klingel
