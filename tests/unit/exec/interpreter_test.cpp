// The interpreter: constant after construction, all memory in the caller's workspace.
#include "exec/interpreter.hpp"

#include <cmath>
#include <vector>

#include "exec/kernel.hpp"
#include "gen/emit_c.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

TEST(interpreter, computes_what_the_formula_says) {
  Model m("formula");
  const sym::Expr x = m.graph->symbol("x", sym::SymbolKind::coordinate, 0.25);
  m.program->input("q", {x}).function(
      {"f", "", {sym::Output::scalar("y", sin(x) * sqrt(x + 1) / exp(x))}});
  const gen::Manifest manifest = gen::emit_c(*m.program).manifest;
  Evaluator e(Kernel(interpret(*m.program, manifest), Backend::interpreter, ""));
  EXPECT_DOUBLE_EQ(e.evaluate("f")[0][0], std::sin(0.25) * std::sqrt(1.25) / std::exp(0.25));
}

TEST(interpreter, writes_inside_its_workspace_and_outputs_only) {
  const Model m = random_model(11, 300);
  const auto table = interpret(*m.program, gen::emit_c(*m.program).manifest);
  const klingel_kernel& k = *table;
  constexpr double guard = 12345;
  std::vector<double> w(k.workspace_size + 8, guard);
  std::vector<const double*> in;
  for (std::uint32_t i = 0; i < k.n_inputs; ++i) in.push_back(k.inputs[i].nominal);
  for (std::uint32_t s = 0; s < k.n_stages; ++s) {
    k.stages[s].call(k.stages[s].context, in.data(), w.data(), nullptr);
  }
  for (std::uint32_t f = 0; f < k.n_functions; ++f) {
    const klingel_function& function = k.functions[f];
    std::vector<std::vector<double>> outputs;
    std::vector<double*> out;
    for (std::uint32_t o = 0; o < function.n_outputs; ++o) {
      outputs.emplace_back(function.outputs[o].size + 4, guard);
    }
    for (auto& output : outputs) out.push_back(output.data());
    function.call(function.context, in.data(), w.data(), out.data());
    for (std::uint32_t o = 0; o < function.n_outputs; ++o) {
      for (std::size_t i = function.outputs[o].size; i < outputs[o].size(); ++i) {
        EXPECT_EQ(outputs[o][i], guard);
      }
    }
  }
  for (std::size_t i = k.workspace_size; i < w.size(); ++i) EXPECT_EQ(w[i], guard);
}

TEST(interpreter, keeps_nothing_between_calls_but_the_workspace) {
  const Model m = staged();
  const Kernel kernel(interpret(*m.program, gen::emit_c(*m.program).manifest), Backend::interpreter,
                      "");
  Evaluator a(kernel), b(kernel);
  a.set("p", {3.0, 1.0});
  const double inertia_a = a.evaluate("M_qq")[0][3], inertia_b = b.evaluate("M_qq")[0][3];
  EXPECT_EQ(inertia_a, 1.0);
  EXPECT_EQ(inertia_b, 2.0 * 0.5 * 0.5 / 3);
  EXPECT_EQ(a.evaluate("M_qq")[0][3], inertia_a);
}

TEST(interpreter, most_values_of_the_random_models_are_finite) {
  // otherwise the comparisons of the back ends would mean little
  const Model m = random_model(1, 600);
  Evaluator e(
      Kernel(interpret(*m.program, gen::emit_c(*m.program).manifest), Backend::interpreter, ""));
  std::size_t finite = 0, all = 0;
  for (const char* function : {"first", "second"}) {
    for (const double y : e.evaluate(function)[0]) {
      finite += std::isfinite(y) && y != 0 ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(finite, all / 2) << finite << " of " << all;
}

}  // namespace
}  // namespace klingel::exec
