// What makes a thread keep time, as far as the machine permits it.
#pragma once

#include <string>
#include <vector>

namespace klingel::realtime {

struct Limit {
  std::string what;  // "sched_fifo"
  bool permitted = false;
  std::string text;  // one line: what is so, or what is lost
};

struct PermissionOptions {
  int cpu = -1;       // -1: any
  int priority = 80;  // of SCHED_FIFO; 0: not wanted
};

// For the calling thread: a processor of its own, SCHED_FIFO, all memory of the process locked, the
// stack touched.
std::vector<Limit> ask_permissions(const PermissionOptions& options);
// What the machine is like: kernel, governor, virtual machine.
std::vector<Limit> machine_limits();

// Processors this process may use.
std::vector<int> processors();
// Keeps the calling thread there; false if that is not permitted.
bool stay_on(int processor);

}  // namespace klingel::realtime
