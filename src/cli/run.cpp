// klingel run: a vehicle over a track, from its files to results on disk.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/page_file.hpp"
#include "cli/run_screen.hpp"
#include "cli/vehicle_arguments.hpp"
#include "compile/prepare_run.hpp"
#include "record/csv.hpp"
#include "record/drive.hpp"
#include "record/hdf5.hpp"
#include "record/summary_text.hpp"
#include "report/run_plots.hpp"
#include "scene/run_page.hpp"
#include "step/step_names.hpp"
#include "step/vehicle_state_file.hpp"

namespace klingel::cli {
namespace {

struct Arguments {
  std::string what = "feve3000_corrected";
  std::string out, state, integrator, law, backend = "automatic";
  ScenarioArguments scenario;
  std::optional<double> duration, interval;
  std::vector<std::string> channels;
  bool csv = false, hdf5 = false, svg = false, report = false;
};

vehicle::Scenario scenario_of(const Arguments& a) {
  vehicle::Scenario scenario = scenario_of(a.what, a.scenario);
  replace_number(scenario, "scenario.duration", "--duration", a.duration);
  replace_number(scenario, "output.interval", "--interval", a.interval);
  if (!a.integrator.empty()) {
    scenario.integrator = a.integrator;
    scenario.places["scenario.integrator"] = {"--integrator", 0, 0};
  }
  // values belong to the law they were written for
  if (!a.law.empty() && a.law != scenario.law) scenario.law_values.clear();
  if (!a.law.empty()) {
    scenario.law = a.law;
    scenario.places["creep.law"] = {"--law", 0, 0};
  }
  if (!a.channels.empty()) scenario.channels = a.channels;
  return scenario;
}

// A saved state has speeds and friction of its own; --friction still replaces the latter.
void read_state(step::Simulator& simulator, const Arguments& a) {
  step::read_state(simulator, a.state);
  if (!a.scenario.friction) return;
  for (std::size_t i = 0; i < simulator.data().wheels.size(); ++i)
    simulator.set_friction(i, *a.scenario.friction);
}

ExitCode run_vehicle(const Arguments& a) {
  if (a.out.empty() && (a.csv || a.svg || a.hdf5 || a.report))
    base::fail("--csv, --svg, --hdf5 and --report need a folder: add --out DIR");
  if (!a.state.empty() && a.scenario.speed)
    base::fail("--speed does not go with --state: the saved state has the speeds of all bodies");
  const vehicle::Scenario scenario = scenario_of(a);
  record::DriveOptions options;
  const Interrupt interrupt;
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(a.backend);
  compile::PreparedRun p = compile::prepare_run(scenario, kernels);
  step::Simulator& simulator = *p.simulator;
  if (!a.state.empty()) read_state(simulator, a);

  record::RecorderOptions recording;
  recording.step = scenario.step;
  recording.interval = record::nearest_interval(scenario.step, scenario.interval);
  recording.duration = scenario.duration;
  recording.channels = scenario.channels;
  recording.body = p.description->start.body;
  // files contain the chosen channels, the page all channels
  const std::vector<record::Channel> wanted =
      record::Recorder(simulator, p.track, recording).recording().channels();
  std::unique_ptr<scene::RunPage> page;
  if (!a.out.empty()) {
    recording.channels = {"*"};
    page = std::make_unique<scene::RunPage>(p, scenario.step, scenario.duration);
  }
  record::Recorder recorder(simulator, p.track, recording);
  record::Tally tally(simulator);

  options.method = p.description->method;
  options.method.balance = true;
  options.step = scenario.step;
  options.duration = scenario.duration;
  options.inputs = [&](step::Simulator&, double t) {
    p.instance->set_inputs(t);
    if (page) page->add(simulator);
  };
  record::RunSummary summary;
  {
    ProgressBar bar(scenario.duration);
    options.stop = [] { return Interrupt::wanted(); };
    options.progress = [&bar](double simulated, double wall) { bar.show(simulated, wall); };
    summary = record::drive(simulator, recorder, tally, options);
  }
  summary.scenario = scenario.name;
  summary.track = p.track.name;
  summary.integrator = scenario.integrator;
  summary.law = scenario.law;
  summary.warnings.insert(summary.warnings.begin(), p.description->warnings.begin(),
                          p.description->warnings.end());

  std::vector<std::filesystem::path> written;
  if (!a.out.empty()) {
    const std::filesystem::path folder = a.out;
    page->add(simulator);
    const record::Recording& everything = recorder.recording();
    summary.assessment = page->assessment(everything);
    const record::Recording results = scene::part(everything, wanted);
    if (a.csv) record::write_csv(results, written.emplace_back(folder / "results.csv"));
    if (a.svg) {
      base::write_file(written.emplace_back(folder / "plots.svg"),
                       report::run_plots(results, summary.scenario));
    }
    if (a.hdf5) record::write_hdf5(results, written.emplace_back(folder / "results.h5"));
    record::write_summary(summary, written.emplace_back(folder / "summary.json"));
    const std::string for_page = page->recording(everything, summary);
    base::write_file(written.emplace_back(folder / "recording.json"), for_page);
    if (a.report) write_page(for_page, written.emplace_back(folder / "report.html"));
    if (summary.end == record::RunEnd::failed || summary.end == record::RunEnd::derailed)
      step::write_state(simulator, written.emplace_back(folder / "failed.state"));
  }
  fmt::print("{}", record::summary_text(summary));
  for (const std::filesystem::path& path : written) fmt::print("wrote {}\n", path.string());
  return summary.end == record::RunEnd::failed ? ExitCode::numeric_failure : ExitCode::fine;
}

}  // namespace

Command run_command() {
  const auto a = std::make_shared<Arguments>();
  Command c{Group::simulate, "run", "Run a vehicle over a track"};
  c.about =
      "Starts the vehicle in equilibrium, drives it for the duration of its scenario and prints a "
      "summary. Options replace what the scenario says.";
  c.examples = {"klingel run coach_300m", "klingel run coach_300m --out results --csv --report",
                "klingel run manchester1 --track curve_300 --speed 25 --duration 10"};
  c.option("what", a->what, "Vehicle or scenario: a shipped name or a file")
      .names(Names::scenario)
      .default_text("feve3000_corrected, the article's locomotive on the article's track");
  c.option("--out", a->out, "Folder for the results; summary.json is always written there")
      .names(Names::folder);
  c.option("--csv", a->csv, "Write results.csv there");
  c.option("--svg", a->svg, "Write plots.svg there: some plots for a first look");
  c.option("--report", a->report, "Write report.html there: animation and plots in one page");
  c.option("--hdf5", a->hdf5, "Write results.h5 there");
  add_scenario_options(c, a->scenario);
  c.option("--duration", a->duration, "Simulated time").unit("s");
  c.option("--interval", a->interval, "Time between recorded rows").unit("s");
  c.option("--integrator", a->integrator, "Integrator")
      .suggest({"imex", "imex-printed", "explicit-euler", "trapezoidal", "reference"});
  c.option("--law", a->law, "Creep law").suggest({"linear", "she", "polach", "fastsim"});
  c.option("--channels", a->channels,
           "Channels in the files, separated by commas: 'N.*,q.*', all, default")
      .separated_by(',')
      .value("PATTERNS");
  c.option("--state", a->state,
           "Start from a saved state, with its speed and, without --friction, its friction")
      .names(Names::file);
  add_backend_option(c, a->backend);
  c.run = [a] { return run_vehicle(*a); };
  return c;
}

}  // namespace klingel::cli
