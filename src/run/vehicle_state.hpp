// Everything the next step depends on, and nothing else: saved and loaded, a run goes on bit for
// bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace klingel::run {

// A pair of points on wheel and rail.
struct PointState {
  std::array<double, 4> s{};    // theta_w, u_w, s_r, u_r
  std::array<double, 4> ds{};   // their rates
  std::array<double, 4> dds{};  // and how these changed in the last step, for the next prediction
  double gap = 0;               // phi_n when s was last found, m
  double N = 0;                 // normal force of the last step, N
  bool found = false;           // s is a solution of phi_d = 0; else there is no such point
  bool on = false;              // of a rigid tread: held by its constraint
  // of a tread that is elastic for a while, because its point jumps or shares the load with another
  bool soft = false;
  double calm = 0;  // s, since it became so or jumped
  // of a tread: its gap counts from here, phi_n + offset is what is held at zero or pressed in; so
  // that nothing jumps when a tread becomes soft or rigid or its point another; fades in 20 ms
  double offset = 0, offset_rate = 0;  // m, m/s

  friend bool operator==(const PointState&, const PointState&) = default;
};

struct VehicleState {
  double t = 0;           // s
  std::int64_t step = 0;  // steps done
  std::vector<double> q, dq;
  // by wheel: the rigid point, the elastic one on the flange, and an elastic one in another minimum
  // of the gap on the tread
  std::vector<PointState> tread, flange, rival;

  friend bool operator==(const VehicleState&, const VehicleState&) = default;
};

}  // namespace klingel::run
