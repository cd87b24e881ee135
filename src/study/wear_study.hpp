// Wear of wheels over mileage: run, wear, smooth, run again. All wheels of the vehicle share one
// profile, which loses the mean of what they lose: a vehicle that runs in both directions and is
// turned now and then. So do all rails, if vehicles pass over them meanwhile: a network in which
// each rail sees all cases. Else rails stay new, and what they lose is a result.
#pragma once

#include <functional>
#include <vector>

#include "profile/profile.hpp"
#include "study/wear_file.hpp"
#include "wear/wear_map.hpp"

namespace klingel::study {

// What one profile did in all cases.
struct WearStep {
  double km = 0;                 // at its begin
  double length = 0;             // km until the next profile; zero at the end
  profile::Profile wheel, rail;  // the rail is known after the first run
  wear::WearMap wheel_rate;      // m per m run, smoothed, mean of all wheels
  wear::WearMap rail_rate;       // m per passing vehicle, smoothed, mean of both rails
  double T_gamma = 0;            // N, mean over distance of all wheels
  double section = 0;            // of the wheel lost so far, m^2
  double deepest = 0;            // m normal to the surface, lost so far
  double rail_section = 0, rail_deepest = 0;
  std::vector<double> conicity;  // at amplitudes
};

struct WearResult {
  std::vector<WearStep> steps;  // the last has no rate: it is where the mileage ends
  double radius = 0;            // of the wheels, m
  static constexpr double amplitudes[] = {1e-3, 3e-3, 5e-3};  // m, of the conicities
};

// Writes a profile, of a wheel or a rail, where runs can read it: gets its km, gives its path.
using KeepProfile = std::function<std::string(const profile::Profile&, double km)>;

// told: after each step. A case that fails or derails is an Error that names it.
WearResult run_wear(const WearStudy& study, const KeepProfile& keep,
                    const std::function<void(const WearStep&)>& told = {});

}  // namespace klingel::study
