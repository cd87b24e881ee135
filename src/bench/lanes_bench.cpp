#include "bench/lanes_bench.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <numeric>
#include <thread>

#include "bench/stay_on.hpp"

namespace klingel::bench {

namespace {

using Clock = std::chrono::steady_clock;

// states along the run, so that the vehicles are at different places at the same time
std::vector<step::VehicleState> places(compile::PreparedRun& p, std::size_t count) {
  constexpr int apart = 900;  // steps
  const step::VehicleState start = p.simulator->state();
  std::vector<step::VehicleState> list{start};
  while (list.size() < count) {
    for (int i = 0; i < apart; ++i) {
      p.instance->set_inputs(p.simulator->time());
      if (p.simulator->step(p.scenario.step) != runtime::Status::ok) break;
    }
    list.push_back(p.simulator->state());
  }
  p.simulator->set_state(start);
  return list;
}

void put(step::Batch& batch, const std::vector<step::VehicleState>& places) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch.revive(i);
    batch[i].set_state(places[i]);
  }
}

// as different as vehicles of a sweep
void vary(step::Batch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (std::size_t w = 0; w < batch[i].data().wheels.size(); ++w)
      batch[i].set_friction(w, batch[i].friction(w) * (1 - 0.1 * static_cast<double>(i)));
  }
}

void set_all_inputs(const compile::PreparedRun& p, step::Batch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i)
    simulation::set_inputs(*p.description, batch[i], batch[i].time());
}

}  // namespace

LaneTimes time_lanes(compile::PreparedRun& p, const exec::Options& options, std::int64_t steps,
                     int replays) {
  simulation::Batch vehicles = compile::side_by_side(p, options);
  step::Batch& batch = vehicles.lanes();
  const std::vector<step::VehicleState> starts = places(p, batch.size());
  vary(batch);
  LaneTimes times;
  std::vector<double> us(static_cast<std::size_t>(steps), 1e9);
  for (int replay = 0; replay < replays; ++replay) {
    put(batch, starts);
    for (std::size_t i = 0; i < us.size(); ++i) {
      set_all_inputs(p, batch);
      const Clock::time_point begin = Clock::now();
      batch.step(p.scenario.step);
      const double taken = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
      us[i] = std::min(us[i], taken / static_cast<double>(batch.size()));
      bool good = true;
      for (std::size_t v = 0; v < batch.size(); ++v)
        good = good && batch.status(v) == runtime::Status::ok;
      if (!good) us.resize(i);
    }
    if (replay == 0) times.raw = percentiles(us);
  }
  times.lanes = batch.size();
  times.steps = static_cast<std::int64_t>(us.size());
  times.us = percentiles(std::move(us));
  return times;
}

double steps_per_second(compile::PreparedRun& p, const exec::Options& options, std::int64_t steps,
                        const std::vector<int>& processors) {
  std::vector<simulation::Batch> all;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    all.push_back(compile::side_by_side(p, options));
    vary(all.back().lanes());
  }
  const std::vector<step::VehicleState> starts = places(p, all.front().size());
  for (simulation::Batch& batch : all) put(batch.lanes(), starts);
  // workers read the clock themselves: the waiting thread may wake up late
  std::barrier line(static_cast<std::ptrdiff_t>(processors.size()));
  std::vector<Clock::time_point> begin(processors.size()), end(processors.size());
  std::vector<std::int64_t> good(processors.size());
  const auto work = [&](std::size_t i) {
    stay_on(processors[i]);
    step::Batch& batch = all[i].lanes();
    line.arrive_and_wait();
    begin[i] = Clock::now();
    for (std::int64_t k = 0; k < steps; ++k) {
      set_all_inputs(p, batch);
      batch.step(p.scenario.step);
      for (std::size_t v = 0; v < batch.size(); ++v)
        good[i] += batch.status(v) == runtime::Status::ok ? 1 : 0;
    }
    end[i] = Clock::now();
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < processors.size(); ++i) threads.emplace_back(work, i);
  for (std::thread& t : threads) t.join();
  const auto taken =
      *std::max_element(end.begin(), end.end()) - *std::min_element(begin.begin(), begin.end());
  const double s = std::chrono::duration<double>(taken).count();
  return static_cast<double>(std::accumulate(good.begin(), good.end(), std::int64_t{0})) / s;
}

}  // namespace klingel::bench
