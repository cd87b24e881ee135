// The graph's data of a symbol: its name, its role in a model, a nominal value and, for
// coordinates, the symbol of its time derivative.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace klingel::sym {

using Id = std::uint32_t;
inline constexpr Id no_id = 0xffffffffu;

// The role of a symbol. A node keeps the set of roles below it as a bit mask, so there are at
// most 16.
enum class SymbolKind : std::uint8_t {
  parameter,             // p: constant during a run
  coordinate,            // q
  velocity,              // dq
  acceleration,          // ddq
  contact_coordinate,    // s
  contact_velocity,      // ds
  contact_acceleration,  // dds
  input,                 // torques and forces from outside, given at every step
  force,                 // unknown or computed forces, e.g. creep forces f_x, f_y, m_z
  spline,                // coefficients and break point of the active cubic piece
  time,                  // t
  other,
};

using KindMask = std::uint16_t;
constexpr KindMask bit(SymbolKind kind) {
  return static_cast<KindMask>(1u << static_cast<unsigned>(kind));
}

std::string_view name(SymbolKind kind);

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::other;
  double value = 0;  // nominal: used by self-tests and as a default
  Id id = no_id;     // its node
  Id rate = no_id;   // node of its time derivative, if one was declared
};

}  // namespace klingel::sym
