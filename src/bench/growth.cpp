// klingel growth: what longer trains cost. The number of units of a train is varied; generation,
// loading and steps are timed for each and compared with what one unit costs.
#include "bench/growth.hpp"

#include <fmt/format.h>
#include <time.h>

#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/version.hpp"
#include "bench/step_bench.hpp"
#include "bench/vehicle_ops.hpp"
#include "gen/schedule.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::bench {
namespace {

// one length of train
struct Cost {
  int units = 0;
  std::size_t coordinates = 0, wheels = 0, operations = 0, code = 0;  // code: bytes, cc only
  double generate_ms = 0, load_ms = 0, start_ms = 0;
  Percentiles step_us;
  std::string end;
};

// processor time of this process: other programs run on the machine, too
double processor_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

void count_operations(const model::VehicleModel& model, const gen::Program& program, Cost& cost) {
  const gen::Schedule schedule = gen::make_schedule(program);
  for (const std::vector<gen::Body>* bodies : {&schedule.stages, &schedule.functions})
    for (const gen::Body& body : *bodies) cost.operations += body.count.total();
  cost.coordinates = model.mechanics.coordinates().size();
  cost.wheels = model.wheels.size();
}

// From the file to the symbolic functions, and from there to kernels in memory: the shortest time
// of some repetitions.
void time_generation(const vehicle::Scenario& scenario, const exec::Options& options, Cost& cost) {
  for (int i = 0; i < 5; ++i) {
    double begin = processor_ms();
    const vehicle::Vehicle vehicle =
        vehicle::load_vehicle(scenario.vehicle.string(), scenario.parameters);
    const std::unique_ptr<model::VehicleModel> model = model::build(vehicle);
    const gen::Program program = compile::vehicle_program(*model);
    const double generate = processor_ms() - begin;
    if (i == 0 || generate < cost.generate_ms) cost.generate_ms = generate;
    if (i == 0) count_operations(*model, program, cost);
    if (options.backend != exec::Backend::jit) continue;
    begin = processor_ms();
    exec::load(program, options);
    const double load = processor_ms() - begin;
    if (i == 0 || load < cost.load_ms) cost.load_ms = load;
  }
}

Cost measure(const GrowthOptions& a, int units, vehicle::Scenario scenario,
             const std::string& count) {
  Cost cost;
  cost.units = units;
  scenario.parameters.push_back({count, std::to_string(units)});
  exec::Options options;
  options.backend = exec::backend_by_name(a.backend);
  time_generation(scenario, options, cost);
  compile::PreparedRun p = compile::prepare_run(scenario, options);
  const double begin = processor_ms();
  p.instance->start();
  cost.start_ms = processor_ms() - begin;
  const StepTimes times = time_steps(p, a.steps, a.replays);
  cost.step_us = times.us;
  cost.end = times.end;
  cost.code = code_bytes(p.kernel->abi());
  return cost;
}

}  // namespace

void growth(const GrowthOptions& a) {
  if (a.replays < 1) base::fail("--replays {}: expected at least 1", a.replays);
  if (a.steps < 1) base::fail("--steps {}: expected at least 1", a.steps);
  const vehicle::Scenario scenario = vehicle::load_scenario(a.what);
  const vehicle::Vehicle vehicle = vehicle::load_vehicle(scenario.vehicle.string());
  if (vehicle.counts.empty()) {
    base::fail(
        "'{}' is not a train with a [[unit]] that has a 'count', so its length cannot vary; try "
        "'train'",
        a.what);
  }
  const std::string& count = vehicle.counts.front();
  std::vector<Cost> costs;
  for (const int units : a.counts) costs.push_back(measure(a, units, scenario, count));

  fmt::print(
      "{} on {}, '{}' varied, back end {}, {} steps, each the shortest of {} replays; generation, "
      "load\nand start in ms of processor time\n\n",
      vehicle.name, scenario.track, count, a.backend, a.steps, a.replays);
  fmt::print("{:>6}{:>12}{:>8}{:>12}{:>10}{:>14}{:>10}{:>10}{:>12}{:>10}\n", "units", "coordinates",
             "wheels", "operations", "code kB", "generation ms", "load ms", "start ms",
             "step us p50", "p99");
  for (const Cost& c : costs) {
    fmt::print("{:>6}{:>12}{:>8}{:>12}{:>10}{:>14.1f}{:>10.1f}{:>10.0f}{:>12.2f}{:>10.2f}{}\n",
               c.units, c.coordinates, c.wheels, c.operations,
               c.code > 0 ? fmt::format("{}", c.code / 1024) : "-", c.generate_ms, c.load_ms,
               c.start_ms, c.step_us.p50, c.step_us.p99, c.end == "completed" ? "" : "  " + c.end);
  }
  const Cost& one = costs.front();
  fmt::print("\nrelative to the same number of units at the cost per unit of the first row\n");
  const auto ratio = [&](const Cost& c, double now, double first) {
    return first > 0 ? now * one.units / (first * c.units) : 0.0;
  };
  for (const Cost& c : costs) {
    fmt::print("{:>6}{:>32.2f}{:>24.2f}{:>10.2f}{:>10.2f}{:>12.2f}{:>10.2f}\n", c.units,
               ratio(c, double(c.operations), double(one.operations)),
               ratio(c, c.generate_ms, one.generate_ms), ratio(c, c.load_ms, one.load_ms),
               ratio(c, c.start_ms, one.start_ms), ratio(c, c.step_us.p50, one.step_us.p50),
               ratio(c, c.step_us.p99, one.step_us.p99));
  }

  if (a.json.empty()) return;
  base::Json json;
  json.begin_object().key("program").value("klingel").key("version").value(base::version);
  json.key("train").value(vehicle.name).key("backend").value(a.backend);
  json.key("steps").value(a.steps).key("replays").value(a.replays).key("trains").begin_array();
  for (const Cost& c : costs) {
    json.begin_object().key("units").value(c.units);
    json.key("coordinates").value(static_cast<std::int64_t>(c.coordinates));
    json.key("wheels").value(static_cast<std::int64_t>(c.wheels));
    json.key("operations").value(static_cast<std::int64_t>(c.operations));
    json.key("code_bytes").value(static_cast<std::int64_t>(c.code));
    json.key("generate_s").value(1e-3 * c.generate_ms).key("load_s").value(1e-3 * c.load_ms);
    json.key("start_s").value(1e-3 * c.start_ms);
    json.key("step_us").begin_object().key("p50").value(c.step_us.p50);
    json.key("p99").value(c.step_us.p99).key("max").value(c.step_us.max).end_object();
    json.key("step_over_linear").value(ratio(c, c.step_us.p50, one.step_us.p50));
    json.key("generate_over_linear").value(ratio(c, c.generate_ms, one.generate_ms));
    json.key("end").value(c.end).end_object();
  }
  json.end_array().end_object();
  base::write_file(a.json, json.text());
  fmt::print("wrote {}\n", a.json);
}

}  // namespace klingel::bench
