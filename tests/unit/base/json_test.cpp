// The JSON writer: order, indentation and escapes as promised, misuse is an assertion.
#include "base/json.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace klingel::base {
namespace {

TEST(json, a_document_keeps_order_and_indents_by_two) {
  Json json;
  json.begin_object();
  json.key("name").value("pendulum");
  json.key("abi").value(1);
  json.key("h").value(0.001);
  json.key("symmetric").value(true);
  json.key("nothing").null();
  json.key("shape").begin_array(true).value(3).value(std::size_t{4}).end_array();
  json.key("inputs").begin_array();
  json.begin_object().key("q").value("phi").end_object();
  json.value("p").end_array();
  json.key("empty").begin_object().end_object();
  json.end_object();
  EXPECT_EQ(json.text(),
            "{\n"
            "  \"name\": \"pendulum\",\n"
            "  \"abi\": 1,\n"
            "  \"h\": 0.001,\n"
            "  \"symmetric\": true,\n"
            "  \"nothing\": null,\n"
            "  \"shape\": [3, 4],\n"
            "  \"inputs\": [\n"
            "    {\n"
            "      \"q\": \"phi\"\n"
            "    },\n"
            "    \"p\"\n"
            "  ],\n"
            "  \"empty\": {}\n"
            "}\n");
}

TEST(json, everything_inside_a_flat_array_is_flat) {
  Json json;
  json.begin_array(true).begin_array().value(1).value(2).end_array();
  json.begin_object().key("a").value(3).end_object().end_array();
  EXPECT_EQ(json.text(), "[[1, 2], {\"a\": 3}]\n");
}

TEST(json, text_is_escaped_and_utf8_kept) {
  EXPECT_EQ(quoted_json("a\"b\\c\n\t\x01 \u03c6"), "\"a\\\"b\\\\c\\n\\t\\u0001 \u03c6\"");
}

TEST(json, numbers_that_json_cannot_write_are_null) {
  Json json;
  json.begin_array(true).value(NAN).value(INFINITY).value(2.0).end_array();
  EXPECT_EQ(json.text(), "[null, null, 2.0]\n");
}

TEST(json_death_test, unfinished_and_misplaced_values_are_our_mistake) {
  EXPECT_DEATH(Json().begin_object().text(), "assertion failed");
  EXPECT_DEATH(Json().begin_object().value(1), "assertion failed");
  EXPECT_DEATH(Json().begin_array().key("a"), "assertion failed");
  EXPECT_DEATH(Json().begin_array().end_object(), "assertion failed");
  EXPECT_DEATH(Json().value(1).value(2), "assertion failed");
}

}  // namespace
}  // namespace klingel::base
