#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace klingel::report {
namespace {

// 1, 2 or 5 times a power of ten, so that about `wanted` steps cover the range
double round_step(double range, int wanted) {
  const double rough = range / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

std::vector<double> Axis::ticks() const {
  std::vector<double> values;
  const double slack = 1e-9;  // of a step: ends that are ticks up to rounding count
  const double first = std::ceil(low / step - slack), last = std::floor(high / step + slack);
  for (double k = first; k <= last; ++k) values.push_back(k == 0 ? 0.0 : k * step);
  return values;
}

std::string Axis::label(double tick) const {
  const double unit = std::pow(10, exponent);
  const int decimals =
      std::clamp(static_cast<int>(-std::floor(std::log10(step / unit) + 1e-9)), 0, 9);
  std::string text = fmt::format("{:.{}f}", tick / unit, decimals);
  // the typographic minus is as wide as a plus
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

std::string Axis::factor() const {
  if (exponent == 0) return "";
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "×10⁻" : "×10";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
  return text;
}

Axis make_axis(double low, double high, double from, double to, int wanted, bool rounded) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-12 * size)) {
    const double margin = size > 0 ? 0.1 * size : 1;
    low -= margin;
    high += margin;
  }
  Axis axis{low, high, round_step(high - low, wanted), from, to, 0};
  if (rounded) {
    axis.low = std::floor(low / axis.step + 1e-9) * axis.step;
    axis.high = std::ceil(high / axis.step - 1e-9) * axis.step;
  }
  // labels of at most four digits before the point, or a power of ten shared by all
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  if (largest >= 1e5 || largest < 1e-2)
    axis.exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
  return axis;
}

}  // namespace klingel::report
