// Golden texts: what a program wrote is compared with a committed file under tests/golden.
//
//   expect_golden("pendulum/kernels.c", text);
//
// A difference fails the test and is shown as a short diff. With KLINGEL_UPDATE_GOLDEN=1 in the
// environment the file is rewritten instead, and the reviewer reads the diff of the commit.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"

namespace klingel::test {

// The lines of a text without their ends; a missing newline at the end of the text is a line of
// its own, as in diff.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      lines.emplace_back("\\ no newline at the end");
      break;
    }
    text.remove_prefix(end + 1);
  }
  return lines;
}

// One line of a diff: ' ' in both, '-' only in the old text, '+' only in the new one.
struct DiffLine {
  char mark;
  std::string text;
};

// The shortest edit between two texts by the table of common subsequences. What is equal at both
// ends is cut off first; a middle too large for the table is shown as all old, then all new lines.
inline std::vector<DiffLine> diff_lines(const std::vector<std::string>& x,
                                        const std::vector<std::string>& y) {
  std::size_t head = 0;
  while (head < x.size() && head < y.size() && x[head] == y[head]) ++head;
  std::size_t tail = 0;
  while (tail < x.size() - head && tail < y.size() - head &&
         x[x.size() - 1 - tail] == y[y.size() - 1 - tail]) {
    ++tail;
  }
  const std::size_t m = x.size() - head - tail, n = y.size() - head - tail;

  std::vector<DiffLine> diff;
  for (std::size_t i = 0; i < head; ++i) diff.push_back({' ', x[i]});
  constexpr std::size_t largest_table = 4'000'000;
  const bool is_small = m * n <= largest_table;
  // common[i][j]: length of the longest common subsequence of x from i and y from j
  std::vector<unsigned> common(is_small ? (m + 1) * (n + 1) : 0, 0);
  const auto at = [&](std::size_t i, std::size_t j) -> unsigned& {
    return common[i * (n + 1) + j];
  };
  if (is_small) {
    for (std::size_t i = m; i-- > 0;) {
      for (std::size_t j = n; j-- > 0;) {
        at(i, j) = x[head + i] == y[head + j] ? at(i + 1, j + 1) + 1
                                              : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::size_t i = 0, j = 0;
  while (i < m || j < n) {
    if (is_small && i < m && j < n && x[head + i] == y[head + j]) {
      diff.push_back({' ', x[head + i++]});
      ++j;
    } else if (i < m && (j == n || !is_small || at(i + 1, j) >= at(i, j + 1))) {
      diff.push_back({'-', x[head + i++]});
    } else {
      diff.push_back({'+', y[head + j++]});
    }
  }
  for (std::size_t k = x.size() - tail; k < x.size(); ++k) diff.push_back({' ', x[k]});
  return diff;
}

// "" for equal texts; else the changed lines with three lines around each, in the manner of
// diff -u, cut off after `most` lines.
inline std::string unified_diff(std::string_view expected, std::string_view actual,
                                std::size_t most = 200) {
  if (expected == actual) return {};
  const std::vector<DiffLine> diff = diff_lines(lines_of(expected), lines_of(actual));
  constexpr std::size_t around = 3;
  std::vector<bool> shown(diff.size(), false);
  for (std::size_t i = 0; i < diff.size(); ++i) {
    if (diff[i].mark == ' ') continue;
    const std::size_t first = i < around ? 0 : i - around;
    for (std::size_t k = first; k < std::min(diff.size(), i + around + 1); ++k) shown[k] = true;
  }

  std::string out;
  std::size_t old_line = 1, new_line = 1, printed = 0;
  for (std::size_t i = 0; i < diff.size(); ++i) {
    if (shown[i]) {
      if (printed == most) return out + "... and more\n";
      if (i == 0 || !shown[i - 1]) out += fmt::format("@@ -{} +{} @@\n", old_line, new_line);
      out += fmt::format("{}{}\n", diff[i].mark, diff[i].text);
      ++printed;
    }
    if (diff[i].mark != '+') ++old_line;
    if (diff[i].mark != '-') ++new_line;
  }
  return out;
}

inline bool updates_golden() {
  const char* flag = std::getenv("KLINGEL_UPDATE_GOLDEN");
  return flag != nullptr && std::string_view(flag) == "1";
}

// Compares `actual` with the file tests/golden/<relative_path>.
inline void expect_golden(const std::string& relative_path, const std::string& actual) {
  const std::filesystem::path path =
      std::filesystem::path(KLINGEL_SOURCE_DIR) / "tests/golden" / relative_path;
  const bool exists = std::filesystem::exists(path);
  if (updates_golden()) {
    if (!exists || base::read_file(path) != actual) {
      base::write_file(path, actual);
      fmt::print("rewrote tests/golden/{}\n", relative_path);
    }
    return;
  }
  constexpr std::string_view advice = "KLINGEL_UPDATE_GOLDEN=1 rewrites it";
  if (!exists) {
    ADD_FAILURE() << fmt::format("tests/golden/{} does not exist; {}\n", relative_path, advice);
    return;
  }
  const std::string expected = base::read_file(path);
  if (expected == actual) return;
  ADD_FAILURE() << fmt::format(
      "tests/golden/{0} differs from what was written now; if the change is meant, {1}\n"
      "--- tests/golden/{0}\n+++ now\n{2}",
      relative_path, advice, unified_diff(expected, actual));
}

}  // namespace klingel::test
