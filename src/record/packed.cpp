#include "record/packed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace klingel::record {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr double steps = 32000;  // of the integers used on each side

// A double that a float may not hold becomes the largest float of its sign: the conversion itself
// would be undefined. NaN stays NaN.
float narrowed(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN()
                           : static_cast<float>(std::clamp(value, -most, most));
}

void append_block(std::string& bytes, std::span<const double> v) {
  const auto finite = [](double x) { return std::isfinite(x); };
  // the straight line from the first to the last value that can be used
  const auto first = std::find_if(v.begin(), v.end(), finite);
  const auto last = std::find_if(v.rbegin(), v.rend(), finite);
  const bool all = std::all_of(v.begin(), v.end(), finite);
  double start = 0, slope = 0;
  if (first != v.end()) {
    const auto i = first - v.begin(), k = v.rend() - last - 1;
    slope = k > i ? (*last - *first) / static_cast<double>(k - i) : 0;
    // of numbers near the largest there may be none
    if (!finite(slope)) slope = 0;
    start = *first - slope * static_cast<double>(i);
    if (!finite(start)) start = *first, slope = 0;
  }
  double deviation = 0, size = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!finite(v[i])) continue;
    deviation = std::max(deviation, std::abs(v[i] - (start + slope * static_cast<double>(i))));
    size = std::max(size, std::abs(v[i]));
  }
  // rounding alone is no deviation
  if (deviation <= 4e-16 * size) deviation = 0;
  const double wanted = std::min(deviation / steps, 1e38);
  float scale = narrowed(wanted);
  if (deviation > 0 && scale == 0) scale = std::numeric_limits<float>::min();
  if (!all && scale == 0) scale = 1;

  append(bytes, start);
  append(bytes, slope);
  append(bytes, scale);
  if (scale == 0) return;
  for (std::size_t i = 0; i < v.size(); ++i) {
    std::int16_t k = -32768;
    if (finite(v[i])) {
      const double off = v[i] - (start + slope * static_cast<double>(i));
      const double count = std::round(off / scale);
      // differences of numbers near the largest may be infinite, or infinite less infinite
      if (!std::isnan(count)) k = static_cast<std::int16_t>(std::clamp(count, -32767.0, 32767.0));
    }
    append(bytes, k);
  }
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

namespace {

int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = sextet(c);
    if (value < 0) base::fail("packed numbers hold a character that is not base64");
    group = group << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  return bytes;
}

template <class T>
T take(std::string_view& bytes) {
  if (bytes.size() < sizeof(T)) base::fail("packed numbers end too early");
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

std::vector<double> unpacked(std::string_view text, std::size_t count) {
  const std::string all = from_base64(text);
  std::string_view bytes = all;
  std::vector<double> values;
  while (values.size() < count) {
    const auto start = take<double>(bytes), slope = take<double>(bytes);
    const auto scale = take<float>(bytes);
    const std::size_t n = std::min(packed_block, count - values.size());
    for (std::size_t i = 0; i < n; ++i) {
      const std::int16_t k = scale != 0 ? take<std::int16_t>(bytes) : std::int16_t{0};
      const double value = start + slope * static_cast<double>(i) + static_cast<double>(scale) * k;
      values.push_back(k == -32768 ? std::numeric_limits<double>::quiet_NaN() : value);
    }
  }
  if (!bytes.empty()) base::fail("packed numbers have extra data after their end");
  return values;
}

std::string packed(std::span<const double> values) {
  std::string bytes;
  for (std::size_t i = 0; i < values.size(); i += packed_block)
    append_block(bytes, values.subspan(i, std::min(packed_block, values.size() - i)));
  return base64(bytes);
}

std::string packed_floats(std::span<const double> values) {
  std::string bytes;
  for (const double v : values) append(bytes, narrowed(v));
  return base64(bytes);
}

}  // namespace klingel::record
