#include "realtime/clock.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <cerrno>
#include <ctime>

namespace klingel::realtime {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t time_of(clockid_t clock) noexcept {
  timespec t{};
  clock_gettime(clock, &t);
  return t.tv_sec * second + t.tv_nsec;
}

}  // namespace

std::int64_t SystemClock::now() noexcept { return time_of(CLOCK_MONOTONIC); }
std::int64_t SystemClock::thread_time() noexcept { return time_of(CLOCK_THREAD_CPUTIME_ID); }

void SystemClock::sleep_until(std::int64_t time) noexcept {
  timespec t{};
  t.tv_sec = time / second;
  t.tv_nsec = time % second;
  // absolute: an interrupted sleep goes on to the same instant
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

Usage SystemClock::usage() noexcept {
  rusage u{};
  getrusage(RUSAGE_THREAD, &u);
  return {u.ru_minflt, u.ru_majflt, u.ru_nivcsw, sched_getcpu()};
}

}  // namespace klingel::realtime
