#include "wheelrail/charted_pair.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::wheelrail {
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

// Where (across) the sheet's contact becomes steep: in a flange between its root and its flank.
double steep_place(const LoadedGap& gap, double begin, double end, double e_n, double e_t) {
  constexpr double slope = 1.2;
  const double c = std::cos(flange_tilt), s = std::sin(flange_tilt), r0 = gap.r0();
  LoadedGap::Row row(gap, e_n, e_t, flange_tilt);
  for (int i = 0; i < 40; ++i) {
    const double middle = (begin + end) / 2, down = row.at(middle).down;
    const double y = middle * c - down * s - r0 * e_n;
    const double z = middle * s + down * c + r0 * (1 - e_n * e_n / 2);
    const LoadedPlace at = gap.at({y, z, e_n, e_t});
    (-at.phi_y > slope * at.phi_z ? end : begin) = middle;
  }
  return begin;
}

// How that place moves with lean and turn.
ChartShear shear_of(const LoadedGap& gap, double begin, double end) {
  constexpr double lean = 5e-3, turn = 0.02;
  const double at = steep_place(gap, begin, end, 0, 0);
  return {(steep_place(gap, begin, end, lean, 0) - at) / lean,
          -(steep_place(gap, begin, end, 0, turn) - at) / (gap.r0() * turn * turn)};
}

}  // namespace

ChartedPair charted(const LoadedPair& pair, const CubicSpline& f_w) {
  const LoadedGap& tread = pair.tread.gap;
  const double r0 = tread.r0();
  // a single sheet reaches onto the flange and needs its finer nodes
  const bool single = !pair.flange;
  const ChartAxis across = single ? axis(pair.y_rest - 0.014, pair.y_rest + 0.016, 1e-4)
                                  : axis(pair.y_rest - 0.014, pair.y_rest + 0.010, 3e-4);
  ChartedPair out{
      pair.load,
      r0,
      {ContactChart(tread, across, axis(-most_lean, most_lean, 1e-3), turn_axis(r0, 3)),
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
    const ChartShear shear = shear_of(flange, touch - 1e-3, touch + 6e-3);
    out.flange = ChartedSheet{
        ContactChart(flange, axis(touch - 1e-3, tip, 1e-4), axis(-most_lean, most_lean, 4e-3),
                     turn_axis(r0, 4), flange_tilt, shear),
        pair.flange->k, flange.eps()};
  }
  return out;
}

}  // namespace klingel::wheelrail
