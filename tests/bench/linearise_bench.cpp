// The time of the derivatives of a step: all of A of the locomotive and of coaches, generated and
// by differences on lanes, beside one step. Shortest of many calls, on loaded treads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "compile/prepare_run.hpp"
#include "simulation/linearise.hpp"

namespace {

using namespace klingel;

template <class Action>
double shortest_us(int calls, Action action) {
  double best = 1e30;
  for (int k = 0; k < calls; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

nlohmann::json results_of(const std::string& name, int calls) {
  const compile::CompiledVehicle vehicle = compile::compile(vehicle::load_scenario(name));
  simulation::Instance run(vehicle.description);
  run.start();
  for (int k = 0; k < 300; ++k)
    if (!run.step()) std::exit(1);
  const auto lanes = compile::with_derivatives(vehicle, compile::on_lanes(vehicle, {}, 4), {});
  const std::vector<std::string> states = {"q.*", "dq.*"};
  nlohmann::json result;
  for (const bool differences : {false, true}) {
    simulation::LineariseOptions options{states, {}, {}};
    options.differences = differences;
    simulation::Lineariser l(lanes, run, options);
    const double time = shortest_us(calls, [&] {
      if (!l.linearise(run) || l.result().generated == differences) std::exit(1);
    });
    result[differences ? "differences_us" : "generated_us"] = time;
    result["states"] = l.result().states;
  }
  // how often steps of a run are described
  simulation::Lineariser l(lanes, run, {states, {}, {}});
  int steps = 0;
  for (; steps < 500 && run.step(); ++steps)
    if (!l.linearise(run)) break;
  result["steps"] = steps;
  result["differenced_steps"] = l.differenced();
  result["step_us"] = shortest_us(calls, [&] { run.step(); });
  std::printf(
      "%-20s %3d states: generated %6.1f us, differences %7.1f us, a step %4.1f us; "
      "%zu of %d steps differenced\n",
      name.c_str(), result["states"].get<int>(), result["generated_us"].get<double>(),
      result["differences_us"].get<double>(), result["step_us"].get<double>(), l.differenced(),
      steps);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_linearise FILE.json\n", stderr);
    return 2;
  }
  constexpr int calls = 300;
  nlohmann::json results;
  for (const char* name : {"motor_slip", "manchester1", "manchester1_full", "coach_300m"})
    results[name] = results_of(name, calls);
  std::ofstream(argv[1]) << results.dump(1) << "\n";
  return 0;
}
