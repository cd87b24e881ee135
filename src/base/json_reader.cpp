// The grammar is nlohmann's; here are places, limits and our kind of value. The only source that
// includes its header, which is slow to compile.
#include "base/json_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace klingel::base {
namespace {

using nlohmann::json;
using Kind = JsonValue::Kind;
constexpr std::size_t deepest = 100;

// The part of nlohmann's message that says what is wrong: neither its own place nor the whole word
// it has read, which may be long.
std::string reason(const json::exception& error) {
  constexpr int overflow = 406;
  if (error.id == overflow) return "a number beyond the range of doubles";
  std::string_view text = error.what();
  if (const std::size_t dash = text.find(" - "); dash != text.npos) text.remove_prefix(dash + 3);
  return std::string(text.substr(0, text.find("; last read: ")));
}

// Lines and columns count bytes, from 1.
Place place_of(std::string_view text, std::size_t at, const std::string& file) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return {file, static_cast<int>(line), static_cast<int>(column)};
}

// Told about every value in the order of the text. It walks through the text beside the parser,
// which does not say where values begin.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  JsonValue document;

  bool null() override { return add(Kind::null), true; }
  bool boolean(bool truth) override { return add(Kind::boolean).truth = truth, true; }
  bool number_integer(std::int64_t n) override { return number(static_cast<double>(n)); }
  bool number_unsigned(std::uint64_t n) override { return number(static_cast<double>(n)); }
  bool number_float(double n, const std::string& /*word*/) override { return number(n); }
  bool string(std::string& text) override { return add(Kind::text).text = std::move(text), true; }
  bool binary(json::binary_t& /*bytes*/) override { return false; }  // not in text

  bool start_array(std::size_t /*size*/) override { return open(Kind::array); }
  bool end_array() override { return open_.pop_back(), true; }
  bool start_object(std::size_t /*size*/) override { return open(Kind::object); }
  bool end_object() override { return open_.pop_back(), true; }

  bool key(std::string& name) override {
    const Place place = next_token();
    std::vector<std::string>& keys = open_.back()->keys;
    if (std::find(keys.begin(), keys.end(), name) != keys.end())
      fail_at(place, "this is not JSON: the key '{}' is given twice", name);
    keys.push_back(std::move(name));
    return true;
  }

  // `position` counts the bytes read, the wrong one included. A string or number that should not
  // be here is shown at its beginning
  bool parse_error(std::size_t position, const std::string& word,
                   const json::exception& error) override {
    const std::string what = reason(error);
    const bool misplaced = what.starts_with("unexpected string literal") ||
                           what.starts_with("unexpected number literal");
    const std::size_t back = std::min(misplaced ? word.size() : 1, position);
    fail_at(place_of(text_, position - back, file_), "this is not JSON: {}", what);
  }

 private:
  // Moves behind the next value or key and returns its beginning. Line breaks are between tokens
  // only: strings have none.
  Place next_token() {
    constexpr std::string_view between = " \t\r\n,:]}";
    for (; between.find(text_[at_]) != between.npos; ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
    const Place place{file_, line_, static_cast<int>(at_ - line_start_) + 1};
    token_ = at_;
    if (text_[at_] == '"') {
      for (++at_; text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      ++at_;
    } else if (text_[at_] == '[' || text_[at_] == '{') {
      ++at_;
    } else {
      at_ = std::min(text_.find_first_of(between, at_), text_.size());
    }
    return place;
  }

  JsonValue& add(Kind kind) {
    JsonValue& v = open_.empty() ? document : open_.back()->items.emplace_back();
    v.place = next_token();
    v.kind = kind;
    return v;
  }

  // "-0" is an integer for nlohmann, and so loses its sign
  bool number(double value) {
    JsonValue& v = add(Kind::number);
    v.number = value == 0 && text_[token_] == '-' ? -0.0 : value;
    return true;
  }

  bool open(Kind kind) {
    JsonValue& v = add(kind);
    open_.push_back(&v);  // stays where it is: its parent grows only when it is closed
    if (open_.size() > deepest)
      fail_at(v.place, "JSON nested deeper than {} levels is not read", deepest);
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, token_ = 0, line_start_ = 0;
  int line_ = 1;
  std::vector<JsonValue*> open_;
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

const JsonValue& JsonValue::operator[](std::string_view key) const {
  if (const JsonValue* v = find(key)) return *v;
  fail_at(place, "there is no key '{}' in {}", key, kind_name(kind));
}

const JsonValue& JsonValue::operator[](std::size_t i) const {
  if (i < items.size()) return items[i];
  fail_at(place, "there is no element {} in {} of {}", i, kind_name(kind), items.size());
}

JsonValue parse_json(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  // nlohmann would take it for the end
  if (const std::size_t at = text.find('\0'); at != text.npos)
    fail_at(place_of(text, at, file), "this is not JSON: a byte of value zero");
  Builder builder(text, file);
  json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.document);
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
