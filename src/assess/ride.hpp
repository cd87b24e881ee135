// Ride indices from accelerations of a floor point: Sperling's Wz and the mean comfort of EN 12299.
// Signals are weighted in the frequency domain, by magnitude: rms values do not see phases.
//
//   Wz    = 4.42 (rms of a weighted by B)^0.3, a in m/s2; the same as (B A)^0.3 of a sine of
//           amplitude A in cm/s2
//   N_MV  = 6 sqrt(a_x^2 + a_y^2 + a_z^2), each the 95 % value of rms over windows of 5 s, weighted
//           by W_d (x, y) and W_b (z)
//
// Constants and limits of validity are in docs/report.md. The mean of a signal does not count.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "assess/assessment.hpp"

namespace klingel::assess {

// Sperling's weighting counts between these only, in Hz: his tests ended there, and curves and cant
// are no vibration.
inline constexpr double sperling_low = 0.5, sperling_high = 30;

// Weightings: magnitudes at a frequency in Hz.
double sperling_vertical(double f);
double sperling_lateral(double f);
double comfort_W_b(double f);
double comfort_W_c(double f);  // at the back of a seat
double comfort_W_d(double f);

// The signal with each frequency multiplied; `interval` in s between values.
std::vector<double> weighted(std::span<const double> signal, double interval,
                             const std::function<double(double f)>& weighting);

double rms(std::span<const double> signal);

// Below four values there is no index: 0.
double sperling_Wz(std::span<const double> acceleration, double interval,
                   const std::function<double(double f)>& weighting);

// Windows of 5 s one behind the other; a shorter signal is one window, a last part below half a
// window is left out.
double comfort_95(std::span<const double> acceleration, double interval,
                  const std::function<double(double f)>& weighting);
double comfort_N_MV(const std::array<std::span<const double>, 3>& acceleration, double interval);

// Accelerations of a point of the body's floor in the axes of the body.
struct FloorPoint {
  std::string name;                                 // "front", "middle", "rear"
  std::array<double, 3> place;                      // in the body's base from its point, m
  std::array<std::vector<double>, 3> acceleration;  // m/s2, without weight
};

// Values `interval` s apart.
RideAssessment assess_ride(const FloorPoint& point, double interval);

}  // namespace klingel::assess
