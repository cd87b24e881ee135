#include "study/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace klingel::study {
namespace {

TEST(threads, every_number_is_worked_on_once) {
  std::atomic<int> calls[5] = {};
  on_threads(5, [&](std::size_t i) { ++calls[i]; }, {});
  for (const auto& n : calls) EXPECT_EQ(n, 1);
}

TEST(threads, the_first_is_the_callers) {
  std::thread::id first;
  on_threads(3,
             [&](std::size_t i) {
               if (i == 0) first = std::this_thread::get_id();
             },
             {});
  EXPECT_EQ(first, std::this_thread::get_id());
}

// signals come to the thread that called: it asks on when its own work is done
TEST(threads, the_caller_asks_until_all_are_done) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> asked = false;
  on_threads(
      2,
      [&](std::size_t i) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (i == 1 && !asked && std::chrono::steady_clock::now() < end)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      [&] { return std::this_thread::get_id() == caller && (asked = true); });
  EXPECT_TRUE(asked);
}

TEST(threads, an_exception_comes_after_all_are_done) {
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t i) {
    if (i == 1) throw std::runtime_error("one");
    ++done;
  };
  EXPECT_THROW(on_threads(3, work, {}), std::runtime_error);
  EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace klingel::study
