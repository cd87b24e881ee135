// The emitted self-test: its sample states, and the table of expected values.
#include "gen/self_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "tests/unit/gen/random_program.hpp"

namespace klingel::gen {
namespace {

using sym::Expr;
using sym::Graph;
using sym::Output;
using testing::HasSubstr;

TEST(self_test, parameters_stay_nominal_and_everything_else_moves) {
  Graph g;
  const Expr m = g.parameter("m", 2.5), x = g.symbol("x", sym::SymbolKind::coordinate, 0);
  const Expr big = g.symbol("big", sym::SymbolKind::input, 1e6);
  Program program(g, "m");
  program.input("p", {m}).stage("position").input("q", {x, big});
  std::set<double> seen;
  for (unsigned sample = 0; sample < 20; ++sample) {
    const auto inputs = sample_inputs(program, sample);
    EXPECT_EQ(inputs[0][0], 2.5);
    EXPECT_NE(inputs[1][0], 0);
    EXPECT_LE(std::abs(inputs[1][0]), 0.3);
    EXPECT_LE(std::abs(inputs[1][1] - 1e6), 0.3e6);
    seen.insert(inputs[1][0]);
    EXPECT_EQ(inputs, sample_inputs(program, sample));
  }
  EXPECT_EQ(seen.size(), 20u);
}

TEST(self_test, the_table_has_inputs_and_outputs_of_three_states) {
  Graph g;
  const Expr m = g.parameter("m", 2), k = g.parameter("k", 0.1);
  Program program(g, "m");
  const sym::Matrix A(2, 2, {{1, 0, m * k}});
  program.input("p", {m, k}).function({"f", "", {{"A", A}, {"A_sparse", A, true}}});
  const std::string text = self_test_text(program, make_manifest(program, make_schedule(program)),
                                          make_schedule(program).fused);
  EXPECT_THAT(text, HasSubstr("sample_in[3][2] = {\n  {2.0, 0.1},\n  {2.0, 0.1},\n"));
  // a dense output has its zeros, a sparse one has not
  EXPECT_THAT(text, HasSubstr("sample_out[3][5] = {\n  {0.0, 0.2, 0.0, 0.0, 0.2},\n"));
  EXPECT_THAT(text, HasSubstr("int main(void) {"));
  EXPECT_THAT(text, testing::Not(HasSubstr("@")));
}

TEST(self_test, main_has_thirty_lines_or_so) {
  const RandomProgram random(1, 60);
  const std::string text = self_test_text(
      random.program(), make_manifest(random.program(), make_schedule(random.program())),
      make_schedule(random.program()).fused);
  const std::string main = text.substr(text.find("int main"));
  EXPECT_LE(std::count(main.begin(), main.end(), '\n'), 40);
}

}  // namespace
}  // namespace klingel::gen
