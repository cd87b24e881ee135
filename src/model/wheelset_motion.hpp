// How a wheelset moves with the coordinates: columns of its Jacobian in the ground.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mech/model.hpp"
#include "model/vehicle_interface.hpp"

namespace klingel::model {

// By coordinate; zero where a coordinate does not move the wheelset.
struct WheelsetMotion {
  std::vector<mech::Triple> v;        // of the centre
  std::vector<mech::Triple> w_still;  // of the base that does not spin
  std::vector<mech::Triple> w_total;  // with the spin
  std::vector<std::uint32_t> moving;  // coordinates that move it, ascending

  bool moves(std::uint32_t j) const { return std::binary_search(moving.begin(), moving.end(), j); }
};

WheelsetMotion wheelset_motion(mech::Model& model, const Wheelset& wheelset,
                               std::span<const sym::Expr> dq);

}  // namespace klingel::model
