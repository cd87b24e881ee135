#include "cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::cli {
namespace {

std::string wrong_word(const Argument& a, const std::string& text) {
  if (std::find(a.words.begin(), a.words.end(), text) != a.words.end()) return "";
  return fmt::format("expected {}, found '{}'{}", command::listed(a.words), text,
                     base::did_you_mean(text, a.words));
}

// The library's own message does not say what was expected.
template <class T>
std::string wrong_number(const std::string& text) {
  char* end = nullptr;
  bool is_finite = true;
  if constexpr (std::is_integral_v<T>)
    std::strtoll(text.c_str(), &end, 0);
  else
    is_finite = std::isfinite(std::strtod(text.c_str(), &end));
  // the library would read spaces, and numbers to the base of sixteen
  const bool is_plain = text.find_first_of(" \t\nxX") == std::string::npos;
  if (!text.empty() && *end == 0 && is_finite && is_plain) return "";
  return fmt::format("expected a {}, found '{}'",
                     std::is_integral_v<T> ? "whole number"
                     : is_finite           ? "number"
                                           : "finite number",
                     text);
}

std::string beyond_limits(const Argument& a, const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  if (a.without_least && !(value > a.least))
    return fmt::format("expected a number above {:g}, found {}", a.least, text);
  if (!(value >= a.least))
    return fmt::format("expected a number of at least {:g}, found {}", a.least, text);
  if (!(value <= a.most))
    return fmt::format("expected a number of at most {:g}, found {}", a.most, text);
  return "";
}

std::string empty_word(const std::string& text) {
  return text.empty() ? "expected a value, found ''" : "";
}

// The type of the numbers of a target; void if it takes no numbers.
template <class T>
struct NumberOf {
  using Type = std::conditional_t<std::is_arithmetic_v<T>, T, void>;
};
template <>
struct NumberOf<std::optional<double>> {
  using Type = double;
};
template <>
struct NumberOf<std::vector<int>> {
  using Type = int;
};

void add(CLI::App& app, const Argument& a) {
  CLI::Option* option = std::visit(
      [&](auto* value) {
        if constexpr (std::is_same_v<decltype(value), bool*>) {
          return app.add_flag(a.name, *value);
        } else {
          CLI::Option* added = app.add_option(a.name, *value);
          using Number = typename NumberOf<std::remove_pointer_t<decltype(value)>>::Type;
          if constexpr (!std::is_void_v<Number>) {
            added->check(wrong_number<Number>);
            added->check([&a](const std::string& text) { return beyond_limits(a, text); });
          } else {
            added->check(empty_word);
          }
          return added;
        }
      },
      a.target);
  option->required(a.is_required);
  if (a.separator != 0) option->delimiter(a.separator);
  // one value each, or the next word, the vehicle perhaps, would be taken for another
  if (a.is_repeatable || a.separator != 0) option->allow_extra_args(false);
  if (!a.its_need.empty()) option->needs(app.get_option(a.its_need));
  if (!a.its_rival.empty()) option->excludes(app.get_option(a.its_rival));
  if (a.only_words) option->check([&a](const std::string& text) { return wrong_word(a, text); });
  if (a.its_check) option->check(a.its_check);
}

// The words that could have been meant, and where to read more.
[[noreturn]] void refuse(std::span<const Command> commands, const Command* command,
                         const std::string& word) {
  std::vector<std::string> words = {"--help", "--version"};
  if (command == nullptr) {
    for (const Command& c : commands) words.push_back(c.name);
  } else {
    words.pop_back();
    for (const Argument& a : command->arguments)
      if (!a.is_positional()) words.push_back(a.name);
  }
  base::fail("unknown argument '{}'{}\n    'klingel {}--help' lists what there is", word,
             base::did_you_mean(word, words), command == nullptr ? "" : command->name + " ");
}

const Command* chosen(std::span<const Command> commands, const CLI::App& app) {
  for (const Command& c : commands) {
    if (app.got_subcommand(c.name)) return &c;
  }
  return nullptr;
}

}  // namespace

Parsed parse(std::span<const Command> commands, int argc, const char* const* argv) {
  CLI::App app{"", "klingel"};
  app.set_version_flag("--version", "");
  app.set_help_flag("-h,--help");
  app.allow_extras();
  app.require_subcommand(0, 1);
  for (const Command& c : commands) {
    CLI::App* inner = app.add_subcommand(c.name);
    for (const Argument& a : c.arguments) add(*inner, a);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {chosen(commands, app), true, false};
  } catch (const CLI::CallForVersion&) {
    return {nullptr, false, true};
  } catch (const CLI::ParseError& error) {
    const Command* command = chosen(commands, app);
    base::fail("{}\n    'klingel {}--help' lists what there is", error.what(),
               command == nullptr ? "" : command->name + " ");
  }
  const std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) refuse(commands, chosen(commands, app), extras.front());
  return {chosen(commands, app), false, false};
}

}  // namespace klingel::cli
