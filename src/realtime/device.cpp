#include "realtime/device.hpp"

#include <cstring>

namespace klingel::realtime {

bool Device::take(std::span<const std::byte> bytes, Frame& inputs) noexcept {
  FrameHeader h;
  if (bytes.size() >= sizeof h) {
    std::memcpy(&h, bytes.data(), sizeof h);
    // a device that begins anew counts from 1
    const bool is_old = h.sequence <= newest_ && h.sequence != 1;
    if (h.magic == FrameHeader::right_magic && is_old) {
      ++counts_.old;
      return false;
    }
  }
  if (inputs.read(bytes) != nullptr) {
    ++counts_.malformed;
    return false;
  }
  newest_ = inputs.header.sequence;
  ++counts_.received;
  return true;
}

}  // namespace klingel::realtime
