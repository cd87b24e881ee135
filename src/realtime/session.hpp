// A loop with the threads around it: the real-time thread, and one that counts, records and brings
// used copies back to the start.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "realtime/cyclictest.hpp"
#include "realtime/permissions.hpp"
#include "realtime/statistics.hpp"
#include "realtime/worst_case.hpp"

namespace klingel::realtime {

struct SessionOptions {
  LoopOptions loop;
  PermissionOptions permissions;
  bool stress = false, cyclictest = true;
  std::string record;  // CSV file; empty: none
  // Gets rows of Loop's `shown`, some milliseconds late; for a view.
  std::function<void(std::span<const double> row)> show;
};

struct Result {
  LoopOptions loop;
  Statistics statistics{1};
  LoopCounts counts;
  Device::Counts device;
  Ending ending;
  std::vector<Limit> limits;
  std::optional<CyclictestTimes> cyclictest;
  std::int64_t stolen = 0;                                          // ns, of all processors
  std::int64_t lost_statistics = 0, lost_rows = 0, lost_views = 0;  // dropped by queues
  double seconds = 0;                                               // wall time
  std::optional<WorstCase> worst_case;                              // if it was asked for
};

// Ends when the loop does; `stop` is asked every few milliseconds, `look` gets the statistics so
// far every second.
Result run_session(ModelPlant& plant, Device* device, const Layout& layout,
                   const SessionOptions& options, const std::function<bool()>& stop,
                   const std::function<void(const Result&)>& look = {});

std::string json_text(const Result& result);
std::string summary_text(const Result& result);

}  // namespace klingel::realtime
