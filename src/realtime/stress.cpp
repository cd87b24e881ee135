#include "realtime/stress.hpp"

#include <cstdint>
#include <vector>

#include "realtime/permissions.hpp"

namespace klingel::realtime {
namespace {

constexpr std::size_t bytes = 64 << 20;  // more than the caches that processors share

}  // namespace

Stress::Stress(int processor) {
  thread_ = std::thread([this, processor] {
    if (processor >= 0) stay_on(processor);
    std::vector<std::uint64_t> memory(bytes / 8);
    std::uint64_t at = 1;
    while (!stop_.load(std::memory_order_relaxed)) {
      // lines in an order that no processor foresees, then a row of them
      for (int i = 0; i < 4096; ++i) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        memory[(at >> 20) % memory.size()] += at;
      }
      const std::size_t begin = (at >> 20) % (memory.size() - 65536);
      for (std::size_t i = 0; i < 65536; i += 8) memory[begin + i] = at;
    }
  });
}

Stress::~Stress() {
  stop_ = true;
  thread_.join();
}

}  // namespace klingel::realtime
