// Names near a wrong name; see nearest.hpp.
#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace klingel::base {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Edit distance in half letters: insert, delete, replace and swap of neighbours cost 2, a change
// of case 1 (optimal string alignment, three rows of the usual table).
int distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), above(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) row[j] = static_cast<int>(2 * j);

  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j <= n; ++j) {
      const char x = a[i - 1], y = b[j - 1];
      const int replace = x == y ? 0 : lower(x) == lower(y) ? 1 : 2;
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, above[j - 1] + replace});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y)
        row[j] = std::min(row[j], before[j - 2] + 2);
    }
  }
  return row[n];
}

}  // namespace

std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string> names,
                                 std::size_t most) {
  // keep the close ones with their distance
  std::vector<std::pair<int, const std::string*>> close;
  for (const std::string& name : names) {
    const std::size_t longer = std::max(wanted.size(), name.size());
    const int limit = 2 * static_cast<int>(std::max<std::size_t>(1, longer / 3));
    const int d = distance(wanted, name);
    // a one-letter name is one edit away from every other one: only its case may differ
    if (d <= limit && (longer > 1 || d <= 1)) close.emplace_back(d, &name);
  }
  std::stable_sort(close.begin(), close.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<std::string> result;
  for (const auto& [d, name] : close) {
    if (result.size() == most) break;
    if (std::find(result.begin(), result.end(), *name) == result.end()) result.push_back(*name);
  }
  return result;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> names,
                         std::size_t most) {
  const std::vector<std::string> close = nearest(wanted, names, most);
  std::string list;
  for (std::size_t i = 0; i < close.size(); ++i) {
    if (i > 0) list += i + 1 == close.size() ? " or " : ", ";
    list += fmt::format("'{}'", close[i]);
  }
  return list.empty() ? "" : fmt::format("; did you mean {}?", list);
}

}  // namespace klingel::base
