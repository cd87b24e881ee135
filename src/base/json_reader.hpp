// JSON (RFC 8259) that a user or another program writes: states, recordings, messages. Values keep
// their place; mistakes are Errors with file, line and column. Keys given twice, text that is not
// UTF-8, anything behind the document and nesting beyond 100 levels are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace klingel::base {

struct JsonValue {
  enum class Kind { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  Place place;
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<std::string> keys;  // of an object, beside items
  std::vector<JsonValue> items;   // of an array or object

  // The value of a key of an object, null if there is none.
  const JsonValue* find(std::string_view key) const;
  // The same, and an element of an array; an Error if there is none.
  const JsonValue& operator[](std::string_view key) const;
  const JsonValue& operator[](std::size_t i) const;
};

// "a number", "an array" ...: for messages.
std::string_view kind_name(JsonValue::Kind kind);

// `file` is what messages call the text.
JsonValue parse_json(std::string_view text, const std::string& file);

// An array of numbers; anything else is an Error that calls it `what`.
std::vector<double> numbers(const JsonValue& value, std::string_view what);

}  // namespace klingel::base
