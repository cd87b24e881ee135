// Cases per second of a study: 1,000 runs of 5 s of the coach with different speeds, on one and two
// processors, by threads, processes and MPI, with and without lanes; and what that means for
// clusters, on paper. KLINGEL_BENCH_CASES changes the number of cases.
//
// Efficiency is how many cases two processors run in a second, of twice as many as one runs: by the
// clock, which other work on the machine disturbs, and by processor time, which it hardly does. Two
// virtual processors may be half a processor each when both are busy: a loop that needs nothing but
// its processor shows how much more two of them are than one, and no program is better than that.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "study/study_page.hpp"
#include "study/study_results.hpp"
#include "tests/bench/study_scaling.hpp"

namespace klingel::study_bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const std::string program = KLINGEL_PROGRAM;
const fs::path mpi_program = fs::path(program).parent_path() / "klingel-study-mpi";

enum class By { threads, processes, mpi };
struct Way {
  const char* name;
  By by;
  int cores, lanes;
};
constexpr Way ways[] = {
    {"one thread, no lanes", By::threads, 1, 1},   {"one thread, lanes", By::threads, 1, 4},
    {"two threads, no lanes", By::threads, 2, 1},  {"two threads, lanes", By::threads, 2, 4},
    {"two shards, no lanes", By::processes, 2, 1}, {"two shards, lanes", By::processes, 2, 4},
    {"MPI, 0 + 1, lanes", By::mpi, 1, 4},          {"MPI, 0 + 2, no lanes", By::mpi, 2, 1},
    {"MPI, 0 + 2, lanes", By::mpi, 2, 4}};

struct Measured {
  double seconds = 0;    // of the cases, that of the longest process
  double wall = 0;       // of the commands
  double processor = 0;  // of all processes with their starts
  nlohmann::json summary;
};

double processor_seconds_of_children() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

nlohmann::json read_json(const fs::path& file) {
  return nlohmann::json::parse(base::read_file(file));
}

std::string study_text(std::size_t cases) {
  return fmt::format(
      "[study]\nname = \"bench\"\nrun = \"coach_300m\"\nduration = 5.0\n"
      "[[vary]]\nname = \"speed\"\nfrom = 10.0\nto = 20.0\ncount = {}\n"
      "[[measure]]\nname = \"Q\"\nformula = \"max(Q.front.front.right)\"\n",
      cases);
}

bool has_mpi() {
  return fs::exists(mpi_program) && std::system("command -v mpirun > /dev/null 2>&1") == 0;
}

void run_command(const std::string& command) {
  if (std::system((command + " > /dev/null").c_str()) != 0) base::fail("failed: {}", command);
}

Measured run(const Way& way, const fs::path& folder, const fs::path& study, const fs::path& out) {
  const Clock::time_point begin = Clock::now();
  const double processor = processor_seconds_of_children();
  Measured m;
  const int commands = way.by == By::processes ? way.cores : 1;
  const auto json = [&](int i) { return folder / fmt::format("summary_{}.json", i); };
  std::vector<std::thread> threads;
  std::exception_ptr problem;
  for (int i = 0; i < commands; ++i) {
    std::string command =
        way.by == By::mpi
            ? fmt::format("mpirun --allow-run-as-root --oversubscribe --bind-to none -n {} '{}'",
                          way.cores + 1, mpi_program.string())
            : fmt::format("'{}' study", program);
    command += fmt::format(" '{}' --out '{}' --lanes {} --json '{}'", study.string(), out.string(),
                           way.lanes, json(i).string());
    if (way.by == By::threads) command += fmt::format(" --threads {}", way.cores);
    if (way.by == By::processes)
      command += fmt::format(" --threads 1 --shard {}/{}", i + 1, commands);
    threads.emplace_back([command, &problem] {
      try {
        run_command(command);
      } catch (...) {
        problem = std::current_exception();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  if (problem) std::rethrow_exception(problem);
  for (int i = 0; i < commands; ++i) {
    m.summary = read_json(json(i));
    m.seconds = std::max(m.seconds, m.summary["seconds"].get<double>());
  }
  m.wall = seconds_since(begin);
  m.processor = processor_seconds_of_children() - processor;
  if (way.by == By::processes)
    run_command(fmt::format("'{}' study merge '{}'", program, out.string()));
  return m;
}

// Rounds of a loop that stays within its processor, in a second.
double rounds_per_second(std::chrono::milliseconds time) {
  const Clock::time_point begin = Clock::now();
  double x = 1.5, rounds = 0;
  while (Clock::now() - begin < time) {
    for (int i = 0; i < 100'000; ++i) x = 0.5 * (x + 2 / x) + 1e-9 * i;
    rounds += 1;
  }
  return x > 0 ? rounds / seconds_since(begin) : 0;
}

// What two processors at once do, of twice what one does: the largest of some tries, because other
// work can only make it smaller.
double efficiency_of_the_machine() {
  constexpr std::chrono::milliseconds time{300};
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const double one = rounds_per_second(time);
    double other = 0;
    std::thread second([&] { other = rounds_per_second(time); });
    const double mine = rounds_per_second(time);
    second.join();
    best = std::max(best, (mine + other) / (2 * one));
  }
  return best;
}

// Of this process; other work on the machine does not count.
double processor_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The start of every process; the end of a large study, which process 0 does alone, per case; and a
// write of the journal to disk.
void measure_ends(const fs::path& folder, Overheads& o) {
  constexpr std::size_t cases = 20'000;
  const double begin_of_start = processor_seconds();
  const study::PreparedStudy p(study::parse_study(study_text(cases), "bench.toml"), {});
  o.start_s = processor_seconds() - begin_of_start;
  const fs::path journal_file = study::PreparedStudy::journal_path(folder, {});
  {
    study::CaseJournal journal(journal_file, p.head());
    for (std::size_t i = 0; i < cases; ++i) {
      const study::CaseResult r[] = {{i, "completed", {60e3 + std::sqrt(double(i))}, ""}};
      journal.add(r);
    }
    const Clock::time_point begin = Clock::now();
    journal.flush();
    o.sync_s = seconds_since(begin);
  }
  o.journal_bytes = double(fs::file_size(journal_file)) / cases;
  const double begin = processor_seconds();
  const std::vector<study::CaseResult> results = p.collect(folder);
  base::write_file(folder / "cases.csv", study::results_csv(p, results));
  base::write_file(folder / "page.html", study::study_page(p, results, "bench.toml"));
  o.end_s = (processor_seconds() - begin) / cases;
  o.start_bytes = double(fs::file_size(fs::exists(mpi_program) ? mpi_program : fs::path(program)));
  for (const study::InputFile& f : p.inputs()) o.start_bytes += double(fs::file_size(f.path));
}

// Process 0 under many messages: cases of a few steps.
void measure_messages(const fs::path& folder, Overheads& o) {
  const fs::path study = folder / "messages.toml";
  base::write_file(study,
                   "[study]\nrun = \"wheelset\"\nduration = 0.002\n"
                   "[[vary]]\nname = \"speed\"\nfrom = 10.0\nto = 20.0\ncount = 8000\n"
                   "[[measure]]\nname = \"Q\"\nformula = \"max(Q.wheelset.left)\"\n");
  const Way way{"", By::mpi, 2, 4};
  const nlohmann::json found = run(way, folder, study, folder / "messages").summary["messages"];
  o.message_s = found["seconds"].get<double>() / found["count"].get<double>();
  o.message_bytes = found["bytes"].get<double>() / found["count"].get<double>();
}

nlohmann::json on_paper(const Overheads& o) {
  nlohmann::json json = {{"seconds_per_case", o.case_s},
                         {"start_seconds", o.start_s},
                         {"start_bytes_per_process", o.start_bytes},
                         {"message_seconds", o.message_s},
                         {"message_bytes", o.message_bytes},
                         {"journal_bytes_per_case", o.journal_bytes},
                         {"journal_sync_seconds", o.sync_s},
                         {"end_seconds_per_case", o.end_s},
                         {"most_cores", most_cores(o)}};
  fmt::print(
      "\nper case {:.1f} ms; start {:.2f} s and {:.1f} MB per process; process 0: {:.1f} us and "
      "{:.0f} bytes per\nmessage, {:.0f} bytes of journal per case, {:.1f} ms to the disk every "
      "second, {:.1f} us per case at the end\n",
      1e3 * o.case_s, o.start_s, 1e-6 * o.start_bytes, 1e6 * o.message_s, o.message_bytes,
      o.journal_bytes, 1e3 * o.sync_s, 1e6 * o.end_s);
  for (const double cases : {1e4, 1e6, 1e8}) {
    fmt::print("\n{:.0f} cases on paper\n{:>8} {:>10} {:>12} {:>9} {:>12} {:>9} {:>11}\n", cases,
               "cores", "start, s", "work, s", "end, s", "efficiency", "process 0", "MB/s");
    for (const double cores : {2.0, 10.0, 100.0, 1e3, 1e4}) {
      const Estimate e = estimate(o, cases, cores);
      fmt::print("{:8.0f} {:10.2f} {:12.1f} {:9.2f} {:12.2f} {:8.1f}% {:11.3f}\n", cores, e.start_s,
                 e.work_s, e.end_s, e.efficiency, 100 * e.leader_share,
                 1e-6 * e.journal_bytes_per_s);
      json["estimates"].push_back({{"cases", cases},
                                   {"cores", cores},
                                   {"start_s", e.start_s},
                                   {"work_s", e.work_s},
                                   {"end_s", e.end_s},
                                   {"efficiency", e.efficiency},
                                   {"leader_share", e.leader_share},
                                   {"journal_bytes_per_s", e.journal_bytes_per_s}});
    }
  }
  fmt::print("process 0 is always busy from {:.0f} cores on\n", most_cores(o));
  return json;
}

std::size_t wanted_cases() {
  const char* wanted = std::getenv("KLINGEL_BENCH_CASES");
  if (wanted == nullptr) return 1000;
  const int cases = std::atoi(wanted);
  if (cases < 8) base::fail("KLINGEL_BENCH_CASES is '{}', expected 8 or more", wanted);
  return static_cast<std::size_t>(cases);
}

void bench(const fs::path& result_file, const fs::path& folder) {
  const std::size_t cases = wanted_cases();
  const fs::path study = folder / "bench.toml";
  base::write_file(study, study_text(cases));
  const bool mpi = has_mpi();
  nlohmann::json json = {{"cases", cases}, {"vehicle", "coach_300m, 5 s"}, {"mpi", mpi}};
  Overheads o;
  fs::create_directories(folder / "end");
  measure_ends(folder / "end", o);
  const double machine = efficiency_of_the_machine();
  json["efficiency_of_the_machine"] = machine;
  fmt::print("two processors of this machine are {:.2f} of twice one\n\n", machine);
  fmt::print("{} cases of 5 s of the coach\n{:22} {:>9} {:>13} {:>11} {:>14} {:>9} {:>16}\n", cases,
             "", "s", "cases per s", "efficiency", "in processor t.", "start, s", "processor, s");
  double alone[5] = {}, alone_processor[5] = {};  // of one thread, by lanes: cases per second, s
  std::string table, summary;
  for (const Way& way : ways) {
    if (way.by == By::mpi && !mpi) {
      fmt::print("{:22} not measured: it needs OpenMPI (libopenmpi-dev, openmpi-bin)\n", way.name);
      continue;
    }
    const fs::path out = folder / way.name;
    const Measured m = run(way, folder, study, out);
    const double rate = double(cases) / m.seconds;
    if (way.by == By::threads && way.cores == 1)
      alone[way.lanes] = rate, alone_processor[way.lanes] = m.processor;
    const double efficiency = rate / (way.cores * alone[way.lanes]);
    const double in_processor = alone_processor[way.lanes] / m.processor;
    if (way.cores == 2)
      summary += fmt::format("{}{} {:.2f}", summary.empty() ? "" : "; ", way.name, efficiency);
    const double start = m.wall - m.seconds - double(cases) * o.end_s;
    const std::string csv = base::read_file(out / "cases.csv");
    if (table.empty()) table = csv;
    if (csv != table) base::fail("'{}' has other results than '{}'", way.name, ways[0].name);
    fmt::print("{:22} {:9.2f} {:13.2f} {:11.2f} {:14.2f} {:9.2f} {:16.2f}\n", way.name, m.seconds,
               rate, efficiency, in_processor, start, m.processor);
    std::fflush(stdout);
    json["ways"].push_back({{"name", way.name},
                            {"cores", way.cores},
                            {"lanes", way.lanes},
                            {"seconds", m.seconds},
                            {"cases_per_s", rate},
                            {"efficiency", efficiency},
                            {"efficiency_in_processor_time", in_processor},
                            {"start_s", start},
                            {"processor_s", m.processor}});
    if (way.by == By::threads && way.cores == 1 && way.lanes == 4) {
      o.case_s = (m.processor - o.start_s) / double(cases);
    }
  }
  fmt::print("efficiency on two processors, 0.9 is wanted: {}\n", summary);
  if (mpi) {
    measure_messages(folder, o);
    json["paper"] = on_paper(o);
  }
  base::write_file(result_file, json.dump(1) + "\n");
}

}  // namespace
}  // namespace klingel::study_bench

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fputs("usage: bench_study FILE.json\n", stderr);
    return 2;
  }
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("klingel_bench_study_{}", ::getpid());
  fs::remove_all(folder);
  fs::create_directories(folder);
  klingel::study_bench::bench(argv[1], folder);
  fs::remove_all(folder);
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_study: %s\n", e.what());
  return 1;
}
