// Statements of a chunk: which atoms get a line of their own, how long a line may become, and what
// the printer notes about inputs, outputs, workspace and helpers.
#include "gen/print_chunk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/gen/random_program.hpp"

namespace klingel::gen {
namespace {

using sym::Expr;
using sym::Graph;
using sym::Output;
using testing::ElementsAre;
using testing::IsEmpty;

// the only function of a program whose symbols all arrive at setup, in one chunk
ChunkText print_function(const Program& program, std::size_t limit = 6, unsigned lanes = 1) {
  const Schedule schedule = make_schedule(program);
  return print_chunk(program, schedule, schedule.functions[0].chunks[0],
                     program.functions()[0].outputs, {limit, lanes});
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

// Operations written in a statement behind its '=': operators and calls. A '-' or '+' within a
// number does not count, nor does the '-' of a negative number.
std::size_t operations_in(const std::string& line) {
  const std::size_t equals = line.find(" = ");
  if (equals == std::string::npos) return 0;
  const std::string text = line.substr(equals + 3);
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i == 0 ? ' ' : text[i - 1], after = i + 1 < text.size() ? text[i + 1] : ' ';
    if (text[i] == '*' || text[i] == '/') ++count;
    const bool in_exponent = before == 'e' && i > 1 && std::isdigit(text[i - 2]) != 0;
    if ((text[i] == '+' || text[i] == '-') && !in_exponent && std::isdigit(after) == 0) ++count;
    if (text[i] == '(' && std::isalnum(before) != 0) ++count;
  }
  return count;
}

TEST(print_chunk, an_atom_used_once_is_written_into_its_user) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Program program(g, "m");
  program.input("u", {x, y}).function({"f", "", {Output::scalar("z", exp(x * y) + 2)}});
  const ChunkText text = print_function(program);
  EXPECT_EQ(text.statements, "  z[0] = 2.0 + exp(u[0]*u[1]);\n");
  EXPECT_THAT(text.inputs, ElementsAre(0u));
  EXPECT_THAT(text.outputs, ElementsAre(0u));
  EXPECT_THAT(text.helpers, IsEmpty());
  EXPECT_FALSE(text.workspace);
  EXPECT_EQ(text.operations, 3u);
}

TEST(print_chunk, an_atom_used_twice_has_a_name) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr s = exp(x);
  Program program(g, "m");
  program.input("u", {x}).function({"f", "", {Output::scalar("z", s * (1 + s))}});
  EXPECT_EQ(print_function(program).statements,
            "  const double a0 = exp(u[0]);\n  z[0] = a0*(1.0 + a0);\n");
}

TEST(print_chunk, a_result_stored_twice_is_computed_once) {
  Graph g;
  const Expr x = g.symbol("x");
  const std::vector<Expr> twice{exp(x), exp(x), x};
  Program program(g, "m");
  program.input("u", {x}).function({"f", "", {Output::vector("z", twice)}});
  EXPECT_EQ(print_function(program).statements,
            "  z[2] = u[0];\n  const double a0 = exp(u[0]);\n  z[0] = a0;\n  z[1] = a0;\n");
}

TEST(print_chunk, labels_stand_above_their_atom_and_give_it_a_name) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr s = exp(x);
  g.set_label(s, "slope[3]");
  Program program(g, "m");
  program.input("u", {x}).function({"f", "", {Output::scalar("z", 2 * s)}});
  EXPECT_EQ(print_function(program).statements,
            "  /* slope[3] */\n  const double a0 = exp(u[0]);\n  z[0] = 2.0*a0;\n");
}

TEST(print_chunk, helpers_are_noted) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Program program(g, "m");
  const Expr least = min(x, y);
  program.input("u", {x, y}).function({"f", "", {Output::scalar("z", sign(least))}});
  const ChunkText text = print_function(program);
  EXPECT_EQ(text.statements, "  z[0] = klingel_sign(klingel_min(u[0], u[1]));\n");
  EXPECT_THAT(text.helpers, ElementsAre(sym::Op::sign, sym::Op::min));
}

TEST(print_chunk, constants_of_numbers_only_are_values) {
  Graph g;
  const Expr x = g.symbol("x");
  Program program(g, "m");
  const Expr down = x * cos(g.number(3));  // negative: needs parentheses nowhere in a product
  const Expr up = x - cos(g.number(3));
  program.input("u", {x}).function({"f", "", {Output::scalar("y", down), Output::scalar("z", up)}});
  EXPECT_EQ(print_function(program).statements,
            "  y[0] = u[0]*-0.9899924966004454;\n  z[0] = u[0] + 0.9899924966004454;\n");
}

TEST(print_chunk, values_of_other_bodies_come_from_the_workspace) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr s = sin(x);
  Program program(g, "m");
  program.input("u", {x});
  program.function({"f", "", {Output::scalar("z", s)}})
      .function({"h", "", {Output::scalar("z", s)}});
  const ChunkText text = print_function(program);
  EXPECT_EQ(text.statements, "  z[0] = w[0];\n");
  EXPECT_TRUE(text.workspace);
  EXPECT_THAT(text.inputs, IsEmpty());
}

TEST(print_chunk, with_limit_zero_every_atom_has_its_line) {
  Graph g;
  const Expr x = g.symbol("x");
  Program program(g, "m");
  program.input("u", {x}).function({"f", "", {Output::scalar("z", exp(log(2 * x)))}});
  EXPECT_EQ(print_function(program, 0).statements,
            "  const double a0 = 2.0*u[0];\n  const double a1 = log(a0);\n  z[0] = exp(a1);\n");
}

TEST(print_chunk, a_line_grows_to_the_limit_and_no_further) {
  Graph g;
  std::vector<Expr> x;
  for (int i = 0; i < 40; ++i) x.push_back(g.symbol(fmt::format("x{}", i)));
  Expr sum = x[0];
  for (int i = 1; i < 40; ++i) sum = sum / x[static_cast<std::size_t>(i)];
  Program program(g, "m");
  program.input("u", x).function({"f", "", {Output::scalar("z", sum)}});
  for (const std::size_t limit : {1, 2, 6, 20}) {
    std::size_t longest = 0, all = 0;
    for (const std::string& line : lines(print_function(program, limit).statements)) {
      longest = std::max(longest, operations_in(line));
      all += operations_in(line);
    }
    EXPECT_EQ(longest, limit);
    EXPECT_EQ(all, 39u);
  }
}

TEST(print_chunk, sines_and_cosines_of_known_angles_are_computed_together) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> values{cos(y), sin(x), cos(x)};
  Program program(g, "m");
  program.input("u", {x, y}).function({"f", "", {Output::vector("z", values)}});
  const ChunkText text = print_function(program);
  EXPECT_EQ(text.statements,
            "  const double angle[2] = {u[1], u[0]};\n"
            "  double sine[2], cosine[2];\n"
            "  klingel_sincos(2, angle, sine, cosine);\n"
            "  z[0] = cosine[0];\n"
            "  z[1] = sine[1];\n"
            "  z[2] = cosine[1];\n");
  EXPECT_THAT(text.helpers, ElementsAre(sym::Op::sin, sym::Op::cos));
  EXPECT_EQ(text.operations, 3u);
}

TEST(print_chunk, sines_and_cosines_of_angles_computed_here_are_ours_too) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Program program(g, "m");
  program.input("u", {x, y}).function({"f", "", {Output::scalar("z", 2 * cos(x * y))}});
  EXPECT_EQ(print_function(program).statements,
            "  const double a0 = klingel_cos(u[0]*u[1]);\n  z[0] = 2.0*a0;\n");
}

// on lanes arithmetic reads the same; functions are ours, and so are numbers that stand alone
TEST(print_chunk, values_on_lanes_are_vectors) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Program program(g, "m");
  const std::vector<Expr> values = {
      cos(x), 2 * sin(x * y), max(y, sqrt(x)) / 4, atan2(x + y, g.number(0.5)), g.number(0.1), x};
  program.input("u", {x, y}).function({"f", "", {Output::vector("z", values)}});
  EXPECT_EQ(
      print_function(program, 6, 4).statements,
      "  const klingel_vector angle[1] = {u[0]};\n"
      "  klingel_vector sine[1], cosine[1];\n"
      "  klingel_sincos(4, (const double *)angle, (double *)sine, (double *)cosine);\n"
      "  z[4] = klingel_lanes_all(0.1);\n"
      "  z[5] = u[0];\n"
      "  z[0] = cosine[0];\n"
      "  const klingel_vector a0 = klingel_lanes_sin(u[0]*u[1]);\n"
      "  z[1] = 2.0*a0;\n"
      "  const klingel_vector a1 = klingel_lanes_sqrt(u[0]);\n"
      "  const klingel_vector a2 = klingel_lanes_max(u[1], a1);\n"
      "  z[2] = 0.25*a2;\n"
      "  const klingel_vector a3 = klingel_lanes_atan2(u[0] + u[1], klingel_lanes_all(0.5));\n"
      "  z[3] = a3;\n");
}

TEST(print_chunk, the_counter_of_this_test_counts) {
  EXPECT_EQ(operations_in("  z[0] = a0*(1.0 + a0);"), 2u);
  EXPECT_EQ(operations_in("  z[0] = 1e-05*sin(-u[0]) - pow(w[3], -2.5);"), 5u);
  EXPECT_EQ(operations_in("  /* label */"), 0u);
}

}  // namespace
}  // namespace klingel::gen
