// The just-in-time compiler has the bits of the interpreter: random programs, cut anywhere, on any
// number of lanes, at ordinary and at strange inputs.
#include "exec/jit.hpp"

#include <bit>

#include "exec/evaluator.hpp"
#include "exec/interpreter.hpp"
#include "gen/emit_c.hpp"
#include "tests/support/property.hpp"

namespace klingel::exec {
namespace {

using sym::Expr;

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

// any double at all, or a decent one
double any_input() {
  if (*rc::gen::inRange(0, 4) > 0) return 1e-3 * *rc::gen::inRange(-3000, 3000);
  return std::bit_cast<double>(
      *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
}

TEST(jit, has_the_bits_of_the_interpreter) {
  if (const std::string refusal = jit_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  test::check_property(400, [] {
    const test::Recipe recipe = test::any_recipe();
    sym::Graph graph;
    const std::vector<Expr> x = recipe.symbols(graph);
    const std::vector<Expr> steps = recipe.build(x);
    gen::Program program(graph, "recipe");

    // inputs in two stages, results in two functions that share atoms
    const std::size_t first = test::any_index(x.size() + 1);
    if (first > 0) program.input("p", std::span(x).first(first));
    program.stage("later");
    if (first < x.size()) program.input("q", std::span(x).subspan(first));
    const std::size_t results = 1 + test::any_index(steps.size());
    const std::span<const Expr> all(steps);
    program.function({"some", "", {sym::Output::vector("y", all.last(results))}});
    program.function({"last", "", {sym::Output::scalar("y", steps.back())}});

    gen::EmitOptions options;
    options.lanes = *rc::gen::element(1u, 4u, 8u);
    options.schedule.chunk_operations = *rc::gen::element<std::size_t>(3, 20, 400);
    const gen::Manifest manifest = gen::emit_c(program, options).manifest;
    Evaluator wanted(Kernel(interpret(program, manifest), Backend::interpreter, ""));
    Evaluator found(
        Kernel(compile_in_memory(program, manifest, options.schedule), Backend::jit, ""));
    for (const gen::Manifest::Input& input : manifest.inputs) {
      std::vector<double> values(input.names.size() * options.lanes);
      for (double& v : values) v = any_input();
      wanted.set(input.name, values);
      found.set(input.name, values);
    }
    for (const char* function : {"some", "last", "some"}) {
      const auto a = wanted.evaluate(function)[0], b = found.evaluate(function)[0];
      for (std::size_t i = 0; i < a.size(); ++i) RC_ASSERT(same(a[i], b[i]));
    }
  });
}

}  // namespace
}  // namespace klingel::exec
