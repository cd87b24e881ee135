// Everything the next step depends on, and nothing else: saved and loaded, a run continues bit for
// bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace klingel::step {

// A pair of points on wheel and rail; of loaded treads the middle of a patch.
struct PointState {
  std::array<double, 4> s{};    // theta_w, u_w, s_r, u_r
  std::array<double, 4> ds{};   // their rates
  std::array<double, 4> dds{};  // and how these changed in the last step, for the next prediction
  double gap = 0;               // phi_n when s was last found, m
  double N = 0;                 // normal force of the last step, N
  double deflection = 0;        // of the rail behind a loaded flange, m
  double gamma_n = 0;           // of the last step, if steady
  // of a rigid tread and its flange: how nu_x and nu_y changed in the last step, m/s^2
  std::array<double, 2> slip_rate{};
  bool found = false;   // s is a solution of phi_d = 0; else there is no such point
  bool on = false;      // of a rigid tread: held by its constraint
  bool steady = false;  // and so it was in the last step, at the same point; of a flange:
                        // it was looked at in the last step

  // How rates and slip changed is not known: the next step expects no change.
  void forget_changes() { dds = {}, slip_rate = {}; }

  friend bool operator==(const PointState&, const PointState&) = default;
};

struct VehicleState {
  double t = 0;           // s
  std::int64_t step = 0;  // steps done
  std::vector<double> q, dq;
  std::vector<double> z;  // internal states of elements; empty: all zero
  // of track that gives way, by wheelset: y, z_left, z_right and their rates; empty: at rest
  std::vector<double> track;
  // by wheel
  std::vector<PointState> tread, flange;

  friend bool operator==(const VehicleState&, const VehicleState&) = default;
};

}  // namespace klingel::step
