// Profiles are drawn in millimetres, we count in metres.
#pragma once

namespace klingel::profile {

inline constexpr double mm = 1e-3;

}  // namespace klingel::profile
