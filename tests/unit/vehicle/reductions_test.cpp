#include "vehicle/reductions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string model_head =
    "[vehicle]\nname = 'v'\n[coordinates]\nroll = 0\nz = 0.5\n[group.g]\ncoordinates = { roll = 0 "
    "}\n[[use]]\ngroup = 'g'\nname = 'front'\n";

Vehicle with_model(const std::string& text) { return parse_vehicle(model_head + text, "v.toml"); }
std::string model_error(const std::string& text) {
  return test::error_of([&] { with_model(text); });
}

TEST(reductions, none_is_the_default) {
  const Vehicle v = with_model("");
  EXPECT_TRUE(v.reductions.names.empty());
  EXPECT_FALSE(v.reductions.has("trigonometric"));
}

TEST(reductions, small_coordinates_go_by_full_name_or_its_last_part) {
  const Vehicle v =
      with_model("[model]\nreduce = ['linearisation', 'trigonometric']\nsmall = ['roll']\n");
  EXPECT_TRUE(v.reductions.has("trigonometric"));
  EXPECT_THAT(v.reductions.small, ElementsAre("roll", "front.roll"));
  const Vehicle w = with_model("[model]\nreduce = ['linearisation']\nsmall = ['front.roll']\n");
  EXPECT_THAT(w.reductions.small, ElementsAre("front.roll"));
}

TEST(reductions, wrong_names_are_refused_with_the_nearest) {
  EXPECT_THAT(model_error("[model]\nreduce = ['trigonometrc']\n"),
              HasSubstr("there is no reduction 'trigonometrc'; did you mean 'trigonometric'?"));
  EXPECT_THAT(model_error("[model]\nreduce = ['trigonometrc']\n"), HasSubstr("v.toml:12:"));
  EXPECT_THAT(model_error("[model]\nreduce = ['linearisation']\nsmall = ['rol']\n"),
              HasSubstr("'small' names the coordinate 'rol', which does not exist; did you mean"));
  EXPECT_THAT(model_error("[model]\nredce = []\n"), HasSubstr("reduce"));
}

TEST(reductions, what_belongs_together_must_be_given_together) {
  EXPECT_THAT(model_error("[model]\nreduce = ['linearisation']\n"),
              HasSubstr("the reduction 'linearisation' needs 'small'"));
  EXPECT_THAT(model_error("[model]\nreduce = []\nsmall = ['roll']\n"),
              HasSubstr("'small' is for the reduction 'linearisation'"));
  EXPECT_THAT(model_error("[model]\nreduce = ['elimination']\n"),
              HasSubstr("the reduction 'elimination' needs 'drop'"));
}

}  // namespace
}  // namespace klingel::vehicle
