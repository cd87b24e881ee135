// How well an irregularity is found, by length of waves: the power of truth and error in octaves.
#pragma once

#include <span>
#include <vector>

namespace klingel::estimate {

struct WaveBand {
  double shortest = 0, longest = 0;  // m
  double truth = 0, error = 0;       // rms, m
};

// Samples every ds metres. Octaves from 3 m on, as far as the piece is three waves long; empty
// where samples are too few or not finite. A Hann window keeps long waves out of short ones.
std::vector<WaveBand> wave_bands(std::span<const double> truth, std::span<const double> estimate,
                                 double ds);

}  // namespace klingel::estimate
