// Shared memory between the loop and one device. Two mailboxes, one for each direction; a mailbox
// is a counter and two slots, which are written in turn:
//
//   byte 0    uint32 magic "KLSM", version 1, layout, inputs, outputs, state; up to byte 64
//   byte 64   mailbox of outputs: uint64 count of frames written; slots from its byte 64 on
//   then      mailbox of inputs, the same
//
// Frame number k is in slot k mod 2. A reader copies the slot of the newest frame and looks at the
// counter again: if it has moved on, the copy may be mixed and is taken again. The writer never
// waits.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "realtime/device.hpp"

namespace klingel::realtime {

class Mailbox {
 public:
  // `memory` is aligned to 64 bytes and has bytes(frame) bytes.
  Mailbox(std::byte* memory, std::size_t frame_bytes);
  static std::size_t bytes(std::size_t frame_bytes);

  void write(std::span<const std::byte> frame) noexcept;
  // The newest frame if there was one since the last call.
  bool read(std::span<std::byte> frame) noexcept;

 private:
  std::uint64_t* slot(std::uint64_t count) const;

  std::byte* memory_;
  std::size_t words_;
  std::uint64_t seen_ = 0;
};

class SharedMemoryDevice : public Device {
 public:
  enum State : std::uint32_t { starting = 0, running = 1, ended = 2 };
  static constexpr std::uint32_t magic = 0x4d534c4b;  // "KLSM"

  // Creates /NAME, which must not exist. Errors are thrown; the name is removed at the end.
  SharedMemoryDevice(std::string name, const Frame& inputs, const Frame& outputs);
  ~SharedMemoryDevice() override;
  SharedMemoryDevice(const SharedMemoryDevice&) = delete;
  SharedMemoryDevice& operator=(const SharedMemoryDevice&) = delete;

  bool receive(Frame& inputs) noexcept override;
  void send(const Frame& outputs) noexcept override;

 private:
  struct Head {
    std::uint32_t magic, version, layout, inputs, outputs;
    std::atomic<std::uint32_t> state;
  };

  std::string name_;
  std::size_t size_ = 0;
  std::byte* memory_ = nullptr;
  std::vector<std::byte> copy_;
  std::vector<Mailbox> boxes_;  // outputs, inputs
};

}  // namespace klingel::realtime
