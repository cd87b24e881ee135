// Reading JSON: values with places, strictness, limits.
#include "base/json_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/json.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::base {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JsonValue parse(std::string_view text) { return parse_json(text, "s.json"); }

using test::error_of;

std::string refusal(std::string_view text) {
  return error_of([&] { parse(text); });
}

TEST(json_reader, values_of_every_kind_are_read) {
  const JsonValue v = parse(R"({"a": [1, -2.5e3, 0], "b": "x\n\u00e9\ud83d\ude80", "c": true,)"
                            R"( "d": null, "e": {}, "f": [], "g": false})");
  EXPECT_THAT(numbers(*v.find("a"), "a"), ElementsAre(1, -2500, 0));
  EXPECT_EQ(v.find("b")->text, "x\n\xC3\xA9\xF0\x9F\x9A\x80");
  EXPECT_TRUE(v.find("c")->truth);
  EXPECT_EQ(v.find("d")->kind, JsonValue::Kind::null);
  EXPECT_EQ(v.find("e")->items.size(), 0u);
  EXPECT_FALSE(v.find("g")->truth);
  EXPECT_EQ(v.find("h"), nullptr);
}

TEST(json_reader, values_are_reached_by_key_and_number) {
  const JsonValue v = parse("{\"a\": [1, {\"b\": 2}]}");
  EXPECT_EQ(v["a"][1]["b"].number, 2);
  EXPECT_THAT(error_of([&] { v["c"]; }), "s.json:1:1: there is no key 'c' in an object");
  EXPECT_THAT(error_of([&] { v["a"][2]; }), "s.json:1:7: there is no element 2 in an array of 2");
}

TEST(json_reader, numbers_keep_every_bit) {
  const JsonValue v = parse("[-0, -0.0, 0, 9007199254740993, 18446744073709551616, 1e-999]");
  EXPECT_TRUE(std::signbit(v[0].number));
  EXPECT_TRUE(std::signbit(v[1].number));
  EXPECT_FALSE(std::signbit(v[2].number));
  EXPECT_EQ(v[3].number, 9007199254740992.0);
  EXPECT_EQ(v[4].number, 18446744073709551616.0);
  EXPECT_EQ(v[5].number, 0);
}

TEST(json_reader, values_know_their_place) {
  const JsonValue v = parse("{\n  \"q\": [1,\n    2]\n}");
  EXPECT_EQ(text(v.find("q")->place), "s.json:2:8");
  EXPECT_EQ(text(v.find("q")->items[1].place), "s.json:3:5");
}

TEST(json_reader, what_our_writer_writes_reads_back_exactly) {
  Json json;
  json.begin_array().value(0.1).value(-1e-300).value(5e-324).value("a\"b\\").end_array();
  const JsonValue v = parse(json.text());
  EXPECT_EQ(v.items[0].number, 0.1);
  EXPECT_EQ(v.items[1].number, -1e-300);
  EXPECT_EQ(v.items[2].number, 5e-324);
  EXPECT_EQ(v.items[3].text, "a\"b\\");
}

TEST(json_reader, places_are_right_behind_strings_with_brackets_quotes_and_a_byte_order_mark) {
  const JsonValue v = parse("\xEF\xBB\xBF[\"]},\\\"[{\", 1 ,\n[] ,{\"a\\\\\":true}]");
  EXPECT_EQ(text(v[0].place), "s.json:1:2");
  EXPECT_EQ(text(v[1].place), "s.json:1:13");
  EXPECT_EQ(text(v[2].place), "s.json:2:1");
  EXPECT_EQ(text(v[3].place), "s.json:2:5");
  EXPECT_EQ(text(v[3]["a\\"].place), "s.json:2:12");
}

TEST(json_reader, mistakes_are_refused_with_their_place) {
  EXPECT_EQ(refusal("{\"q\": [1, ]}"),
            "s.json:1:11: this is not JSON: unexpected ']'; expected '[', '{', or a literal");
  EXPECT_EQ(refusal("[1,\n 2"),
            "s.json:2:3: this is not JSON: unexpected end of input; expected ']'");
  EXPECT_EQ(refusal("[1,\n 2 \"three\"]"),
            "s.json:2:4: this is not JSON: unexpected string literal; expected ']'");
  EXPECT_EQ(refusal("{\"a\": 1,\n \"a\": 2}"),
            "s.json:2:2: this is not JSON: the key 'a' is given twice");
  EXPECT_EQ(refusal("[1] 2"),
            "s.json:1:5: this is not JSON: unexpected number literal; expected end of input");
  EXPECT_THAT(refusal(""), HasSubstr("s.json:1:1: this is not JSON: unexpected end of input"));
  EXPECT_EQ(refusal(std::string_view("[1]\n\0", 5)),
            "s.json:2:1: this is not JSON: a byte of value zero");
  EXPECT_EQ(refusal("[1e999]"),
            "s.json:1:6: this is not JSON: a number beyond the range of doubles");
  for (const char* wrong : {"01",      "1.",        ".5",           "+1",       "1e",      "-",
                            "nan",     "NaN",       "Infinity",     "1e999",    "'a'",     "{a: 1}",
                            "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",  "\"a\nb\"", "\"",      "tru",
                            "[1 2]",   "{\"a\" 1}", "{1: 2}",       "[",        "{",       "1 2",
                            "[1,]",    "nul",       "{\"a\": inf}", "// a\n1",  "\"\xFF\""})
    EXPECT_THAT(refusal(wrong), HasSubstr("this is not JSON")) << wrong;
}

TEST(json_reader, a_message_does_not_repeat_a_long_text) {
  EXPECT_LT(refusal("\"" + std::string(10000, 'a')).size(), 200u);
  EXPECT_LT(refusal("1" + std::string(10000, '0')).size(), 200u);
}

TEST(json_reader, nesting_without_end_is_refused) {
  const std::string allowed = std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(refusal(allowed), "no error");
  EXPECT_EQ(refusal("[" + allowed + "]"),
            "s.json:1:101: JSON nested deeper than 100 levels is not read");
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("nested deeper than 100"));
}

TEST(json_reader, numbers_says_what_it_found_instead) {
  const JsonValue v = parse("{\"q\": [1, \"2\"], \"s\": 3}");
  try {
    numbers(*v.find("q"), "'q'");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "s.json:1:11: 'q' must be an array of numbers, found text in it");
  }
  EXPECT_THROW(numbers(*v.find("s"), "'s'"), Error);
}

}  // namespace
}  // namespace klingel::base
