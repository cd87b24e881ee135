// Place and motion of four wheelsets side by side, as the vehicle's kernels give them.
#pragma once

#include "step/contact_set.hpp"
#include "step/pack_vector.hpp"

namespace klingel::step {

struct WheelsetMotion {
  PackVector r_C, e_y;  // centre and axis
  PackVector v_C, w;
  base::Pack spin;
  PackVector dv_C, dw;  // at ddq = 0

  // Rows of 12, 7 and 6 numbers.
  WheelsetMotion(const RowsOfLanes& poses, const RowsOfLanes& twists, const RowsOfLanes& biases) {
    base::Pack centre[4], axis[4], twist[7], bias[6];
    gather<4>(poses, centre);
    // e_y begins with the seventh number
    gather<4>({poses[0] + 5, poses[1] + 5, poses[2] + 5, poses[3] + 5}, axis);
    gather<7>(twists, twist);
    gather<6>(biases, bias);
    r_C = {centre[0], centre[1], centre[2]}, e_y = {axis[1], axis[2], axis[3]};
    v_C = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]}, spin = twist[6];
    dv_C = {bias[0], bias[1], bias[2]}, dw = {bias[3], bias[4], bias[5]};
  }
};

}  // namespace klingel::step
