// Load spectra: cycles of a signal by rainflow counting, and how often which range occurs. The
// counting is that of three points (as in ASTM E1049): a range that is followed by one at least as
// large is a cycle if it lies inside, half a cycle if it holds the first value. What is left at the
// end counts as half cycles.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace klingel::wear {

struct LoadCycle {
  double range = 0, mean = 0;
  double count = 1;  // or 0.5
};

// Values that are not finite are left out.
std::vector<LoadCycle> rainflow(std::span<const double> values);

struct LoadSpectrum {
  double width = 0;                // of a class of ranges
  std::vector<double> counts;      // by class, of ranges from i width to (i + 1) width
  std::vector<double> exceedings;  // cycles with a range of i width or more
  double largest = 0;              // range
  double cycles = 0;
};

// The range that would do the same damage if all cycles had it, by Miner with a Woehler exponent.
double equivalent_range(std::span<const LoadCycle> cycles, double exponent);

LoadSpectrum load_spectrum(std::span<const LoadCycle> cycles, std::size_t classes = 32);

}  // namespace klingel::wear
