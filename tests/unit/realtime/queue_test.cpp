// Subject: realtime/queue. Claim: rows arrive whole and in order between two threads; a full queue
// drops and counts.
#include "realtime/queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace klingel::realtime {
namespace {

TEST(queue, drops_and_counts_what_does_not_fit) {
  Queue<int> q(4);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(q.push(i), i < 4);
  EXPECT_EQ(q.dropped(), 2);
  int got = -1;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(q.pop(got));
    EXPECT_EQ(got, i);
  }
  EXPECT_FALSE(q.pop(got));
  EXPECT_TRUE(q.push(7));
}

TEST(queue, rows_are_whole_and_in_order) {
  constexpr int count = 20'000;
  Queue<int> q(1024, 3);
  std::thread writer([&] {
    for (int i = 0; i < count; ++i) {
      const std::array<int, 3> row{i, 2 * i, 3 * i};
      while (!q.push(row)) std::this_thread::yield();
    }
  });
  std::array<int, 3> row{};
  for (int i = 0; i < count; ++i) {
    while (!q.pop(row)) std::this_thread::yield();
    ASSERT_EQ(row[0], i);
    ASSERT_EQ(row[1], 2 * i);
    ASSERT_EQ(row[2], 3 * i);
  }
  writer.join();
}

}  // namespace
}  // namespace klingel::realtime
