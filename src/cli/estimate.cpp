// klingel estimate: a Kalman filter against a twin or a recording, from an estimate file.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/vehicle_arguments.hpp"
#include "cli/written_file.hpp"
#include "estimate/estimate_results.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;

struct EstimateArguments {
  std::string file, out, json, method, recording, backend = "automatic";
  std::optional<double> duration;
  unsigned threads = 0, lanes = 4;
  static constexpr int as_in_the_file = std::numeric_limits<int>::min();
  int runs = as_in_the_file, first = 0;
  double realtime = 0;
  bool hdf5 = false;
};

std::vector<estimate::RunResult> run_all(const estimate::Experiment& experiment,
                                         const EstimateArguments& a) {
  const std::size_t count = experiment.file().runs, first = static_cast<std::size_t>(a.first);
  // waves of irregularities need the rows of a run; of hundreds of runs they are not looked at
  constexpr std::size_t most_with_waves = 32;
  std::vector<estimate::RunResult> results(count);
  std::atomic<std::size_t> next = 0, done = 0;
  std::mutex mutex;
  std::string failure;
  const bool screen = isatty(STDERR_FILENO) == 1 && count > 1;
  const auto work = [&] {
    for (;;) {
      const std::size_t i = next++;
      if (i >= count) return;
      try {
        results[i] = experiment.run(first + i, i == 0 || count <= most_with_waves);
        if (i > 0) results[i].rows = record::Recording({}, 0);
      } catch (const std::exception& e) {
        const std::lock_guard lock(mutex);
        failure = e.what();
        next = count;
      }
      ++done;
      if (screen) fmt::print(stderr, "\r\033[K{} of {} runs", done.load(), count);
    }
  };
  const std::size_t most =
      a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(most, count); ++i) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  if (screen) fmt::print(stderr, "\r\033[K");
  if (!failure.empty()) base::fail("{}", failure);
  return results;
}

void print(const estimate::Consistency& c, const char* name) {
  if (c.count == 0) return;
  fmt::print(
      "{}  mean {:.3g}, expected {:.3g} ({:.3g} to {:.3g}); {:.1f} % within single bounds of "
      "95 %\n",
      name, c.mean, c.expected, c.low, c.high, 100 * c.inside);
}

void print(const estimate::RunsSummary& s) {
  fmt::print("\n{:<28}{:>32}{:>12}{:>11}{:>26}\n", fmt::format("of {} runs", s.runs),
             "error rms: least, median, most", "sigma", "in 2 sigma", "dynamic: median, most");
  for (const estimate::RunsOf& q : s.quantities)
    fmt::print("{:<28}{:>12.3g}{:>10.3g}{:>10.3g}{:>12.3g}{:>10.1f}%{:>26}\n",
               q.unit == "1" || q.unit == "SI" ? q.name : q.name + ", " + q.unit, q.rms.least,
               q.rms.median, q.rms.largest, q.sigma, 100 * q.inside,
               q.dynamic.largest > 0 ? fmt::format("{:.0f} %, {:.0f} %", 100 * q.dynamic.median,
                                                   100 * q.dynamic.largest)
                                     : "-");
  bool first = true;
  for (const estimate::RunsOf& q : s.quantities) {
    if (q.waves.empty()) continue;
    if (std::exchange(first, false)) {
      fmt::print("\n{:<28}", "error of waves of, m");
      for (const auto& band : q.wave_bands)
        fmt::print("{:>16}", fmt::format("{:g} to {:g}", band.shortest, band.longest));
      fmt::print("\n");
    }
    fmt::print("{:<28}", q.name);
    for (const estimate::Range& w : q.waves)
      fmt::print("{:>16}", w.largest > 0
                               ? fmt::format("{:.0f} to {:.0f} %", 100 * w.least, 100 * w.largest)
                               : "-");
    fmt::print("\n");
  }
  const auto line = [](const char* name, const estimate::Range& r, double expected) {
    fmt::print("{} of runs: {:.3g} to {:.3g}, {:.3g} in the median, expected {:.3g}\n", name,
               r.least, r.largest, r.median, expected);
  };
  fmt::print("\n");
  line("NIS ", s.nis, s.nis_expected);
  if (s.nees.largest > 0) line("NEES", s.nees, s.nees_expected);
}

void print(const estimate::Estimate& file, const std::vector<estimate::RunResult>& runs) {
  const estimate::RunResult& r = runs.front();
  fmt::print("{}: {} elements from {} sensors, {:g} s", file.name, r.elements, r.sensors, r.t_end);
  fmt::print("{}\n", runs.size() > 1 ? fmt::format(", {} runs", runs.size()) : "");
  if (file.alarm) {
    const estimate::AlarmCount c = estimate::count_alarms(*file.alarm, runs);
    fmt::print("alarm of {}: detected in {} of {} runs", file.alarm->name, c.detected, c.runs);
    if (c.detected > 0)
      fmt::print(", {:.2f} s after the event in the median, {:.2f} s at most", c.median, c.slowest);
    fmt::print("; false alarms in {} runs\n", c.false_alarms);
  }
  if (runs.size() > 1) print(estimate::summary_of(runs));
  fmt::print("\n{:<28}{:>12}{:>12}{:>12}{:>12}{:>12}{:>11}{:>9}\n",
             runs.size() > 1 ? "of the first run" : "", "deviation", "error rms", "mean", "largest",
             "sigma", "in 2 sigma", "dynamic");
  for (const estimate::Errors& e : r.errors) {
    if (e.count == 0) {
      fmt::print(
          "{:<28}{}\n", e.name,
          r.t_end <= file.settle
              ? fmt::format("no figures: the run ends within the {:g} s of 'settle'", file.settle)
              : "truth not known");
      continue;
    }
    fmt::print("{:<28}{:>12.4g}{:>12.3g}{:>12.2g}{:>12.3g}{:>12.3g}{:>10.1f}%{:>9}\n",
               e.unit == "1" || e.unit == "SI" ? e.name : e.name + ", " + e.unit, e.truth_deviation,
               e.rms, e.mean, e.largest, e.sigma, 100 * e.inside,
               e.truth_deviation > 1e-4 * e.rms ? fmt::format("{:.0f} %", 100 * e.dynamic()) : "-");
  }
  fmt::print("dynamic: error without its mean, of the deviation of the truth\n");
  bool first = true;
  for (const estimate::Errors& e : r.errors) {
    if (e.bands.empty()) continue;
    if (std::exchange(first, false)) {
      fmt::print("\n{:<28}", "error of waves of, m");
      for (const auto& band : e.bands)
        fmt::print("{:>12}", fmt::format("{:g} to {:g}", band.shortest, band.longest));
      fmt::print("\n");
    }
    fmt::print("{:<28}", e.name);
    for (const auto& band : e.bands)  // "-": the truth has no such waves
      fmt::print("{:>12}", band.truth > 0.01 * e.truth_deviation
                               ? fmt::format("{:.0f} %", 100 * band.error / band.truth)
                               : "-");
    fmt::print("\n");
  }
  fmt::print("\n");
  print(r.nis, "NIS ");
  print(r.nees, "NEES");
  if (!r.worst.empty()) fmt::print("farthest off, mean square of error by standard deviation:");
  for (std::size_t i = 0; i < std::min<std::size_t>(r.worst.size(), 6); ++i)
    fmt::print("{} {} {:.3g}", i > 0 ? "," : "", r.worst[i].first, r.worst[i].second);
  if (!r.worst.empty()) fmt::print("\n");
  fmt::print("samples {}, missing {}, late {}, outliers {}\n", r.samples, r.missing, r.late,
             r.outliers);
  fmt::print(
      "a step of the filter: {:.0f} us in the median, {:.0f} us at 99 %, {:.0f} us at most\n",
      r.times.median, r.times.p99, r.times.largest);
  for (const std::string& w : r.warnings) fmt::print("warning: {}\n", w);
}

ExitCode run_in_loop(const estimate::Experiment& experiment, double seconds) {
  const estimate::LoopTimes t = experiment.run_in_loop(seconds);
  fmt::print("{}: {} periods of {:g} us, {} longer than that\n", experiment.file().name, t.periods,
             t.period, t.overruns);
  const auto line = [](const char* name, const estimate::StepTimes& s) {
    fmt::print("{:<16} {:.0f} us in the median, {:.0f} us at 99 %, {:.0f} us at most\n", name,
               s.median, s.p99, s.largest);
  };
  line("wall time", t.wall);
  line("processor time", t.own);
  for (const std::string& limit : t.limits) fmt::print("note: {}\n", limit);
  if (t.failure.empty()) return ExitCode::fine;
  fmt::print(stderr, "{}\n", t.failure);
  return ExitCode::numeric_failure;
}

ExitCode run(const EstimateArguments& a) {
  if (a.lanes != 1 && a.lanes != 4 && a.lanes != 8)
    base::fail("--lanes is {}, expected 1, 4 or 8", a.lanes);
  estimate::Estimate file = estimate::load_estimate(a.file);
  if (a.method == "extended") file.setup.filter.method = kalman::Method::extended;
  if (a.method == "unscented") file.setup.filter.method = kalman::Method::unscented;
  if (a.duration) file.changes.duration = *a.duration;
  if (a.runs != EstimateArguments::as_in_the_file) {
    if (a.runs < 1 || a.runs > 100'000) base::fail("--runs is {}, expected 1 to 100000", a.runs);
    file.runs = static_cast<std::size_t>(a.runs);
  }
  if (a.first < 0 || a.first > 1'000'000'000)
    base::fail("--first is {}, expected 0 to 1000000000", a.first);
  if (a.first > 0 && !a.recording.empty())
    base::fail("--first chooses other tracks and noise of the twin; --recording has none");
  if (!a.recording.empty()) {
    file.reality = {};
    file.reality.recording = a.recording;
    file.runs = 1;
  }
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(a.backend);
  const fs::path folder = a.out.empty() ? fs::path(file.name + "_results") : fs::path(a.out);
  // what cannot be written is said now, not after hundreds of runs
  if (a.realtime == 0) check_written("--out", folder / "estimate.html");
  const estimate::Experiment experiment(std::move(file), kernels, a.lanes);
  if (a.realtime > 0) return run_in_loop(experiment, a.realtime);
  const std::vector<estimate::RunResult> results = run_all(experiment, a);
  print(experiment.file(), results);
  const auto wrote = [](const fs::path& path) { fmt::print("wrote {}\n", path.string()); };
  base::write_file(folder / "estimate.html", estimate::estimate_page(experiment.file(), results));
  wrote(folder / "estimate.html");
  record::write_csv(results.front().rows, folder / "estimate.csv");
  wrote(folder / "estimate.csv");
  if (a.hdf5) {
    record::write_hdf5(results.front().rows, folder / "estimate.h5");
    wrote(folder / "estimate.h5");
  }
  if (results.size() > 1) {
    base::write_file(folder / "runs.csv", estimate::runs_csv(results));
    wrote(folder / "runs.csv");
  }
  if (!a.json.empty())
    base::write_file(a.json, estimate::estimate_json(experiment.file(), results));
  std::size_t failed = 0;
  for (const estimate::RunResult& r : results) {
    if (r.failure.empty()) continue;
    ++failed;
    if (failed <= 3)
      fmt::print(stderr, "run {} ended at {:.3f} s: {}\n", r.run, r.t_end, r.failure);
  }
  return failed == results.size() ? ExitCode::numeric_failure : ExitCode::fine;
}

}  // namespace

Command estimate_command() {
  const auto a = std::make_shared<EstimateArguments>();
  Command c{Group::simulate, "estimate", "Estimate states and parameters from sensors"};
  c.about =
      "A Kalman filter around the vehicle's own step estimates states, parameters, irregularities "
      "and forces from sensors of the vehicle file. Measurements come from a twin, which is "
      "another "
      "vehicle with its own step, track and errors, or from a recording. The page shows estimates "
      "with bands of two standard deviations, the truth where it is known, and whether the filter "
      "is as good as it says.";
  c.examples = {"klingel estimate coach_forces",
                "klingel estimate rail_friction --method unscented",
                "klingel estimate yaw_damper --runs 20 --out results",
                "klingel estimate coach_forces --first 100 --runs 8"};
  c.option("file", a->file, "Estimate: a shipped name or a file").names(Names::estimate).required();
  c.option("--out", a->out, "Folder of the results")
      .names(Names::folder)
      .default_text("the estimate's name and _results");
  c.option("--method", a->method, "Another filter than the file's")
      .choices({"extended", "unscented"});
  c.option("--duration", a->duration, "Another duration").unit("s");
  c.option("--runs", a->runs, "Another number of runs").default_text("the file's");
  c.option("--first", a->first,
           "Number of the first run: its track and noise, others than those of runs before it");
  c.option("--recording", a->recording, "Measurements of this recording (CSV or HDF5), no twin")
      .names(Names::file);
  c.option("--threads", a->threads, "Runs at the same time").default_text("as many as processors");
  c.option("--lanes", a->lanes, "Vehicles side by side for derivatives").suggest({"1", "4", "8"});
  c.option("--realtime", a->realtime,
           "Run the filter in the real-time loop for so long, and print its times only")
      .unit("s")
      .above(0)
      .at_most(1e6)
      .default_text("no");
  c.option("--json", a->json, "Write all numbers to this file").names(Names::file).written();
  c.option("--hdf5", a->hdf5, "Write estimate.h5, too");
  add_backend_option(c, a->backend);
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
