#include "step/point_results.hpp"

#include <cmath>

namespace klingel::step {

void find_results(const Points& points, std::vector<PointResult>& results) {
  for (std::size_t g = 0; g < points.forces.size(); ++g) {
    const PointForces& p = points.forces[g];
    points.each(g, [&](std::size_t lane, std::size_t wheel) {
      PointResult& r = results[wheel] = {};
      r.gap = p.gap[lane];
      if ((p.acts >> lane & 1) == 0) return;
      r.N = p.N[lane];
      for (std::size_t i = 0; i < 3; ++i) r.f[i] = p.f[i][lane], r.nu[i] = p.motion->nu[i][lane];
      r.turned = p.turned[lane];
      r.V = p.motion->V[lane];
      r.a = p.a[lane], r.b = p.b[lane];
      r.saturation = p.saturation[lane];
      r.angle = std::atan2(p.frame->sin_angle[lane], p.frame->cos_angle[lane]);
      for (std::size_t i = 0; i < 6; ++i) {
        r.W_n[i] = p.frame->W_n[i][lane];
        r.W_x[i] = p.frame->W_x[i][lane], r.W_y[i] = p.frame->W_y[i][lane];
      }
    });
  }
}

}  // namespace klingel::step
