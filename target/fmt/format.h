// The part of {fmt}'s interface that messages of the runtime use, for targets without the library:
// format, print and join; fields {}, {:g}, {:.3g}, {:.1f}, {:>7.2f}, {:04x} and the like.
#pragma once

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace fmt {

namespace detail {

inline std::string padded(std::string text, std::string_view spec, char standard) {
  char align = standard, fill = ' ';
  if (!spec.empty() && (spec[0] == '<' || spec[0] == '>')) {
    align = spec[0];
    spec.remove_prefix(1);
  }
  if (!spec.empty() && spec[0] == '0') fill = '0';
  std::size_t width = 0;
  for (; !spec.empty() && spec[0] >= '0' && spec[0] <= '9'; spec.remove_prefix(1))
    width = 10 * width + static_cast<std::size_t>(spec[0] - '0');
  if (text.size() < width) text.insert(align == '<' ? text.size() : 0, width - text.size(), fill);
  return text;
}

inline std::string number(double x, std::string_view spec) {
  const std::size_t dot = spec.find('.');
  const char kind = spec.empty() ? ' ' : spec.back();
  char text[400];
  if (kind != 'g' && kind != 'f' && kind != 'e') {
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, x);
    return {text, end.ptr};
  }
  int digits = 6;
  if (dot != std::string_view::npos)
    std::from_chars(spec.data() + dot + 1, spec.data() + spec.size(), digits);
  const char format[] = {'%', '.', '*', kind, 0};
  std::snprintf(text, sizeof text, format, digits, x);
  return text;
}

template <class T>
std::string text(const T& value, std::string_view spec) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    return std::string(1, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return padded(number(value, spec), spec, '>');
  } else if constexpr (std::is_integral_v<T>) {
    char digits[30];
    const int base = !spec.empty() && spec.back() == 'x' ? 16 : 10;
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value, base);
    return padded({digits, end.ptr}, spec, '>');
  } else {
    return padded(std::string(std::string_view(value)), spec, '<');
  }
}

struct Argument {
  const void* value;
  std::string (*print)(const void*, std::string_view);
};
template <class T>
Argument argument(const T& value) {
  return {&value, [](const void* v, std::string_view spec) {
            return text(*static_cast<const T*>(v), spec);
          }};
}
inline std::string fill(std::string_view format, const Argument* arguments, std::size_t count) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    if ((c == '{' || c == '}') && i + 1 < format.size() && format[i + 1] == c) {
      out += c;
      ++i;
    } else if (c == '{') {
      const std::size_t end = format.find('}', i);
      std::string_view spec = format.substr(i + 1, end - i - 1);
      if (!spec.empty() && spec[0] == ':') spec.remove_prefix(1);
      if (next < count) out += arguments[next].print(arguments[next].value, spec);
      ++next;
      i = end;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace detail

// The library checks formats when it compiles them; here they were checked where it was used.
struct Format {
  std::string_view text;
  template <class T>
  requires std::is_convertible_v<const T&, std::string_view>
  constexpr Format(const T& given) : text(given) {}
};
template <class...>
using format_string = Format;

template <class T>
struct is_formattable
    : std::bool_constant<std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string_view>> {};

template <class... Args>
std::string format(format_string<Args...> format, const Args&... args) {
  const detail::Argument list[] = {detail::argument(args)..., {nullptr, nullptr}};
  return detail::fill(format.text, list, sizeof...(args));
}

template <class... Args>
void print(std::FILE* file, format_string<Args...> format, const Args&... args) {
  std::fputs(fmt::format(format, args...).c_str(), file);
}

template <class List>
std::string join(const List& list, std::string_view between) {
  std::string out;
  for (const auto& item : list) {
    if (!out.empty()) out += between;
    out += detail::text(item, {});
  }
  return out;
}

}  // namespace fmt
