// Values of a file replaced by name: lists by number or all at once, new keys, mistakes.
#include "vehicle/replaced_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klingel::vehicle {
namespace {

using testing::HasSubstr;

const Document file = Document::parse(
    "name = \"t\"\nstep = 0.5\n[start]\ns = 1.0\n"
    "[[piece]]\nkind = \"a\"\nseed = 1\n[[piece]]\nkind = \"b\"\ncant = [0.1, 0.2]\n"
    "[[piece]]\nkind = \"c\"\nseed = 3\n",
    "t.toml");

Document with(const std::string& name, const std::string& value) {
  const Setting setting{name, value};
  return replaced(file, std::span(&setting, 1));
}

std::string refusal(const std::string& name, const std::string& value) {
  try {
    with(name, value);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "";
}

TEST(replaced_values, numbers_texts_tables_and_lists) {
  EXPECT_EQ(with("step", "0.25").root().number("step"), 0.25);
  EXPECT_EQ(with("name", "other").root().text("name"), "other");
  EXPECT_EQ(with("start.s", "-3").root().required_table("start").number("s"), -3);
  EXPECT_EQ(with("piece.2.cant.2", "0.7").root().tables("piece")[1].numbers("cant")[1], 0.7);
  // whole numbers stay whole, also as studies write them
  EXPECT_EQ(with("piece.1.seed", "7.0").root().tables("piece")[0].integer("seed"), 7);
}

TEST(replaced_values, a_list_without_a_number_means_all_that_have_the_key) {
  std::vector<Table> pieces = with("piece.seed", "9").root().tables("piece");
  EXPECT_EQ(pieces[0].integer("seed"), 9);
  EXPECT_FALSE(pieces[1].has("seed"));
  EXPECT_EQ(pieces[2].integer("seed"), 9);
}

TEST(replaced_values, a_key_that_is_missing_is_added_to_its_table) {
  EXPECT_EQ(with("start.x", "2").root().required_table("start").number("x"), 2);
  EXPECT_EQ(with("piece.2.seed", "4").root().tables("piece")[1].integer("seed"), 4);
}

TEST(replaced_values, the_file_itself_does_not_change) {
  with("step", "0.25");
  EXPECT_EQ(file.root().number("step"), 0.5);
}

TEST(replaced_values, mistakes_say_what) {
  EXPECT_THAT(refusal("piece.sed", "1"), HasSubstr("did you mean 'seed'"));
  EXPECT_THAT(refusal("pieces.1.seed", "1"), HasSubstr("did you mean 'piece'"));
  EXPECT_THAT(refusal("piece.4.seed", "1"), HasSubstr("number 4 of 3"));
  EXPECT_THAT(refusal("step", "fast"), HasSubstr("is a number, found 'fast'"));
  EXPECT_THAT(refusal("start", "1"), HasSubstr("only numbers and texts"));
}

}  // namespace
}  // namespace klingel::vehicle
