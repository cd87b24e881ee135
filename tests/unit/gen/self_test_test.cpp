// The emitted self-test: its sample states, and the table of expected values.
#include "gen/self_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "gen/emit_c.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"
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

// The root of a negative number and a square, side by side: one is no number at every state.
class EmittedSelfTest : public testing::TestWithParam<unsigned> {
 protected:
  EmittedSelfTest() : program_(g_, "m") {
    const Expr x = g_.symbol("x", sym::SymbolKind::coordinate, 1);
    program_.input("q", {x});
    program_.function(
        {"f", "", {Output::scalar("root", sqrt(x - 5)), Output::scalar("square", x * x)}});
  }

  // Compiles and runs the emitted self-test, after `change` has edited the rows it expects.
  template <class Change>
  structure::Shell run(Change change) {
    EmitOptions options;
    options.lanes = GetParam();
    Emitted emitted = emit_c(program_, options);
    for (File& file : emitted.files) {
      if (file.name == "m_selftest.c") change(file.text);
    }
    const structure::TemporaryFolder folder;
    write_files(emitted.files, folder.path());
    return structure::shell("cd '" + folder.path().string() + "' && cc -O1 *.c -lm -o t && ./t");
  }

  // Replaces the first `from` among the expected values.
  static void expect(std::string& text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from, text.find("sample_out"));
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
  }

  Graph g_;
  Program program_;
};

TEST_P(EmittedSelfTest, takes_two_that_are_no_number_for_equal) {
  if (!structure::has_program("cc")) GTEST_SKIP() << "cc is not installed";
  const structure::Shell outcome = run([](std::string&) {});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("worst relative difference 0: fine"));
}

// what comes later is right and must not hide it
TEST_P(EmittedSelfTest, notices_that_a_result_is_no_number) {
  if (!structure::has_program("cc")) GTEST_SKIP() << "cc is not installed";
  const structure::Shell outcome = run([](std::string& text) { expect(text, "{NAN", "{1.0"); });
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("f.root[0]"));
  EXPECT_THAT(outcome.out, HasSubstr("WRONG"));
}

TEST_P(EmittedSelfTest, notices_a_number_where_none_is_expected) {
  if (!structure::has_program("cc")) GTEST_SKIP() << "cc is not installed";
  const structure::Shell outcome =
      run([](std::string& text) { expect(text, "{NAN, ", "{NAN, NAN + "); });
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("f.square[0]"));
}

TEST_P(EmittedSelfTest, notices_a_number_where_infinity_is_expected) {
  if (!structure::has_program("cc")) GTEST_SKIP() << "cc is not installed";
  const structure::Shell outcome =
      run([](std::string& text) { expect(text, "{NAN, ", "{NAN, INFINITY + "); });
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("f.square[0]"));
}

INSTANTIATE_TEST_SUITE_P(on, EmittedSelfTest, testing::Values(1u, 4u),
                         [](const auto& lanes) { return std::to_string(lanes.param) + "_lanes"; });

}  // namespace
}  // namespace klingel::gen
