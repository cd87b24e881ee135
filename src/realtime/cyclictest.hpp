// cyclictest of Debian's rt-tests beside the loop: what the machine does to a thread that only
// sleeps. Not installed: nothing, which is said.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace klingel::realtime {

struct CyclictestTimes {
  double least = 0, mean = 0, most = 0;  // us
};

// From its output; none if that is not in it.
std::optional<CyclictestTimes> read_cyclictest(const std::string& output);

class Cyclictest {
 public:
  // Begins it if it is installed.
  Cyclictest(double seconds, std::int64_t period_ns);
  ~Cyclictest();
  Cyclictest(const Cyclictest&) = delete;
  Cyclictest& operator=(const Cyclictest&) = delete;

  static bool installed();
  bool running() const { return pid_ > 0; }
  std::optional<CyclictestTimes> result();  // ends it

 private:
  pid_t pid_ = 0;
  int output_ = -1;
};

}  // namespace klingel::realtime
