// One axis of a chart: the values it shows, where they go, and its ticks.
#pragma once

#include <string>
#include <vector>

namespace klingel::report {

struct Axis {
  double low = 0, high = 1;  // shown values
  double step = 0.2;         // between ticks
  double from = 0, to = 1;   // pixels of low and high
  int exponent = 0;          // labels are in units of 10^exponent, a multiple of 3

  double pixel(double value) const { return from + (value - low) / (high - low) * (to - from); }
  // Multiples of the step between low and high; zero is exactly zero.
  std::vector<double> ticks() const;
  // The text at a tick, without the power of ten.
  std::string label(double tick) const;
  // "×10³", or "" for exponent 0.
  std::string factor() const;
};

// An axis for values between low and high with about `wanted` ticks. `rounded` lets it begin and
// end at a tick. A range that is empty or only rounding noise is widened.
Axis make_axis(double low, double high, double from, double to, int wanted, bool rounded);

}  // namespace klingel::report
