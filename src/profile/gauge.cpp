#include "profile/gauge.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::profile {
namespace {

// The highest point (smallest z) of one piece between l and r: an end, or where the slope vanishes.
double top_of_piece(const spline::CubicPiece& p, double l, double r) {
  double best = p.value(l) <= p.value(r) ? l : r;
  const auto consider = [&](double x) {
    const double y = p.u_bp + x;
    if (y > l && y < r && p.value(y) < p.value(best)) best = y;
  };
  const double discriminant = p.b * p.b - 3 * p.a * p.c;
  if (discriminant < 0) return best;
  // both roots of 3 a x^2 + 2 b x + c without cancellation; a root at infinity is not considered
  const double q = -(p.b + std::copysign(std::sqrt(discriminant), p.b));
  if (q != 0) consider(p.c / q);
  if (p.a != 0) consider(q / (3 * p.a));
  return best;
}

constexpr double furthest_beyond = 0.5e-3;  // m

double top_y(const spline::CubicSpline& z) {
  const auto knots = z.knots();
  double best = knots[0];
  for (std::size_t i = 0; i < z.pieces().size(); ++i) {
    const double y = top_of_piece(z.pieces()[i], knots[i], knots[i + 1]);
    if (z.value(y) < z.value(best)) best = y;
  }
  return best;
}

}  // namespace

double gauge_point_y(const Profile& rail, double depth) {
  if (rail.kind != ProfileKind::rail) {
    base::fail("profile '{}' is a wheel's; a gauge is measured between rails", rail.name);
  }
  if (!(depth > 0) || !std::isfinite(depth)) {
    base::fail("the gauge is measured below the top of the rail, found a depth of {} m", depth);
  }
  const spline::CubicSpline& z = rail.z;
  const double top = top_y(z), wanted = z.value(top) + depth;

  // a gauge face that was cut off because it is too steep for a function of y goes on straight over
  // half a millimetre: 60E1 at 14 mm needs a third. Further down the real face has left that line
  // (60E1 at 16 mm: by 0.19 mm)
  const double face = z.derivative(z.begin()), missing = wanted - z.value(z.begin());
  if (missing > 0 && missing <= furthest_beyond && face <= -5) return z.begin() + missing / face;

  // inwards from the top in steps of a tenth of a millimetre, to the first point that is deep
  // enough
  double above = top, below = top;
  while (z.value(below) < wanted) {
    if (below <= z.begin()) {
      base::fail(
          "rail profile '{}' ends {:.3f} mm below its top on the gauge side; the gauge is measured "
          "at {:.3f} mm\n    measure it higher (gauge_depth), or give the distance of the rails "
          "directly (rail_distance)",
          rail.name, 1e3 * (z.value(z.begin()) - z.value(top)), 1e3 * depth);
    }
    above = below;
    below = std::max(below - 1e-4, z.begin());
  }
  // 60 halvings of 0.1 mm are below the last bit
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (above + below);
    (z.value(middle) < wanted ? above : below) = middle;
  }
  return below;
}

double rail_distance(double gauge, const Profile& rail, double depth) {
  if (!(gauge > 0) || !std::isfinite(gauge))
    base::fail("a gauge must be positive, found {} m", gauge);
  return gauge - 2 * gauge_point_y(rail, depth);
}

}  // namespace klingel::profile
