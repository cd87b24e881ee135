#include "command/argument.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace klingel::command {
namespace {

// The value that the target holds before anything is read; "" if it holds none.
std::string text_of(const Target& target) {
  return std::visit(
      [](auto* value) -> std::string {
        using Value = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::optional<double>>) {
          return "";
        } else if constexpr (std::is_same_v<Value, double>) {
          return fmt::format("{:g}", *value);
        } else if constexpr (std::is_same_v<Value, std::string> || std::is_arithmetic_v<Value>) {
          return fmt::format("{}", *value);
        } else {
          return fmt::format("{}", fmt::join(*value, " "));
        }
      },
      target);
}

const char* word_of(Names names) {
  switch (names) {
    case Names::vehicle:
      return "VEHICLE";
    case Names::scenario:
      return "SCENARIO";
    case Names::estimate:
      return "ESTIMATE";
    case Names::model:
      return "MODEL";
    case Names::track:
      return "TRACK";
    case Names::profile:
      return "PROFILE";
    case Names::example:
      return "EXAMPLE";
    case Names::topic:
      return "TOPIC";
    case Names::file:
      return "FILE";
    case Names::folder:
      return "FOLDER";
    case Names::nothing:
      break;
  }
  return "";
}

}  // namespace

Argument::Argument(std::string called, Target where, std::string what)
    : name(std::move(called)),
      target(where),
      meaning(std::move(what)),
      its_default(text_of(where)) {}

Argument& Argument::unit(std::string text) {
  its_unit = std::move(text);
  return *this;
}

Argument& Argument::default_text(std::string text) {
  its_default = std::move(text);
  return *this;
}

Argument& Argument::value(std::string text) {
  its_value = std::move(text);
  return *this;
}

Argument& Argument::names(Names what) {
  its_names = what;
  return *this;
}

Argument& Argument::written() {
  is_written = true;
  return names(Names::file);
}

Argument& Argument::choices(std::vector<std::string> list) {
  only_words = true;
  return suggest(std::move(list));
}

Argument& Argument::suggest(std::vector<std::string> list) {
  words = std::move(list);
  return *this;
}

Argument& Argument::required() {
  is_required = true;
  its_default.clear();
  return *this;
}

Argument& Argument::repeatable() {
  is_repeatable = true;
  return *this;
}

Argument& Argument::separated_by(char sign) {
  separator = sign;
  return *this;
}

Argument& Argument::needs(std::string other) {
  its_need = std::move(other);
  return *this;
}

Argument& Argument::excludes(std::string other) {
  its_rival = std::move(other);
  return *this;
}

Argument& Argument::above(double limit) {
  without_least = true;
  least = limit;
  return *this;
}

Argument& Argument::at_least(double limit) {
  least = limit;
  return *this;
}

Argument& Argument::at_most(double limit) {
  most = limit;
  return *this;
}

Argument& Argument::check(std::function<std::string(const std::string&)> complaint) {
  its_check = std::move(complaint);
  return *this;
}

std::string Argument::placeholder() const {
  if (is_flag()) return "";
  if (!its_value.empty()) return its_value;
  if (its_names != Names::nothing) return word_of(its_names);
  if (!words.empty()) return "NAME";
  const bool is_real = std::holds_alternative<double*>(target) ||
                       std::holds_alternative<std::optional<double>*>(target);
  const bool is_text = std::holds_alternative<std::string*>(target) ||
                       std::holds_alternative<std::vector<std::string>*>(target);
  return is_real ? "NUMBER" : is_text ? "TEXT" : "COUNT";
}

std::string Argument::usage() const {
  if (is_positional()) return placeholder();
  return is_flag() ? name : fmt::format("{} {}", name, placeholder());
}

std::string Argument::description() const {
  std::string text = meaning;
  if (!its_unit.empty()) text += ", in " + its_unit;
  if (!words.empty()) text += ": " + listed(words);
  if (!its_default.empty()) text += fmt::format(" (default: {})", its_default);
  if (is_required) text += " (required)";
  if (is_repeatable) text += " (may be repeated)";
  if (!its_need.empty()) text += fmt::format(" (needs {})", its_need);
  return text;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace klingel::command
