// How a wheelset moves with the coordinates: columns of its Jacobian in the ground.
#pragma once

#include <vector>

#include "mech/model.hpp"
#include "model/vehicle_interface.hpp"

namespace klingel::model {

// By coordinate; zero where a coordinate does not move the wheelset.
struct WheelsetMotion {
  std::vector<mech::Triple> v;        // of the centre
  std::vector<mech::Triple> w_still;  // of the base that does not spin
  std::vector<mech::Triple> w_total;  // with the spin

  bool moves(std::size_t j) const {
    return !mech::is_zero(v[j]) || !mech::is_zero(w_still[j]) || !mech::is_zero(w_total[j]);
  }
};

WheelsetMotion wheelset_motion(mech::Model& model, const Wheelset& wheelset,
                               std::span<const sym::Expr> dq);

}  // namespace klingel::model
