// How channels of two recordings differ: over the part that both have, at the rows of the first,
// with the second read between its rows by straight lines. Rows where either is not a number are
// left out.
#pragma once

#include <string>
#include <vector>

#include "record/recording.hpp"

namespace klingel::record {

struct Difference {
  std::string channel, unit;
  double mean_a = 0, mean_b = 0;
  double largest = 0, at = 0;  // |b - a|, and where
  double rms = 0;              // root mean square of b - a
  double range = 0;            // of the first: largest less smallest value
  std::size_t rows = 0;        // compared
};

// Of the channels of both that fit the patterns. `over` is the channel of the axis, "t" or "s": it
// must rise in both, and both must have a common part; else an Error. So is a pattern that fits no
// common channel.
std::vector<Difference> differences(const Recording& a, const Recording& b, const std::string& over,
                                    const std::vector<std::string>& patterns);

}  // namespace klingel::record
