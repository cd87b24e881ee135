// klingel optimise: the best values of a study's variations, by NLopt.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/run_screen.hpp"
#include "cli/vehicle_arguments.hpp"
#include "optimise/optimum_files.hpp"
#include "optimise/optimum_page.hpp"
#include "study/study_folder.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;
using optimise::Evaluation, optimise::Evaluator, optimise::Optimum;

struct OptimiseArguments {
  std::string file, out, json, backend = "automatic";
  unsigned threads = 0, lanes = 4;
  bool force = false;
};

void write_file(const fs::path& path, const std::string& text) {
  base::write_file(path, text);
  fmt::print("wrote {}\n", path.string());
}

void print_point(const Evaluator& evaluator, const Evaluation& e) {
  const study::Study& s = evaluator.study().study();
  const std::vector<double> values = evaluator.values(e.x);
  for (std::size_t i = 0; i < values.size(); ++i)
    fmt::print("  {} = {:.6g}", s.variations[i].name, values[i]);
  fmt::print("\n   ");
  for (std::size_t i = 0; i < s.measures.size(); ++i)
    fmt::print(" {} = {:.6g}", s.measures[i].name, e.result.measures[i]);
  fmt::print("\n");
}

// A name that C functions of the vehicle can begin with.
std::string vehicle_name(const std::string& study, const std::string& ending) {
  std::string name = study + ending;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "v");
  return name;
}

// What can be said at any time.
void write_history(const Evaluator& evaluator, const Optimum& optimum, const fs::path& folder) {
  write_file(folder / "evaluations.csv", optimise::evaluations_csv(evaluator, optimum));
  write_file(folder / "page.html", optimise::optimum_page(evaluator, optimum));
}

// Vehicles of an earlier front may be more than there are now.
void remove_results(const fs::path& folder) {
  study::remove_results(folder);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool point = name.starts_with("front_") && name.ends_with(".toml");
    if (point || name == "evaluations.csv" || name == "optimum.json" || name == "best.toml" ||
        name == "front.svg" || name == "history.svg")
      fs::remove(entry.path());
  }
}

void write_results(const Evaluator& evaluator, const Optimum& optimum, double seconds,
                   const OptimiseArguments& a, const fs::path& folder) {
  const study::Study& s = evaluator.study().study();
  write_history(evaluator, optimum, folder);
  const std::string json = optimise::optimum_json(evaluator, optimum, seconds);
  write_file(folder / "optimum.json", json);
  if (!a.json.empty()) base::write_file(a.json, json);
  const bool front = optimum.points.size() > 1;
  write_file(folder / (front ? "front.svg" : "history.svg"),
             optimise::optimum_svg(evaluator, optimum));
  for (std::size_t i = 0; i < optimum.points.size(); ++i) {
    const std::string number = front ? fmt::format("front_{}", i + 1) : "best";
    write_file(
        folder / (number + ".toml"),
        optimise::vehicle_file(evaluator, *optimum.points[i], vehicle_name(s.name, "_" + number)));
  }
}

ExitCode run(const OptimiseArguments& a) {
  study::StudyOptions options;
  options.kernels.backend = exec::backend_by_name(a.backend);
  options.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  options.lanes = study::checked_lanes(a.lanes);
  study::Study file = study::load_study(a.file);
  optimise::require_goal(file);
  optimise::require_nlopt();
  options.folder = a.out.empty() ? fs::path(file.name + "_optimum") : fs::path(a.out);
  if (a.force) remove_results(options.folder);
  study::check_unchanged(options.folder, file);
  const Interrupt interrupt;
  options.stop = [] { return Interrupt::wanted(); };
  study::PreparedStudy study(std::move(file), options.kernels, study::Chooser::optimiser);
  Evaluator evaluator(study, options);
  study::begin_folder(options.folder, study);
  const auto begin = std::chrono::steady_clock::now();
  Optimum optimum;
  try {
    optimum = optimise::optimise(evaluator, [](const std::string& text) {
      fmt::print("{}\n", text);
      std::fflush(stdout);
    });
  } catch (const base::Error&) {
    if (!Interrupt::wanted()) throw;
    write_history(evaluator, optimum, options.folder);
    fmt::print("stopped after {} cases; the same command goes on\n", evaluator.history().size());
    return Interrupt::exit_code();
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{}: {} cases in {:.2f} s, {} found, {} gradients from eigenvectors\n",
             study.study().name, evaluator.history().size(), seconds, evaluator.found(),
             evaluator.gradients_from_eigenvectors());
  for (const Evaluation* e : optimum.points) print_point(evaluator, *e);
  if (!optimum.within) fmt::print("no point within all limits was found; these come nearest\n");
  write_results(evaluator, optimum, seconds, a, options.folder);
  return ExitCode::fine;
}

}  // namespace

Command optimise_command() {
  const auto a = std::make_shared<OptimiseArguments>();
  Command c{Group::simulate, "optimise", "Find the best values of what a study varies"};
  c.about =
      "The table [optimise] of a study file says which measure is made small or large, and how. "
      "Limits of measures are constraints. Two measures give the front between them. The best "
      "vehicle is written as a file that extends the one it began with. An optimisation that was "
      "stopped or killed goes on when it is called again.";
  c.examples = {"klingel optimise coach_front --out front",
                "klingel run front/front_3.toml --out run --report"};
  c.option("file", a->file, "Study: a shipped name or a file").names(Names::file).required();
  c.option("--out", a->out, "Folder of the results")
      .names(Names::folder)
      .default_text("the study's name and _optimum");
  c.option("--force", a->force, "Begin again, in place of earlier results in that folder");
  c.option("--threads", a->threads, "Vehicles that are compiled and run in parallel")
      .at_least(1)
      .at_most(1024)
      .default_text("as many as processors");
  c.option("--lanes", a->lanes, "Vehicles that a thread steps side by side")
      .suggest({"1", "4", "8"});
  c.option("--json", a->json, "Write the result to this file").names(Names::file);
  add_backend_option(c, a->backend);
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
