// The residual of a step of a wheelset with all its turns, its place and motion, and their symbolic
// derivatives against differences of the step's own functions.
#include "model/derivative_interface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "exec/evaluator.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"

namespace klingel::model {
namespace {

using Values = std::map<std::string, std::vector<double>>;
using Vector = std::vector<double>;

Values somewhere() {
  return {{"q", {1, 0.02, 0.5, 0.1, -0.05, 0.7}},
          {"dq", {20, 0.3, -0.1, 0.2, 0.15, 40}},
          {"p", {0.75, 2e5, 1250}}};
}
const Vector change = {0.02, -0.01, 0.03, 0.005, 0.01, -0.02};
const Vector wrench = {3e3, -2e3, 9e4, 500, 800, -300};

struct Wheelset {
  mech::Model m{"ws"};
  std::unique_ptr<exec::Evaluator> step, derivatives;

  Wheelset() {
    const auto x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
    const auto yaw = m.coordinate("yaw"), roll = m.coordinate("roll"), spin = m.coordinate("spin");
    const sym::Expr lever = m.parameter("lever", 0.75), k = m.parameter("k", 2e5);
    const sym::Expr mass = m.parameter("mass", 1250);
    m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
    // the centre stands off the point that the coordinates move, so that its place has a parameter
    const mech::Base yawed = m.rotation("ws.yawed", m.ground_base(), mech::axis::z, yaw.q);
    const mech::Base still = m.rotation("ws.still", yawed, mech::axis::x, roll.q);
    const mech::Base turning = m.rotation("ws", still, mech::axis::y, spin.q);
    const mech::Point P = m.point("P", m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
    const mech::Point C = m.point("C", P, m.vector(yawed, lever, 0, 0));
    m.body("ws", C, turning, mass, m.vector(turning, 0.01, 0.2, 0.02),
           m.inertia(turning, 700, 100, 650));
    m.add_force("spring", m.vector(still, 0, -(k * y.q) - 3e3 * y.dq, 0), C);
    const std::vector<model::Wheelset> list{{"ws", C, still, turning, {"ws.right", "ws.left"}}};
    const mech::Equations e = mech::equations(m);
    exec::Options options;
    options.backend = exec::Backend::interpreter;
    const auto load = [&](const sym::Interface& interface) {
      return std::make_unique<exec::Evaluator>(
          exec::load(gen::Program(m.graph(), "ws", interface), options));
    };
    step = load(vehicle_interface(m, e, list, {}, Tangents::exact, Wheels::free));
    derivatives = load(derivative_interface(m, e, list, {}, Tangents::exact));
    step->set("B", Vector(36, 0.0));  // the wrench is held
    step->set("b", wrench);
    derivatives->set("change", change);
    derivatives->set("wrench", wrench);
  }

  static void give(exec::Evaluator& to, const Values& values) {
    for (const auto& [input, list] : values) to.set(input, list);
  }

  // impulse - matrix change
  Vector residual(const Values& at) {
    give(*step, at);
    const std::span<const double> impulse = step->evaluate("impulse")[0];
    Vector r(impulse.begin(), impulse.end());
    const Vector A = dense(*step, "step_matrix", 0);
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t i = 0; i < 6; ++i) r[i] -= A[8 * j + i] * change[j];
    return r;
  }

  // twist, bias and the motion at t+h
  Vector motion(const Values& at) {
    give(*step, at);
    Vector end = at.at("dq");
    for (std::size_t i = 0; i < 6; ++i) end[i] += change[i];
    step->set("dq_end", end);
    Vector list;
    for (const char* function : {"motion", "twist_end"})
      for (const std::span<const double> out : step->evaluate(function))
        list.insert(list.end(), out.begin(), out.end());
    return list;
  }

  static Vector dense(exec::Evaluator& e, const std::string& function, std::size_t output) {
    const klingel_kernel& abi = e.kernel().abi();
    for (std::uint32_t f = 0; f < abi.n_functions; ++f) {
      if (abi.functions[f].name != function) continue;
      const klingel_output& o = abi.functions[f].outputs[output];
      const std::span<const double> values = e.evaluate(function)[output];
      Vector matrix(std::size_t{o.rows} * o.cols, 0);
      for (std::uint32_t j = 0; j < o.cols; ++j)
        for (std::uint32_t k = o.col_start[j]; k < o.col_start[j + 1]; ++k)
          matrix[std::size_t{o.rows} * j + o.row[k]] = values[k];
      return matrix;
    }
    return {};
  }

  // Rows of an output from `first` on are derivatives of a list by an input.
  void expect(const std::function<Vector(const Values&)>& of, const std::string& input,
              const std::string& function, std::size_t output, std::size_t first) {
    give(*derivatives, somewhere());
    const Vector exact = dense(*derivatives, function, output);
    const std::size_t cols = somewhere()[input].size(), rows = exact.size() / cols;
    ASSERT_GT(rows, 0u);
    for (std::size_t j = 0; j < cols; ++j) {
      const double h = 1e-5 * std::max(1.0, std::abs(somewhere()[input][j]));
      Values up = somewhere(), down = up;
      up[input][j] += h, down[input][j] -= h;
      const Vector a = of(up), b = of(down);
      double size = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        size = std::max(size, std::abs(a[i] - b[i]) / (2 * h));
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR((a[i] - b[i]) / (2 * h), exact[rows * j + first + i], 1e-6 * size + 1e-6)
            << function << " " << i << " by " << input << " " << j;
    }
  }
};

TEST(derivative_interface, the_residual_is_that_of_the_step) {
  Wheelset w;
  const auto residual = [&](const Values& at) { return w.residual(at); };
  w.expect(residual, "q", "residual_x", 0, 0);
  w.expect(residual, "dq", "residual_x", 1, 0);
  w.expect(residual, "p", "residual_p", 0, 0);
}

TEST(derivative_interface, wheelsets_move_as_the_step_says) {
  Wheelset w;
  const auto motion = [&](const Values& at) { return w.motion(at); };
  w.expect(motion, "q", "wheelset_x", 0, 6);
  w.expect(motion, "dq", "wheelset_x", 1, 6);
  w.expect(motion, "p", "wheelset_p", 0, 6);
}

// Displacements as places differ; rotations turn the axes.
TEST(derivative_interface, places_change_by_displacement_and_rotation) {
  Wheelset w;
  Wheelset::give(*w.derivatives, somewhere());
  for (const auto& [input, function] : {std::pair("q", "wheelset_x"), {"p", "wheelset_p"}}) {
    const Vector exact = Wheelset::dense(*w.derivatives, function, 0);
    const auto pose = [&, input = std::string(input)](std::size_t j, double by) {
      Values at = somewhere();
      at[input][j] += by;
      Wheelset::give(*w.step, at);
      const std::span<const double> out = w.step->evaluate("pose")[0];
      return Vector(out.begin(), out.end());
    };
    for (std::size_t j = 0; j < somewhere()[input].size(); ++j) {
      constexpr double h = 1e-5;
      const Vector a = pose(j, h), b = pose(j, -h), middle = pose(j, 0);
      const double *d = &exact[wrench_columns * j], *r = d + 3;
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR((a[i] - b[i]) / (2 * h), d[i], 1e-7);
      for (std::size_t axis = 3; axis < 12; axis += 3) {
        const double* e = &middle[axis];
        const double turned[] = {r[1] * e[2] - r[2] * e[1], r[2] * e[0] - r[0] * e[2],
                                 r[0] * e[1] - r[1] * e[0]};
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_NEAR((a[axis + i] - b[axis + i]) / (2 * h), turned[i], 1e-7) << input << j;
      }
    }
  }
}

}  // namespace
}  // namespace klingel::model
