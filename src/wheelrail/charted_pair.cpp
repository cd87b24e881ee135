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

// Where (eta) the sheet's contact becomes steep: in a flange between its root and its flank.
double steep_place(const LoadedGap& gap, double begin, double end, double slope, double e_n,
                   double e_t) {
  const double lean = gap.r0() * e_n;
  for (int i = 0; i < 40; ++i) {
    const double middle = (begin + end) / 2, y = middle - lean;
    const double z = LoadedGap::Row(gap, e_n, e_t).at(y).z;
    const LoadedPlace at = gap.at({y, z, e_n, e_t});
    (-at.phi_y > slope * at.phi_z ? end : begin) = middle;
  }
  return begin;
}

// How that place moves with lean and turn.
ChartShear shear_of(const LoadedGap& gap, double begin, double end) {
  constexpr double slope = 1.2, lean = 5e-3, turn = 0.02;
  const auto place = [&](double e_n, double e_t) {
    return steep_place(gap, begin, end, slope, e_n, e_t);
  };
  const double at = place(0, 0);
  return {(place(lean, 0) - at) / lean, -(place(0, turn) - at) / (gap.r0() * turn * turn)};
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
  if (pair.flange) {
    const LoadedGap& flange = pair.flange->gap;
    const ChartShear shear = shear_of(flange, pair.y_both - 1e-3, pair.y_both + 4e-3);
    out.flange = ChartedSheet{
        ContactChart(flange, axis(pair.y_both - 0.0015, pair.y_both + 0.012, 5e-5),
                     axis(-most_lean, most_lean, 4e-3), turn_axis(r0, 4), shear),
        pair.flange->k, flange.eps()};
  }
  out.top = out.tread.chart.at(pair.y_rest, 0, 0).f[zeta];
  double deepest = r0;
  for (double u = f_w.begin(); u < std::min(0.0, f_w.end()); u += 1e-4)
    deepest = std::max(deepest, f_w.value(u));
  out.flange_height = deepest - r0;
  return out;
}

}  // namespace klingel::wheelrail
