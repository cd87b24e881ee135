// Measures of a case that need no run: modes and critical speed on straight track, steady curves,
// equivalent conicity. Each case begins afresh, so that its numbers depend on nothing before it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/prepare_run.hpp"
#include "stability/critical_speed.hpp"
#include "stability/curving.hpp"
#include "study/measure.hpp"
#include "study/study_measure.hpp"

namespace klingel::study {

// What a case has beside its compiled vehicle.
struct AnalysedValues {
  std::vector<std::pair<std::size_t, double>> parameters;  // by index
  std::optional<double> friction;
  double speed = 0;  // m/s
  stability::CurveCase curve;
};

// Kernels of small motions of a compiled vehicle, for one thread. The vehicle must outlive it.
class LinearVehicle {
 public:
  LinearVehicle(const compile::CompiledVehicle& vehicle, const exec::Options& kernels);

  const compile::CompiledVehicle& vehicle() const { return vehicle_; }
  const klingel_kernel& linear() const { return linear_.abi(); }
  std::unique_ptr<stability::SteadyMotion> straight(const AnalysedValues& values) const;

 private:
  const compile::CompiledVehicle& vehicle_;
  exec::Kernel linear_;
};

class CaseAnalysis {
 public:
  // linear: null where no measure needs it.
  CaseAnalysis(const compile::CompiledVehicle& vehicle, const LinearVehicle* linear,
               const AnalysedValues& values)
      : vehicle_(vehicle), linear_(linear), values_(values) {}

  // What cannot be found is an Error. `formula` is that of a measure of a curve.
  double value(const Measure& measure, const Formula* formula);
  // By each of these parameters, from the null vectors of [eq:augmented]; none where the measure
  // has no such derivative.
  std::optional<std::vector<double>> derivatives(const Measure& measure,
                                                 const std::vector<std::size_t>& parameters);
  // What is to be said about the values: that there is no critical speed, and why.
  const std::string& note() const { return note_; }

 private:
  const stability::Critical& critical(const Measure& measure);
  double critical_value(const Measure& measure);
  stability::Mode mode(const Measure& measure, stability::SteadyMotion& motion) const;
  double of_mode(const Measure& measure) const;
  double of_curve(const Formula& formula);
  double conicity(double amplitude) const;

  const compile::CompiledVehicle& vehicle_;
  const LinearVehicle* linear_;
  const AnalysedValues& values_;
  std::unique_ptr<stability::SteadyMotion> motion_;  // at the critical speed
  std::optional<stability::Critical> critical_;
  std::optional<stability::CurveResult> curve_;
  std::string note_;
};

// Names of the quantities of a steady curve: of all wheels or wheelsets (YQ, attack), and of each
// (YQ.front.left).
std::vector<std::string> curve_quantities(const simulation::Description& vehicle);

}  // namespace klingel::study
