// What a vehicle on a track is, for the step: data, tables and names that are made once and do not
// change. Vehicles of one kind share it. What changes is in VehicleState, Instant, System and the
// treads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "contact/flange_reach.hpp"
#include "contact/hertz.hpp"
#include "contact/jump_map.hpp"
#include "contact/place_chart.hpp"
#include "runtime/kernel_set.hpp"
#include "runtime/status.hpp"
#include "step/vehicle_data.hpp"

namespace klingel::step {

using runtime::Failure, runtime::KernelSet, runtime::Status;

// Inputs and functions of the vehicle's kernels (model/vehicle_interface.hpp), by index.
struct KernelIds {
  explicit KernelIds(const KernelSet& k);

  bool has_p, has_u, has_z;
  // inputs
  std::uint32_t p, q, dq, u, h, tangents, B, b, W_n, active, rhs, dq_end;
  // functions
  std::uint32_t pose, motion, impulse, solve, step_matrix, delta_NK, energy, twist_end, power;
  std::uint32_t twist_dq, M_qq;
  // 0 if the vehicle has none
  std::uint32_t z, strokes_end;                    // inputs of internal states
  std::uint32_t strokes, advance, measured, felt;  // functions
};

struct Description {
  explicit Description(VehicleData given);
  Description(const Description&) = delete;  // its parts point to each other
  Description& operator=(const Description&) = delete;

  const contact::RailSurface& rail(std::size_t wheel) const {
    return data.rail(data.wheels[wheel]);
  }

  const VehicleData data;
  const KernelIds id;
  std::vector<std::string> coordinate_names, input_names, parameter_names, wheel_names;
  std::vector<std::string> internal_names;  // of internal states
  std::size_t n, w;                         // coordinates, wheels
  std::size_t track_states = 0;             // of track that gives way

  const contact::HertzTable hertz;
  const creep::KalkerTable kalker;
  // by wheel, of rigid treads
  std::vector<contact::ContactSearch> searches;
  std::vector<contact::JumpMap> maps;
  std::vector<contact::FlangeReach> reaches;
  std::vector<std::shared_ptr<const contact::PlaceChart>> charts;

 private:
  Description(VehicleData given, const KernelSet& kernels);
  void make_searches();
};

}  // namespace klingel::step
