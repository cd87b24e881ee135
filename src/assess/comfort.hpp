// Comfort after EN 12299, beside the mean comfort of ride.hpp, from accelerations of the floor:
//
//   N_VD = 3 sqrt(16 x50^2 + 4 y50^2 + z50^2) + 5 y95      standing, complete method
//   N_VA = 4 z95 + 2 sqrt(y95^2 + z95^2) + 4 xc95          seated, complete method
//   P_CT = max(A y1s + B j1s - C, 0) + D roll1s^E          per cent of passengers, in a transition
//
// x50, x95: 50 and 95 % of the rms over windows of 5 s, weighted (W_d across and along, W_b
// vertically, W_c at the back of a seat). The standard measures N_VA at the seat; a model has none,
// so the floor stands for it. In a transition y1s is the largest mean over 1 s of the lateral
// acceleration, j1s of its change over 1 s, roll1s of the roll velocity in degrees per second.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assess/run_signals.hpp"

namespace klingel::assess {

struct Comfort {
  std::string name;  // of the point
  double seconds = 0;
  double N_MV = 0, N_VA = 0, N_VD = 0;
  double continuous_y = 0, continuous_z = 0;  // largest weighted rms over 5 s, m/s^2
  double Wz_y = 0, Wz_z = 0;                  // Sperling
};

struct TransitionComfort {
  std::string run, point;
  double t = 0;                      // s, of its begin
  double from = 0, to = 0;           // curvature, 1/m
  double y = 0, jerk = 0, roll = 0;  // m/s^2, m/s^3, degrees/s
  double standing = 0, seated = 0;   // P_CT, per cent
};

// Below four values there is none.
std::optional<Comfort> comfort(const FloorSignal& point, double interval);

// Of all transitions into a curve, or into a tighter one, that take a second or more.
std::vector<TransitionComfort> transition_comfort(const RunSignals& run, std::size_t point);

}  // namespace klingel::assess
