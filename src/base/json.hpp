// A small JSON writer for manifests and results: values appear in the order they are added, two
// spaces of indent, the same bytes on every run. Does not read JSON, and does not look for keys
// given twice.
//
//   Json json;
//   json.begin_object().key("name").value("pendulum").key("q").begin_array();
//   json.value(1).value(0.5).end_array().end_object();
//   write_file("manifest.json", json.text());
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::base {

class Json {
 public:
  Json& begin_object() { return begin('{', '}', false); }
  Json& end_object() { return end('}'); }
  // An array with each element on its own line; `flat` puts all elements on one line, for
  // sizes and indices. Everything inside a flat array is flat.
  Json& begin_array(bool flat = false) { return begin('[', ']', flat); }
  Json& end_array() { return end(']'); }

  // The key of the next value; only inside an object, and required there.
  Json& key(std::string_view name);

  // Text is escaped, UTF-8 stays as it is. Non-finite doubles become null.
  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(double number);
  Json& value(bool truth);
  Json& value(std::integral auto number) { return plain(std::to_string(number)); }
  Json& null() { return plain("null"); }

  // The finished document with a newline at the end. Asserts that everything begun was ended.
  std::string text() const;

 private:
  struct Level {
    char close;
    bool flat;
    bool empty;
  };

  Json& begin(char open, char close, bool flat);
  Json& end(char close);
  Json& plain(std::string_view token);
  void separate(bool is_key);
  void indent();

  std::string out_;
  std::vector<Level> open_;
  bool after_key_ = false;
};

// The text with JSON's quotes and escapes.
std::string quoted_json(std::string_view text);

}  // namespace klingel::base
