#include "realtime/input_hold.hpp"

#include <algorithm>

namespace klingel::realtime {

void InputHold::take(std::span<const double> values, std::int64_t now) noexcept {
  std::copy_n(values.begin(), values_.size(), values_.begin());
  last_ = now;
  acts_ = true;
  is_safe_ = false;
}

void InputHold::miss(std::int64_t now) noexcept {
  if (acts_ && now - last_ > hold_) is_safe_ = true;
}

}  // namespace klingel::realtime
