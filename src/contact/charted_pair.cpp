#include "contact/charted_pair.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::contact {
namespace {

// Lean of a wheel against its rail and turn of its axis that the charts hold, rad. Wheelsets lean
// by some mrad; the rails of narrow curves see them turned by 20 mrad.
constexpr double most_lean = 0.02, most_turn = 0.04;

ChartAxis axis(double begin, double end, double step) {
  return {begin, step, static_cast<std::size_t>(std::lround((end - begin) / step)) + 1};
}

ChartAxis turn_axis(double r0, std::size_t count) {
  return {0, r0 * most_turn * most_turn / static_cast<double>(count - 1), count};
}

// Between the normals of a flange's root, 20 degrees and more, and its flank, 70 degrees.
constexpr double flange_tilt = 0.8;

// The slope of the rail under the middle of the patch of a wheel that rests at `across`.
double resting_slope(const LoadedGap& gap, LoadedGap::Row& row, double across, double tilt,
                     double e_n, double e_t) {
  const double c = std::cos(tilt), s = std::sin(tilt), r0 = gap.r0(), down = row.at(across).down;
  const LoadedPlace at = gap.at({across * c - down * s - r0 * e_n,
                                 across * s + down * c + r0 * (1 - e_n * e_n / 2), e_n, e_t});
  return -at.phi_y / at.phi_z;
}

// Where, between two places, the contact reaches a slope.
double place_of(const LoadedGap& gap, double slope, double begin, double end, double tilt,
                double e_n, double e_t) {
  LoadedGap::Row row(gap, e_n, e_t, tilt);
  for (int i = 0; i < 30; ++i) {
    const double middle = (begin + end) / 2;
    (resting_slope(gap, row, middle, tilt, e_n, e_t) > slope ? end : begin) = middle;
  }
  return begin;
}

// How that place moves with lean and turn.
ChartShear shear_of(const LoadedGap& gap, double slope, double begin, double end, double tilt) {
  constexpr double lean = 4e-3, turn = 0.02;
  constexpr double most = 0.3;  // m per rad: more would shift the chart away at large lean
  const auto place = [&](double e_n, double e_t) {
    return place_of(gap, slope, begin, end, tilt, e_n, e_t);
  };
  // on cones the slope is the same everywhere and the search ends at its bounds: no shear
  const double margin = 1e-3 * (end - begin);
  const double low = place(-lean, 0), high = place(lean, 0), at = place(0, 0);
  for (const double x : {low, high, at})
    if (x < begin + margin || x > end - margin) return {};
  return {std::clamp((high - low) / (2 * lean), -most, most),
          -(place(0, turn) - at) / (gap.r0() * turn * turn)};
}

}  // namespace

ChartedPair charted(const LoadedPair& pair, const spline::CubicSpline& f_w) {
  const LoadedGap& tread = pair.tread.gap;
  const double r0 = tread.r0();
  // a single sheet reaches onto the flange and needs its finer nodes
  const bool single = !pair.flange;
  // wheels move by the flange's clearance, and by what gauges are widened
  constexpr double widened = 0.025, climbing = 0.006;
  const double clearance = single ? 0.012 : pair.y_both - pair.y_rest;
  const ChartAxis across = axis(pair.y_rest - clearance - widened,
                                pair.y_rest + clearance + climbing, single ? 1.5e-4 : 3e-4);
  // where the contact passes the middle of the tread
  constexpr double beside = 2e-3;
  LoadedGap::Row upright(tread, 0, 0);
  const double slope = (resting_slope(tread, upright, pair.y_rest - beside, 0, 0, 0) +
                        resting_slope(tread, upright, pair.y_rest + beside, 0, 0, 0)) /
                       2;
  const ChartShear shear =
      shear_of(tread, slope, pair.y_rest - 2 * beside, pair.y_rest + 2 * beside, 0);
  ChartedPair out{pair.load,
                  r0,
                  {ContactChart(tread, across, axis(-most_lean, most_lean, 2e-3), turn_axis(r0, 3),
                                0, {shear.lean, 0}),
                   pair.tread.k, tread.eps()},
                  {},
                  0,
                  0};
  out.top = out.tread.chart.at(pair.y_rest, 0, 0).f[zeta];
  double deepest = r0;
  for (double u = f_w.begin(); u < std::min(0.0, f_w.end()); u += 1e-4)
    deepest = std::max(deepest, f_w.value(u));
  out.flange_height = deepest - r0;
  if (pair.flange) {
    // from a little before the flange touches until its tip stands on the rail
    const LoadedGap& flange = pair.flange->gap;
    const double c = std::cos(flange_tilt), s = std::sin(flange_tilt);
    const double touch = pair.y_both * c + out.top * s;
    const double tip = (pair.y_both + 0.012) * c + (out.top + out.flange_height) * s;
    // between its root and its flank
    const ChartShear shear = shear_of(flange, 1.2, touch - 1e-3, touch + 6e-3, flange_tilt);
    out.flange = ChartedSheet{
        ContactChart(flange, axis(touch - 1e-3, tip, 1e-4), axis(-most_lean, most_lean, 4e-3),
                     turn_axis(r0, 4), flange_tilt, shear),
        pair.flange->k, flange.eps()};
  }
  return out;
}

}  // namespace klingel::contact
