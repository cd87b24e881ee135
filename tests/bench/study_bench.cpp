// Cases per second of a study: 1,000 runs of 5 s of the coach with different speeds, on one and two
// threads or processes, with and without lanes. KLINGEL_BENCH_CASES changes their number.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::string program = KLINGEL_PROGRAM;

struct Way {
  const char* name;
  int processes, threads, lanes;
};
constexpr Way ways[] = {{"one thread, no lanes", 1, 1, 1},
                        {"one thread, lanes", 1, 1, 4},
                        {"two threads, lanes", 1, 2, 4},
                        {"two processes, lanes", 2, 1, 4}};

void write_study(const fs::path& file, int cases) {
  std::ofstream(file) << "[study]\nname = \"bench\"\nrun = \"coach_300m\"\nduration = 5.0\n"
                      << "[[vary]]\nname = \"speed\"\nfrom = 10.0\nto = 20.0\ncount = " << cases
                      << "\n[[measure]]\nname = \"Q\"\nformula = \"max(Q.front.front.right)\"\n";
}

// Seconds of the longest process.
double run(const Way& way, const fs::path& folder, const fs::path& study) {
  const fs::path out = folder / way.name;
  std::vector<std::thread> processes;
  std::vector<double> seconds(static_cast<std::size_t>(way.processes));
  for (int i = 0; i < way.processes; ++i) {
    processes.emplace_back([&, i] {
      const fs::path json = folder / ("summary" + std::to_string(i) + ".json");
      const std::string command = program + " study '" + study.string() + "' --out '" +
                                  out.string() + "' --threads " + std::to_string(way.threads) +
                                  " --lanes " + std::to_string(way.lanes) + " --shard " +
                                  std::to_string(i + 1) + "/" + std::to_string(way.processes) +
                                  " --json '" + json.string() + "' > /dev/null";
      if (std::system(command.c_str()) != 0) std::exit(1);
      std::ifstream in(json);
      seconds[static_cast<std::size_t>(i)] = nlohmann::json::parse(in)["seconds"];
    });
  }
  for (std::thread& p : processes) p.join();
  return *std::max_element(seconds.begin(), seconds.end());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_study FILE.json\n", stderr);
    return 2;
  }
  const char* wanted = std::getenv("KLINGEL_BENCH_CASES");
  const int cases = wanted != nullptr ? std::atoi(wanted) : 1000;
  const fs::path folder = fs::temp_directory_path() / "klingel_bench_study";
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_study(folder / "bench.toml", cases);
  nlohmann::json results = {{"cases", cases}, {"vehicle", "coach_300m, 5 s"}};
  double alone = 0;
  for (const Way& way : ways) {
    const double rate = cases / run(way, folder, folder / "bench.toml");
    const int cores = way.processes * way.threads;
    if (cores == 1) alone = rate;
    std::printf("%-22s %7.2f cases per second, efficiency %.2f\n", way.name, rate,
                rate / (cores * alone));
    results["ways"].push_back({{"name", way.name},
                               {"processes", way.processes},
                               {"threads", way.threads},
                               {"lanes", way.lanes},
                               {"cases_per_s", rate},
                               {"efficiency", rate / (cores * alone)}});
  }
  fs::remove_all(folder);
  std::ofstream(argv[1]) << results.dump(1) << "\n";
}
