// A filter against the truth: the whole of what an estimate file asks for, run by run.
//
//   const Experiment experiment(load_estimate("coach_forces"), kernels);
//   const RunResult result = experiment.run(0);
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/prepare_run.hpp"
#include "estimate/estimate_file.hpp"
#include "estimate/wave_bands.hpp"
#include "record/recording.hpp"

namespace klingel::estimate {

// Errors of one estimated quantity, after the time to settle.
struct Errors {
  std::string name, unit;
  std::size_t count = 0;  // steps; 0: the truth is not known
  double truth_mean = 0, truth_deviation = 0;
  double mean = 0, rms = 0, largest = 0;  // of estimate less truth
  double sigma = 0;                       // mean of what the filter says
  double inside = 0;                      // share of errors within 2 sigma; 0.954 if normal
  std::vector<WaveBand> bands;            // of irregularities, where rows are kept
  // Of the error without its mean, in deviations of the truth: 1 is no better than a constant.
  double dynamic() const;
};

// A sum of squares against what it should be: mean, expected mean and its bounds of 95 %, if the
// numbers were independent; and the share of single ones within theirs.
struct Consistency {
  std::size_t count = 0;
  double mean = 0, expected = 0, low = 0, high = 0, inside = 0;
};

struct StepTimes {
  double median = 0, p99 = 0, largest = 0;  // us, of step, derivatives and update
};

struct RunResult {
  std::size_t run = 0;
  std::string failure;  // empty: it ran to its end
  double t_end = 0;
  std::size_t elements = 0, sensors = 0;  // of x and y
  std::vector<Errors> errors;             // outputs, parameters, irregularities
  Consistency nis, nees;
  // Mean squares of single errors of x in their standard deviations, largest first; 1 if right.
  std::vector<std::pair<std::string, double>> worst;
  std::uint64_t samples = 0, missing = 0, late = 0, outliers = 0, one_sided = 0, lost_points = 0;
  std::optional<double> false_alarm, alarm;  // s: first ones before and after the event
  StepTimes times;
  std::vector<std::string> warnings;
  // t; of each quantity NAME.true, NAME and NAME.sigma; of each sensor NAME.measured,
  // NAME.innovation and NAME.innovation_sigma; nis, nis_freedom, nees
  record::Recording rows{{}, 0};
};

// Periods of the loop, us: wall time of a step of the filter and processor time of the thread.
struct LoopTimes {
  double period = 0;
  std::int64_t periods = 0, overruns = 0;
  StepTimes wall, own;
  std::vector<std::string> limits;  // what the machine did not permit
  std::string failure;
};

class RealVehicle;

class Experiment {
 public:
  // Compiles the vehicles. Wrong names are Errors; so is a quantity that no sensor can tell.
  Experiment(Estimate file, const exec::Options& kernels, std::size_t lanes = 4);

  const Estimate& file() const { return file_; }
  // Deterministic but for times; any threads may run different ones at once.
  RunResult run(std::size_t index, bool keep_rows = true) const;
  // The filter in the real-time loop of room realtime: a period is a step of the filter, and
  // measurements were made before.
  LoopTimes run_in_loop(double seconds) const;
  // What arrives from sensors in the first steps of a run, a row for each step.
  std::vector<std::vector<double>> samples(std::size_t steps, std::size_t index = 0) const;
  const std::vector<std::string>& quantities() const { return quantities_; }
  // Of the filter's vehicle.
  const vehicle::Scenario& scenario() const { return model_.scenario; }

 private:
  std::unique_ptr<simulation::Instance> filter_vehicle() const;
  std::unique_ptr<RealVehicle> real_vehicle(kalman::VehicleModel& model, std::size_t index) const;
  void check_observed() const;

  Estimate file_;
  compile::CompiledVehicle model_, real_;
  std::shared_ptr<const simulation::Description> on_lanes_;
  std::string track_file_;
  std::vector<std::string> quantities_;
};

}  // namespace klingel::estimate
