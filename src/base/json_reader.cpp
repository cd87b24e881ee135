#include "base/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace klingel::base {
namespace {

using Kind = JsonValue::Kind;
constexpr int deepest = 100;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  JsonValue document() {
    JsonValue v = value();
    space();
    if (at_ < text_.size()) fail("something follows the document");
    return v;
  }

 private:
  // lines and columns are counted only when somebody wants to know: bytes, from 1
  Place here(std::size_t at) const {
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? at + 1 : at - start;
    return {file_, static_cast<int>(line), static_cast<int>(column)};
  }
  [[noreturn]] void fail(const std::string& what) const {
    fail_at(here(std::min(at_, text_.size())), "this is not JSON: {}", what);
  }

  // the place of values is needed for every one: counted on the way
  void step() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) step();
  }
  char peek() {
    space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    step();
    return true;
  }
  void need(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'{}", c, found()));
  }
  std::string found() const {
    if (at_ >= text_.size()) return ", found the end";
    const char c = text_[at_];
    return c > ' ' && c < 127 ? fmt::format(", found '{}'", c) : std::string();
  }

  JsonValue value() {
    if (++depth_ > deepest) fail(fmt::format("nested deeper than {} levels", deepest));
    JsonValue v;
    const char c = peek();
    v.place = {file_, line_, static_cast<int>(at_ - line_start_) + 1};
    if (c == '{')
      object(v);
    else if (c == '[')
      array(v);
    else if (c == '"')
      v.kind = Kind::text, v.text = string();
    else if (c == '-' || (c >= '0' && c <= '9'))
      v.kind = Kind::number, v.number = number();
    else
      word(v);
    --depth_;
    return v;
  }

  void array(JsonValue& v) {
    v.kind = Kind::array;
    need('[');
    if (take(']')) return;
    do {
      v.items.push_back(value());
    } while (take(','));
    need(']');
  }

  void object(JsonValue& v) {
    v.kind = Kind::object;
    need('{');
    if (take('}')) return;
    do {
      if (peek() != '"') fail("expected a key in quotes" + found());
      std::string key = string();
      if (std::find(v.keys.begin(), v.keys.end(), key) != v.keys.end())
        fail(fmt::format("the key '{}' is given twice", key));
      v.keys.push_back(std::move(key));
      need(':');
      v.items.push_back(value());
    } while (take(','));
    need('}');
  }

  void word(JsonValue& v) {
    for (const std::string_view w : {"null", "true", "false"}) {
      if (text_.substr(at_, w.size()) != w) continue;
      at_ += w.size();
      v.kind = w == "null" ? Kind::null : Kind::boolean;
      v.truth = w == "true";
      return;
    }
    fail("expected a value" + found());
  }

  // the grammar of JSON is narrower than that of from_chars: no leading zeros, digits around a dot
  double number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
      if (at_ == first) fail("expected a digit" + found());
      return at_ - first;
    };
    const auto is = [&](char c) { return at_ < text_.size() && text_[at_] == c; };
    if (is('-')) ++at_;
    const bool zero = is('0');
    if (digits() > 1 && zero) fail("a number with a leading zero");
    if (is('.')) {
      ++at_;
      digits();
    }
    if (is('e') || is('E')) {
      ++at_;
      if (is('+') || is('-')) ++at_;
      digits();
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + at_, value);
    // what is too small for a double is zero, what is too large is nothing
    if (error == std::errc::result_out_of_range) {
      const std::string word(text_.substr(begin, at_ - begin));
      value = std::strtod(word.c_str(), nullptr);
    }
    if (!std::isfinite(value)) fail("a number beyond the range of doubles");
    return value;
  }

  std::uint32_t four_digits() {
    std::uint32_t code = 0;
    if (at_ + 4 > text_.size()) fail("half an escape");
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, begin + 4, code, 16);
    if (error != std::errc() || end != begin + 4) fail("four hexadecimal digits must follow \\u");
    at_ += 4;
    return code;
  }

  void escape(std::string& out) {
    const char e = at_ < text_.size() ? text_[at_++] : '\0';
    if (const auto k = std::string_view("\"\\/bfnrt").find(e); k != text_.npos && e != '\0') {
      out += "\"\\/\b\f\n\r\t"[k];
      return;
    }
    if (e != 'u') fail("an unknown escape");
    std::uint32_t code = four_digits();
    // two halves make one character beyond the first 65536
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const std::uint32_t low = four_digits();
      if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code < 0xE000) fail("half a surrogate pair");
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    } else {
      put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F));
      put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    }
  }

  std::string string() {
    std::string out;
    ++at_;  // the quote
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      if (c == '\\')
        escape(out);
      else
        out += c;
    }
    if (at_ >= text_.size()) fail("a string without end");
    ++at_;
    return out;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1, depth_ = 0;
};

}  // namespace

std::string_view kind_name(JsonValue::Kind kind) {
  constexpr std::string_view names[] = {"null", "true or false", "a number",
                                        "text", "an array",      "an object"};
  return names[static_cast<int>(kind)];
}

const JsonValue* JsonValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

JsonValue parse_json(std::string_view text, const std::string& file) {
  return Reader(text, file).document();
}

std::vector<double> numbers(const JsonValue& value, std::string_view what) {
  if (value.kind != Kind::array)
    fail_at(value.place, "{} must be an array of numbers, found {}", what, kind_name(value.kind));
  std::vector<double> result;
  for (const JsonValue& v : value.items) {
    if (v.kind != Kind::number)
      fail_at(v.place, "{} must be an array of numbers, found {} in it", what, kind_name(v.kind));
    result.push_back(v.number);
  }
  return result;
}

}  // namespace klingel::base
