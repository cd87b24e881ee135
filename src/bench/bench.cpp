// klingel bench: run time of a time step and of its parts on this machine.
#include "bench/bench.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <chrono>
#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/pack.hpp"
#include "base/version.hpp"
#include "bench/cold_bench.hpp"
#include "bench/fleet_bench.hpp"
#include "bench/lanes_bench.hpp"
#include "bench/stay_on.hpp"
#include "bench/step_bench.hpp"

namespace klingel::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double sum_of(const std::vector<CallTime>& calls, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) {
    for (const CallTime& call : calls) sum += call.name == name ? call.us : 0;
  }
  return sum;
}

// parts of a step, as the article's table of CPU times has them
struct Row {
  const char* name;
  double us;
};

std::vector<Row> rows_of(const std::vector<CallTime>& vehicle, const std::vector<CallTime>& contact,
                         std::size_t sets) {
  const auto all_sets = static_cast<double>(sets);
  const double tangent = all_sets * sum_of(contact, {"stage position", "tangent"});
  return {
      {
          "M_qq, delta_NK, gamma_n",
          sum_of(vehicle, {"stage position", "stage velocity", "stage force", "impulse"}) +
              all_sets * sum_of(contact, {"motion"}),
      },
      {"matrix, elimination and solution", sum_of(vehicle, {"stage system", "solve"})},
      {"contact: one evaluation of phi_d and the correction of s", tangent},
      {
          "contact: frames, rates",
          all_sets * sum_of(contact, {"frame", "stage velocity", "rates"}),
      },
      {"places and motions of the wheelsets",
       sum_of(vehicle, {"stage place", "pose", "stage movement", "motion"})},
      {"one more solution, for a projection", sum_of(vehicle, {"solve"})},
  };
}

void write_times(base::Json& json, const Percentiles& p) {
  json.begin_object().key("mean").value(p.mean).key("p50").value(p.p50).key("p90").value(p.p90);
  json.key("p99").value(p.p99).key("p999").value(p.p999).key("max").value(p.max).end_object();
}

// Steps and nothing else, one replay after another.
void bench_alone(const BenchOptions& a, const vehicle::Scenario& scenario) {
  exec::Options options;
  options.backend = exec::Backend::jit;
  compile::PreparedRun p = compile::prepare_run(scenario, options);
  const std::int64_t steps = a.steps > 0 ? a.steps : std::lround(scenario.duration / scenario.step);
  if (a.cold) {
    const ColdTimes t = time_cold(p, steps);
    fmt::print(
        "{} steps with cold caches: median {:.2f} us, 99 % {:.2f}, 99.9 % {:.2f}; kernels have {} "
        "kB "
        "of code and {} kB of data; {} kB written between steps\n",
        t.steps, t.us.p50, t.us.p99, t.us.p999, t.code_bytes / 1000, t.data_bytes / 1000,
        t.evicted / 1000);
    return;
  }
  if (a.fleet > 0) {
    const FleetTimes t = time_fleet(p, options, static_cast<std::size_t>(a.fleet),
                                    std::min<std::int64_t>(steps, 1000), processors());
    fmt::print("{} vehicles on {} threads: {:.0f} steps per second, {:.0f} kB each\n", t.vehicles,
               t.threads, t.steps_per_second, t.bytes_per_vehicle / 1000);
    return;
  }
  if (a.only_lanes) {
    const LaneTimes side = time_lanes(p, options, steps, a.replays);
    fmt::print("{} vehicles on lanes, {} steps: median {:.2f} us per vehicle, 99 % {:.2f}\n",
               side.lanes, side.steps, side.us.p50, side.us.p99);
    return;
  }
  const StepTimes jit = time_steps(p, steps, a.replays);
  fmt::print("{} steps: median {:.2f} us, 99 % {:.2f}, 99.9 % {:.2f}, maximum {:.2f}: {}\n",
             jit.steps, jit.us.p50, jit.us.p99, jit.us.p999, jit.us.max, jit.end);
}

}  // namespace

void bench(const BenchOptions& a) {
  if (a.replays < 1) base::fail("--replays {}: expected at least 1", a.replays);
  const vehicle::Scenario scenario = vehicle::load_scenario(a.what);
  if (a.only_steps || a.only_lanes || a.cold || a.fleet > 0) return bench_alone(a, scenario);
  const std::vector<int> all = processors();
  if (const int here = sched_getcpu(); here >= 0) stay_on(here);

  // symbolic generation alone, then everything up to the first step
  auto begin = std::chrono::steady_clock::now();
  {
    const vehicle::Vehicle vehicle =
        vehicle::load_vehicle(scenario.vehicle.string(), scenario.parameters);
    const std::unique_ptr<model::VehicleModel> model = model::build(vehicle);
    compile::vehicle_program(*model);
  }
  const double generate_s = seconds_since(begin);
  begin = std::chrono::steady_clock::now();
  {
    exec::Options jit;
    jit.backend = exec::Backend::jit;
    compile::PreparedRun p = compile::prepare_run(scenario, jit);
    p.instance->set_inputs(0);
    p.simulator->step(scenario.step);
  }
  const double first_step_s = seconds_since(begin);

  exec::Options options;
  options.backend = exec::Backend::cc;
  compile::PreparedRun p = compile::prepare_run(scenario, options);
  const std::int64_t steps = a.steps > 0 ? a.steps : std::lround(scenario.duration / scenario.step);
  const StepTimes cc = time_steps(p, steps, a.replays);
  const EigenTime eigen = time_eigen(p);

  exec::Options in_memory;
  in_memory.backend = exec::Backend::jit;
  compile::PreparedRun other = compile::prepare_run(scenario, in_memory);
  // only rigid treads have contact kernels
  const std::vector<CallTime> vehicle = time_calls(*other.kernel),
                              contact = other.contact ? time_calls(*other.contact)
                                                      : std::vector<CallTime>{};
  const std::size_t lanes = base::pack_lanes;
  const std::size_t sets = (p.simulator->data().wheels.size() + lanes - 1) / lanes;
  const std::vector<Row> rows = rows_of(vehicle, contact, sets);
  const step::VehicleState start = other.simulator->state();
  const StepTimes jit = time_steps(other, steps, a.replays);
  other.simulator->set_state(start);
  const LaneTimes side =
      time_lanes(other, in_memory, std::min<std::int64_t>(steps, 4000), a.replays);
  const std::int64_t sweep = std::min<std::int64_t>(steps, 4000);
  double one = 0, two = 0;
  for (int i = 0; i < 3; ++i) {
    other.simulator->set_state(start);
    one = std::max(one, steps_per_second(other, in_memory, sweep, {all.front()}));
    if (all.size() < 2) continue;
    other.simulator->set_state(start);
    two = std::max(two, steps_per_second(other, in_memory, sweep, {all[0], all[1]}));
  }

  other.simulator->set_state(start);
  const ColdTimes cold = time_cold(other, std::min<std::int64_t>(steps, 2000));
  other.simulator->set_state(start);
  const FleetTimes fleet =
      time_fleet(other, in_memory, 1000, std::min<std::int64_t>(steps, 1000), all);

  // the faster back end represents the step; both are printed
  const StepTimes& best = jit.us.p50 < cc.us.p50 ? jit : cc;
  const double ratio = best.us.p50 / eigen.us;
  fmt::print("{} on {}, step {:g} ms, {} steps, the shortest of {} replays of each: {}\n",
             p.vehicle.name, p.track.name, 1e3 * scenario.step, cc.steps, cc.replays, cc.end);
  const auto print = [](const char* name, const StepTimes& t) {
    fmt::print(
        "  {:<18} median {:.2f} us, 99 % {:.2f}, 99.9 % {:.2f}, maximum {:.2f}, mean {:.2f}\n",
        name, t.us.p50, t.us.p99, t.us.p999, t.us.max, t.us.mean);
  };
  print("in memory (jit)", jit);
  print("compiled (cc)", cc);
  fmt::print("  one replay (jit)   median {:.2f} us, 99 % {:.2f}, 99.9 % {:.2f}, maximum {:.2f}\n",
             jit.raw.p50, jit.raw.p99, jit.raw.p999, jit.raw.max);
  fmt::print(
      "  cold caches        median {:.2f} us, 99.9 % {:.2f}; kernels: {} kB of code, {} kB of "
      "data\n",
      cold.us.p50, cold.us.p999, cold.code_bytes / 1000, cold.data_bytes / 1000);
  fmt::print("  {} vehicles      {:.0f} steps per second on {} threads, {:.0f} kB each\n",
             fleet.vehicles, fleet.steps_per_second, fleet.threads, fleet.bytes_per_vehicle / 1000);
  fmt::print("  slowest            at {:.3f} s, corrections of q {} and of s {}{}{}\n",
             best.t_slowest, best.newton_q, best.newton_s, best.events.empty() ? "" : ", ",
             best.events);
  fmt::print(
      "  Eigen PartialPivLU<{}{}> factorization and solution {:.2f} us; step / Eigen {:.2f}\n",
      eigen.size, eigen.fixed ? "" : ", dynamic", eigen.us, ratio);
  fmt::print(
      "  {} on lanes         median {:.2f} us per vehicle, 99 % {:.2f}; {:.2f} times Eigen; one "
      "replay {:.2f} us\n",
      side.lanes, side.us.p50, side.us.p99, side.us.p50 / eigen.us, side.raw.p50);
  fmt::print("  threads            {:.0f} vehicle steps per ms with one", one / 1e3);
  if (two > 0) fmt::print(", {:.0f} with two: {:.2f} times", two / 1e3, two / one);
  fmt::print("\n");
  fmt::print("  generation         {:.0f} ms; first step after {:.0f} ms (jit)\n", 1e3 * generate_s,
             1e3 * first_step_s);
  fmt::print("\nrun time of the kernels in memory per step                     us\n");
  for (const Row& row : rows) fmt::print("  {:<58} {:6.2f}\n", row.name, row.us);
  fmt::print("\nkernels of the vehicle, one call\n");
  for (const CallTime& call : vehicle) fmt::print("  {:<24} {:7.3f}\n", call.name, call.us);
  if (p.contact) fmt::print("kernels of {} contacts, one call\n", lanes);
  for (const CallTime& call : contact) fmt::print("  {:<24} {:7.3f}\n", call.name, call.us);

  if (a.json.empty()) return;
  base::Json json;
  json.begin_object().key("program").value("klingel").key("version").value(base::version);
  json.key("vehicle").value(p.vehicle.name).key("track").value(p.track.name);
  json.key("tread")
      .value(scenario.tread)
      .key("projections")
      .value(step::StepOptions().projections == step::Projections::full ? "full" : "predicted");
  json.key("step_s").value(scenario.step).key("steps").value(cc.steps);
  json.key("replays").value(cc.replays).key("end").value(cc.end);
  json.key("step_us");
  write_times(json, best.us);
  json.key("backend").value(&best == &jit ? "jit" : "cc").key("jit_step_us");
  write_times(json, jit.us);
  json.key("cc_step_us");
  write_times(json, cc.us);
  json.key("raw_step_us");  // one replay
  write_times(json, jit.raw);
  json.key("cold_step_us");
  write_times(json, cold.us);
  json.key("kernel_code_bytes").value(static_cast<double>(cold.code_bytes));
  json.key("kernel_data_bytes").value(static_cast<double>(cold.data_bytes));
  json.key("fleet").begin_object().key("vehicles").value(static_cast<double>(fleet.vehicles));
  json.key("threads").value(static_cast<double>(fleet.threads));
  json.key("steps_per_second").value(fleet.steps_per_second);
  json.key("bytes_per_vehicle").value(fleet.bytes_per_vehicle).end_object();
  json.key("lanes4_us_per_vehicle").value(side.us.p50);
  json.key("raw_lanes4_us_per_vehicle").value(side.raw.p50);  // one replay
  json.key("steps_per_second").begin_object().key("threads1").value(one);
  if (two > 0) json.key("threads2").value(two);
  json.end_object();
  json.key("eigen_lu_us").value(eigen.us).key("eigen_size").value(eigen.size);
  json.key("step_over_eigen_lu").value(ratio);
  json.key("generate_s").value(generate_s).key("first_step_s").value(first_step_s);
  json.key("rows_us").begin_object();
  for (const Row& row : rows) json.key(row.name).value(row.us);
  json.end_object().key("vehicle_calls_us").begin_object();
  for (const CallTime& call : vehicle) json.key(call.name).value(call.us);
  json.end_object().key("contact_calls_us").begin_object();
  for (const CallTime& call : contact) json.key(call.name).value(call.us);
  json.end_object().end_object();
  base::write_file(a.json, json.text());
  fmt::print("wrote {}\n", a.json);
}

}  // namespace klingel::bench
