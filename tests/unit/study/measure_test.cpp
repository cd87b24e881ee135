#include "study/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace klingel::study {
namespace {

using testing::HasSubstr;

const std::vector<double> t = {0, 1, 2, 3}, y = {-3, 1, NAN, 2};

double value_of(const std::string& text) {
  const auto column = [](const std::string& name) -> std::span<const double> {
    return name == "t" ? t : y;
  };
  return Formula(text, {"s.toml", 3, 1}).value(column, 1.0);
}

std::string refused_formula(const std::string& text) {
  try {
    value_of(text);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "";
}

TEST(measure, formulas) {
  EXPECT_EQ(value_of("max(Y.front)"), 2);
  EXPECT_EQ(value_of("max(abs(Y.front))"), 3);
  EXPECT_EQ(value_of("peak(Y.front)"), 3);
  EXPECT_EQ(value_of("mean(Y.front)"), 0);
  EXPECT_EQ(value_of("last(t) - first(t)"), 3);
  EXPECT_EQ(value_of("2 * max(t) ^ 2 / 3 - -1"), 7);
  EXPECT_EQ(value_of("max((t + Y.front) * 2)"), 10);
  EXPECT_EQ(value_of("quantile(t, 0.5)"), 1.5);
  EXPECT_EQ(value_of("share_above(t, 1.5)"), 0.5);
  EXPECT_EQ(value_of("min(tail(t, 2))"), 2);
  EXPECT_EQ(value_of("min(tail(t, 99))"), 0);
  EXPECT_NEAR(value_of("std(t)"), std::sqrt(1.25), 1e-15);
  EXPECT_NEAR(value_of("rms(t)"), std::sqrt(3.5), 1e-15);
  EXPECT_NEAR(value_of("max(lowpass(0 * t + 5, 0.01))"), 5, 1e-12);
  EXPECT_EQ(Formula("max(a.b) + min(c)", {}).channels(), (std::vector<std::string>{"a.b", "c"}));
}

TEST(measure, mistakes_say_where) {
  EXPECT_THAT(refused_formula("max(t"), HasSubstr("expected ')'"));
  EXPECT_THAT(refused_formula("maxx(t)"),
              HasSubstr("there is no function 'maxx'; did you mean 'max'"));
  EXPECT_THAT(refused_formula("max(t, 2)"), HasSubstr("takes 1 arguments, found 2"));
  EXPECT_THAT(refused_formula("t + 1"), HasSubstr("make one number of it"));
  EXPECT_THAT(refused_formula("max(t) +"), HasSubstr("s.toml:3:1: formula"));
  EXPECT_THAT(refused_formula("max(t) 2"), HasSubstr("expected an operator"));
  for (const char* f : {"max(lowpass(t, 0))", "max(lowpass(t, -20))", "max(lowpass(t, 1e9))",
                        "max(bandpass(t, 0.2, 0.1))"})
    EXPECT_THAT(refused_formula(f), HasSubstr("a frequency is")) << f;
  EXPECT_THAT(refused_formula("quantile(t, 2)"), HasSubstr("from 0 to 1, found 2"));
  EXPECT_THAT(refused_formula("max(tail(t, 0))"), HasSubstr("more than 0 s, found 0"));
  EXPECT_THAT(refused_formula(std::string(300, '(')), HasSubstr("nested too deeply"));
}

TEST(measure, numbers_of_the_summary) {
  const base::JsonValue json = base::parse_json(
      R"({"max_Q": {"front.left": 3, "front": {"left": 4}}, "list": [1, 2], "no": null, "ok": true})",
      "j");
  EXPECT_EQ(summary_number(json, "max_Q.front.left", {}), 3);
  EXPECT_EQ(summary_number(json, "list.1", {}), 2);
  EXPECT_EQ(summary_number(json, "ok", {}), 1);
  EXPECT_TRUE(std::isnan(summary_number(json, "no.more", {})));
  try {
    summary_number(json, "max_Q.front.lft", {"s.toml", 2, 1});
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("did you mean 'left'"));
  }
  EXPECT_THROW(summary_number(json, "max_Q", {}), base::Error);
  EXPECT_THROW(summary_number(json, "list.2", {}), base::Error);
}

}  // namespace
}  // namespace klingel::study
