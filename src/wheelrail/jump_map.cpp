#include "wheelrail/jump_map.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::wheelrail {

JumpMap::JumpMap(const ContactSearch& search, const Interval& tread, double offset) {
  const CubicSpline& f_w = search.wheel().f_w;
  begin_ = f_w.begin();
  marked_.assign(static_cast<std::size_t>((f_w.end() - f_w.begin()) / cell) + 1, 0);

  const double s = (search.rail().line.begin() + search.rail().line.end()) / 2;
  const RailSection at = section(search.rail().line, s);
  const double height = f_w.value(0) + search.rail().f_r.value(0);
  // wheels stand up to 15 mm off their place and roll up to 40 mrad, the track's cant included
  for (double y = -0.015; y <= 0.015; y += 2.5e-4) {
    for (double roll = -0.04; roll <= 0.04; roll += 0.01) {
      WheelPose pose;
      pose.R_Gw.x = at.axes.x;
      pose.R_Gw.y = std::cos(roll) * at.axes.y + std::sin(roll) * at.axes.z;
      pose.R_Gw.z = cross(pose.R_Gw.x, pose.R_Gw.y);
      // turned about the wheel's lowest point, so that rolling does not move it sideways
      const Vec3 lowest =
          at.origin + (offset + y) * at.axes.y + height * at.axes.z - f_w.value(0) * at.axes.z;
      pose.r_Ow = lowest + f_w.value(0) * pose.R_Gw.z;
      const MinimumList list = search.minima(pose, s, tread);
      for (const Minimum& a : list) {
        for (const Minimum& b : list) {
          if (&a == &b || a.status == ContactStatus::profile_end ||
              b.status == ContactStatus::profile_end ||
              std::abs(a.point.gap - b.point.gap) > rivalry)
            continue;
          // neighbours too: places between those tried
          const auto i = static_cast<std::ptrdiff_t>((a.point.s.u_w - begin_) / cell);
          for (std::ptrdiff_t k = i - 2; k <= i + 2; ++k) {
            if (k >= 0 && k < static_cast<std::ptrdiff_t>(marked_.size()))
              marked_[static_cast<std::size_t>(k)] = 1;
          }
        }
      }
    }
  }
}

bool JumpMap::rivals(double u_w) const noexcept {
  const double at = (u_w - begin_) / cell;
  return at >= 0 && at < static_cast<double>(marked_.size()) &&
         marked_[static_cast<std::size_t>(at)] != 0;
}

}  // namespace klingel::wheelrail
