// How a run ended, judged from outside of the step. A step says that a wheel has left its rail;
// that is a derailment only if the wheel is seen to have climbed, lifted or fallen, and energy is
// accounted for. Otherwise numbers blew up or a contact was not found: a failure.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "record/rail_forces.hpp"
#include "record/summary.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

// Shares of the energy exchanged, beyond a joule of rounding: a warning, and no derailment; no
// result at all. Rigid wheels lose energy when they hit their rails: for them a loss is no doubt
// about a derailment until the second share.
inline constexpr double doubtful_energy = 0.01, broken_energy = 0.1;

bool exceeds(const step::EnergyBalance& balance, double share);

// "energy error 3 J, 2 % of the 150 J exchanged"
std::string energy_text(const step::EnergyBalance& balance);

class Ending {
 public:
  // At the beginning of a run, after forces.before().
  Ending(step::Simulator& simulator, const RailForces& forces);

  // Sets end and message of a summary that has its energy balance, if one was kept. `status` is
  // that of the last step; `planned` is how the run would end if nothing is wrong.
  void judge(step::Simulator& simulator, RailForces& forces, runtime::Status status, RunEnd planned,
             RunSummary& summary) const;

 private:
  // Why it is no derailment, or nothing.
  std::string doubt(step::Simulator& simulator, RailForces& forces, const RunSummary& s) const;

  std::vector<std::array<double, 2>> places_;  // of the wheels at the beginning
};

}  // namespace klingel::record
