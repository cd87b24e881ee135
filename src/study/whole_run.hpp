// A whole run in memory: what `klingel run` records and sums up, without files. Also of several
// vehicles side by side on lanes, each bit for bit as it would run alone.
//
//   compile::PreparedRun p = compile::prepare_run(scenario, kernels);
//   const study::Outcome outcome = study::whole_run(p);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/prepare_run.hpp"
#include "record/recording.hpp"
#include "record/summary.hpp"

namespace klingel::study {

struct Outcome {
  record::Recording recording{{}, 0};
  record::RunSummary summary;
  std::string page;  // recording.json of the run's page, if it was wanted
};

struct RunOptions {
  std::optional<double> duration, interval;  // s; else the scenario's
  std::vector<std::string> channels;         // patterns; empty: the scenario's
  bool balance = true;  // of energy, which is a third of the time of vehicles on lanes
  bool page = false;    // recording.json, too; then all channels are recorded
  bool floor = true;    // accelerations at the floor and ride indices are part of the summary
  std::function<bool()> stop;  // asked before every step; true ends the run
};

// From the present state of the instance.
Outcome whole_run(compile::PreparedRun& run, const RunOptions& options = {});

// One vehicle of several: what it has beside its scenario. Parameters and inputs by index.
struct Case {
  std::vector<std::pair<std::size_t, double>> parameters, inputs;
  std::optional<double> friction, speed, position;
};

// Runs cases of one compiled vehicle, as many at once as there are lanes (1, 4 or 8). For one
// thread; threads have their own, of vehicles compiled on their own.
class CaseRunner {
 public:
  CaseRunner(compile::CompiledVehicle vehicle, const exec::Options& kernels, std::size_t lanes);

  std::size_t lanes() const { return lanes_; }
  compile::PreparedRun& prepared() { return run_; }

  // Nominal values but for these; an Error if one makes a mass negative, say.
  void set_parameters(const std::vector<std::pair<std::size_t, double>>& parameters);
  // Puts the vehicle at the start of a case, whatever ran before.
  void begin(const Case& c);
  // What a case throws (no start is found) is its message, with the end `failed`; the others run.
  std::vector<Outcome> run(const std::vector<Case>& cases, const RunOptions& options = {});

 private:
  struct Lane;
  std::vector<Outcome> run_together(std::span<const Case> cases, const RunOptions& options);
  void side_by_side(std::vector<Lane>& lanes, const RunOptions& options);

  compile::PreparedRun run_;
  exec::Options kernels_;
  std::size_t lanes_;
  std::vector<double> nominal_;  // parameters
  start::Start start_;
  std::shared_ptr<const simulation::Description> on_lanes_;
  std::unique_ptr<simulation::Batch> kind_;
};

}  // namespace klingel::study
