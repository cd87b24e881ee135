// Inputs between frames: the last ones are held for a time, then safe ones take their place until
// the next frame comes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace klingel::realtime {

class InputHold {
 public:
  // Nothing acts before the first frame: inputs then follow the scenario.
  InputHold(std::vector<double> safe, std::int64_t hold_ns)
      : safe_(std::move(safe)), values_(safe_), hold_(hold_ns) {}

  // A frame came at this time; as many values as safe ones.
  void take(std::span<const double> values, std::int64_t now) noexcept;
  // A period begins without one.
  void miss(std::int64_t now) noexcept;

  bool acts() const { return acts_; }
  bool is_safe() const { return is_safe_; }
  std::span<const double> values() const { return is_safe_ ? safe_ : values_; }

 private:
  std::vector<double> safe_, values_;
  std::int64_t hold_, last_ = 0;
  bool acts_ = false, is_safe_ = false;
};

}  // namespace klingel::realtime
