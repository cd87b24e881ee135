// How a wheelset moves with the coordinates: columns of its Jacobian in the ground.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "mech/model.hpp"
#include "model/vehicle_interface.hpp"

namespace klingel::model {

// By coordinate; zero where a coordinate does not move the wheelset.
// Columns by coordinate; those that are not listed are zero.
class MotionColumns {
 public:
  explicit MotionColumns(const sym::Expr& zero) : zero_{zero, zero, zero} {}
  const mech::Triple& operator[](std::uint32_t j) const {
    const auto at = columns_.find(j);
    return at == columns_.end() ? zero_ : at->second;
  }
  mech::Triple& at(std::uint32_t j) { return columns_.try_emplace(j, zero_).first->second; }
  const std::map<std::uint32_t, mech::Triple>& list() const { return columns_; }

 private:
  mech::Triple zero_;
  std::map<std::uint32_t, mech::Triple> columns_;
};

struct WheelsetMotion {
  MotionColumns v;                    // of the centre
  MotionColumns w_still;              // of the base that does not spin
  MotionColumns w_total;              // with the spin
  std::vector<std::uint32_t> moving;  // coordinates that move it, ascending

  bool moves(std::uint32_t j) const { return std::binary_search(moving.begin(), moving.end(), j); }
};

WheelsetMotion wheelset_motion(mech::Model& model, const Wheelset& wheelset,
                               std::span<const sym::Expr> dq);

}  // namespace klingel::model
