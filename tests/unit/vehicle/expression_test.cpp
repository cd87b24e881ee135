// Formulas of vehicle files: precedence, places of mistakes, numbers for names.
#include "vehicle/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Expression parse(const std::string& text) { return parse_expression(text, {"v.toml", 3, 10}); }

double value(const std::string& text) {
  return evaluate(parse(text), [](const Expression& name) {
    return name.name == "a" ? 2.0 : name.name == "rear.b" ? 3.0 : NAN;
  });
}

std::string error_of(const std::string& text) {
  try {
    value(text);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(expression, operators_bind_as_in_mathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("8 - 3 - 2"), 3);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("-a^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("a*-3"), -6);
  EXPECT_EQ(value("1.5e3 + .5"), 1500.5);
}

TEST(expression, names_have_dots_and_functions_have_arguments) {
  EXPECT_EQ(value("a + rear.b"), 5);
  EXPECT_EQ(value("atan2(1, 1)"), std::numbers::pi / 4);
  EXPECT_EQ(value("cos(pi)"), -1);
  EXPECT_EQ(value("max(min(a, 5), 1)"), 2);
  EXPECT_EQ(value("sqrt(a*a) + abs(-1) + sign(-4)"), 2);
}

TEST(expression, text_reads_back_as_the_same_formula) {
  for (const char* t : {"a - (rear.b - 1.0)", "-a^2.0", "(-a)^2.0", "a/(rear.b*2.0)", "(a^2.0)^3.0",
                        "sin(a + 1.0)*-2.0", "-(a + 1.0)", "a^-rear.b"}) {
    const std::string again = text(parse(t));
    EXPECT_EQ(text(parse(again)), again) << t;
    EXPECT_EQ(value(again), value(t)) << t;
  }
}

TEST(expression, names_are_seen_in_order_without_constants) {
  std::vector<std::string> names;
  for_names(parse("rate(x) + pi*y - t/z.w"), [&](const Expression& e) { names.push_back(e.name); });
  EXPECT_THAT(names, ElementsAre("x", "y", "z.w"));
}

TEST(expression, mistakes_are_errors_with_their_column) {
  EXPECT_EQ(error_of("1 + "), "v.toml:3:14: the formula \"1 + \" ends where a value is expected");
  EXPECT_THAT(error_of("a b"), HasSubstr("v.toml:3:12: the formula \"a b\" has 'b' where an"));
  EXPECT_THAT(error_of("2a"), HasSubstr("v.toml:3:11"));
  EXPECT_THAT(error_of("(a"), HasSubstr("lacks a ')'"));
  EXPECT_THAT(error_of("a + $"), HasSubstr("v.toml:3:14"));
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("sqrtt(a)"), HasSubstr("no function 'sqrtt'; did you mean 'sqrt'"));
  EXPECT_THAT(error_of("sin(a, a)"), HasSubstr("sin() takes 1 argument, found 2"));
  EXPECT_THAT(error_of("rate(a + 1)"), HasSubstr("name of a coordinate"));
  EXPECT_THAT(error_of("a..b"), HasSubstr("one dot too many"));
  EXPECT_THAT(error_of("1e999"), HasSubstr("cannot be read"));
}

TEST(expression, time_and_rates_have_no_number) {
  EXPECT_THAT(error_of("t"), HasSubstr("time 't' has no value here"));
  EXPECT_THAT(error_of("rate(a)"), HasSubstr("'rate(a)' has no value here"));
}

TEST(expression, nesting_without_end_is_refused) {
  EXPECT_THAT(error_of(std::string(900, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(std::string(900, '-')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(std::string(1001, '1')), HasSubstr("longer than"));
}

}  // namespace
}  // namespace klingel::vehicle
