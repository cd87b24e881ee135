// The parametrization of one wheel on one rail, drawn to scale from the profiles of the scene: the
// wheel by u_w and f_w in its axial section, the rail by u_r and f_r in its own, the wheel from the
// side with theta_w, and the rail's base line along the track by s_r.
#pragma once

#include <string>

#include "record/scene.hpp"

namespace klingel::report {

// Contact coordinates of the wheel that is drawn, and the position of O_w in the section of the
// rail.
struct DrawnContact {
  std::size_t wheel = 0;
  double theta_w = 0, u_w = 0, s_r = 0, u_r = 0;
};

std::string surfaces_svg(const record::Scene& scene, const DrawnContact& contact);

}  // namespace klingel::report
