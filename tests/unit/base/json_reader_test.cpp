// Reading JSON: values with places, strictness, limits.
#include "base/json_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"

namespace klingel::base {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JsonValue parse(std::string_view text) { return parse_json(text, "s.json"); }

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
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

TEST(json_reader, mistakes_are_refused_with_their_place) {
  EXPECT_EQ(error_of("{\"q\": [1, ]}"),
            "s.json:1:11: this is not JSON: expected a value, found ']'");
  EXPECT_THAT(error_of("[1,\n 2"), HasSubstr("s.json:2:3: this is not JSON: expected ']', found"));
  EXPECT_THAT(error_of("{\"a\": 1, \"a\": 2}"), HasSubstr("given twice"));
  EXPECT_THAT(error_of("[1] 2"), HasSubstr("something follows"));
  EXPECT_THAT(error_of(""), HasSubstr("found the end"));
  for (const char* wrong : {"01",      "1.",        ".5",          "+1",       "1e",  "-",
                            "nan",     "NaN",       "Infinity",    "1e999",    "'a'", "{a: 1}",
                            "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"a\nb\"", "\"",  "tru",
                            "[1 2]",   "{\"a\" 1}", "{1: 2}",      "[",        "{"})
    EXPECT_THAT(error_of(wrong), HasSubstr("this is not JSON")) << wrong;
}

TEST(json_reader, nesting_without_end_is_refused) {
  EXPECT_THAT(error_of(std::string(100000, '[')), HasSubstr("nested deeper than 100"));
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
