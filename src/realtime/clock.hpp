// Time as the loop sees it. Behind an interface, so that tests can make it pass as they like.
#pragma once

#include <cstdint>

namespace klingel::realtime {

// Counts of this thread since it began.
struct Usage {
  std::int64_t minor_faults = 0, major_faults = 0;  // of pages
  std::int64_t preempted = 0;                       // switched off although it wanted to go on
  int processor = 0;
};

// All times in nanoseconds.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now() noexcept = 0;                   // monotonic
  virtual std::int64_t thread_time() noexcept = 0;           // processor time of this thread
  virtual void sleep_until(std::int64_t time) noexcept = 0;  // of now()
  virtual Usage usage() noexcept = 0;
};

class SystemClock : public Clock {
 public:
  std::int64_t now() noexcept override;
  std::int64_t thread_time() noexcept override;
  void sleep_until(std::int64_t time) noexcept override;
  Usage usage() noexcept override;
};

}  // namespace klingel::realtime
