#include "contact/loaded_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace klingel::contact {
namespace {

constexpr double fade = 2e-3;  // m: overlap of the sheets beyond their split

// k of a sheet's Hertz contact at y, from the curvature across that a width eps sees.
double stiffness(LoadedGap& gap, double eps, double y, const HertzTable& hertz) {
  gap.set_width(eps, gap.length());
  const LoadedPlace at = gap.at({y, resting_height(gap, y, 0, 0), 0, 0});
  // the wheel rolls on the distance to its axis along the normal
  const double cosine = 1 / std::sqrt(1 + at.slope * at.slope);
  return hertz.stiffness({cosine / (2 * at.radius), at.B(eps)});
}

// A sheet with consistent eps, length and stiffness: at y, with the load.
Sheet settled(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r, const Interval& where,
              double y, double load, double share, const HertzTable& hertz) {
  double eps = 15e-6, length = 1e-2, k = 0;
  // treads are flatter than flanges
  LoadedGap gap(f_w, f_r, where, fade, eps, length, share == flange_share ? 2e-4 : 3e-4);
  const double narrow = share == flange_share ? flange_narrow : 1;
  for (int i = 0; i < 40; ++i) {
    k = stiffness(gap, narrow * eps, y, hertz);
    gap.set_width(eps, length);
    const LoadedPlace at = gap.at({y, resting_height(gap, y, 0, 0), 0, 0});
    // phi is the smallest gap here
    length *= std::exp((at.smallest - at.phi) / eps);
    const double next = share * std::pow(load / k, 2.0 / 3);
    if (!std::isfinite(next) || !(next > 0)) break;
    const bool done = std::abs(next - eps) < 1e-6 * eps && std::abs(at.smallest - at.phi) < 1e-12;
    eps = next;
    if (done) break;
  }
  gap.set_width(eps, length);
  return {std::move(gap), k};
}

struct Jump {
  double y, split;
};

// Where a rigid wheel that moves outwards changes from its tread to its flange: the first jump of
// its lowest point that lands on something steep.
std::optional<Jump> flange_jump(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r,
                                double y_rest) {
  constexpr double step = 2e-4, finest = 1e-6, most = 0.045;  // m, of y
  constexpr double far = 3e-3;                                // m between two points of a jump
  constexpr double steep = 0.2, steeper = 0.1;
  const LoadedGap whole(f_w, f_r, {}, fade, 1e-5, 1e-2);
  const LoadedGap::Row row(whole, 0, 0);
  const auto slope = [&](double u) { return std::abs(f_w.derivative(u)); };
  const auto jumps = [&](double from, double to) {
    return to < from - far && slope(to) > steep && slope(to) - slope(from) > steeper;
  };
  double from = row.lowest(y_rest);
  for (double y = y_rest; y < y_rest + most; y += step) {
    const double to = row.lowest(y + step);
    if (!jumps(from, to)) {
      from = to;
      continue;
    }
    double low = y, high = y + step, u_low = from, u_high = to;
    while (high - low > finest) {
      const double middle = (low + high) / 2, u = row.lowest(middle);
      (u < (u_low + u_high) / 2 ? high : low) = middle;
      (u < (u_low + u_high) / 2 ? u_high : u_low) = u;
    }
    // a fast but continuous motion, not a jump
    if (!jumps(u_low, u_high)) {
      from = to;
      continue;
    }
    return Jump{high, row.highest(high, u_high, u_low)};
  }
  return std::nullopt;
}

}  // namespace

LoadedPair loaded_pair(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r,
                       double y_rest, double load, const HertzTable& hertz,
                       const SheetChoice& choice) {
  if (!(load > 0) || !std::isfinite(load))
    base::fail("contact under load needs a positive static wheel load, found {} N", load);
  std::optional<Jump> jump;
  if (choice.flange) {
    jump = flange_jump(f_w, f_r, y_rest);
    if (choice.split) jump = Jump{jump ? jump->y : y_rest + 5e-3, *choice.split};
  }
  const Interval tread = jump ? Interval{jump->split, Interval{}.high} : Interval{};
  const LoadedGap whole(f_w, f_r, {}, fade, 1e-5, 1e-2);
  const double u_w = LoadedGap::Row(whole, 0, 0).lowest(y_rest);
  if (!f_r.contains(y_rest + u_w) || u_w <= f_w.begin() + fade || u_w >= f_w.end() - fade) {
    base::fail(
        "the wheel does not touch its rail: its taping line is {:.1f} mm outside of the rail's "
        "origin; check the distance of the wheels and the gauge",
        1e3 * y_rest);
  }
  LoadedPair pair{load, y_rest, settled(f_w, f_r, tread, y_rest, load, tread_share, hertz), {}};
  if (jump) {
    pair.split = jump->split;
    pair.y_both = jump->y;
    pair.flange =
        settled(f_w, f_r, {Interval{}.low, jump->split}, jump->y, load, flange_share, hertz);
  }
  return pair;
}

LoadedWheel let_down(const LoadedPair& pair, double y, double e_n, double e_t, double load) {
  LoadedWheel w;
  w.z = resting_height(pair.tread.gap, y, e_n, e_t);
  if (pair.flange) w.z = std::max(w.z, resting_height(pair.flange->gap, y, e_n, e_t));
  // the stiffness of the height
  const auto press = [&](const Sheet& sheet, LoadedWheel::Part& part) {
    part.place = sheet.gap.at({y, w.z, e_n, e_t});
    part.delta = std::max(0.0, -part.place.phi);
    part.N = sheet.k * part.delta * std::sqrt(part.delta);
    part.Q = part.N * part.place.phi_z;
    return 1.5 * sheet.k * std::sqrt(part.delta) * part.place.phi_z * part.place.phi_z;
  };
  // near the height at which one sheet alone carries the load: Newton's method then needs few steps
  double deep = std::pow(load / pair.tread.k, 2.0 / 3);
  if (pair.flange) deep = std::min(deep, std::pow(load / pair.flange->k, 2.0 / 3));
  w.z -= deep;
  constexpr double longest = 5e-5;  // m: of the order of the approach
  // The force decreases with the height. Where a patch moves from the root to the flank it
  // decreases faster than the stiffness predicts, and Newton's method would oscillate: bounds
  // prevent that.
  double low = -INFINITY, high = INFINITY;
  for (int i = 0; i < 200; ++i) {
    double stiffness = press(pair.tread, w.tread);
    if (pair.flange) stiffness += press(*pair.flange, w.flange);
    const double missing = load - w.tread.Q - w.flange.Q;
    if (std::abs(missing) < 1e-9 * load) break;
    (missing > 0 ? high : low) = w.z;
    const double step = stiffness > 0 ? missing / stiffness : longest;
    w.z -= std::clamp(step, -longest, longest);
    if (!(w.z > low && w.z < high)) w.z = (low + high) / 2;
  }
  const double N = w.tread.N + w.flange.N;
  const auto mean = [&](double LoadedPlace::*value) {
    return (w.tread.N * (w.tread.place.*value) + w.flange.N * (w.flange.place.*value)) / N;
  };
  w.u_w = mean(&LoadedPlace::u_w);
  w.u_r = mean(&LoadedPlace::u_r);
  w.radius = mean(&LoadedPlace::radius);
  w.slope = mean(&LoadedPlace::slope);
  return w;
}

}  // namespace klingel::contact
