#include "track/rail_frame.hpp"

namespace klingel::track {

RailFrame rail_frame(const RailLine& line, double s_r) noexcept {
  // the four splines share their knots: one look-up
  const std::size_t i = line.x.index(s_r);
  const spline::CubicPiece &x = line.x.pieces()[i], &y = line.y.pieces()[i],
                           &z = line.z.pieces()[i], &theta = line.theta.pieces()[i];
  const LineAt<double> at{
      {x.value(s_r), y.value(s_r), z.value(s_r)},
      {x.derivative(s_r), y.derivative(s_r), z.derivative(s_r)},
      {x.second_derivative(s_r), y.second_derivative(s_r), z.second_derivative(s_r)},
      {6 * x.a, 6 * y.a, 6 * z.a},
      theta.value(s_r),
      theta.derivative(s_r),
      theta.second_derivative(s_r)};
  return rail_frame(at);
}

}  // namespace klingel::track
