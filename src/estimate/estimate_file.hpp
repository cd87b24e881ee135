// What an estimate file says: the model of the filter, what it estimates from which sensors, and
// where the measurements come from, a twin or a recording. docs/estimation.md shows the keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "kalman/vehicle_model.hpp"
#include "study/scenario_changes.hpp"

namespace klingel::estimate {

// How a sensor of the twin differs from one that shows every step exactly. The filter knows rate
// and delay, not the rest.
struct SensorReality {
  std::string channel;
  base::Place place;
  double noise = 0;          // standard deviation, in the unit of the channel
  double bias = 0;           // added
  double rate = 0;           // Hz; 0: every step of the filter
  double delay = 0;          // s until a sample arrives
  double missing = 0;        // share of samples that never arrive
  double outliers = 0;       // share that is wrong
  double outlier_size = 20;  // by so many standard deviations
};

// A parameter, friction or input of the twin that changes in a run; linear over `over` seconds.
struct Change {
  std::string name;  // p.NAME, friction.all, friction.WHEEL or u.NAME
  base::Place place;
  double t = 0, value = 0, over = 0;
};

// The real vehicle: a twin made here, or a recording.
struct Reality {
  std::string run;  // vehicle or scenario; empty: that of the filter
  study::ScenarioChanges changes;
  std::vector<Change> events;
  std::string recording;        // a CSV or HDF5 file instead of a twin
  std::int64_t track_seed = 0;  // added to the seeds of the track's irregularities
};

// An alarm: the estimate is beyond a limit, by so many standard deviations, for so long.
struct Alarm {
  std::string name;  // of an estimated parameter
  base::Place place;
  std::optional<double> below, above;
  double sigmas = 2, hold = 0;  // hold: s
  double event = 0;             // s: what comes before is false
};

struct Estimate {
  std::string name, about, file, text;
  std::string run;
  study::ScenarioChanges changes;
  kalman::Setup setup;
  std::vector<std::pair<std::string, double>> start;  // of walks, where they differ from the model
  std::vector<SensorReality> sensors;                 // as many as setup.sensors
  Reality reality;
  std::optional<Alarm> alarm;
  std::uint64_t seed = 1;  // of noise
  std::size_t runs = 1;    // each with other noise and another track
  double settle = 1;       // s at the beginning that statistics leave out
  double interval = 0.01;  // s between rows of the results
};

// Whether this is an estimate: a shipped name, or a file that has the table [estimate].
bool names_estimate(const std::string& name);
// A file or a shipped name. Wrong files are Errors with file, line and column.
Estimate load_estimate(const std::string& name);
Estimate parse_estimate(std::string_view text, const std::string& file);

}  // namespace klingel::estimate
