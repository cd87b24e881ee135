#include "step/packed_state.hpp"

namespace klingel::step {
namespace {

void put(unsigned& lanes, std::size_t lane, bool yes) {
  lanes = (lanes & ~(1u << lane)) | (yes ? 1u << lane : 0u);
}

void pack_point(const PointState& from, PointSetState& to, std::size_t lane) {
  for (std::size_t i = 0; i < 4; ++i) {
    to.s[i][lane] = from.s[i];
    to.ds[i][lane] = from.ds[i];
    to.dds[i][lane] = from.dds[i];
  }
  to.gap[lane] = from.gap, to.N[lane] = from.N;
  to.deflection[lane] = from.deflection, to.gamma_n[lane] = from.gamma_n;
  for (std::size_t i = 0; i < 2; ++i) to.slip_rate[i][lane] = from.slip_rate[i];
  put(to.found, lane, from.found), put(to.on, lane, from.on), put(to.steady, lane, from.steady);
}

void unpack_point(const PointSetState& from, PointState& to, std::size_t lane) {
  for (std::size_t i = 0; i < 4; ++i) {
    to.s[i] = from.s[i][lane];
    to.ds[i] = from.ds[i][lane];
    to.dds[i] = from.dds[i][lane];
  }
  to.gap = from.gap[lane], to.N = from.N[lane];
  to.deflection = from.deflection[lane], to.gamma_n = from.gamma_n[lane];
  for (std::size_t i = 0; i < 2; ++i) to.slip_rate[i] = from.slip_rate[i][lane];
  to.found = (from.found >> lane & 1) != 0;
  to.on = (from.on >> lane & 1) != 0;
  to.steady = (from.steady >> lane & 1) != 0;
}

}  // namespace

void pack(const VehicleState& from, const Points& points, PackedState& to) {
  to.t = from.t, to.step = from.step;
  to.z = from.z, to.track = from.track;
  to.tread.resize(points.forces.size()), to.flange.resize(points.forces.size());
  for (std::size_t i = 0; i < from.tread.size(); ++i) {
    const auto [set, lane] = points.lane_of(i);
    pack_point(from.tread[i], to.tread[set], lane);
    pack_point(from.flange[i], to.flange[set], lane);
  }
}

void unpack(const PackedState& from, const Points& points, VehicleState& to) {
  to.t = from.t, to.step = from.step;
  to.z = from.z, to.track = from.track;
  for (std::size_t i = 0; i < to.tread.size(); ++i) {
    const auto [set, lane] = points.lane_of(i);
    unpack_point(from.tread[set], to.tread[i], lane);
    unpack_point(from.flange[set], to.flange[i], lane);
  }
}

}  // namespace klingel::step
