// The error of wrong input: a file, argument or call cannot be used.
// Thrown anywhere, caught once in main (exit code 2). The text says what was found, what was
// expected and what would help; the place, if there is one, comes first: "file:line:column: text".
// Not for our own mistakes (assert.hpp) nor for numeric failures (a status of the step).
#pragma once

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/printable.hpp"

namespace klingel::base {

// A position in a text file. Lines and columns count from 1; 0 means unknown and is not printed.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

// "file:line:column", shortened to what is known.
inline std::string text(const Place& place) {
  if (place.line <= 0) return place.file;
  if (place.column <= 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

class Error : public std::runtime_error {
 public:
  // Signs that a terminal would obey are shown as text: names from files are part of messages.
  explicit Error(const std::string& text) : std::runtime_error(printable(text)) {}
  Error(Place place, const std::string& text)
      : std::runtime_error(printable(base::text(place) + ": " + text)), place_(std::move(place)) {}

  // Where the input went wrong; empty when the input has no place (a call from C++).
  const std::optional<Place>& place() const { return place_; }

 private:
  std::optional<Place> place_;
};

// Throws Error with a formatted text: fail("'{}' has {} rows, expected {}", name, m, n).
template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

// The same with a place in front.
template <typename... Args>
[[noreturn]] void fail_at(Place place, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(std::move(place), fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace klingel::base
