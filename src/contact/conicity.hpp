// Equivalent conicity by EN 15302: a free wheelset with the same wavelength would have conical
// wheels of this slope. The wave follows
//
//   y'' + delta_r(y) / (e r0) = 0,   tan(gamma_e) = (2 pi / lambda)^2 e r0 / 2
//
// with delta_r = r_left - r_right at lateral displacement y (to the left). Between two values of
// delta_r it is a straight line, so the wave is made of sine and exponential arcs and its length is
// summed in closed form: no step size, no singular ends.
#pragma once

#include <vector>

namespace klingel::contact {

// delta_r at ascending y, both in m; straight lines in between.
struct RadiusDifference {
  std::vector<double> y, delta_r;
};

struct Conicity {
  double amplitude = 0;   // half of the peak-to-peak value, m
  double tan_gamma = 0;   // zero where nothing brings the wheelset back
  double wavelength = 0;  // m; infinite where tan_gamma is zero
  double centre = 0;      // middle of the wave: not zero if delta_r is not odd, m
};

// For a wave of the given amplitude, on a base e (distance of the contact circles) and a radius r0,
// all in m. If delta_r is not odd the wave swings about another place; the one nearest to y = 0 is
// taken. Errors: values that are not finite or do not ascend, an amplitude that is not positive or
// for which delta_r does not reach far enough.
Conicity equivalent_conicity(const RadiusDifference& f, double amplitude, double e, double r0);

}  // namespace klingel::contact
