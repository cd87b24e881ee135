// The time of a step: `klingel bench` on the article's run, on a coach in a curve, and on coaches
// with plain and with full suspensions on the same straight track; with the instructions of a step
// where valgrind is installed, in one file where benchmarks put their results.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace {

const std::string program = KLINGEL_PROGRAM;

nlohmann::json results_of(const std::string& scenario, const std::string& file) {
  const std::string command = program + " bench " + scenario + " --json '" + file + "'";
  if (std::system(command.c_str()) != 0) std::exit(1);
  std::ifstream in(file);
  return nlohmann::json::parse(in);
}

// Instructions of the mean step, or nothing: they do not depend on what else the machine does.
nlohmann::json instructions_of(const std::string& scenario) {
  if (std::system("command -v valgrind > /dev/null 2>&1") != 0) return nullptr;
  constexpr int steps = 2000;
  const std::string step =
      "klingel::step::Stepper::do_phase(double, klingel::step::StepOptions const&)";
  const std::string command =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no "
      "--toggle-collect='" +
      step + "' " + program + " bench " + scenario + " --only-steps --replays 1 --steps " +
      std::to_string(steps) + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return nullptr;
  std::string text;
  char part[256];
  while (std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  if (pclose(pipe) != 0) return nullptr;
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("Collected : ([0-9]+)"))) return nullptr;
  return std::stod(found[1]) / (2 * steps);  // a replay, and one to look at the slowest step
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_step FILE.json\n", stderr);
    return 2;
  }
  const std::string file = argv[1];
  nlohmann::json locomotive = results_of("feve3000_corrected", file);
  locomotive["instructions_per_step"] = instructions_of("feve3000_corrected");
  std::puts("");
  nlohmann::json coach = results_of("coach_300m", file);
  coach["instructions_per_step"] = instructions_of("coach_300m");
  coach["step_over_locomotive_lu"] =
      coach["step_us"]["p50"].get<double>() / locomotive["eigen_lu_us"].get<double>();
  locomotive["coach"] = coach;
  // what suspensions cost
  for (const std::string name : {"manchester1", "manchester1_full", "coach_air"}) {
    std::puts("");
    nlohmann::json of = results_of(name, file);
    of["instructions_per_step"] = instructions_of(name);
    locomotive["suspensions"][name] = of;
  }
  std::ofstream(file) << locomotive.dump(1) << "\n";
  return 0;
}
