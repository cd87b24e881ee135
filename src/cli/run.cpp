// klingel run: a vehicle over a track, from its files to results on disk.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
#include "record/mat.hpp"
#include "record/run_folder.hpp"
#include "record/summary_text.hpp"
#include "report/page_recording.hpp"
#include "report/run_plots.hpp"
#include "scene/run_page.hpp"
#include "step/step_names.hpp"
#include "step/vehicle_state_file.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::string what = "feve3000_corrected";
  std::string out, state, integrator, law, backend = "automatic";
  ScenarioArguments scenario;
  std::optional<double> duration, interval;
  std::vector<std::string> channels;
  std::optional<double> save_every;
  bool csv = false, hdf5 = false, mat = false, svg = false, report = false, force = false;
};

vehicle::Scenario scenario_of(const RunArguments& a) {
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

// Files of a run, each by itself: one that cannot be written does not keep the others from being
// written.
class Files {
 public:
  explicit Files(const record::RunFolder& folder) : folder_(folder) {}

  template <class Write>
  void write(const char* name, const Write& write) {
    const fs::path path = folder_ / name;
    try {
      write(path);
      written_.push_back(path);
    } catch (const std::exception& e) {
      problems_.push_back(e.what());
    }
  }
  void add_problem(std::string text) { problems_.push_back(std::move(text)); }

  bool fine() const { return problems_.empty(); }
  void tell() const {
    for (const fs::path& path : written_) fmt::print("wrote {}\n", path.string());
    std::fflush(stdout);
    for (const std::string& p : problems_) fmt::print(stderr, "klingel: {}\n", p);
    if (!fine()) {
      fmt::print(stderr,
                 "klingel: rows until then are in '{}'; 'klingel report' makes files from it when "
                 "there is room\n",
                 (folder_ / record::journal_name).string());
    }
  }

 private:
  const record::RunFolder& folder_;
  std::vector<fs::path> written_;
  std::vector<std::string> problems_;
};

// What `klingel run --out` leaves behind, made from the rows in the journal.
void write_results(const RunArguments& a, const compile::PreparedRun& p, record::RunFolder& folder,
                   scene::RunPage& page, const std::vector<record::Channel>& wanted,
                   const record::RunSummary& summary, Files& files) {
  files.write("summary.json", [&](const fs::path& path) { record::write_summary(summary, path); });
  if (summary.end == record::RunEnd::failed || summary.end == record::RunEnd::derailed)
    files.write("failed.state",
                [&](const fs::path& path) { step::write_state(*p.simulator, path); });
  if (!folder.writer()->problem().empty()) {
    files.add_problem(folder.writer()->problem());
    return;
  }
  const record::Journal journal(folder / record::journal_name);
  const std::vector<std::size_t> chosen = record::chosen_channels(journal, wanted);
  if (a.csv)
    files.write("results.csv",
                [&](const fs::path& path) { record::write_csv(journal, chosen, path); });
  if (a.hdf5)
    files.write("results.h5",
                [&](const fs::path& path) { record::write_hdf5(journal, chosen, {}, path); });
  if (a.mat)
    files.write("results.mat",
                [&](const fs::path& path) { record::write_mat(journal, chosen, path); });
  const record::Recording rows =
      record::thinned(journal, report::most_page_rows(journal.channels().size()));
  if (a.svg)
    files.write("plots.svg", [&](const fs::path& path) {
      base::write_file(path, report::run_plots(scene::part(rows, wanted), summary.scenario));
    });
  const std::string for_page = page.recording(rows, summary);
  files.write("recording.json", [&](const fs::path& path) { base::write_file(path, for_page); });
  if (a.report)
    files.write("report.html", [&](const fs::path& path) { write_page(for_page, path); });
  if (files.fine()) folder.remove_journal();
}

ExitCode code_of(record::RunEnd end) {
  if (end == record::RunEnd::failed) return ExitCode::numeric_failure;
  if (end != record::RunEnd::stopped) return ExitCode::fine;
  return Interrupt::exit_code();
}

// A saved state has speeds and friction of its own; --friction still replaces the latter.
void read_state(step::Simulator& simulator, const RunArguments& a) {
  step::read_state(simulator, a.state);
  if (!a.scenario.friction) return;
  for (std::size_t i = 0; i < simulator.data().wheels.size(); ++i)
    simulator.set_friction(i, *a.scenario.friction);
}

ExitCode run_vehicle(const RunArguments& a) {
  if (a.out.empty() && (a.csv || a.svg || a.hdf5 || a.mat || a.report || a.save_every || a.force))
    base::fail(
        "--csv, --svg, --hdf5, --mat, --report, --save-every and --force need a folder: add --out "
        "DIR");
  // names of states have four digits behind the point
  if (a.save_every && !(*a.save_every >= 1e-4 && *a.save_every < 1e9))
    base::fail("--save-every takes a time of at least 0.0001 s, found {}", *a.save_every);
  if (!a.state.empty() && a.scenario.speed)
    base::fail("--speed does not go with --state: the saved state has the speeds of all bodies");
  if (!a.state.empty() && a.scenario.position)
    base::fail("--position does not go with --state: the saved state has the places of all bodies");
  const vehicle::Scenario scenario = scenario_of(a);
  const Interrupt interrupt;
  // before the work begins: a folder that cannot be used
  std::optional<record::RunFolder> folder;
  if (!a.out.empty()) folder.emplace(a.out, a.force);
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
  recording.keep_rows = false;
  // files contain the chosen channels, the journal and the page all channels
  const std::vector<record::Channel> wanted =
      record::Recorder(simulator, p.track, recording).recording().channels();
  std::unique_ptr<scene::RunPage> page;
  record::JournalWriter* journal = nullptr;
  if (folder) {
    recording.channels = {"*"};
    page = std::make_unique<scene::RunPage>(p, scenario.step, scenario.duration);
    journal =
        &folder->begin(record::Recorder(simulator, p.track, recording).recording().channels());
    recording.sink = journal;
  }
  record::Recorder recorder(simulator, p.track, recording);
  record::Tally tally(simulator);

  std::string state_problem;
  record::DriveOptions options;
  options.method = p.description->method;
  options.method.balance = true;
  options.step = scenario.step;
  options.duration = scenario.duration;
  options.inputs = [&](step::Simulator&, double t) {
    p.instance->set_inputs(t);
    if (page) page->add(simulator);
  };
  if (a.save_every) options.saved_every = *a.save_every;
  options.save = [&](const step::Simulator& s) {
    try {
      step::write_state(s, *folder / record::RunFolder::state_name(s.state().t).c_str());
    } catch (const base::Error& e) {
      // the run goes on without; said once
      if (state_problem.empty()) state_problem = e.what();
    }
  };
  record::RunSummary summary;
  {
    ProgressBar bar(scenario.duration);
    options.stop = [] { return Interrupt::wanted(); };
    options.progress = [&](double simulated, double wall) {
      bar.show(simulated, wall);
      if (journal != nullptr) journal->look_at_clock();
    };
    summary = record::drive(simulator, recorder, tally, options);
  }
  summary.scenario = scenario.name;
  summary.track = p.track.name;
  summary.integrator = scenario.integrator;
  summary.law = scenario.law;
  summary.warnings.insert(summary.warnings.end(), p.description->warnings.begin(),
                          p.description->warnings.end());
  if (page) {
    page->add(simulator);
    page->assess(summary.assessment);
  }
  // first what is known, whatever happens to files
  fmt::print("{}", record::summary_text(summary));
  std::fflush(stdout);
  if (!folder) return code_of(summary.end);
  Files files(*folder);
  if (!state_problem.empty()) files.add_problem(state_problem);
  folder->end();
  write_results(a, p, *folder, *page, wanted, summary, files);
  files.tell();
  const ExitCode code = code_of(summary.end);
  return code == ExitCode::fine && !files.fine() ? ExitCode::input : code;
}

}  // namespace

Command run_command() {
  const auto a = std::make_shared<RunArguments>();
  Command c{Group::simulate, "run", "Run a vehicle over a track"};
  c.about =
      "Starts the vehicle in equilibrium, drives it for the duration of its scenario and prints a "
      "summary. Options replace what the scenario says.";
  c.examples = {"klingel run coach_300m", "klingel run coach_300m --out results --csv --report",
                "klingel run manchester1 --track curve_300 --speed 25 --duration 10"};
  c.option("what", a->what, "Vehicle or scenario: a shipped name or a file")
      .names(Names::scenario)
      .default_text("feve3000_corrected, the article's locomotive on the article's track");
  c.option("--out", a->out,
           "Folder for the results, new or empty; summary.json is always written there")
      .names(Names::folder);
  c.option("--force", a->force, "Replace the results of an earlier run in that folder");
  c.option("--csv", a->csv, "Write results.csv there");
  c.option("--svg", a->svg, "Write plots.svg there: some plots for a first look");
  c.option("--report", a->report, "Write report.html there: animation and plots in one page");
  c.option("--hdf5", a->hdf5, "Write results.h5 there");
  c.option("--mat", a->mat, "Write results.mat there, for Matlab and Octave");
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
  c.option("--save-every", a->save_every,
           "Save the state there every so many simulated seconds, for --state")
      .unit("s");
  c.option("--state", a->state,
           "Start from a saved state, with its speed and, without --friction, its friction")
      .names(Names::file);
  add_backend_option(c, a->backend);
  c.run = [a] { return run_vehicle(*a); };
  return c;
}

}  // namespace klingel::cli
