// klingel-study-mpi: a study on the processes of MPI, also on several machines.
//
//   mpirun -n 64 klingel-study-mpi FILE.toml [--out FOLDER]
//
// Process 0 has the journal and gives out groups of cases; the others run them, and get the next
// when they are done. Results are those of `klingel study`, to the last byte.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "study/study_folder.hpp"
#include "study/study_page.hpp"
#include "study/study_progress.hpp"
#include "study/study_results.hpp"

namespace klingel::mpi {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

constexpr int work_tag = 1, result_tag = 2;
// MPI waits by asking all the time, which would cost process 0 a processor of its own
constexpr auto pause = std::chrono::microseconds(200);

constexpr const char* usage =
    "usage: mpirun -n N klingel-study-mpi FILE.toml [options]\n"
    "\n"
    "  --out FOLDER    folder of the results; without it the study's name and _results\n"
    "  --force         begin again, in place of earlier results in that folder\n"
    "  --lanes 1|4|8   vehicles that a process steps side by side; 4\n"
    "  --json FILE     write numbers about the study\n"
    "  --hdf5          write cases.h5, too\n"
    "\n"
    "Process 0 has the journal, the others run cases. All is as in 'klingel study'; a study that "
    "was\n"
    "stopped or killed goes on when it is called again.\n";

struct Arguments {
  std::string file, out, json;
  std::size_t lanes = 4;
  bool force = false, hdf5 = false, help = false;
};

Arguments arguments_of(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool takes_value = word == "--out" || word == "--json" || word == "--lanes";
    if (takes_value && i + 1 == argc) base::fail("{} needs a value", word);
    if (word == "--out")
      a.out = argv[++i];
    else if (word == "--json")
      a.json = argv[++i];
    else if (word == "--lanes")
      a.lanes = static_cast<std::size_t>(std::atoi(argv[++i]));
    else if (word == "--force")
      a.force = true;
    else if (word == "--hdf5")
      a.hdf5 = true;
    else if (word == "--help")
      a.help = true;
    else if (word.starts_with("-") || !a.file.empty())
      base::fail("unknown argument '{}'\n{}", word, usage);
    else
      a.file = word;
  }
  if (a.help) return a;
  if (a.file.empty()) base::fail("which study?\n{}", usage);
  study::checked_lanes(a.lanes);
  return a;
}

void send(const std::string& text, int to, int tag) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD);
}

// A message of any length whose head is known.
std::string receive(MPI_Status status) {
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return text;
}

// Process 0 waits for anyone, asleep; a processor is free for one more that runs cases.
MPI_Status next_result() {
  for (;;) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, result_tag, MPI_COMM_WORLD, &there, &status);
    if (there != 0) return status;
    std::this_thread::sleep_for(pause);
  }
}

// The key of a group on the first line, then its cases.
std::string group_text(const study::CaseGroup& group) {
  std::string text = group.key + "\n";
  for (const std::size_t which : group.cases) text += fmt::format("{}\n", which);
  return text;
}

study::CaseGroup group_of(const std::string& text) {
  study::CaseGroup group;
  std::size_t begin = text.find('\n') + 1;
  group.key = text.substr(0, begin - 1);
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    group.cases.push_back(std::stoull(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return group;
}

void work(const study::PreparedStudy& study, const study::StudyOptions& options) {
  study::StudyWorker worker(study, options);
  std::string results;  // empty at first: only asks for work
  for (;;) {
    send(results, 0, result_tag);
    MPI_Status status;
    MPI_Probe(0, work_tag, MPI_COMM_WORLD, &status);
    const std::string text = receive(status);
    if (text.empty()) return;
    results.clear();
    for (const study::CaseResult& r : worker.run(group_of(text))) results += study::line_of(r);
  }
}

// Of this thread.
double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void add_results(const std::string& text, const study::PreparedStudy& study,
                 study::CaseJournal& journal, study::StudyCount& count) {
  std::vector<study::CaseResult> results;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    auto result = study::result_of(std::string_view(text).substr(begin, end - begin), study.head());
    if (!result) base::fail("a process sent a damaged result");
    count.failed += result->failed() ? 1 : 0;
    results.push_back(std::move(*result));
    begin = end;
  }
  journal.add(results);
  count.run += results.size();
}

void give_out(const study::PreparedStudy& study, study::CaseJournal& journal,
              const std::vector<study::CaseGroup>& groups, int processes, study::StudyCount& count,
              study::Messages& messages) {
  study::StudyProgress progress;
  std::size_t next = 0;
  for (int busy = processes - 1; busy > 0;) {
    const MPI_Status status = next_result();
    const double begin = processor_seconds();
    const std::string results = receive(status);
    const std::string text = next < groups.size() ? group_text(groups[next]) : "";
    send(text, status.MPI_SOURCE, work_tag);
    if (next++ >= groups.size()) --busy;
    add_results(results, study, journal, count);
    ++messages.count;
    messages.bytes += results.size() + text.size();
    messages.seconds += processor_seconds() - begin;
    progress.show(count.found + count.run, count.cases);
  }
}

void lead(const Arguments& a, const study::PreparedStudy& study, study::StudyOptions options,
          int processes) {
  const Clock::time_point begin = Clock::now();
  options.folder = a.out.empty() ? fs::path(study.study().name + "_results") : fs::path(a.out);
  if (a.force) study::remove_results(options.folder);
  study::check_unchanged(options.folder, study.study());
  fs::create_directories(options.folder);
  study::StudyCount count;
  study::Messages messages;
  if (processes == 1) {
    study::StudyProgress progress;
    options.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
    count = study.run(options);
    study::begin_folder(options.folder, study);
  } else {
    study::CaseJournal journal(study::PreparedStudy::journal_path(options.folder, {}),
                               study.head());
    // after the journal: results of another study keep their file
    study::begin_folder(options.folder, study);
    const std::vector<study::CaseGroup> groups = study.left(journal, options, count);
    give_out(study, journal, groups, processes, count, messages);
    journal.flush();
    count.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const std::vector<study::CaseResult> results = study.collect(options.folder);
  base::write_file(options.folder / "cases.csv", study::results_csv(study, results));
  base::write_file(options.folder / "page.html",
                   study::study_page(study, results, study.study().file));
  fs::remove(options.folder / study::so_far_name);
  if (a.hdf5) study::write_results_hdf5(study, results, options.folder / "cases.h5");
  options.threads = static_cast<std::size_t>(std::max(1, processes - 1));
  if (!a.json.empty())
    base::write_file(a.json, study::study_json(study, count, options, results, messages));
  fmt::print(
      "{}: {} cases, {} run now in {:.2f} s by {} processes, {} found, {} failed\nwrote {}\n{}",
      study.study().name, count.cases, count.run, count.seconds, processes, count.found,
      count.failed, (options.folder / "cases.csv").string(),
      study::results_text(study.study(), results));
}

// Whether all processes are ready; the first one that is not says why.
bool all_ready(const std::string& problem, int rank, int processes) {
  const int mine = problem.empty() ? processes : rank;
  int first = 0;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == rank) fmt::print(stderr, "klingel-study-mpi: {}\n", problem);
  return first == processes;
}

int run(int argc, char** argv, int rank, int processes) {
  Arguments a;
  study::StudyOptions options;
  std::unique_ptr<study::PreparedStudy> study;
  std::string problem;
  try {
    a = arguments_of(argc, argv);
    if (a.help) {
      if (rank == 0) fmt::print("{}", usage);
      return 0;
    }
    options.lanes = a.lanes;
    study = std::make_unique<study::PreparedStudy>(study::load_study(a.file), options.kernels);
  } catch (const std::exception& e) {
    problem = e.what();
  }
  if (!all_ready(problem, rank, processes)) return 2;
  try {
    rank == 0 ? lead(a, *study, options, processes) : work(*study, options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "klingel-study-mpi: {}\n", e.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);  // the others wait for this one
  }
  return 0;
}

}  // namespace
}  // namespace klingel::mpi

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int code = klingel::mpi::run(argc, argv, rank, processes);
  std::fflush(stdout);
  MPI_Finalize();
  return code;
}
