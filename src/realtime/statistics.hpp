// What the periods of a loop amount to: histograms, what was late by whose fault, the worst step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "realtime/histogram.hpp"
#include "realtime/loop.hpp"

namespace klingel::realtime {

class Statistics {
 public:
  explicit Statistics(std::int64_t period_ns) : period_(period_ns) {}

  // `stolen`: the machine lost time while it went.
  void add(const Period& p, bool stolen);

  Histogram wake, step, step_own, io, slack;
  std::int64_t overruns = 0;
  std::int64_t overruns_own = 0;     // woken in time, and our own processor time alone is too long
  std::int64_t overruns_stolen = 0;  // these would be, but the machine lost time meanwhile
  std::int64_t minor_faults = 0, major_faults = 0, preempted = 0, migrated = 0;
  Period worst, worst_own;  // longest step by the clock, and in processor time of the thread

  // "jump, flange, 7 iterations, preempted"; what is known about why a step took long.
  static std::vector<std::string> reasons(const Period& p);

 private:
  std::int64_t period_;
};

}  // namespace klingel::realtime
