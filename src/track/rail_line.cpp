#include "track/rail_line.hpp"

namespace klingel::track {

RailSection section(const RailLine& line, double s_r) noexcept {
  const std::size_t i = line.x.index(s_r);
  const spline::CubicPiece &x = line.x.pieces()[i], &y = line.y.pieces()[i],
                           &z = line.z.pieces()[i];
  const double theta = line.theta.pieces()[i].value(s_r);

  const spline::Vec3 d{x.derivative(s_r), y.derivative(s_r), z.derivative(s_r)};
  const double ds = norm(d);
  const spline::Vec3 t = (1 / ds) * d;
  const spline::Vec3 c_h = unit(spline::Vec3{-t.y, t.x, 0});
  const spline::Vec3 c = std::cos(theta) * c_h + std::sin(theta) * cross(t, c_h);
  return {{x.value(s_r), y.value(s_r), z.value(s_r)}, {t, c, cross(t, c)}, ds};
}

}  // namespace klingel::track
