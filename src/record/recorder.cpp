#include "record/recorder.hpp"

#include <cmath>

#include "base/error.hpp"

namespace klingel::record {
namespace {

std::vector<VehicleChannel> choose(const step::Simulator& simulator, const RecorderOptions& o) {
  const std::vector<VehicleChannel> all = vehicle_channels(simulator, o.body);
  std::vector<Channel> channels;
  for (const VehicleChannel& c : all) channels.push_back(c.channel);
  std::vector<std::string> patterns = {"t"};
  for (const std::string& wanted :
       o.channels.empty() ? std::vector<std::string>{"default"} : o.channels) {
    if (wanted == "default")
      for (std::string& p : default_patterns(simulator, o.body)) patterns.push_back(std::move(p));
    else
      patterns.push_back(wanted == "all" ? "*" : wanted);
  }
  std::vector<VehicleChannel> chosen;
  for (const std::size_t i : select(channels, patterns)) chosen.push_back(all[i]);
  return chosen;
}

std::int64_t steps_per_row(const RecorderOptions& o) {
  if (!(o.step > 0) || !std::isfinite(o.step))
    base::fail("the time step must be greater than zero, found {} s", o.step);
  const double steps = o.interval / o.step;
  const double whole = std::round(steps);
  if (steps >= 1e9)
    base::fail("{} s between rows are {:.3g} steps of {} s, and 1e9 are allowed; use a longer step",
               o.interval, steps, o.step);
  // a millionth: times in files are decimal, doubles are not
  if (!(whole >= 1) || std::abs(steps - whole) > 1e-6 * whole) {
    base::fail("the interval of rows, {} s, is not a multiple of the step of {} s; use {} s",
               o.interval, o.step, nearest_interval(o.step, o.interval));
  }
  return static_cast<std::int64_t>(whole);
}

std::size_t rows_for(const RecorderOptions& o) {
  if (!o.keep_rows) return 0;
  const double rows = o.duration / o.step / static_cast<double>(steps_per_row(o));
  constexpr double most = 1e8;
  if (!(rows >= 0) || rows > most) {
    base::fail("{} s at a row every {} s cannot be recorded", o.duration, o.interval);
  }
  return static_cast<std::size_t>(rows) + 2;  // the first and the last
}

std::vector<Channel> channels_of(const std::vector<VehicleChannel>& chosen) {
  std::vector<Channel> channels;
  for (const VehicleChannel& c : chosen) channels.push_back(c.channel);
  return channels;
}

}  // namespace

double nearest_interval(double step, double wanted) {
  const double steps = std::round(wanted / step);
  return step * (steps >= 1 ? steps : 1);
}

Recorder::Recorder(const step::Simulator& simulator, const track::Track& track,
                   const RecorderOptions& options)
    : Recorder(simulator, track, options, choose(simulator, options)) {}

Recorder::Recorder(const step::Simulator& simulator, const track::Track& track,
                   const RecorderOptions& options, std::vector<VehicleChannel> chosen)
    : chosen_(std::move(chosen)),
      recording_(channels_of(chosen_), rows_for(options)),
      forces_(simulator, track),
      place_(track),
      body_(options.body),
      first_step_(simulator.state().step),
      every_(steps_per_row(options)),
      row_(chosen_.size()),
      sink_(options.sink) {}

void Recorder::take(step::Simulator& simulator, bool of_step) {
  const double t = simulator.time();
  const Sample sample{simulator, forces_, place_, body_, t};
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const VehicleChannel& c = chosen_[i];
    if (c.of_step == of_step) row_[i] = c.value(sample, c.index);
  }
}

// Places are followed from step to step, so that their last bits do not depend on the interval of
// rows, and those who follow them without rows (room capi) have the same.
void Recorder::find_places(step::Simulator& simulator) {
  forces_.before(simulator);
  follow(place_, simulator, body_);
}

void Recorder::before(step::Simulator& simulator) {
  if (provisional_) {
    recording_.drop_last();
    last_row_ = row_before_;
    provisional_ = false;
  }
  find_places(simulator);
  row_due_ = (simulator.state().step - first_step_) % every_ == 0;
  if (row_due_) take(simulator, false);
}

void Recorder::after(step::Simulator& simulator) {
  forces_.after(simulator);
  if (!row_due_) return;
  take(simulator, true);
  recording_.add(row_);
  if (sink_ != nullptr) sink_->add(row_);
  last_row_ = simulator.state().step - 1;
  row_due_ = false;
}

void Recorder::finish(step::Simulator& simulator, bool forces_hold) {
  const std::int64_t step = simulator.state().step;
  row_due_ = false;
  if (step == last_row_) return;
  // before a step that failed they were found already; once more would change their last bits
  if (forces_hold) find_places(simulator);
  take(simulator, false);
  if (forces_hold && step > first_step_) take(simulator, true);
  if (sink_ != nullptr) sink_->add(row_);
  if (!recording_.add(row_)) return;
  row_before_ = last_row_;
  last_row_ = step;
  provisional_ = true;
}

}  // namespace klingel::record
