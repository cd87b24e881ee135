#include "vehicle/replaced_values.hpp"

#include <charconv>
#include <cmath>

#include "base/nearest.hpp"

namespace klingel::vehicle {
namespace {

bool number_of(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool is_whole(double x) { return x == std::floor(x) && std::abs(x) < 0x1p53; }

class Replacement {
 public:
  Replacement(const Setting& setting, const std::string& file) : setting_(setting), file_(file) {}

  // How many values were replaced below this one.
  std::size_t in(Value& value, std::string_view path, bool add = true) {
    if (path.empty()) return at(value);
    const std::string_view key = path.substr(0, path.find('.'));
    const std::string_view rest = path.size() > key.size() ? path.substr(key.size() + 1) : "";
    if (value.kind == Value::Kind::list) return in_list(value, key, rest, path);
    if (value.kind != Value::Kind::table) return 0;
    const auto found = value.where.find(key);
    if (found == value.where.end() && rest.empty() && add) {
      value.where.emplace(key, value.keys.size());
      value.keys.emplace_back(key);
      value.items.push_back(fresh(value.place));
      return 1;
    }
    if (found == value.where.end()) {
      near_.insert(near_.end(), value.keys.begin(), value.keys.end());
      unknown_ = key;
      return 0;
    }
    return in(value.items[found->second], rest, add);
  }

  [[noreturn]] void fail() const {
    base::fail("{}: there is no value '{}' to replace{}", file_, setting_.name,
               base::did_you_mean(unknown_, near_));
  }

 private:
  std::size_t in_list(Value& value, std::string_view key, std::string_view rest,
                      std::string_view path) {
    double number = 0;
    if (number_of(key, number)) {
      const auto index = static_cast<std::size_t>(number);
      if (number < 1 || index > value.items.size())
        base::fail("{}: '{}' is number {} of {}", file_, setting_.name, key, value.items.size());
      return in(value.items[index - 1], rest);
    }
    std::size_t count = 0;
    for (Value& item : value.items) count += in(item, path, false);
    return count;
  }

  Value fresh(const base::Place& place) const {
    Value value;
    value.place = place;
    value.kind = number_of(setting_.value, value.number) ? Value::Kind::number : Value::Kind::text;
    value.text = setting_.value;
    value.whole = is_whole(value.number);
    return value;
  }

  std::size_t at(Value& value) {
    if (value.kind == Value::Kind::text) {
      value.text = setting_.value;
      return 1;
    }
    if (value.kind != Value::Kind::number)
      base::fail("{}: '{}' is {}; only numbers and texts can be replaced", file_, setting_.name,
                 kind_name(value.kind));
    if (!number_of(setting_.value, value.number))
      base::fail("{}: '{}' is a number, found '{}'", file_, setting_.name, setting_.value);
    value.whole = is_whole(value.number);
    return 1;
  }

  const Setting& setting_;
  const std::string& file_;
  std::vector<std::string> near_;
  std::string unknown_;
};

}  // namespace

Document replaced(const Document& file, std::span<const Setting> settings) {
  Value root = file.value();
  for (const Setting& s : settings) {
    Replacement replacement(s, file.file());
    if (replacement.in(root, s.name) == 0) replacement.fail();
  }
  return Document::of(std::move(root));
}

}  // namespace klingel::vehicle
