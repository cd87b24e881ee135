// Subject: realtime/shared_memory. Claim: a reader gets whole frames, the newest, while a writer
// never waits; a name is taken once.
#include "realtime/shared_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/error.hpp"

namespace klingel::realtime {
namespace {

constexpr std::size_t bytes = 64 + 8 * 40;

struct alignas(64) Memory {
  std::byte at[64 + 2 * 384]{};
};

TEST(mailbox, gives_the_newest_frame_once) {
  Memory memory;
  Mailbox writer(memory.at, bytes), reader(memory.at, bytes);
  std::vector<std::byte> frame(bytes), got(bytes);
  ASSERT_LE(Mailbox::bytes(bytes), sizeof memory.at);
  EXPECT_FALSE(reader.read(got));
  for (int i = 1; i < 4; ++i) {
    std::fill(frame.begin(), frame.end(), std::byte(i));
    writer.write(frame);
  }
  EXPECT_TRUE(reader.read(got));
  EXPECT_EQ(got, frame);
  EXPECT_FALSE(reader.read(got));
}

TEST(mailbox, never_mixes_two_frames) {
  Memory memory;
  std::atomic<bool> stop = false;
  std::thread thread([&] {
    Mailbox writer(memory.at, bytes);
    std::vector<std::byte> frame(bytes);
    for (unsigned i = 1; !stop; ++i) {
      std::fill(frame.begin(), frame.end(), std::byte(i));
      writer.write(frame);
      if (i % 8 == 0) std::this_thread::yield();
    }
  });
  Mailbox reader(memory.at, bytes);
  std::vector<std::byte> got(bytes);
  int frames = 0;
  // the threads may have to share a processor
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (frames < 20'000 && std::chrono::steady_clock::now() < end) {
    if (!reader.read(got)) {
      std::this_thread::yield();
      continue;
    }
    ++frames;
    ASSERT_TRUE(std::all_of(got.begin(), got.end(), [&](std::byte b) { return b == got[0]; }));
  }
  stop = true;
  thread.join();
  EXPECT_GT(frames, 0);
}

TEST(shared_memory, is_refused_twice_and_for_bad_names) {
  const Frame in(FrameKind::inputs, 1, 2), out(FrameKind::outputs, 1, 3);
  const std::string name = "klingel_unit_" + std::to_string(getpid());
  {
    const SharedMemoryDevice device(name, in, out);
    EXPECT_THROW(SharedMemoryDevice(name, in, out), base::Error);
  }
  EXPECT_NO_THROW(SharedMemoryDevice(name, in, out)) << "it was removed";
  EXPECT_THROW(SharedMemoryDevice("a/b", in, out), base::Error);
  EXPECT_THROW(SharedMemoryDevice("", in, out), base::Error);
}

}  // namespace
}  // namespace klingel::realtime
