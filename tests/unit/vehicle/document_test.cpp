// Documents: values keep their places and the file's order; wrong keys and types are refused with
// the place, what was found and the nearest right name.
#include "vehicle/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using test::error_of;

Document document(const char* text) { return Document::parse(text, "a.toml"); }

TEST(document, typed_access_returns_what_the_file_says) {
  const Document d = document(
      "a = 1\nb = 2.5\nc = 'word'\nd = true\ne = [1, 2.0, 3]\nf = ['x', 'y']\n"
      "[g]\nh = 4\n[[k]]\nname = 'first'\n[[k]]\nname = 'second'\n");
  Table root = d.root();
  EXPECT_EQ(root.number("a"), 1);
  EXPECT_EQ(root.integer("a"), 1);
  EXPECT_EQ(root.number("b"), 2.5);
  EXPECT_EQ(root.text("c"), "word");
  EXPECT_TRUE(root.boolean("d", false));
  EXPECT_THAT(root.triple("e"), ElementsAre(1, 2, 3));
  EXPECT_THAT(root.texts("f"), ElementsAre("x", "y"));
  EXPECT_EQ(root.table("g")->number("h"), 4);
  EXPECT_EQ(root.tables("k").size(), 2u);
  EXPECT_EQ(root.tables("k")[1].what(), "k 'second'");
  EXPECT_EQ(root.number("absent", 7), 7);
  EXPECT_EQ(root.optional_number("b"), 2.5);
  EXPECT_FALSE(root.optional_number("absent").has_value());
  EXPECT_EQ(root.text("absent", "t"), "t");
  EXPECT_FALSE(root.table("absent").has_value());
  root.refuse_unknown();
}

TEST(document, keys_keep_the_order_of_the_file) {
  EXPECT_THAT(document("z = 1\na = 2\nm = 3\n").root().keys(), ElementsAre("z", "a", "m"));
}

TEST(document, inline_tables_and_double_brackets_are_the_same_list) {
  Table root = document("k = [{ name = 'a' }, { name = 'b' }]\n").root();
  EXPECT_EQ(root.tables("k").size(), 2u);
}

TEST(document, an_unknown_key_is_refused_with_place_and_nearest_name) {
  const Document d = document("gauge = 1\nlenght = 2\n");
  Table root = d.root();
  root.number("gauge");
  root.number("length", 0);
  EXPECT_EQ(error_of([&] { root.refuse_unknown(); }),
            "a.toml:2:10: the file has an unknown key 'lenght'; did you mean 'length'?\n"
            "    known keys: gauge, length");
}

TEST(document, every_unknown_key_is_named_at_once) {
  const Document d = document("b = 1\nc = 2\n");
  EXPECT_THAT(error_of([&] { d.root().refuse_unknown(); }), HasSubstr("and line 2: 'c'"));
}

TEST(document, a_wrong_type_says_what_was_found_and_expected) {
  const Document d = document("[[spring]]\nname = 'a'\nstiffness = 'soft'\n");
  EXPECT_EQ(error_of([&] { d.root().tables("spring")[0].number("stiffness"); }),
            "a.toml:3:13: spring 'a': 'stiffness' must be a number, found the text \"soft\"");
  EXPECT_THAT(error_of([&] { d.root().text("spring"); }),
              HasSubstr("must be text in quotes, found a list"));
}

TEST(document, a_missing_key_points_at_a_misspelt_one) {
  const Document d = document("[track]\nlenght = 2\n");
  EXPECT_EQ(error_of([&] { d.root().table("track")->number("length"); }),
            "a.toml:1:1: track: 'length' is missing (a number); did you misspell it as 'lenght'?");
}

TEST(document, numbers_out_of_range_are_refused) {
  const Document d = document("a = nan\nb = inf\nc = -1\nd = 1.5\ne = [1, inf]\nf = [1, 2]\n");
  EXPECT_THAT(error_of([&] { d.root().number("a"); }), HasSubstr("a.toml:1:5"));
  EXPECT_THAT(error_of([&] { d.root().number("b"); }), HasSubstr("must be finite"));
  EXPECT_THAT(error_of([&] { d.root().positive("c"); }), HasSubstr("greater than zero, found -1"));
  EXPECT_THAT(error_of([&] { d.root().integer("d"); }), HasSubstr("a whole number, found 1.5"));
  EXPECT_THAT(error_of([&] { d.root().numbers("e"); }), HasSubstr("a.toml:5:9"));
  EXPECT_THAT(error_of([&] { d.root().triple("f"); }), HasSubstr("three numbers, found 2"));
}

TEST(document, a_word_that_is_not_offered_is_answered_with_the_offer) {
  const Document d = document("law = 'fastism'\n");
  const std::string words[] = {"linear", "fastsim"};
  EXPECT_EQ(error_of([&] { d.root().word("law", words, "linear"); }),
            "a.toml:1:7: the file: 'law' is 'fastism'; did you mean 'fastsim'?\n"
            "    it must be one of 'linear', 'fastsim'");
}

TEST(document, text_that_is_not_toml_is_an_error_with_its_place) {
  EXPECT_THAT(error_of([] { document("a = 1\nb = = 2\n"); }),
              testing::StartsWith("a.toml:2:5: this is not TOML:"));
  EXPECT_THAT(error_of([] { document("a = 1\na = 2\n"); }), HasSubstr("a.toml:2:"));
}

TEST(document, a_file_that_is_not_there_is_an_error_with_its_path) {
  EXPECT_THAT(error_of([] { Document::load("/nowhere/track.toml"); }),
              HasSubstr("/nowhere/track.toml"));
}

// each would end the program by its stack
TEST(document, deep_nesting_is_refused_with_its_place) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  EXPECT_EQ(error_of([&] { document(("b = 1\n" + key + " = 1\n").c_str()); }),
            "a.toml:2: a key has more than 16 parts with dots between them");
  EXPECT_THAT(error_of([&] { document(("[" + key + "]\nb = 1\n").c_str()); }),
              HasSubstr("more than 16 parts"));
  EXPECT_THAT(error_of([&] { document(("b = { " + key + " = 1 }").c_str()); }),
              HasSubstr("more than 16 parts"));
  const std::string lists = std::string(60, '[') + std::string(60, ']');
  EXPECT_THAT(error_of([&] { document(("a = " + lists).c_str()); }),
              HasSubstr("tables and lists are nested deeper than 50 levels"));
}

TEST(document, dots_in_texts_comments_and_numbers_are_no_parts_of_keys) {
  const std::string dots(100, '.');
  std::string text = "# " + dots + "\na = '" + dots + "'\nb = \"\\\"" + dots + "\"\n";
  text += "c = '''\n" + dots + "'''\n\"" + dots + "\" = 1\ne = [0.5";
  for (int i = 0; i < 20; ++i) text += ", 1.0";
  const Document d = document((text + "]\n").c_str());
  EXPECT_EQ(d.root().text("a"), dots);
  EXPECT_EQ(d.root().text("b"), "\"" + dots);
  EXPECT_EQ(d.root().numbers("e").size(), 21u);
}

TEST(document, control_characters_are_refused) {
  EXPECT_EQ(error_of([] { document("name = \"a\\u001b[31m\"\n"); }),
            "a.toml:1:8: the text \"a\\x1b[31m\" has a control character in it; remove it");
  EXPECT_THAT(error_of([] { document("\"\\u0007\" = 1\n"); }), HasSubstr("control character"));
  EXPECT_EQ(document("about = \"Räder\\n\"\n").root().text("about"), "Räder\n");
}

}  // namespace
}  // namespace klingel::vehicle
