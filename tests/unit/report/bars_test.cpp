#include "report/bars.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace klingel::report {
namespace {

TEST(bars, have_names_and_lengths) {
  const std::string text = svg(Bars{"title <1>", "per cent", {{"k_yaw", 0.5}, {"m", -0.25}}});
  EXPECT_NE(text.find("title &lt;1&gt;"), std::string::npos);
  EXPECT_NE(text.find(">k_yaw</text>"), std::string::npos);
  EXPECT_NE(text.find("#0072b2"), std::string::npos) << "positive";
  EXPECT_NE(text.find("#d55e00"), std::string::npos) << "negative";
}

TEST(bars, without_a_number_are_an_error) {
  EXPECT_THROW(svg(Bars{"", "", {{"x", NAN}}}), base::Error);
}

}  // namespace
}  // namespace klingel::report
