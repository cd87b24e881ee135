// A neighbour that spoils caches and uses memory, to see what a loop is like then.
#pragma once

#include <atomic>
#include <thread>

namespace klingel::realtime {

class Stress {
 public:
  explicit Stress(int processor);  // -1: any
  ~Stress();
  Stress(const Stress&) = delete;
  Stress& operator=(const Stress&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace klingel::realtime
