#include "step/energy_meter.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::step {

void EnergyMeter::open(const Description& vehicle, Instant& at, double stored) {
  const std::span<const double> energy = at.kernels.evaluate(vehicle.id.energy);
  balance = {};
  is_open_ = true;
  balance.kinetic = energy[0], balance.potential = energy[1];
  balance.start = energy[0] + energy[1];
  balance.contacts = balance.start_contacts = stored;
  const std::span<const double> power = at.kernels.evaluate(vehicle.id.power);
  power_ = power[0], input_power_ = power[1];
}

void EnergyMeter::add(const Description& vehicle, Instant& end, const ContactWork& work,
                      double stored, double h) {
  balance.normal += work.normal, balance.creep += work.creep, balance.track += work.track;
  balance.exchanged += std::abs(work.normal) + std::abs(work.creep) + std::abs(work.track);
  const double before = power_, inputs_before = input_power_;
  const std::span<const double> power = end.kernels.evaluate(vehicle.id.power);
  power_ = power[0], input_power_ = power[1];
  const double inputs = h * (inputs_before + input_power_) / 2;
  const double dampers = h * (before + power_) / 2 - inputs;
  balance.inputs += inputs, balance.dampers += dampers;
  balance.exchanged += std::abs(inputs) + std::abs(dampers);
  const double potential = balance.potential;
  const std::span<const double> energy = end.kernels.evaluate(vehicle.id.energy);
  balance.kinetic = energy[0], balance.potential = energy[1];
  balance.exchanged += std::abs(balance.potential - potential);
  if (work.before_impact) {
    // a hit takes energy away; one that adds some is an error of the method, and stays one
    const double lost = std::min(0.0, energy[0] + energy[1] - *work.before_impact);
    balance.impacts += lost, balance.exchanged -= lost;
  }
  balance.contacts = stored;
}

}  // namespace klingel::step
