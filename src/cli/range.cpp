#include "cli/range.hpp"

#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace klingel::cli {
namespace {

constexpr double most_points = 1e6;

[[noreturn]] void refuse(std::string_view option, std::string_view text, const std::string& why) {
  base::fail("{} {}: {}\n    expected A:B:STEP, for example -8:8:0.5, or one number", option, text,
             why);
}

}  // namespace

std::vector<double> read_range(std::string_view text, std::string_view option) {
  std::vector<double> parts;
  for (std::string_view rest = text;;) {
    const std::size_t colon = rest.find(':');
    std::string_view word = rest.substr(0, colon);
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
      refuse(option, text, fmt::format("'{}' is not a number", word));
    }
    parts.push_back(value);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (parts.size() == 1) return parts;
  if (parts.size() != 3) {
    refuse(option, text, fmt::format("{} numbers where three are needed", parts.size()));
  }

  const double first = parts[0], last = parts[1], step = parts[2];
  if (step == 0) refuse(option, text, "the step is zero");
  // a step that nearly meets the end meets it: 0:1:0.1 has eleven numbers
  const double steps = std::floor((last - first) / step + 1e-9);
  if (steps < 0) refuse(option, text, "the step leads away from the end");
  if (steps > most_points)
    refuse(option, text, fmt::format("more than {:.0f} numbers", most_points));
  std::vector<double> values;
  for (int i = 0; i <= static_cast<int>(steps); ++i) values.push_back(first + i * step);
  if (std::abs(values.back() - last) < 1e-9 * std::abs(step)) values.back() = last;
  // what should be zero is zero, not 1e-16
  for (double& v : values) {
    if (std::abs(v) < 1e-9 * std::abs(step)) v = 0;
  }
  return values;
}

std::vector<double> read_list(std::string_view text, std::string_view option) {
  std::vector<double> all;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::vector<double> values = read_range(rest.substr(0, comma), option);
    all.insert(all.end(), values.begin(), values.end());
    if (comma == std::string_view::npos) return all;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace klingel::cli
