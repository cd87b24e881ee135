#include "realtime/permissions.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace klingel::realtime {
namespace {

Limit processor(int cpu) {
  if (cpu < 0)
    return {"cpu", false, "no processor of its own (--cpu): the thread may move, with cold caches"};
  if (stay_on(cpu)) return {"cpu", true, fmt::format("stays on processor {}", cpu)};
  return {"cpu", false,
          fmt::format("processor {} is not permitted ({}): the thread may move, with cold caches",
                      cpu, std::strerror(errno))};
}

Limit fifo(int priority) {
  if (priority <= 0)
    return {"sched_fifo", false, "SCHED_FIFO is not wanted: other programs may go first"};
  sched_param p{};
  p.sched_priority = priority;
  if (sched_setscheduler(0, SCHED_FIFO, &p) == 0)
    return {"sched_fifo", true, fmt::format("SCHED_FIFO with priority {}", priority)};
  return {"sched_fifo", false,
          fmt::format("SCHED_FIFO is not permitted ({}): other programs may go first; raise "
                      "'ulimit -r' or give CAP_SYS_NICE",
                      std::strerror(errno))};
}

Limit locked() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0)
    return {"memory_locked", true, "memory is locked and present"};
  return {"memory_locked", false,
          fmt::format("memory is not locked ({}): pages may be missing in a step; raise 'ulimit "
                      "-l' or give CAP_IPC_LOCK",
                      std::strerror(errno))};
}

// Steps need less; a page that is touched now is not missing later.
[[gnu::noinline]] void touch_stack() {
  constexpr std::size_t size = 256 * 1024, page = 4096;
  [[maybe_unused]] volatile char stack[size];
  for (std::size_t i = 0; i < size; i += page) stack[i] = 0;
}

std::string first_word(const char* file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

bool is_virtual() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("flags")) return line.find(" hypervisor") != std::string::npos;
  return false;
}

}  // namespace

std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> list;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) list.push_back(i);
  return list;
}

bool stay_on(int processor) {
  if (processor < 0 || processor >= CPU_SETSIZE) {
    errno = EINVAL;
    return false;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

std::vector<Limit> ask_permissions(const PermissionOptions& options) {
  std::vector<Limit> limits;
  limits.push_back(processor(options.cpu));
  limits.push_back(locked());
  touch_stack();
  limits.push_back(fifo(options.priority));
  return limits;
}

std::vector<Limit> machine_limits() {
  std::vector<Limit> limits;
  utsname u{};
  uname(&u);
  const bool rt = std::strstr(u.version, "PREEMPT_RT") != nullptr;
  limits.push_back({"preempt_rt", rt,
                    rt ? "the kernel is PREEMPT_RT"
                       : "the kernel is not PREEMPT_RT: it may delay the thread by milliseconds"});
  const std::string governor = first_word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!governor.empty()) {
    const bool fast = governor == "performance";
    limits.push_back({"governor", fast,
                      fast ? "the processor keeps its speed"
                           : fmt::format("governor '{}' changes the processor's speed", governor)});
  }
  const bool shared = is_virtual();
  limits.push_back({"own_machine", !shared,
                    shared ? "a virtual machine: its neighbours take time that no thread sees"
                           : "not a virtual machine"});
  return limits;
}

}  // namespace klingel::realtime
