// A scenario run from its files to its end, as the command `klingel run` does it, with every step
// recorded and the energy balance kept; and means over windows of time.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "compile/prepare_run.hpp"
#include "record/drive.hpp"
#include "record/recorder.hpp"
#include "record/tally.hpp"

namespace klingel::test {

class VehicleRun {
 public:
  explicit VehicleRun(const vehicle::Scenario& scenario)
      : p(compile::prepare_run(scenario)),
        recorder(*p.simulator, p.track, recording_of(p)),
        tally(*p.simulator) {}
  explicit VehicleRun(const std::string& name) : VehicleRun(vehicle::load_scenario(name)) {}

  step::Simulator& simulator() { return *p.simulator; }

  // To the end of the scenario, from wherever the simulator is.
  const record::RunSummary& go() {
    record::DriveOptions options;
    options.step = p.scenario.step;
    options.duration = p.scenario.duration;
    options.method = p.description->method;
    options.method.balance = true;
    options.inputs = [this](step::Simulator&, double t) { p.instance->set_inputs(t); };
    summary = record::drive(*p.simulator, recorder, tally, options);
    return summary;
  }

  std::span<const double> channel(std::string_view name) const {
    return recorder.recording().column(name);
  }
  // Over from <= t < to.
  double mean(std::string_view name, double from, double to) const {
    const std::span<const double> t = channel("t"), x = channel(name);
    double sum = 0;
    int n = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (t[i] < from - 1e-9 || t[i] > to - 1e-9) continue;
      sum += x[i], ++n;
    }
    return n > 0 ? sum / n : std::nan("");
  }
  bool finite() const {
    for (const record::Channel& c : recorder.recording().channels()) {
      if (c.name.starts_with("YQ.")) continue;  // not defined in the air
      for (const double x : channel(c.name)) {
        if (!std::isfinite(x)) return false;
      }
    }
    return true;
  }
  // Missing energy over the work that was exchanged.
  double unbalanced() const { return std::abs(summary.energy.error()) / summary.energy.exchanged; }

  compile::PreparedRun p;
  record::Recorder recorder;
  record::Tally tally;
  record::RunSummary summary;

 private:
  static record::RecorderOptions recording_of(const compile::PreparedRun& p) {
    record::RecorderOptions options;
    options.step = options.interval = p.scenario.step;
    options.duration = p.scenario.duration;
    options.channels = {"default", "YQ.*"};
    if (p.model->reference) options.body = p.model->reference->coordinates;
    return options;
  }
};

inline constexpr const char* wheelset_names[] = {"rear.front", "rear.rear", "front.front",
                                                 "front.rear"};

}  // namespace klingel::test
