// Subject: realtime/frame and realtime/device. Claim: frames read back what was written, and every
// frame that is malformed is refused without a change.
#include "realtime/frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "realtime/device.hpp"

namespace klingel::realtime {
namespace {

Frame inputs() {
  Frame frame(FrameKind::inputs, 7, 2);
  frame.least = {-10, 0.01};
  frame.most = {10, 2};
  return frame;
}

std::vector<std::byte> good(std::uint64_t sequence = 1) {
  Frame frame = inputs();
  frame.header.sequence = sequence;
  frame.values = {3.5, 0.25};
  std::vector<std::byte> bytes(frame.bytes());
  frame.write(bytes);
  return bytes;
}

template <class T>
std::vector<std::byte> changed(std::size_t at, T value) {
  std::vector<std::byte> bytes = good();
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

TEST(frame, reads_what_was_written) {
  Frame frame = inputs();
  EXPECT_EQ(frame.read(good(9)), nullptr);
  EXPECT_EQ(frame.header.sequence, 9u);
  EXPECT_EQ(frame.values, (std::vector<double>{3.5, 0.25}));
}

// the layout of docs/realtime.md, byte by byte
TEST(frame, has_its_documented_bytes) {
  const std::vector<std::byte> b = good(0x0102);
  const auto at = [&](std::size_t i) { return std::to_integer<int>(b[i]); };
  EXPECT_EQ(std::memcmp(b.data(), "KLRT", 4), 0);
  EXPECT_EQ(at(4), 1);
  EXPECT_EQ(at(6), 2);
  EXPECT_EQ(at(8), 7);
  EXPECT_EQ(at(12), 2);
  EXPECT_EQ(at(16), 2);
  EXPECT_EQ(at(17), 1);
  double first = 0;
  std::memcpy(&first, b.data() + 64, 8);
  EXPECT_EQ(first, 3.5);
  EXPECT_EQ(b.size(), 80u);
}

TEST(frame, refuses_what_is_malformed) {
  std::vector<std::byte> longer = good(), shorter = good(), head = good();
  longer.emplace_back();
  shorter.pop_back();
  head.resize(20);
  const double nan = std::nan(""), infinite = INFINITY;
  for (const std::vector<std::byte>& bytes :
       {longer, shorter, head, std::vector<std::byte>{}, changed<std::uint32_t>(0, 1),
        changed<std::uint16_t>(4, 2), changed<std::uint16_t>(6, 1), changed<std::uint32_t>(8, 8),
        changed<std::uint32_t>(12, 3), changed<std::uint32_t>(12, 0xffffffff), changed(64, nan),
        changed(64, infinite), changed(64, 11.0), changed(72, 0.0)}) {
    Frame frame = inputs();
    frame.values = {1, 1};
    EXPECT_NE(frame.read(bytes), nullptr);
    EXPECT_EQ(frame.values, (std::vector<double>{1, 1}));
    EXPECT_EQ(frame.header.sequence, 0u);
  }
}

class Fed : public Device {
 public:
  using Device::take;
  bool receive(Frame&) noexcept override { return false; }
  void send(const Frame&) noexcept override {}
};

TEST(device, counts_malformed_and_old_frames) {
  Fed device;
  Frame frame = inputs();
  EXPECT_TRUE(device.take(good(5), frame));
  EXPECT_FALSE(device.take(good(5), frame));
  EXPECT_FALSE(device.take(good(4), frame));
  EXPECT_FALSE(device.take(changed<std::uint32_t>(0, 1), frame));
  EXPECT_FALSE(device.take(changed(64, std::nan("")), frame)) << "malformed and old";
  EXPECT_TRUE(device.take(good(6), frame));
  EXPECT_TRUE(device.take(good(1), frame)) << "a device that began anew";
  EXPECT_EQ(device.counts().received, 3);
  EXPECT_EQ(device.counts().old, 2);
  EXPECT_EQ(device.counts().malformed, 2);
}

}  // namespace
}  // namespace klingel::realtime
