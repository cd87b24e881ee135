// The summary of a run: one struct, and that struct as summary.json. Others read the keys of
// the file: they do not change. Counted by tally.hpp, printed by summary_text.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assess/assessment.hpp"
#include "record/step_times.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

// How a run ended. A derailment is a result: a wheel climbed or lifted, and energy was kept. All
// that goes wrong otherwise is a failure (ending.hpp).
enum class RunEnd { completed, end_of_track, derailed, stopped, failed };
std::string_view name(RunEnd end);

// Extremes are those of single steps; filtered ones are in the assessment.
struct WheelSummary {
  std::string name;
  double min_N = 0, max_N = 0;  // tread, N; of loaded treads with the flange
  double max_Nf = 0;            // flange, N
  double max_Y = 0;             // largest without sign, N
  double min_Q = 0, max_Q = 0;  // N
  double max_YQ = 0;            // where it is defined; -inf if it never is
  double lift = 0;              // longest time in a row without contact of tread and flange, s
};

struct RunSummary {
  // set by the caller of the run
  std::string vehicle, scenario, track, integrator, law;
  double step = 0;  // s
  std::vector<std::string> warnings;

  RunEnd end = RunEnd::completed;
  std::string message;  // why it ended before its time
  double t_begin = 0, t_end = 0;
  std::int64_t steps = 0;
  double wall = 0;                                                 // s
  double real_time_factor = 0;                                     // simulated time over wall time
  double step_mean = 0, step_p50 = 0, step_p99 = 0, step_max = 0;  // s
  std::vector<StepTimes::Bar> step_bars;                           // histogram of step times
  double max_phi = 0;                                              // m
  std::vector<WheelSummary> wheels;
  std::vector<std::int64_t> newton_q, newton_s;  // steps by number of iterations; the last: or more
  std::vector<step::Event> events;
  std::int64_t events_left_out = 0;  // beyond those that there was room for
  bool loaded = false;               // treads are loaded: no constraints, no residuals
  bool has_balance = false;          // methods to compare with keep none
  step::EnergyBalance energy;
  assess::Assessment assessment;
};

// The unit of an event's value.
std::string_view unit(step::Event::Kind kind);

std::string summary_json(const RunSummary& summary);
void write_summary(const RunSummary& summary, const std::filesystem::path& path);

}  // namespace klingel::record
