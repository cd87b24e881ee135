// Suggestions: slips of the finger are found, unrelated names are not, the order is fixed.
#include "base/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klingel::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> boxes = {"axlebox_rl", "axlebox_rr", "bogie_front", "carbody"};

TEST(nearest, wrong_case_comes_before_a_wrong_letter) {
  EXPECT_THAT(nearest("axlebox_rL", boxes), ElementsAre("axlebox_rl", "axlebox_rr"));
}

TEST(nearest, swapped_missing_and_added_letters_are_near) {
  EXPECT_THAT(nearest("cabrody", boxes), ElementsAre("carbody"));
  EXPECT_THAT(nearest("crbody", boxes), ElementsAre("carbody"));
  EXPECT_THAT(nearest("carboddy", boxes), ElementsAre("carbody"));
}

TEST(nearest, unrelated_names_are_not_suggested) {
  EXPECT_THAT(nearest("damper", boxes), IsEmpty());
  EXPECT_THAT(nearest("", boxes), IsEmpty());
}

TEST(nearest, one_letter_names_are_near_only_by_case) {
  const std::vector<std::string> letters = {"q", "s", "Q"};
  EXPECT_THAT(nearest("x", letters), IsEmpty());
  EXPECT_THAT(nearest("S", letters), ElementsAre("s"));
}

TEST(nearest, equally_near_names_keep_their_order_and_are_cut) {
  const std::vector<std::string> names = {"q4", "q2", "q3", "q1", "q2"};
  EXPECT_THAT(nearest("q9", names), ElementsAre("q4", "q2", "q3"));
  EXPECT_THAT(nearest("q9", names, 1), ElementsAre("q4"));
}

TEST(nearest, suggestion_reads_as_the_end_of_a_sentence) {
  EXPECT_EQ(did_you_mean("carbdy", boxes), "; did you mean 'carbody'?");
  EXPECT_EQ(did_you_mean("axlebox_rL", boxes), "; did you mean 'axlebox_rl' or 'axlebox_rr'?");
  const std::vector<std::string> names = {"q1", "q2", "q3"};
  EXPECT_EQ(did_you_mean("q9", names), "; did you mean 'q1', 'q2' or 'q3'?");
  EXPECT_EQ(did_you_mean("damper", boxes), "");
}

}  // namespace
}  // namespace klingel::base
