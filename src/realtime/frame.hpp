// What vehicle and device tell each other: a header of 64 bytes and numbers, little-endian. The
// same bytes go through UDP and through shared memory; docs/realtime.md describes them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace klingel::realtime {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

enum class FrameKind : std::uint16_t { outputs = 1, inputs = 2 };

// Of outputs.
enum FrameFlags : std::uint32_t {
  inputs_are_safe = 1,  // no frame came for too long: inputs have their safe values
  at_end = 2,           // the run has ended, the vehicle stands still
  began_again = 4       // the run has begun again in this period
};

struct FrameHeader {
  static constexpr std::uint32_t right_magic = 0x54524c4b;  // "KLRT"
  static constexpr std::uint16_t right_version = 1;

  std::uint32_t magic = right_magic;
  std::uint16_t version = right_version;
  FrameKind kind = FrameKind::outputs;
  std::uint32_t layout = 0;    // of Layout::hash: both sides mean the same numbers
  std::uint32_t count = 0;     // of numbers
  std::uint64_t sequence = 0;  // 1, 2, ... of the sender
  std::uint64_t answers = 0;   // the other side's sequence that was known; 0: none
  std::uint64_t stamp = 0;     // ns, monotonic clock of the sender
  double time = 0;             // s of the simulated run; of outputs
  std::uint32_t flags = 0;     // of outputs
  std::uint32_t reserved = 0;
  std::uint64_t reserved_too = 0;
};
static_assert(sizeof(FrameHeader) == 64);

// A frame with room for its numbers. Allocates only here.
class Frame {
 public:
  Frame(FrameKind kind, std::uint32_t layout, std::size_t count);

  FrameHeader header;
  std::vector<double> values;

  std::size_t bytes() const { return sizeof(FrameHeader) + 8 * values.size(); }
  void write(std::span<std::byte> to) const noexcept;  // of bytes()
  // What is wrong with what was received; null if it is good.
  const char* fault(std::span<const std::byte> from) const noexcept;
  // Takes what was received if it is good, else says what is wrong with it and changes nothing.
  const char* read(std::span<const std::byte> from) noexcept;

  // Where values must lie to be taken; empty: anywhere.
  std::vector<double> least, most;
};

}  // namespace klingel::realtime
