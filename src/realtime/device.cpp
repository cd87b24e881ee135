#include "realtime/device.hpp"

#include <cstring>

namespace klingel::realtime {

bool Device::take(std::span<const std::byte> bytes, Frame& inputs) noexcept {
  if (inputs.fault(bytes) != nullptr) {
    ++counts_.malformed;
    return false;
  }
  FrameHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  // a device that begins anew counts from 1
  if (h.sequence <= newest_ && h.sequence != 1) {
    ++counts_.old;
    return false;
  }
  inputs.read(bytes);
  newest_ = inputs.header.sequence;
  ++counts_.received;
  return true;
}

}  // namespace klingel::realtime
