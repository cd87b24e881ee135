// What a reader is told about an argument.
#include "command/argument.hpp"

#include <gtest/gtest.h>

namespace klingel::command {
namespace {

TEST(argument, its_description_has_unit_words_and_default) {
  double gauge = 1435, shear = 8.2677e10;
  std::string law = "she", empty;
  std::optional<double> speed;
  bool csv = false;
  EXPECT_EQ(Argument("--gauge", &gauge, "Track gauge").unit("mm").description(),
            "Track gauge, in mm (default: 1435)");
  EXPECT_EQ(Argument("--G", &shear, "Shear modulus").unit("Pa").description(),
            "Shear modulus, in Pa (default: 8.2677e+10)");
  EXPECT_EQ(Argument("--law", &law, "Law").suggest({"linear", "she", "polach"}).description(),
            "Law: linear, she or polach (default: she)");
  EXPECT_EQ(Argument("--speed", &speed, "Speed").unit("m/s").description(), "Speed, in m/s");
  EXPECT_EQ(Argument("--csv", &csv, "Print CSV").description(), "Print CSV");
  EXPECT_EQ(Argument("file", &empty, "File").description(), "File");
}

TEST(argument, its_description_says_what_must_and_may_be) {
  double a = 0;
  std::int64_t steps = 0;
  std::vector<std::string> set;
  EXPECT_EQ(Argument("--a", &a, "Semi-axis").unit("mm").required().description(),
            "Semi-axis, in mm (required)");
  EXPECT_EQ(Argument("--set", &set, "Parameter").repeatable().description(),
            "Parameter (may be repeated)");
  EXPECT_EQ(Argument("--steps", &steps, "Steps").default_text("all").needs("--a").description(),
            "Steps (default: all) (needs --a)");
}

TEST(argument, its_value_is_named_by_what_it_is) {
  std::string text;
  double number = 0;
  int count = 0;
  bool flag = false;
  EXPECT_EQ(Argument("--x", &number, "").usage(), "--x NUMBER");
  EXPECT_EQ(Argument("--n", &count, "").usage(), "--n COUNT");
  EXPECT_EQ(Argument("--t", &text, "").usage(), "--t TEXT");
  EXPECT_EQ(Argument("--t", &text, "").names(Names::track).usage(), "--t TRACK");
  EXPECT_EQ(Argument("--t", &text, "").suggest({"a"}).usage(), "--t NAME");
  EXPECT_EQ(Argument("--t", &text, "").value("A:B").usage(), "--t A:B");
  EXPECT_EQ(Argument("--f", &flag, "").usage(), "--f");
  EXPECT_EQ(Argument("what", &text, "").names(Names::vehicle).usage(), "VEHICLE");
}

}  // namespace
}  // namespace klingel::command
