#include "record/drive.hpp"

#include <chrono>
#include <cmath>

#include "base/error.hpp"

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

}  // namespace

RunSummary drive(step::Simulator& simulator, Recorder& recorder, Tally& tally,
                 const DriveOptions& options) {
  constexpr double between_reports = 0.1;  // s
  const std::int64_t steps = whole_steps(options);
  const double t_begin = simulator.time();
  runtime::Status status = runtime::Status::ok;
  bool stopped = false;

  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin, reported = begin;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (options.stop && options.stop()) {
      stopped = true;
      break;
    }
    if (options.inputs) options.inputs(simulator, simulator.time());
    recorder.before(simulator);
    const Clock::time_point start = Clock::now();
    status = simulator.step(options.step, options.method);
    now = Clock::now();
    if (status != runtime::Status::ok) {
      tally.add_events(simulator);
      break;
    }
    recorder.after(simulator);
    tally.add(simulator, recorder.forces(), options.step, seconds(now - start));
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
  if (stopped) {
    summary.end = RunEnd::stopped;
    summary.message = "stopped on request";
  } else if (status != runtime::Status::ok) {
    summary.end = status == runtime::Status::derailed ? RunEnd::derailed : RunEnd::failed;
    summary.message = simulator.failure_text();
  }
  return summary;
}

}  // namespace klingel::record
