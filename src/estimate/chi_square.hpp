// Bounds of sums of squares of normal numbers, for NIS and NEES.
#pragma once

namespace klingel::estimate {

// The value below which a chi-square number with so many degrees of freedom is with a probability.
double chi_square_quantile(double probability, double freedom);

}  // namespace klingel::estimate
