// klingel study: many runs of a vehicle with different values, from a study file to tables.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/run_screen.hpp"
#include "cli/vehicle_arguments.hpp"
#include "study/study_folder.hpp"
#include "study/study_page.hpp"
#include "study/study_progress.hpp"
#include "study/study_results.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;

struct StudyArguments {
  std::string file, folder, out, shard, json, backend = "automatic";
  unsigned threads = 0, lanes = 4;
  bool hdf5 = false, force = false;
};

study::Shard shard_of(const std::string& text) {
  study::Shard shard;
  if (text.empty()) return shard;
  const std::size_t slash = text.find('/');
  const auto number = [&](std::string_view digits) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  if (slash != std::string::npos) {
    shard.part = number(std::string_view(text).substr(0, slash));
    shard.parts = number(std::string_view(text).substr(slash + 1));
  }
  if (shard.part < 1 || shard.part > shard.parts)
    base::fail("--shard takes a part and the number of parts, such as 1/8 to 8/8, found '{}'",
               text);
  --shard.part;
  return shard;
}

// What is known of a study that is not finished has another name than the whole.
void write_tables(const study::PreparedStudy& study, const StudyArguments& a,
                  const fs::path& folder, const std::vector<study::CaseResult>& results) {
  const bool whole = results.size() == study.values().cases();
  const auto said = [](const fs::path& path) { fmt::print("wrote {}\n", path.string()); };
  const fs::path csv = folder / (whole ? "cases.csv" : study::so_far_name);
  base::write_file(csv, study::results_csv(study, results));
  said(csv);
  base::write_file(folder / "page.html", study::study_page(study, results, study.study().file));
  said(folder / "page.html");
  if (whole) fs::remove(folder / study::so_far_name);
  if (whole && a.hdf5) {
    study::write_results_hdf5(study, results, folder / "cases.h5");
    said(folder / "cases.h5");
  }
  fmt::print("{}", study::results_text(study.study(), results));
}

ExitCode merge(const StudyArguments& a) {
  if (a.folder.empty()) base::fail("klingel study merge takes the folder of the results");
  const fs::path folder = a.folder;
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(a.backend);
  const study::PreparedStudy study(study::study_in(folder), kernels);
  const std::vector<study::CaseResult> results = study.collect(folder);
  write_tables(study, a, folder, results);
  if (a.json.empty()) return ExitCode::fine;
  study::StudyCount count;
  count.cases = count.found = results.size();
  for (const study::CaseResult& r : results) count.failed += r.failed() ? 1 : 0;
  base::write_file(a.json, study::study_json(study, count, {}, results));
  return ExitCode::fine;
}

ExitCode run_study(const StudyArguments& a) {
  if (!a.folder.empty())
    base::fail("a study has one FILE, found '{}' behind it; the folder of results is --out",
               a.folder);
  study::StudyOptions options;
  options.shard = shard_of(a.shard);
  options.kernels.backend = exec::backend_by_name(a.backend);
  options.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  options.lanes = study::checked_lanes(a.lanes);
  study::Study file = study::load_study(a.file);
  options.folder = a.out.empty() ? fs::path(file.name + "_results") : fs::path(a.out);
  if (a.force) study::remove_results(options.folder);
  study::check_unchanged(options.folder, file);
  const Interrupt interrupt;
  const study::PreparedStudy study(std::move(file), options.kernels);
  study::begin_folder(options.folder, study);
  study::StudyCount count;
  {
    study::StudyProgress progress;
    options.stop = [] { return Interrupt::wanted(); };
    options.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
    count = study.run(options);
  }
  fmt::print("{}: {} cases, {} run now in {:.2f} s ({:.1f} per second), {} found, {} failed\n",
             study.study().name, count.cases, count.run, count.seconds,
             count.seconds > 0 ? static_cast<double>(count.run) / count.seconds : 0.0, count.found,
             count.failed);
  std::vector<study::CaseResult> results;
  if (count.complete() && options.shard.parts == 1) {
    results = study.collect(options.folder);
    write_tables(study, a, options.folder, results);
  } else if (count.complete()) {
    fmt::print("when all parts are there: klingel study merge {}\n", options.folder.string());
  } else {
    // what is known so far can be looked at
    results = study.known(options.folder);
    if (options.shard.parts == 1 && !results.empty())
      write_tables(study, a, options.folder, results);
    fmt::print("{} cases are left; the same command goes on\n",
               count.cases - count.found - count.run);
  }
  if (!a.json.empty()) base::write_file(a.json, study::study_json(study, count, options, results));
  return Interrupt::exit_code();
}

}  // namespace

Command study_command() {
  const auto a = std::make_shared<StudyArguments>();
  Command c{Group::simulate, "study", "Run many cases with different values, and measure them"};
  c.about =
      "A study file says which vehicle or scenario runs, what varies and what is measured. Results "
      "go to a journal as cases end; a study that was stopped or killed goes on when it is called "
      "again. 'klingel study merge FOLDER' puts the parts of --shard together; 'mpirun -n 64 "
      "klingel-study-mpi FILE' runs it on many machines, where OpenMPI was there when Klingel was "
      "built. page.html shows the results; 'STUDY#NUMBER' is a case as a scenario, for 'klingel "
      "run' and the other commands.";
  c.examples = {"klingel study coach_speed_friction --out results",
                "klingel study coach_speed_friction --out results --shard 1/4",
                "klingel study merge results", "klingel view results",
                "klingel run 'coach_speed_friction#17' --out case_17 --report"};
  c.option("file", a->file, "Study: a shipped name or a file; or the word merge")
      .names(Names::file)
      .required();
  c.option("folder", a->folder, "Folder of results; with merge").names(Names::folder);
  c.option("--out", a->out, "Folder of the results")
      .names(Names::folder)
      .default_text("the study's name and _results");
  c.option("--force", a->force, "Begin again, in place of earlier results in that folder");
  c.option("--threads", a->threads, "Vehicles that are compiled and run in parallel")
      .at_least(1)
      .at_most(1024)
      .default_text("as many as processors");
  c.option("--lanes", a->lanes, "Vehicles that a thread steps side by side")
      .suggest({"1", "4", "8"});
  c.option("--shard", a->shard, "Only this part of the cases, such as 2/8").value("I/N");
  c.option("--json", a->json, "Write numbers about the study to this file").written();
  c.option("--hdf5", a->hdf5, "Write cases.h5, too");
  add_backend_option(c, a->backend);
  c.run = [a] { return a->file == "merge" ? merge(*a) : run_study(*a); };
  return c;
}

}  // namespace klingel::cli
