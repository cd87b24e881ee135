#include "record/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
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

Drive::Drive(step::Simulator& simulator, Recorder& recorder, Tally& tally,
             const DriveOptions& options)
    : simulator_(simulator),
      recorder_(recorder),
      tally_(tally),
      options_(options),
      steps_(whole_steps(options)),
      t_begin_(simulator.time()) {
  // beyond any run, and a number that an integer can hold
  constexpr double never = 1e15;
  save_steps_ = static_cast<std::int64_t>(
      std::clamp(std::round(options.saved_every / options.step), 1.0, never));
  recorder.forces().before(simulator);
  ending_.emplace(simulator, recorder.forces());
  tally.begin(options.step);
}

bool Drive::before() {
  if (over_ || done_ >= steps_) return false;
  if (options_.stop && options_.stop()) {
    planned_ = RunEnd::stopped;
    return false;
  }
  if (options_.inputs) options_.inputs(simulator_, simulator_.time());
  recorder_.before(simulator_);
  if (!recorder_.forces().at_end_of_track()) return true;
  planned_ = RunEnd::end_of_track;
  return false;
}

void Drive::after(runtime::Status status, double seconds) {
  ++done_;
  status_ = status;
  if (status != runtime::Status::ok) {
    tally_.add_events(simulator_);
    over_ = true;
    return;
  }
  finite_ = simulator_.is_finite();
  recorder_.after(simulator_);
  tally_.add(simulator_, recorder_.forces(), options_.step, seconds);
  over_ = !finite_;
  if (finite_ && options_.saved_every > 0 && simulator_.state().step % save_steps_ == 0)
    options_.save(simulator_);
}

RunSummary Drive::finish(double wall) {
  recorder_.finish(simulator_, status_ == runtime::Status::ok);
  if (options_.progress) options_.progress(simulated(), wall);
  RunSummary summary = tally_.summary(simulator_);
  summary.step = options_.step;
  summary.wall = wall;
  summary.real_time_factor = wall > 0 ? (summary.t_end - summary.t_begin) / wall : 0;
  summary.has_balance = options_.method.balance;
  if (planned_ == RunEnd::stopped) summary.message = "stopped on request";
  if (planned_ == RunEnd::end_of_track) {
    summary.message = fmt::format("t = {:.9g} s: the track ends here; {:g} s of {:g} s were run",
                                  summary.t_end, summary.t_end - t_begin_, options_.duration);
  }
  ending_->judge(simulator_, recorder_.forces(), status_, planned_, summary);
  if (!finite_) {
    summary.end = RunEnd::failed;
    summary.message = fmt::format(
        "t = {:.9g} s: the state is not finite; take a shorter time step, and check masses and "
        "stiffnesses",
        summary.t_end);
  }
  return summary;
}

RunSummary drive(step::Simulator& simulator, Recorder& recorder, Tally& tally,
                 const DriveOptions& options) {
  constexpr double between_reports = 0.1;  // s
  Drive run(simulator, recorder, tally, options);
  const Clock::time_point begin = Clock::now();
  Clock::time_point reported = begin;
  while (run.before()) {
    const Clock::time_point start = Clock::now();
    const runtime::Status status = simulator.step(options.step, options.method);
    const Clock::time_point now = Clock::now();
    run.after(status, seconds(now - start));
    if (options.progress && seconds(now - reported) > between_reports) {
      options.progress(run.simulated(), seconds(now - begin));
      reported = now;
    }
  }
  return run.finish(seconds(Clock::now() - begin));
}

}  // namespace klingel::record
