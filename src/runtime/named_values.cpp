#include "runtime/named_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"

namespace klingel::runtime {
namespace {

constexpr std::string_view first_line = "klingel state 1";

// The words of a line up to a comment.
std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) (text += text.empty() ? "" : " ") += word;
  return text;
}

// What a file says, for messages: not too long, nothing a terminal would obey.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c < 127 ? c : '?';
  return text.size() > 40 ? result + "..." : result;
}

bool is_single(const NamedValues& list) { return list.names.size() == 1 && list.names[0].empty(); }

class Reader {
 public:
  Reader(const std::string& file, std::string_view model, std::vector<NamedValues>& lists)
      : file_(file), model_(model), lists_(lists) {
    for (const NamedValues& list : lists) lines_.emplace_back(list.names.size(), 0);
  }

  void read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::vector<std::string_view> words = words_of(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!words.empty()) item(words);
    }
    line_ = 0;
    if (!begun_) fail("is empty, expected '{}'", first_line);
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      for (std::size_t i = 0; i < lists_[k].names.size(); ++i) {
        if (lines_[k][i] != 0) continue;
        fail("has no line '{}{}{} VALUE'", lists_[k].word, is_single(lists_[k]) ? "" : " ",
             lists_[k].names[i]);
      }
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw base::Error(base::Place{file_, line_, 0},
                      fmt::format(format, std::forward<Args>(args)...));
  }

  void item(const std::vector<std::string_view>& words) {
    if (!begun_) {
      if (joined(words) != first_line) {
        fail("a state file begins with '{}', found '{}'", first_line, shown(words[0]));
      }
      begun_ = true;
      return;
    }
    if (words[0] == "model" && words.size() == 2) {
      if (words[1] != model_) {
        fail("this is a state of '{}', expected one of '{}'", shown(words[1]), model_);
      }
      return;
    }
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      if (words[0] != lists_[k].word || words.size() != (is_single(lists_[k]) ? 2u : 3u)) continue;
      value(k, is_single(lists_[k]) ? "" : words[1], words.back());
      return;
    }
    fail("expected {}, found '{}'", expected(), shown(joined(words)));
  }

  std::string expected() const {
    std::string text = "'model NAME'";
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      text += k + 1 == lists_.size() ? " or " : ", ";
      text += fmt::format("'{}{} VALUE'", lists_[k].word, is_single(lists_[k]) ? "" : " NAME");
    }
    return text;
  }

  void value(std::size_t k, std::string_view name, std::string_view text) {
    NamedValues& list = lists_[k];
    const auto it = std::find(list.names.begin(), list.names.end(), name);
    if (it == list.names.end()) {
      fail("'{}' has no {} '{}'{}", model_, list.what, shown(name),
           base::did_you_mean(name.substr(0, 100), list.names));
    }
    const auto i = static_cast<std::size_t>(it - list.names.begin());
    if (lines_[k][i] != 0) {
      fail("{} was given before, in line {}",
           is_single(list) ? list.word : fmt::format("'{}'", name), lines_[k][i]);
    }
    lines_[k][i] = line_;
    list.values[i] = number(text);
  }

  double number(std::string_view text) const {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value)) {
      fail("'{}' is not a finite number", shown(text));
    }
    return value;
  }

  const std::string& file_;
  std::string_view model_;
  std::vector<NamedValues>& lists_;
  std::vector<std::vector<int>> lines_;  // where each was given; 0: not yet
  int line_ = 0;
  bool begun_ = false;
};

}  // namespace

std::string named_values_text(std::string_view model, const std::vector<NamedValues>& lists) {
  std::string text = fmt::format("{}\nmodel {}\n", first_line, model);
  for (const NamedValues& list : lists) {
    for (std::size_t i = 0; i < list.names.size(); ++i) {
      text += list.word;
      if (!list.names[i].empty()) text += " " + list.names[i];
      text += fmt::format(" {}\n", base::shortest(list.values[i]));
    }
  }
  return text;
}

void parse_named_values(std::string_view text, const std::string& file, std::string_view model,
                        std::vector<NamedValues>& lists) {
  Reader(file, model, lists).read(text);
}

}  // namespace klingel::runtime
