// Keeps a thread on one processor while it is timed: moving to another one would cost time.
#pragma once

#include <sched.h>

#include <vector>

namespace klingel::bench {

inline void stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  sched_setaffinity(0, sizeof set, &set);
}

// Those this thread may use.
inline std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> list;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) list.push_back(i);
  return list;
}

}  // namespace klingel::bench
