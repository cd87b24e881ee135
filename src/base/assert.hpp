// The two assertions of the project, for our own mistakes. They are always on, print the
// expression with its operands and the place, and abort: a wrong compiler must not emit code.
// Wrong input is not our mistake: throw base::Error for that.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace klingel::base {

// Prints "file:line: assertion failed: text" on stderr and aborts.
[[noreturn]] inline void assertion_failed(const char* file, int line, const std::string& text) {
  fmt::print(stderr, "{}:{}: assertion failed: {}\n", file, line, text);
  std::fflush(stderr);
  std::abort();
}

// A value as text for an assertion message; what fmt cannot print is "?".
template <typename T>
std::string operand_text(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return fmt::format("{}", static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (fmt::is_formattable<T>::value) {
    return fmt::format("{}", value);
  } else {
    return "?";
  }
}

template <typename A, typename B>
[[noreturn]] void equality_failed(const char* file, int line, const char* expression, const A& a,
                                  const B& b) {
  assertion_failed(
      file, line,
      fmt::format("{} (left is {}, right is {})", expression, operand_text(a), operand_text(b)));
}

}  // namespace klingel::base

#define KLINGEL_ASSERT(condition) \
  (static_cast<bool>(condition)   \
       ? void(0)                  \
       : ::klingel::base::assertion_failed(__FILE__, __LINE__, #condition))

// Each operand is evaluated once.
#define KLINGEL_ASSERT_EQ(a, b)                                                       \
  ([&](const auto& left_, const auto& right_, int line_) {                            \
    if (!(left_ == right_))                                                           \
      ::klingel::base::equality_failed(__FILE__, line_, #a " == " #b, left_, right_); \
  }((a), (b), __LINE__))
