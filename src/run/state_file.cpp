#include "run/state_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"

namespace klingel::run {
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

// Values by name, each to be given once.
struct Section {
  const char* what;
  const std::vector<std::string>& names;
  std::vector<double>& values;
  std::vector<int> lines;  // where given; 0: not yet
};

class Reader {
 public:
  Reader(const Mechanism& mechanism, const std::string& file)
      : mechanism_(mechanism), file_(file), state_(mechanism.nominal_state()) {}

  State read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::vector<std::string_view> words = words_of(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!words.empty()) item(words);
    }
    if (!begun_) fail("is empty, expected '{}'", first_line);
    line_ = 0;
    if (t_line_ == 0) fail("has no line 't VALUE'");
    for (const Section* section : {&q_, &dq_})
      for (std::size_t i = 0; i < section->names.size(); ++i)
        if (section->lines[i] == 0) fail("has no {} '{}'", section->what, section->names[i]);
    return state_;
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
    } else if (words[0] == "model" && words.size() == 2) {
      if (words[1] != mechanism_.name()) {
        fail("this is a state of '{}', expected one of '{}'", shown(words[1]), mechanism_.name());
      }
    } else if (words[0] == "t" && words.size() == 2) {
      if (t_line_ != 0) fail("t was given before, in line {}", t_line_);
      t_line_ = line_;
      state_.t = number(words[1]);
    } else if ((words[0] == "q" || words[0] == "dq") && words.size() == 3) {
      value(words[0] == "q" ? q_ : dq_, words[1], words[2]);
    } else {
      fail("expected 'model NAME', 't VALUE', 'q NAME VALUE' or 'dq NAME VALUE', found '{}'",
           shown(joined(words)));
    }
  }

  void value(Section& section, std::string_view name, std::string_view text) {
    const auto it = std::find(section.names.begin(), section.names.end(), name);
    if (it == section.names.end()) {
      fail("'{}' has no {} '{}'{}", mechanism_.name(), section.what, shown(name),
           base::did_you_mean(name.substr(0, 100), section.names));
    }
    const std::size_t i = static_cast<std::size_t>(it - section.names.begin());
    if (section.lines[i] != 0) fail("'{}' was given before, in line {}", name, section.lines[i]);
    section.lines[i] = line_;
    section.values[i] = number(text);
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

  const Mechanism& mechanism_;
  const std::string& file_;
  State state_;
  int line_ = 0, t_line_ = 0;
  bool begun_ = false;
  Section q_{"coordinate", mechanism_.coordinate_names(), state_.q,
             std::vector<int>(mechanism_.coordinates())};
  Section dq_{"rate", mechanism_.rate_names(), state_.dq,
              std::vector<int>(mechanism_.coordinates())};
};

}  // namespace

std::string state_text(const Mechanism& mechanism, const State& state) {
  std::string text =
      fmt::format("{}\nmodel {}\nt {}\n", first_line, mechanism.name(), base::shortest(state.t));
  for (std::size_t i = 0; i < state.q.size(); ++i)
    text +=
        fmt::format("q {} {}\n", mechanism.coordinate_names().at(i), base::shortest(state.q[i]));
  for (std::size_t i = 0; i < state.dq.size(); ++i)
    text += fmt::format("dq {} {}\n", mechanism.rate_names().at(i), base::shortest(state.dq[i]));
  return text;
}

void write_state(const Mechanism& mechanism, const State& state,
                 const std::filesystem::path& path) {
  base::write_file(path, state_text(mechanism, state));
}

State parse_state(const Mechanism& mechanism, std::string_view text, const std::string& file) {
  return Reader(mechanism, file).read(text);
}

State read_state(const Mechanism& mechanism, const std::filesystem::path& path) {
  return parse_state(mechanism, base::read_file(path), path.string());
}

}  // namespace klingel::run
