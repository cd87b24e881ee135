#include "profile/profile_text.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace klingel::profile {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

// from_chars does not accept a plus sign
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// Shown in messages: a word of a broken file may be long or binary.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? result + "..." : result;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<Word> words_of(std::string_view line, int number, std::string_view separators) {
  const auto is_separator = [&](char c) { return separators.find(c) != std::string_view::npos; };
  const auto is_blank = [](char c) { return blanks.find(c) != std::string_view::npos; };
  std::vector<Word> words;
  std::size_t at = 0;
  bool after_separator = false;
  while (true) {
    while (at < line.size() && is_blank(line[at]) && !is_separator(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at]) && !is_separator(line[at])) ++at;
    const std::size_t end = at;
    while (at < line.size() && is_blank(line[at]) && !is_separator(line[at])) ++at;
    const bool separator = at < line.size() && is_separator(line[at]);
    if (end > begin || separator || after_separator) {
      words.push_back({line.substr(begin, end - begin), number, static_cast<int>(begin) + 1});
    }
    if (separator) ++at;
    after_separator = separator;
    if (at >= line.size() && !separator) return words;
  }
}

bool is_number(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error != std::errc::invalid_argument && end == text.data() + text.size();
}

double number(const Word& word, const std::string& file, std::string_view what) {
  const std::string_view text = without_plus(word.text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) base::fail_at(place(file, word), "{} is missing", what);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    base::fail_at(place(file, word), "{} must be a number, found '{}'", what, shown(word.text));
  }
  // a number too large or too small for a double is refused as well
  if (error != std::errc() || !std::isfinite(value)) {
    base::fail_at(place(file, word), "{} must be a finite number, found '{}'", what,
                  shown(word.text));
  }
  return value;
}

}  // namespace klingel::profile
