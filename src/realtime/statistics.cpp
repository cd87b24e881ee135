#include "realtime/statistics.hpp"

#include <fmt/format.h>

namespace klingel::realtime {
namespace {

// Later than this and it is not ours: a tenth of a period, at most 100 us.
bool woken_in_time(const Period& p, std::int64_t period) {
  return p.waited && p.wake <= std::min<std::int64_t>(period / 10, 100'000);
}

}  // namespace

void Statistics::add(const Period& p, bool stolen) {
  if (p.waited) wake.add(p.wake);
  step.add(p.step);
  step_own.add(p.step_own);
  io.add(p.io);
  slack.add(p.slack);
  minor_faults += p.minor_faults;
  major_faults += p.major_faults;
  preempted += p.preempted;
  migrated += p.migrated ? 1 : 0;
  if (p.step > worst.step) worst = p;
  if (p.step_own > worst_own.step_own) worst_own = p;
  if (!p.late()) return;
  ++overruns;
  // late only because others had the processor: our own time would have fitted
  if (!woken_in_time(p, period_) || p.wake + p.step_own + p.io_own <= period_) return;
  ++(stolen ? overruns_stolen : overruns_own);
}

std::vector<std::string> Statistics::reasons(const Period& p) {
  std::vector<std::string> list;
  const capi::Story& s = p.story;
  if (s.jumps > 0) list.push_back(fmt::format("jump of {} wheels", s.jumps));
  if (s.flanges > 0) list.push_back(fmt::format("flange of {} wheels", s.flanges));
  if (s.releases > 0) list.push_back(fmt::format("{} wheels let go or touched", s.releases));
  if (s.fallbacks > 0) list.emplace_back("full pivoting");
  if (s.limits > 0) list.emplace_back("corrections at their limit");
  if (s.newton_q > 1) list.push_back(fmt::format("{} iterations of q", s.newton_q));
  if (s.newton_s > 2) list.push_back(fmt::format("{} iterations of s", s.newton_s));
  if (p.restarted) list.emplace_back("began again from its start");
  if (p.minor_faults + p.major_faults > 0)
    list.push_back(fmt::format("{} page faults", p.minor_faults + p.major_faults));
  if (p.migrated) list.emplace_back("moved to another processor");
  // whoever kept it from waking may have taken time from the step, too
  constexpr std::int64_t late = 100'000;
  if (p.waited && p.wake > late)
    list.push_back(fmt::format("woken {:.0f} us late", static_cast<double>(p.wake) * 1e-3));
  // the clock went on while the thread did not
  if (p.preempted > 0 || p.step > 2 * p.step_own) list.emplace_back("preempted");
  if (list.empty()) list.emplace_back("nothing that was seen: caches, or time that was stolen");
  return list;
}

}  // namespace klingel::realtime
