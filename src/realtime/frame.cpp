#include "realtime/frame.hpp"

#include <cmath>
#include <cstring>

namespace klingel::realtime {

Frame::Frame(FrameKind kind, std::uint32_t layout, std::size_t count) : values(count) {
  header.kind = kind;
  header.layout = layout;
  header.count = static_cast<std::uint32_t>(count);
}

void Frame::write(std::span<std::byte> to) const noexcept {
  std::memcpy(to.data(), &header, sizeof header);
  if (!values.empty()) std::memcpy(to.data() + sizeof header, values.data(), 8 * values.size());
}

const char* Frame::fault(std::span<const std::byte> from) const noexcept {
  if (from.size() < sizeof(FrameHeader)) return "shorter than a header";
  FrameHeader h;
  std::memcpy(&h, from.data(), sizeof h);
  if (h.magic != FrameHeader::right_magic) return "not a frame";
  if (h.version != FrameHeader::right_version) return "of another version";
  if (h.kind != header.kind) return "of the wrong direction";
  if (h.layout != header.layout) return "for another vehicle or other signals";
  if (h.count != header.count || from.size() != bytes()) return "of the wrong length";
  for (std::size_t i = 0; i < values.size(); ++i) {
    double value = 0;
    std::memcpy(&value, from.data() + sizeof h + 8 * i, 8);
    if (!std::isfinite(value)) return "with a value that is not finite";
    if (!least.empty() && !(least[i] <= value && value <= most[i]))
      return "with a value out of range";
  }
  return nullptr;
}

const char* Frame::read(std::span<const std::byte> from) noexcept {
  if (const char* wrong = fault(from)) return wrong;
  std::memcpy(&header, from.data(), sizeof header);
  if (!values.empty()) std::memcpy(values.data(), from.data() + sizeof header, 8 * values.size());
  return nullptr;
}

}  // namespace klingel::realtime
