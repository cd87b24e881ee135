#include "contact/patches.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::contact {
namespace {

constexpr double reach = 8e-3;  // m to both sides: where the largest overlap is looked for
constexpr double kept = 0.45;   // of the largest overlap

// What the points of one sheet add to a patch.
struct Sums {
  double weight = 0, u_w = 0, u_r = 0, arc = 0, square = 0;
};

// Points belong to the zone next to them.
std::size_t nearest(const std::vector<Patch>& list, double u) {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& points = list[i].zone.points;
    const double off = std::max({0.0, points.front().u_w - u, u - points.back().u_w});
    if (off < least) least = off, best = i;
  }
  return best;
}

// Pressure and half length along the rail from the depths.
void press(Patch& p, double radius) {
  double integral = 0, deepest = 0;
  const auto& points = p.zone.points;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double ds = points[i + 1].arc - points[i].arc;
    integral += ds * (points[i].depth + points[i + 1].depth) / 2;
    deepest = std::max(deepest, points[i].depth);
  }
  p.x = std::sqrt(2 * radius * deepest);
  // N = int pi/2 x pressure ds with both as sqrt(depth)
  p.pressure = p.N * deepest / (M_PI / 2 * p.x * integral);
}

}  // namespace

std::vector<Zone> zones(std::span<const LoadedGap::Gap> gaps) {
  const std::size_t n = gaps.size();
  std::vector<double> depth(n);
  for (std::size_t i = 0, low = 0, high = 0; i < n; ++i) {
    while (gaps[i].arc - gaps[low].arc > reach) ++low;
    while (high < n && gaps[high].arc - gaps[i].arc <= reach) ++high;
    double least = INFINITY;
    for (std::size_t k = low; k < high; ++k) least = std::min(least, gaps[k].g);
    // -g is the overlap; without any there is no patch
    depth[i] = least < 0 ? kept * least - gaps[i].g : -1;
  }
  std::vector<Zone> found;
  // where the depth is zero between a point and the next one
  const auto edge = [&](std::size_t in, std::size_t out) {
    const double part =
        depth[out] < depth[in] ? std::clamp(depth[in] / (depth[in] - depth[out]), 0.0, 1.0) : 0;
    const auto at = [&](double LoadedGap::Gap::*value) {
      return gaps[in].*value + part * (gaps[out].*value - gaps[in].*value);
    };
    return Zone::Point{at(&LoadedGap::Gap::u_w), at(&LoadedGap::Gap::u_r), at(&LoadedGap::Gap::arc),
                       0};
  };
  bool open = false;
  for (std::size_t i = 0; i < n; ++i) {
    const bool touches = depth[i] > 0;
    if (touches && !open) {
      found.emplace_back();
      found.back().points.push_back(edge(i, i > 0 ? i - 1 : i));
    }
    if (touches) found.back().points.push_back({gaps[i].u_w, gaps[i].u_r, gaps[i].arc, depth[i]});
    if (open && !touches) found.back().points.push_back(edge(i - 1, i));
    open = touches;
  }
  if (open) found.back().points.push_back(edge(n - 1, n - 1));
  return found;
}

std::vector<Patch> patches(const LoadedPair& pair, const LoadedGap& whole, const SectionPose& pose,
                           const LoadedWheel& wheel, const HertzTable& hertz) {
  std::vector<LoadedGap::Gap> gaps = whole.gaps(pose);
  // a wheel with hardly any load may be carried by a soft minimum before its points overlap
  constexpr double least = 1e-7;  // m
  const double above =
      std::min_element(gaps.begin(), gaps.end(), [](auto& l, auto& r) { return l.g < r.g; })->g;
  for (LoadedGap::Gap& g : gaps) g.g -= std::max(0.0, above + least);
  std::vector<Patch> list;
  for (Zone& zone : zones(gaps)) list.push_back({std::move(zone)});

  const double total = wheel.tread.N + wheel.flange.N;
  std::vector<double> largest(list.size(), 0.0);
  const auto share_out = [&](const Sheet& sheet, const LoadedWheel::Part& part) {
    if (!(part.N > 0)) return;
    const double eps = sheet.gap.eps();
    std::vector<Sums> sums(list.size());
    double all = 0;
    for (const LoadedGap::Gap& g : sheet.gap.gaps(pose)) {
      const double w = std::exp((part.place.smallest - g.g) / eps);
      Sums& s = sums[nearest(list, g.u_w)];
      all += w;
      s.weight += w;
      s.u_w += w * g.u_w;
      s.u_r += w * g.u_r;
      s.arc += w * g.arc;
      s.square += w * g.arc * g.arc;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Sums& s = sums[i];
      const double N = part.N * s.weight / all;
      if (!(N > 0)) continue;
      Patch& p = list[i];
      p.N += N;
      p.u_w += N * s.u_w / s.weight;
      p.u_r += N * s.u_r / s.weight;
      // the sheet that carries more gives the ellipse its shape
      if (N < largest[i]) continue;
      largest[i] = N;
      const double mean = s.arc / s.weight;
      p.b = eps / (2 * std::max(s.square / s.weight - mean * mean, 1e-10));  // B, for now
      const double slope = part.place.slope;
      p.a = part.place.radius * std::sqrt(1 + slope * slope);  // radius along the normal
    }
  };
  share_out(pair.tread, wheel.tread);
  if (pair.flange) share_out(*pair.flange, wheel.flange);

  std::erase_if(list, [](const Patch& p) { return !(p.N > 0); });
  for (Patch& p : list) {
    p.share = p.N / total;
    p.u_w /= p.N;
    p.u_r /= p.N;
    const double radius = p.a;
    const HertzPatch ellipse = hertz.patch({1 / (2 * radius), p.b}, p.N);
    p.a = ellipse.a;
    p.b = ellipse.b;
    press(p, radius);
  }
  std::sort(list.begin(), list.end(), [](const Patch& l, const Patch& r) { return l.N > r.N; });
  return list;
}

}  // namespace klingel::contact
