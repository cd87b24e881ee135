#include "bench/fleet_bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <numeric>
#include <thread>

#include "bench/stay_on.hpp"

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double resident_bytes() {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                       std::fclose);
  long all = 0, resident = 0;
  if (file == nullptr || std::fscanf(file.get(), "%ld %ld", &all, &resident) != 2) return 0;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Parameters within 5 % of theirs, different in every vehicle.
void vary(step::Batch& batch, std::size_t first) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::span<const double> nominal = batch[i].kernels().value(batch[i].description()->id.p);
    const std::vector<double> values(nominal.begin(), nominal.end());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto number = static_cast<double>((7 * (first + i) + 13 * k) % 21);
      batch[i].set_parameter(k, values[k] * (0.95 + number / 200));
    }
  }
}

}  // namespace

FleetTimes time_fleet(compile::PreparedRun& p, const exec::Options& options, std::size_t vehicles,
                      std::int64_t steps, const std::vector<int>& processors) {
  const step::VehicleState start = p.simulator->state();
  std::vector<std::deque<simulation::Batch>> fleet(processors.size());  // those made stay in place
  FleetTimes times;
  times.threads = processors.size();
  double before = 0;
  for (std::size_t made = 0; made < vehicles;) {
    std::deque<simulation::Batch>& own = fleet[made / 4 % processors.size()];
    if (made == 0)
      own.push_back(compile::side_by_side(p, options));
    else if (own.empty())
      own.emplace_back(fleet[0].front(), *p.instance);
    else
      own.push_back(simulation::Batch::beside(own.front(), *p.instance));
    step::Batch& batch = own.back().lanes();
    vary(batch, made);
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i].set_state(start);
    made += batch.size();
    times.vehicles = made;
    if (made == batch.size()) before = resident_bytes();  // what is shared is there now
  }
  std::barrier line(static_cast<std::ptrdiff_t>(processors.size()));
  std::vector<Clock::time_point> begin(processors.size()), end(processors.size());
  std::vector<std::int64_t> good(processors.size());
  const auto work = [&](std::size_t t) {
    stay_on(processors[t]);
    line.arrive_and_wait();
    begin[t] = Clock::now();
    // some steps of one batch while it is in the caches, then of the next
    constexpr std::int64_t block = 20;
    for (std::int64_t done = 0; done < steps; done += block) {
      for (simulation::Batch& vehicles_of_batch : fleet[t]) {
        step::Batch& batch = vehicles_of_batch.lanes();
        for (std::int64_t k = done; k < std::min(steps, done + block); ++k) {
          for (std::size_t i = 0; i < batch.size(); ++i)
            simulation::set_inputs(*p.description, batch[i], batch[i].time());
          batch.step(p.scenario.step);
          for (std::size_t i = 0; i < batch.size(); ++i)
            good[t] += batch.status(i) == runtime::Status::ok ? 1 : 0;
        }
      }
    }
    end[t] = Clock::now();
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < processors.size(); ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  const auto taken =
      *std::max_element(end.begin(), end.end()) - *std::min_element(begin.begin(), begin.end());
  times.steps_per_second =
      static_cast<double>(std::accumulate(good.begin(), good.end(), std::int64_t{0})) /
      std::chrono::duration<double>(taken).count();
  if (times.vehicles > base::pack_lanes)
    times.bytes_per_vehicle =
        (resident_bytes() - before) / static_cast<double>(times.vehicles - base::pack_lanes);
  return times;
}

}  // namespace klingel::bench
