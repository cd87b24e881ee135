#include "contact/contact_start.hpp"

namespace klingel::contact {
namespace {

// The active piece, which is mostly that of the last time.
class Pieces {
 public:
  Pieces(const spline::CubicSpline& f, double u) : f_(f), at_(f.index(u)) {}

  const spline::CubicPiece& at(double u) {
    const double* knots = f_.knots().data();
    if (!(u >= knots[at_] && u < knots[at_ + 1])) at_ = f_.index(u);
    return f_.pieces()[at_];
  }

 private:
  const spline::CubicSpline& f_;
  std::size_t at_;
};

}  // namespace

bool find_start(const WheelSurface& wheel, const RailSurface& rail, const RailView& view,
                double u_w, double u_r, double reach, ContactStart& start) noexcept {
  constexpr int most = 8;
  constexpr double longest = 1e-3;  // m, of a step
  constexpr double close = 2e-5;    // m: the next step is its square over a radius
  double u = u_w, v = u_r;
  Pieces f_w(wheel.f_w, u), f_r(rail.f_r, v);
  for (int i = 0; i < most; ++i) {
    const spline::CubicPiece &w = f_w.at(u), &r = f_r.at(v);
    const double f = w.value(u), df = w.derivative(u), ddf = w.second_derivative(u);
    const double r_f = r.value(v), r_df = r.derivative(v), r_ddf = r.second_derivative(v);
    const RailView::Point p = view.silhouette(u, f, df);
    // the foot of p, and tangents that are parallel there
    const double y = p.y - v, z = p.z - r_f;
    const double foot = y + z * r_df, slope = p.dz - r_df * p.dy;
    const double foot_u = p.dy + p.dz * r_df, foot_v = z * r_ddf - 1 - r_df * r_df;
    const double slope_u = ddf * (p.radial_z - r_df * p.radial_y), slope_v = -r_ddf * p.dy;
    const double determinant = foot_u * slope_v - foot_v * slope_u;
    // negative where the gap has a maximum: walk downhill from there
    const double per = 1 / determinant;
    double du = (foot_v * slope - slope_v * foot) * per;
    double dv = (slope_u * foot - foot_u * slope) * per;
    const bool minimum = determinant > 0;
    if (!minimum) du = slope > 0 ? -longest : longest, dv = du;
    const double size = std::max(std::abs(du), std::abs(dv));
    if (!(size < 1)) return false;
    if (size > longest) du *= longest / size, dv *= longest / size;
    u += du, v += dv;
    if (!(std::abs(u - u_w) <= reach)) return false;
    if (size > close) continue;
    if (!wheel.f_w.contains(u) || !rail.f_r.contains(v)) return false;
    start.s = view.coordinates(p, u, f + du * df, v);
    start.gap = (z - r_df * y) / std::sqrt(1 + r_df * r_df);
    return true;
  }
  return false;
}

}  // namespace klingel::contact
