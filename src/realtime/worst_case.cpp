#include "realtime/worst_case.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "realtime/clock.hpp"
#include "simulation/instance.hpp"

namespace klingel::realtime {
namespace {

// Processor time of every step; ends early where a step fails.
std::vector<std::int64_t> times(const std::shared_ptr<const simulation::Description>& description,
                                const step::VehicleState& from, std::int64_t steps) {
  SystemClock clock;
  simulation::Instance vehicle(description);
  vehicle.start_at(from);
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t begin = clock.thread_time();
    const bool good = vehicle.step();
    const std::int64_t end = clock.thread_time();
    if (!good) break;
    list.push_back(end - begin);
  }
  return list;
}

std::vector<std::int64_t> shortest(
    const std::shared_ptr<const simulation::Description>& description,
    const step::VehicleState& from, std::int64_t steps) {
  std::vector<std::int64_t> least = times(description, from, steps);
  for (int pass = 1; pass < 3; ++pass) {
    const std::vector<std::int64_t> again = times(description, from, steps);
    for (std::size_t i = 0; i < std::min(least.size(), again.size()); ++i)
      least[i] = std::min(least[i], again[i]);
  }
  return least;
}

}  // namespace

WorstCase worst_case(const simulation::Description& given, std::int64_t most_steps) {
  const auto plain = std::make_shared<simulation::Description>(given);
  const auto forced = std::make_shared<simulation::Description>(given);
  forced->method.exhaust = true;
  simulation::Instance start(plain);
  start.start();
  const step::VehicleState from = start.simulator().state();
  const std::int64_t steps =
      std::min(most_steps, static_cast<std::int64_t>(std::llround(given.duration / given.step)));

  WorstCase result;
  std::vector<std::int64_t> usual = shortest(plain, from, steps);
  std::vector<std::int64_t> longest = shortest(forced, from, steps);
  result.steps = static_cast<std::int64_t>(longest.size());
  result.failed = result.steps < steps;
  // the first steps fetch code and tables from memory
  const std::size_t cold = 10;
  const auto without_cold = [cold](std::vector<std::int64_t>& list) {
    list.erase(list.begin(), list.begin() + static_cast<long>(std::min(cold, list.size())));
    std::sort(list.begin(), list.end());
  };
  without_cold(usual), without_cold(longest);
  if (!usual.empty()) result.plain = usual.back();
  if (!longest.empty()) {
    result.longest = longest.back();
    result.median = longest[longest.size() / 2];
  }
  return result;
}

}  // namespace klingel::realtime
