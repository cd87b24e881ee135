// The other side of the loop: something that reads outputs and gives inputs.
#pragma once

#include <cstdint>

#include "realtime/frame.hpp"

namespace klingel::realtime {

class Device {
 public:
  struct Counts {
    std::int64_t received = 0;   // good frames
    std::int64_t malformed = 0;  // dropped
    std::int64_t old = 0;        // good, but no newer than one before: dropped
  };

  virtual ~Device() = default;
  // The newest good frame since the last call; false if there is none. Neither waits nor allocates.
  virtual bool receive(Frame& inputs) noexcept = 0;
  virtual void send(const Frame& outputs) noexcept = 0;

  const Counts& counts() const { return counts_; }

 protected:
  // Takes received bytes, counts them, and leaves out what is old.
  bool take(std::span<const std::byte> bytes, Frame& inputs) noexcept;

 private:
  Counts counts_;
  std::uint64_t newest_ = 0;
};

}  // namespace klingel::realtime
