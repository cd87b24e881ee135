// The state as the step works on it: numbers of four contact points side by side, yes or no as bits
// of lanes. VehicleState is the same, wheel by wheel and with q and dq, for everyone else.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/pack.hpp"
#include "step/points.hpp"
#include "step/vehicle_state.hpp"

namespace klingel::step {

// Four points of one kind; names as in PointState.
struct PointSetState {
  base::Pack s[4] = {}, ds[4] = {}, dds[4] = {};
  base::Pack gap{}, N{}, deflection{}, gamma_n{}, slip_rate[2] = {};
  unsigned found = 0, on = 0, steady = 0;
};

struct PackedState {
  double t = 0;
  std::int64_t step = 0;
  std::vector<double> z, track;
  std::vector<PointSetState> tread, flange;  // by set
};

void pack(const VehicleState& from, const Points& points, PackedState& to);
void unpack(const PackedState& from, const Points& points, VehicleState& to);

// Calls visit(lane) for every bit that is set.
template <class Visit>
void each_lane(unsigned lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::size_t>(std::countr_zero(lanes)));
}

}  // namespace klingel::step
