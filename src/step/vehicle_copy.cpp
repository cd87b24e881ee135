#include "step/vehicle_copy.hpp"

namespace klingel::step {
namespace {

KernelSet kernels_of(const klingel_kernel& kernel, std::unique_ptr<KernelSet>& lanes) {
  if (kernel.lanes == 1) return KernelSet(kernel);
  lanes = std::make_unique<KernelSet>(kernel);
  return KernelSet(*lanes, 0);
}

}  // namespace

VehicleCopy::VehicleCopy(std::shared_ptr<const Description> given)
    : description(std::move(given)),
      vehicle(*description),
      at(vehicle, kernels_of(*vehicle.data.vehicle, lanes_)),
      friction(vehicle.w, vehicle.data.friction),
      treads(make_treads(vehicle)) {}

VehicleCopy::VehicleCopy(const Simulator& simulator) : VehicleCopy(simulator.description()) {
  std::vector<double> mu;
  for (std::size_t i = 0; i < vehicle.w; ++i) mu.push_back(simulator.friction(i));
  take_settings(simulator.kernels(), mu);
}

void VehicleCopy::take_state(const VehicleState& state) {
  at.place(state.q);
  at.move(state.dq);
  if (vehicle.id.has_z && !state.z.empty()) at.kernels.set(vehicle.id.z, state.z);
  std::visit(
      [&](auto& t) {
        PackedState packed;
        pack(state, t.tread, packed);
        step::take_state(t, vehicle, packed, at);
      },
      treads);
}

void VehicleCopy::take_settings(const KernelSet& from, const std::vector<double>& mu) {
  const KernelIds& id = vehicle.id;
  if (id.has_p) at.kernels.set(id.p, from.value(id.p));
  if (id.has_u) at.kernels.set(id.u, from.value(id.u));
  friction = mu;
}

}  // namespace klingel::step
