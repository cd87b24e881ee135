// A good start for Newton's method on phi_d = 0 from a rough one: the minimum of the gap of two
// plane curves, the wheel's silhouette and the rail's section, by Newton's method in u_w and u_r.
// It costs a fifth of an iteration in all four coordinates, and a tenth of a search or less.
#pragma once

#include "contact/rail_view.hpp"

namespace klingel::contact {

struct ContactStart {
  ContactCoordinates s;
  double gap = 0;  // m
};

// False if there is no regular minimum within `reach` of u_w.
bool find_start(const WheelSurface& wheel, const RailSurface& rail, const RailView& view,
                double u_w, double u_r, double reach, ContactStart& start) noexcept;

}  // namespace klingel::contact
