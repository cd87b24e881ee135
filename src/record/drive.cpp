#include "record/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.hpp"
#include "record/ending.hpp"

namespace klingel::record {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

std::int64_t whole_steps(const DriveOptions& o) {
  const double steps = std::round(o.duration / o.step);
  if (!(o.step > 0) || !(steps >= 0) || steps > 1e12)
    base::fail("cannot run {} s in steps of {} s", o.duration, o.step);
  return static_cast<std::int64_t>(steps);
}

bool keeps_balance(const step::StepOptions& method) {
  return method.balance && method.scheme != step::Scheme::trapezoidal &&
         method.scheme != step::Scheme::reference;
}

}  // namespace

RunSummary drive(step::Simulator& simulator, Recorder& recorder, Tally& tally,
                 const DriveOptions& options) {
  constexpr double between_reports = 0.1;  // s
  const std::int64_t steps = whole_steps(options);
  // beyond any run, and a number that an integer can hold
  constexpr double never = 1e15;
  const auto save_steps = static_cast<std::int64_t>(
      std::clamp(std::round(options.saved_every / options.step), 1.0, never));
  const double t_begin = simulator.time();
  runtime::Status status = runtime::Status::ok;
  RunEnd planned = RunEnd::completed;
  bool finite = true;
  recorder.forces().before(simulator);
  const Ending ending(simulator, recorder.forces());
  tally.begin(options.step);

  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin, reported = begin;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (options.stop && options.stop()) {
      planned = RunEnd::stopped;
      break;
    }
    if (options.inputs) options.inputs(simulator, simulator.time());
    recorder.before(simulator);
    if (recorder.forces().at_end_of_track()) {
      planned = RunEnd::end_of_track;
      break;
    }
    const Clock::time_point start = Clock::now();
    status = simulator.step(options.step, options.method);
    now = Clock::now();
    if (status != runtime::Status::ok) {
      tally.add_events(simulator);
      break;
    }
    finite = simulator.is_finite();
    recorder.after(simulator);
    tally.add(simulator, recorder.forces(), options.step, seconds(now - start));
    if (!finite) break;
    if (options.saved_every > 0 && simulator.state().step % save_steps == 0)
      options.save(simulator);
    if (options.progress && seconds(now - reported) > between_reports) {
      options.progress(simulator.time() - t_begin, seconds(now - begin));
      reported = now;
    }
  }
  const double wall = seconds(Clock::now() - begin);

  recorder.finish(simulator, status == runtime::Status::ok);
  if (options.progress) options.progress(simulator.time() - t_begin, wall);
  RunSummary summary = tally.summary(simulator);
  summary.step = options.step;
  summary.wall = wall;
  summary.real_time_factor = wall > 0 ? (summary.t_end - summary.t_begin) / wall : 0;
  summary.has_balance = keeps_balance(options.method);
  if (planned == RunEnd::stopped) summary.message = "stopped on request";
  if (planned == RunEnd::end_of_track) {
    summary.message = fmt::format("t = {:.9g} s: the track ends here; {:g} s of {:g} s were run",
                                  summary.t_end, summary.t_end - t_begin, options.duration);
  }
  ending.judge(simulator, recorder.forces(), status, planned, summary);
  if (!finite) {
    summary.end = RunEnd::failed;
    summary.message = fmt::format(
        "t = {:.9g} s: the state is not finite; take a shorter time step, and check masses and "
        "stiffnesses",
        summary.t_end);
  }
  return summary;
}

}  // namespace klingel::record
