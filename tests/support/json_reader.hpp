// A strict little JSON reader, for tests of what base::Json wrote. Everything is kept as text
// except structure; a mistake throws with the place.
//
//   const Json json = parse_json(text);
//   json["functions"][0]["name"].text
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace klingel::test {

struct JsonValue {
  enum class Kind { null, truth, number, text, array, object };
  Kind kind = Kind::null;
  std::string text;  // of a string, or the literal of a number or truth value
  std::vector<JsonValue> items;
  std::vector<std::string> keys;  // of an object, beside items

  std::size_t size() const { return items.size(); }
  double number() const {
    if (kind != Kind::number) throw std::runtime_error("'" + text + "' is not a number");
    return std::strtod(text.c_str(), nullptr);
  }
  const JsonValue& operator[](std::size_t i) const { return items.at(i); }
  const JsonValue& operator[](std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == key) return items[i];
    throw std::runtime_error(fmt::format("no key '{}'", key));
  }
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue v = value();
    space();
    if (at_ != text_.size()) fail("something follows the document");
    return v;
  }

 private:
  using Kind = JsonValue::Kind;

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("JSON, byte {}: {}", at_, what));
  }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  char peek() {
    space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c));
  }

  JsonValue value() {
    switch (peek()) {
      case '{':
        return list('{', '}', Kind::object);
      case '[':
        return list('[', ']', Kind::array);
      case '"':
        return {Kind::text, string(), {}, {}};
      default:
        return literal();
    }
  }

  JsonValue list(char open, char close, Kind kind) {
    JsonValue v{kind, "", {}, {}};
    need(open);
    if (take(close)) return v;
    do {
      if (kind == Kind::object) {
        peek();
        const std::string key = string();
        for (const std::string& known : v.keys)
          if (known == key) fail("the key '" + key + "' is given twice");
        v.keys.push_back(key);
        need(':');
      }
      v.items.push_back(value());
    } while (take(','));
    need(close);
    return v;
  }

  std::string string() {
    std::string out;
    need('"');
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_ >= text_.size()) break;
      const char e = text_[at_++];
      if (e == 'u') {
        if (at_ + 4 > text_.size()) fail("half an escape");
        out += static_cast<char>(std::stoi(std::string(text_.substr(at_, 4)), nullptr, 16));
        at_ += 4;
      } else if (const auto k = std::string_view("\"\\/bfnrt").find(e); k != text_.npos) {
        out += "\"\\/\b\f\n\r\t"[k];
      } else {
        fail("an unknown escape");
      }
    }
    need('"');
    return out;
  }

  JsonValue literal() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  std::string_view("+-.").find(text_[at_]) != text_.npos)) {
      ++at_;
    }
    const std::string word(text_.substr(begin, at_ - begin));
    if (word == "null") return {Kind::null, word, {}, {}};
    if (word == "true" || word == "false") return {Kind::truth, word, {}, {}};
    char* end = nullptr;
    std::strtod(word.c_str(), &end);
    const bool starts_well = !word.empty() && (word[0] == '-' || std::isdigit(word[0]) != 0);
    if (!starts_well || *end != '\0') fail("'" + word + "' is not a value");
    return {Kind::number, word, {}, {}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline JsonValue parse_json(std::string_view text) { return JsonReader(text).document(); }

}  // namespace klingel::test
