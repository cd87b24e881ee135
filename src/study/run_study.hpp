// Runs the cases of a study on lanes and threads, and keeps their results in a journal. Every case
// has the same bits whoever runs it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/backend.hpp"
#include "study/case_analysis.hpp"
#include "study/case_journal.hpp"
#include "study/case_values.hpp"
#include "study/measure.hpp"
#include "study/study_file.hpp"
#include "study/study_inputs.hpp"
#include "study/whole_run.hpp"

namespace klingel::study {

// One of several processes that share a study: cases part, part + parts, part + 2 parts ...
struct Shard {
  std::size_t part = 0, parts = 1;
  bool has(std::size_t which) const { return which % parts == part; }
};

struct StudyOptions {
  std::filesystem::path folder;
  Shard shard;
  std::size_t threads = 1, lanes = 4;
  exec::Options kernels;
  std::function<bool()> stop;                                       // asked often, from all threads
  std::function<void(std::size_t done, std::size_t all)> progress;  // from one at a time
};

// Kernels are compiled for so many vehicles side by side; another number is an Error.
std::size_t checked_lanes(std::size_t lanes);

struct StudyCount {
  std::size_t cases = 0;   // of this part
  std::size_t found = 0;   // in the journal at the beginning
  std::size_t run = 0;     // now
  std::size_t failed = 0;  // of all that are known
  double seconds = 0;
  bool complete() const { return found + run == cases; }
};

// Cases that share a compiled vehicle.
struct CaseGroup {
  std::string key;  // of what must be compiled
  std::vector<std::size_t> cases;
  std::vector<char> wanted = {};  // by measure; those without a run are left out where it is 0
};

// Who gives cases their values.
enum class Chooser { study, optimiser };

// A study with its files: what is the same for every part of it.
class PreparedStudy {
 public:
  // Loads the vehicle and checks names of parameters, inputs, channels and measures.
  PreparedStudy(Study study, const exec::Options& kernels, Chooser chooser = Chooser::study);
  PreparedStudy(const PreparedStudy&) = delete;
  PreparedStudy& operator=(const PreparedStudy&) = delete;

  const Study& study() const { return study_; }
  const CaseValues& values() const { return values_; }
  CaseValues& values() { return values_; }
  const std::vector<InputFile>& inputs() const { return inputs_; }
  JournalHead head() const;
  // The value that a variation has in the files; NaN where it is no number there.
  double nominal(std::size_t variation) const { return nominal_[variation]; }
  // Whether the vehicle is compiled for each value of a variation.
  bool is_compiled(std::size_t variation) const { return compiled_[variation] != 0; }

  // The journal of a part in the folder of a study.
  static std::filesystem::path journal_path(const std::filesystem::path& folder,
                                            const Shard& shard);

  StudyCount run(const StudyOptions& options) const;
  // Results of all journals in a folder in the order of cases.
  std::vector<CaseResult> known(const std::filesystem::path& folder) const;
  // The same; missing ones are an Error.
  std::vector<CaseResult> collect(const std::filesystem::path& folder) const;

  // What is not in the journal, in groups of as many cases as run side by side; counts what is.
  std::vector<CaseGroup> left(const CaseJournal& journal, const StudyOptions& options,
                              StudyCount& count) const;
  // Cases in groups of at most so many that share a compiled vehicle.
  std::vector<CaseGroup> groups(const std::vector<std::size_t>& cases, std::size_t lanes) const;

 private:
  friend class StudyWorker;
  void read_measures();
  void check_names(const compile::CompiledVehicle& base, const simulation::Instance& names) const;
  void check_values(std::size_t variation, const ScenarioChanges& first) const;
  void find_compiled(const compile::CompiledVehicle& base, const simulation::Instance& names,
                     const ScenarioChanges& first, const exec::Options& kernels);
  void try_measures(compile::CompiledVehicle base, const exec::Options& kernels) const;
  std::string key_of(std::size_t which) const;
  ScenarioChanges changes_of(std::size_t which) const;
  std::vector<double> measure(const Outcome& outcome, double step) const;

  Study study_;
  CaseValues values_;
  std::vector<char> compiled_;  // by variation: its values are compiled, not set
  std::vector<double> nominal_;
  std::vector<std::optional<Formula>> formulas_;  // by measure
  std::vector<std::string> channels_;
  std::vector<InputFile> inputs_;
  std::string digest_;
  bool summary_ = false, floor_ = false;  // what measures need
};

// Runs groups one after the other, with a vehicle of its own. For one thread.
class StudyWorker {
 public:
  // Both must outlive it.
  StudyWorker(const PreparedStudy& study, const StudyOptions& options)
      : p_(study), options_(options) {}

  // Cases that were stopped are left out.
  std::vector<CaseResult> run(const CaseGroup& group);
  // Derivatives of a measure by variations that are set and not compiled; see CaseAnalysis.
  std::optional<std::vector<double>> derivatives(std::size_t which, std::size_t measure,
                                                 const std::vector<std::size_t>& variations);

 private:
  void prepare(const CaseGroup& group);
  bool stopped() const { return options_.stop && options_.stop(); }
  Case case_of(std::size_t which) const;
  AnalysedValues analysed_of(std::size_t which) const;
  CaseResult failed(std::size_t which, const std::string& why) const;
  CaseResult measured(std::size_t which, const Outcome* outcome,
                      const std::vector<char>& wanted) const;

  const PreparedStudy& p_;
  const StudyOptions& options_;
  std::unique_ptr<CaseRunner> runner_;
  std::unique_ptr<LinearVehicle> linear_;
  std::string key_;
};

}  // namespace klingel::study
