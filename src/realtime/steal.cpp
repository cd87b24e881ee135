#include "realtime/steal.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace klingel::realtime {

std::int64_t stolen_time(const std::string& text) {
  // user nice system idle iowait irq softirq steal, in ticks
  long long steal = 0;
  if (std::sscanf(text.c_str(), "cpu %*d %*d %*d %*d %*d %*d %*d %lld", &steal) != 1) return 0;
  return steal * 1'000'000'000 / sysconf(_SC_CLK_TCK);
}

std::int64_t stolen_time() {
  std::ifstream in("/proc/stat");
  std::string line;
  std::getline(in, line);
  return stolen_time(line);
}

}  // namespace klingel::realtime
