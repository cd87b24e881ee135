// A program: what it accepts, where symbols arrive, and the words it refuses wrong input with.
#include "gen/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::gen {
namespace {

using sym::Expr;
using sym::Graph;
using sym::Output;
using test::error_of;

struct a_program : testing::Test {
  Graph g;
  Expr m = g.parameter("m"), q = g.symbol("q", sym::SymbolKind::coordinate), dq = g.symbol("dq");
  Program program{g, "model"};
};

TEST_F(a_program, the_first_stage_is_setup) {
  EXPECT_EQ(program.stages(), std::vector<std::string>{"setup"});
  program.input("p", {m});
  EXPECT_EQ(program.inputs()[0].stage, 0u);
}

TEST_F(a_program, inputs_belong_to_the_stage_opened_last) {
  program.input("p", {m}).stage("position").input("x", {q}).stage("velocity").input("dx", {dq});
  EXPECT_EQ(program.stages(), (std::vector<std::string>{"setup", "position", "velocity"}));
  EXPECT_EQ(program.inputs()[1].stage, 1u);
  EXPECT_EQ(program.inputs()[2].stage, 2u);
}

TEST_F(a_program, knows_where_a_symbol_arrives) {
  program.input("p", {m}).stage("position").input("x", {dq, q});
  EXPECT_EQ(program.input_element(q.id()).input, 1);
  EXPECT_EQ(program.input_element(q.id()).index, 1u);
  const Expr late = g.symbol("late");
  EXPECT_EQ(program.input_element(late.id()).input, -1);
}

TEST_F(a_program, an_undeclared_symbol_is_named_with_its_role) {
  program.input("p", {m});
  EXPECT_EQ(error_of([&] {
              program.function({"f", "", {Output::scalar("y", m * q)}});
            }),
            "the function 'f' uses the symbol 'q' (coordinate), which is not in any input of "
            "'model'; declare an input with it first");
  EXPECT_TRUE(program.functions().empty());
}

TEST_F(a_program, a_symbol_arrives_in_one_place) {
  program.input("p", {m});
  EXPECT_EQ(error_of([&] { program.input("r", {m}); }),
            "the symbol 'm' is in two inputs of 'model': 'p' and 'r'");
  EXPECT_EQ(error_of([&] {
              program.input("x", {q, q});
            }),
            "the symbol 'q' is in two inputs of 'model': 'x' and 'x'");
}

TEST_F(a_program, an_input_is_a_list_of_symbols_of_this_graph) {
  EXPECT_EQ(error_of([&] { program.input("p", {m * q}); }),
            "a symbol was expected, found an atom of operation 'mul'");
  EXPECT_EQ(error_of([&] { program.input("p", std::vector<Expr>{}); }),
            "the input 'p' of 'model' has no symbols");
  Graph other;
  EXPECT_EQ(error_of([&] { program.input("p", {other.symbol("x")}); }),
            "the expression does not belong to this graph");
}

TEST_F(a_program, outputs_of_another_graph_are_refused) {
  Graph other;
  const Expr x = other.symbol("x");
  EXPECT_EQ(error_of([&] {
              program.function({"f", "", {Output::scalar("y", x)}});
            }),
            "the output 'y' of function 'f' belongs to another graph than the program 'model'");
}

TEST_F(a_program, names_must_be_possible_in_c) {
  EXPECT_EQ(error_of([&] { Program(g, "my model"); }),
            "the model name 'my model' cannot be used in C; use letters, digits and '_', starting "
            "with a letter");
  for (const char* name : {"", "1x", "_x", "a-b", "a.b", "größe"}) {
    const std::string text =
        fmt::format("name '{}' cannot be used in C; use letters, digits and '_'", name);
    EXPECT_THAT(error_of([&] { Program(g, name); }), testing::HasSubstr("the model " + text));
    EXPECT_THAT(error_of([&] { program.stage(name); }), testing::HasSubstr("the stage " + text));
    EXPECT_THAT(error_of([&] { program.input(name, {q}); }),
                testing::HasSubstr("the input " + text));
    EXPECT_THAT(error_of([&] {
                  program.function({name, "", {Output::scalar("y", g.number(1))}});
                }),
                testing::HasSubstr("the function " + text));
    EXPECT_THAT(error_of([&] {
                  program.function({"f", "", {Output::scalar(name, g.number(1))}});
                }),
                testing::HasSubstr("the output " + text));
  }
}

TEST_F(a_program, names_generated_code_needs_are_reserved) {
  for (const char* name : {"w", "in", "out", "context", "double", "while", "sin", "fabs", "main",
                           "a0", "a17", "NAN", "sine"}) {
    const std::string text =
        fmt::format("name '{}' is reserved in generated code; choose another", name);
    EXPECT_EQ(error_of([&] { program.input(name, {q}); }), "the input " + text);
    EXPECT_EQ(error_of([&] {
                program.function({"f", "", {Output::scalar(name, g.number(1))}});
              }),
              "the output " + text);
  }
  // these only look like it
  program.input("a0b", {q}).input("a", {m}).input("sinus", {dq});
}

TEST_F(a_program, names_are_given_once) {
  program.input("p", {m}).stage("position").input("x", {q});
  EXPECT_EQ(error_of([&] { program.stage("position"); }),
            "the stage 'position' exists already in 'model'");
  EXPECT_EQ(error_of([&] { program.stage("setup"); }),
            "the stage 'setup' exists already in 'model'");
  EXPECT_EQ(error_of([&] { program.input("p", {dq}); }), "the input 'p' exists already in 'model'");
  const std::vector<Output> y{Output::scalar("y", q)};
  program.function({"f", "", y});
  EXPECT_EQ(error_of([&] {
              program.function({"f", "", y});
            }),
            "the function 'f' exists already in 'model'");
  EXPECT_EQ(error_of([&] {
              program.function({"position", "", y});
            }),
            "the function 'position' of 'model' has the name of a stage");
  EXPECT_EQ(error_of([&] {
              program.function({"h", "", {y[0], y[0]}});
            }),
            "the function 'h' has two outputs 'y'");
  EXPECT_EQ(error_of([&] {
              program.function({"h", "", {Output::scalar("p", q)}});
            }),
            "the output 'p' of function 'h' has the name of an input");
  EXPECT_EQ(error_of([&] {
              program.function({"h", "", {}});
            }),
            "the function 'h' of 'model' has no outputs");
}

TEST_F(a_program, what_was_refused_leaves_no_trace) {
  program.input("p", {m});
  error_of([&] { program.function({"f", "", {Output::scalar("y", q)}}); });
  program.stage("position").input("x", {q});
  program.function({"f", "", {Output::scalar("y", q)}});
  EXPECT_EQ(program.functions().size(), 1u);
}

}  // namespace
}  // namespace klingel::gen
