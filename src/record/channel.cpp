#include "record/channel.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::record {

bool matches(std::string_view pattern, std::string_view name) {
  // on a mismatch the last star takes one letter more
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<std::string> families(std::span<const Channel> channels) {
  std::vector<std::string> result;
  for (const Channel& c : channels) {
    const std::size_t dot = c.name.find('.');
    std::string family = dot == std::string::npos ? c.name : c.name.substr(0, dot) + ".*";
    if (std::find(result.begin(), result.end(), family) == result.end())
      result.push_back(std::move(family));
  }
  return result;
}

std::vector<std::size_t> select(std::span<const Channel> channels,
                                std::span<const std::string> patterns) {
  std::vector<bool> chosen(channels.size());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (!matches(pattern, channels[i].name)) continue;
      any = chosen[i] = true;
    }
    if (any) continue;
    std::vector<std::string> names = families(channels);
    std::string known;
    for (const std::string& family : names) known += (known.empty() ? "" : " ") + family;
    for (const Channel& c : channels) names.push_back(c.name);
    base::fail("no channel matches '{}'{}\n    there are {}", pattern,
               base::did_you_mean(pattern, names), known);
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (chosen[i]) result.push_back(i);
  return result;
}

}  // namespace klingel::record
