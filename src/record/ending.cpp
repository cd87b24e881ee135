#include "record/ending.hpp"

#include <fmt/format.h>

#include <cmath>

namespace klingel::record {

bool exceeds(const step::EnergyBalance& b, double share) {
  constexpr double rounding = 1;  // J
  // what is not a number exceeds everything
  return !(std::abs(b.error()) <= share * b.exchanged + rounding);
}

std::string energy_text(const step::EnergyBalance& b) {
  return fmt::format("energy error {:.3g} J, {:.2g} % of the {:.3g} J exchanged", b.error(),
                     100 * std::abs(b.error()) / b.exchanged, b.exchanged);
}

Ending::Ending(step::Simulator& simulator, const RailForces& forces) {
  for (std::size_t i = 0; i < simulator.data().wheels.size(); ++i)
    places_.push_back(forces.wheel_place(simulator, i));
}

std::string Ending::doubt(step::Simulator& simulator, RailForces& forces,
                          const RunSummary& s) const {
  const runtime::Failure& failure = simulator.failure();
  const std::size_t wheel = failure.index;
  if (wheel >= places_.size()) return "no wheel is named";
  // rigid wheels that hit their rails lose energy without work; what appears from nowhere is worse
  const bool hits = !simulator.data().loaded() && s.energy.error() < 0;
  if (s.has_balance && exceeds(s.energy, hits ? broken_energy : doubtful_energy))
    return energy_text(s.energy);
  // the last good state is one step before: half-way there is far enough, as no wheel moves by a
  // centimetre in a step
  forces.before(simulator);
  const std::array<double, 2> now = forces.wheel_place(simulator, wheel);
  const double up = now[1] - places_[wheel][1], across = now[0] - places_[wheel][0];
  constexpr double far_across = 0.03;  // m, more than any play between flange and rail
  if (std::abs(up) >= failure.tolerance / 2 || std::abs(across) >= far_across) return "";
  return fmt::format("the wheel had only risen by {:.2g} mm and moved by {:.2g} mm to the left",
                     1e3 * up, 1e3 * across);
}

void Ending::judge(step::Simulator& simulator, RailForces& forces, runtime::Status status,
                   RunEnd planned, RunSummary& s) const {
  s.end = planned;
  if (status == runtime::Status::derailed) {
    const std::string why_not = doubt(simulator, forces, s);
    s.end = why_not.empty() ? RunEnd::derailed : RunEnd::failed;
    s.message = simulator.failure_text();
    if (!why_not.empty()) {
      s.message += fmt::format(
          "\n    this is no derailment but a failure of the computation: {}; take a shorter time "
          "step, and check masses, stiffnesses and profiles",
          why_not);
    }
  } else if (status != runtime::Status::ok) {
    s.end = RunEnd::failed;
    s.message = simulator.failure_text();
  } else if (s.end != RunEnd::stopped && s.has_balance && exceeds(s.energy, broken_energy)) {
    s.end = RunEnd::failed;
    s.message = fmt::format(
        "the computation cannot be trusted at t = {:.9g} s: {}; take a shorter time step, and "
        "check "
        "masses and stiffnesses",
        s.t_end, energy_text(s.energy));
  }
  if (s.has_balance && exceeds(s.energy, doubtful_energy))
    s.warnings.insert(s.warnings.begin(), energy_text(s.energy));
}

}  // namespace klingel::record
