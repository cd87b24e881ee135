// The balance of a wheelset with all its turns, and its symbolic derivatives against differences.
#include "model/linear_interface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "exec/evaluator.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"

namespace klingel::model {
namespace {

exec::Evaluator wheelset_functions(mech::Model& m) {
  const auto x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  const auto yaw = m.coordinate("yaw"), roll = m.coordinate("roll"), spin = m.coordinate("spin");
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  const mech::Point C = m.point("ws", m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
  const mech::Base yawed = m.rotation("ws.yawed", m.ground_base(), mech::axis::z, yaw.q);
  const mech::Base still = m.rotation("ws.still", yawed, mech::axis::x, roll.q);
  const mech::Base turning = m.rotation("ws", still, mech::axis::y, spin.q);
  // off its axis, so that the mass matrix depends on the coordinates
  m.body("ws", C, turning, 1250, m.vector(turning, 0.01, 0.2, 0.02),
         m.inertia(turning, 700, 100, 650));
  m.add_force("spring", m.vector(still, 0, -2e5 * y.q - 3e3 * y.dq, 0), C);
  const std::vector<Wheelset> wheelsets{{"ws", C, still, turning, {"ws.right", "ws.left"}}};
  exec::Options options;
  options.backend = exec::Backend::interpreter;
  return exec::Evaluator(exec::load(
      gen::Program(m.graph(), "ws", linear_interface(m, mech::equations(m), wheelsets)), options));
}

using Values = std::map<std::string, std::vector<double>>;

Values somewhere() {
  return {{"q", {1, 0.02, 0.5, 0.1, -0.05, 0.7}},
          {"dq", {20, 0.3, -0.1, 0.2, 0.15, 40}},
          {"ddq", {0.5, 1, -0.2, 0.3, 0.8, -2}},
          {"b", {3e3, -2e3, 9e4, 500, 800, -300}}};
}

// An output as a matrix with six columns, by columns.
std::vector<double> at(exec::Evaluator& e, const Values& values, const char* function,
                       const char* output) {
  for (const auto& [input, list] : values) e.set(input, list);
  e.evaluate(function);
  const std::span<const double> found = e.output(function, output);
  return {found.begin(), found.end()};
}

// Derivatives of one output by an input are the other output.
void expect_derivative(exec::Evaluator& e, const char* function, const char* output,
                       const std::string& input, const char* of, const char* derivative) {
  const std::vector<double> exact = at(e, somewhere(), of, derivative);
  const std::size_t rows = exact.size() / 6;
  double size = 0;
  for (const double v : exact) size = std::max(size, std::abs(v));
  for (std::size_t j = 0; j < 6; ++j) {
    constexpr double h = 1e-5;
    Values up = somewhere(), down = up;
    up[input][j] += h, down[input][j] -= h;
    const std::vector<double> a = at(e, up, function, output), b = at(e, down, function, output);
    for (std::size_t i = 0; i < rows; ++i)
      EXPECT_NEAR((a[i] - b[i]) / (2 * h), exact[j * rows + i], 1e-7 * size)
          << derivative << " " << i << ", " << j;
  }
}

TEST(linear_interface, tangents_are_derivatives_of_the_balance) {
  mech::Model m("ws");
  exec::Evaluator e = wheelset_functions(m);
  expect_derivative(e, "F", "F", "q", "tangent", "F_q");
  expect_derivative(e, "F", "F", "dq", "tangent", "F_dq");
}

TEST(linear_interface, twists_have_derivatives_too) {
  mech::Model m("ws");
  exec::Evaluator e = wheelset_functions(m);
  expect_derivative(e, "motion", "twists", "q", "steering", "twist_q");
  expect_derivative(e, "motion", "twists", "dq", "steering", "twist_dq");
}

// F = delta - M ddq + J^T b: linear in ddq and b.
TEST(linear_interface, accelerations_act_by_the_mass_matrix_and_wrenches_by_the_motion) {
  mech::Model m("ws");
  exec::Evaluator e = wheelset_functions(m);
  const std::vector<double> M = at(e, somewhere(), "tangent", "M_qq");
  const std::vector<double> J = at(e, somewhere(), "steering", "J_total");
  const std::vector<double> F = at(e, somewhere(), "F", "F");
  for (std::size_t j = 0; j < 6; ++j) {
    Values faster = somewhere(), pushed = somewhere();
    faster["ddq"][j] += 1, pushed["b"][j] += 1;
    const std::vector<double> by_ddq = at(e, faster, "F", "F"), by_b = at(e, pushed, "F", "F");
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(by_ddq[i] - F[i], -M[6 * j + i], 1e-8);
      EXPECT_NEAR(by_b[i] - F[i], J[6 * i + j], 1e-8);
    }
  }
}

}  // namespace
}  // namespace klingel::model
