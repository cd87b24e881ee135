#include "bench/cold_bench.hpp"

#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <numeric>

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Writing this much leaves nothing else in the caches of one core.
class Eviction {
 public:
  Eviction() {
    const long second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    constexpr long unknown = 4 << 20;
    memory_.resize(static_cast<std::size_t>(3 * (second > 0 ? second : unknown)) / sizeof(long));
  }
  std::size_t bytes() const { return memory_.size() * sizeof(long); }
  void operator()() {
    constexpr std::size_t line = 64 / sizeof(long);
    for (std::size_t i = 0; i < memory_.size(); i += line) memory_[i] = ++count_;
  }

 private:
  std::vector<long> memory_;
  long count_ = 0;
};

// The size of the mapped memory a function lies in: kernels in memory have one of their own.
std::size_t bytes_around(klingel_call* call) {
  const auto at = reinterpret_cast<std::uintptr_t>(call);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "r"),
                                                       std::fclose);
  if (maps == nullptr) return 0;
  char text[600];
  while (std::fgets(text, sizeof text, maps.get()) != nullptr) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(text, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
    if (begin <= at && at < end) return end - begin;
  }
  return 0;
}

std::size_t data_of(const klingel_kernel& k) {
  std::size_t elements = k.workspace_size;
  for (const klingel_input& in : std::span(k.inputs, k.n_inputs)) elements += in.size;
  for (const klingel_function& f : std::span(k.functions, k.n_functions)) {
    if (f.rare != 0) continue;
    for (const klingel_output& o : std::span(f.outputs, f.n_outputs)) elements += o.size;
  }
  return elements * k.lanes * sizeof(double);
}

}  // namespace

ColdTimes time_cold(compile::PreparedRun& p, std::int64_t steps) {
  ColdTimes times;
  Eviction evict;
  times.evicted = evict.bytes();
  const step::VehicleData& data = p.simulator->data();
  times.code_bytes = bytes_around(data.vehicle->stages[0].call);
  times.data_bytes = 2 * data_of(*data.vehicle);
  if (data.contact != nullptr) {
    const std::size_t sets = 2 * ((data.wheels.size() + 3) / 4);  // treads and flanges
    times.code_bytes += bytes_around(data.contact->stages[0].call);
    times.data_bytes += sets * data_of(*data.contact);
  }
  std::vector<double> us;
  for (std::int64_t i = 0; i < steps; ++i) {
    p.instance->set_inputs(p.simulator->time());
    evict();
    const Clock::time_point begin = Clock::now();
    const runtime::Status status = p.simulator->step(p.scenario.step);
    const Clock::time_point end = Clock::now();
    if (status != runtime::Status::ok) break;
    us.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
  }
  times.steps = static_cast<std::int64_t>(us.size());
  times.us = percentiles(std::move(us));
  return times;
}

}  // namespace klingel::bench
