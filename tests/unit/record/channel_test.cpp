// Channels are chosen by patterns; a pattern for nothing is an Error that helps.
#include "record/channel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.hpp"

namespace klingel::record {
namespace {

using test::error_of;

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<Channel>& some() {
  static const std::vector<Channel> channels = {{"t", "s", ""},
                                                {"N.front.left", "N", ""},
                                                {"N.front.right", "N", ""},
                                                {"Nf.front.left", "N", ""},
                                                {"speed", "m/s", ""}};
  return channels;
}

std::vector<std::size_t> chosen(const std::vector<std::string>& patterns) {
  return select(some(), patterns);
}

TEST(channel, a_star_takes_any_letters_and_a_question_mark_one) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*", "N.front.left"));
  EXPECT_TRUE(matches("N.*", "N.front.left"));
  EXPECT_FALSE(matches("N.*", "Nf.front.left"));
  EXPECT_TRUE(matches("N?.*left", "Nf.front.left"));
  EXPECT_FALSE(matches("N?.*left", "N.front.left"));
  EXPECT_TRUE(matches("*front*t", "N.front.right"));
  EXPECT_TRUE(matches("*a*ab", "aaab"));
  EXPECT_FALSE(matches("*a*ab", "ab"));
  EXPECT_FALSE(matches("", "t"));
  EXPECT_TRUE(matches("t**", "t"));
  EXPECT_FALSE(matches("t?", "t"));
}

TEST(channel, patterns_select_each_channel_once_and_in_order) {
  EXPECT_THAT(chosen({"*.left", "t", "N.*"}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(chosen({"*"}), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(chosen({}), ElementsAre());
}

TEST(channel, a_pattern_that_fits_nothing_names_what_is_near_and_what_there_is) {
  EXPECT_EQ(error_of([] {
              chosen({"t", "N.front.lft"});
            }),
            "no channel matches 'N.front.lft'; did you mean 'N.front.left', 'Nf.front.left' or "
            "'N.front.right'?\n    there are t N.* Nf.* speed");
  EXPECT_THAT(error_of([] { chosen({"Ng.*"}); }), HasSubstr("did you mean 'N.*' or 'Nf.*'?"));
}

}  // namespace
}  // namespace klingel::record
