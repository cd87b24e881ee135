#include "contact/loaded_gap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/pack_exp.hpp"

namespace klingel::contact {
namespace {

// The rail's heights are straight between these: 1e-9 m off at a radius of 13 mm.
constexpr double rail_spacing = 1e-5;  // m

// Gaps larger than the smallest one by more than this many eps do not count in charts, exp(-22) =
// 3e-10, nor at all, exp(-36) = 2e-16.
constexpr double far = 22, farthest = 36;

// 0 to 1 with two vanishing derivatives at both ends
double smooth_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 + x * (6 * x - 15));
}

}  // namespace

LoadedGap::LoadedGap(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r,
                     const Interval& where, double fade, double eps, double length, double spacing)
    : spacing_(spacing),
      eps_(eps),
      length_(length),
      r0_(f_w.value(std::clamp(0.0, f_w.begin(), f_w.end()))) {
  if (!(eps > 0 && length > 0 && fade > 0))
    base::fail("a loaded gap needs positive lengths, found eps {} m, l {} m", eps, length);
  const double low = std::max(f_w.begin(), where.low - fade);
  const double high = std::min(f_w.end(), where.high + fade);
  for (double u = low; u < high;) {
    const double df = f_w.derivative(u), root = std::sqrt(1 + df * df), du = spacing / root;
    const double middle = std::min(u + du / 2, high);
    double share = spacing;
    if (std::isfinite(where.low)) share *= smooth_step((middle - where.low + fade) / fade);
    if (std::isfinite(where.high)) share *= smooth_step((where.high + fade - middle) / fade);
    const double slope = f_w.derivative(middle);
    if (share > 0) {
      points_.push_back(
          {middle, f_w.value(middle), slope, 1 / std::sqrt(1 + slope * slope), share});
    }
    u += du;
  }
  if (points_.empty()) base::fail("a sheet of a wheel's profile has no points");

  const auto count = static_cast<std::size_t>((f_r.end() - f_r.begin()) / rail_spacing) + 2;
  rail_begin_ = f_r.begin();
  rail_step_ = (f_r.end() - f_r.begin()) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i)
    rail_.push_back(f_r.value(rail_begin_ + rail_step_ * static_cast<double>(i)));
  per_rail_step_ = 1 / rail_step_;
  rail_last_ = static_cast<double>(count - 1);
  // beyond its ends the rail is continued straight
  slope_begin_ = f_r.derivative(f_r.begin());
  slope_end_ = f_r.derivative(f_r.end());
}

inline double LoadedGap::rail_height(double y) const noexcept {
  const double x = (y - rail_begin_) * per_rail_step_;
  if (x >= 0 && x < rail_last_) [[likely]] {
    const auto i = static_cast<std::size_t>(x);
    return rail_[i] + (x - static_cast<double>(i)) * (rail_[i + 1] - rail_[i]);
  }
  if (x < 0) return rail_.front() + slope_begin_ * (y - rail_begin_);
  return rail_.back() + slope_end_ * (x - rail_last_) * rail_step_;
}

double LoadedGap::rail_slope(double y) const noexcept {
  const double x = (y - rail_begin_) * per_rail_step_;
  if (x < 0.5) return slope_begin_;
  if (x >= rail_last_ - 0.5) return slope_end_;
  return (rail_height(y + rail_step_ / 2) - rail_height(y - rail_step_ / 2)) / rail_step_;
}

LoadedGap::Seen LoadedGap::seen(double e_n, double e_t) const {
  Seen s;
  s.e_c = std::sqrt(1 - e_n * e_n - e_t * e_t);
  const double p = std::sqrt(1 - e_t * e_t);
  for (const Point& point : points_) {
    const double sine = std::clamp(point.df * e_t / p, -1.0, 1.0);
    const double cosine = std::sqrt(1 - sine * sine);
    s.Y.push_back(point.u * s.e_c + point.f * (e_n * cosine - e_t * s.e_c * sine) / p);
    s.Z.push_back(point.u * e_n - point.f * (s.e_c * cosine + e_t * e_n * sine) / p);
    s.radius.push_back(point.f * cosine);
  }
  return s;
}

std::vector<LoadedGap::Gap> LoadedGap::gaps(const SectionPose& pose) const {
  const Seen s = seen(pose.e_n, pose.e_t);
  std::vector<Gap> list;
  double arc = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double Y = pose.y + s.Y[i];
    list.push_back({points_[i].u, Y, points_[i].cosine * (pose.z + s.Z[i] - rail_height(Y)), arc});
    arc += spacing_;
  }
  return list;
}

LoadedPlace LoadedGap::at(const SectionPose& pose) const {
  const Seen s = seen(pose.e_n, pose.e_t);
  const std::size_t n = points_.size();
  std::vector<double> g(n);
  for (std::size_t i = 0; i < n; ++i) {
    g[i] = points_[i].cosine * (pose.z + s.Z[i] - rail_height(pose.y + s.Y[i]));
  }
  LoadedPlace place;
  place.smallest = *std::min_element(g.begin(), g.end());
  const double p2 = 1 - pose.e_t * pose.e_t, p = std::sqrt(p2);
  double W = 0, arc = 0, square = 0, along = 0;
  for (std::size_t i = 0; i < n; ++i, along += spacing_) {
    const Point& point = points_[i];
    const double x = (g[i] - place.smallest) / eps_;
    if (x > farthest) continue;
    const double w = point.ds * std::exp(-x), c = w * point.cosine;
    const double Y = pose.y + s.Y[i], slope = rail_slope(Y);
    // by e_n at fixed e_t (e_c follows), and by e_t at fixed e_n
    const double sine = point.df * pose.e_t / p, cosine = std::sqrt(1 - sine * sine);
    const double dec_n = -pose.e_n / s.e_c, dec_t = -pose.e_t / s.e_c;
    const double Y_n = point.u * dec_n + point.f * (cosine - pose.e_t * dec_n * sine) / p;
    const double Z_n = point.u - point.f * (dec_n * cosine + pose.e_t * sine) / p;
    const double dsine = point.df / (p2 * p), dcosine = -sine * dsine / cosine;
    const double A = pose.e_n * cosine - pose.e_t * s.e_c * sine;
    const double C = s.e_c * cosine + pose.e_t * pose.e_n * sine;
    const double dA =
        pose.e_n * dcosine - (s.e_c + pose.e_t * dec_t) * sine - pose.e_t * s.e_c * dsine;
    const double dC = dec_t * cosine + s.e_c * dcosine + pose.e_n * (sine + pose.e_t * dsine);
    const double per_p = pose.e_t / (p2 * p);  // d(1/p)/de_t
    const double Y_t = point.u * dec_t + point.f * (dA / p + A * per_p);
    const double Z_t = -point.f * (dC / p + C * per_p);
    W += w;
    place.phi_z += c;
    place.phi_y -= c * slope;
    place.phi_n += c * (Z_n - slope * Y_n);
    place.phi_t += c * (Z_t - slope * Y_t);
    place.u_w += w * point.u;
    place.u_r += w * Y;
    place.slope += w * slope;
    place.radius += w * s.radius[i];
    arc += w * along;
    square += w * along * along;
  }
  for (double* mean : {&place.phi_z, &place.phi_y, &place.phi_n, &place.phi_t, &place.u_w,
                       &place.u_r, &place.slope, &place.radius, &arc, &square})
    *mean /= W;
  place.variance = std::max(square - arc * arc, 1e-10);
  place.phi = place.smallest - eps_ * std::log(W / length_);
  return place;
}

LoadedGap::Row::Row(const LoadedGap& gap, double e_n, double e_t, double tilt)
    : gap_(gap),
      seen_(gap.seen(e_n, e_t)),
      sine_(std::sin(tilt)),
      cosine_(std::cos(tilt)),
      eta0_(-gap.r0_ * e_n),
      h0_(gap.r0_ * (1 - e_n * e_n / 2)),
      down_(INFINITY) {}

double LoadedGap::Row::lowest(double y) const {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < gap_.points_.size(); ++i) {
    const double height = seen_.Z[i] - gap_.rail_height(y + seen_.Y[i]);
    if (height < least) least = height, best = i;
  }
  return gap_.points_[best].u;
}

double LoadedGap::Row::highest(double y, double u_low, double u_high) const {
  double best = u_low, most = -INFINITY;
  for (std::size_t i = 0; i < gap_.points_.size(); ++i) {
    const double u = gap_.points_[i].u, height = seen_.Z[i] - gap_.rail_height(y + seen_.Y[i]);
    if (u_low <= u && u <= u_high && height > most) most = height, best = u;
  }
  return best;
}

// Newton's method within bounds: phi grows with the height.
LoadedGap::Row::Rest LoadedGap::Row::at(double across) {
  constexpr double close = 1e-12, longest = 2e-3;  // m
  if (!std::isfinite(down_)) {
    // from far above, by as much as the smallest gap allows
    down_ = 0.05;
    for (int i = 0; i < 200; ++i) {
      double phi;
      find_near(across, down_);
      sum(down_, phi);
      down_ -= std::min(0.9 * phi, 0.02);
      if (phi < 1e-4) break;
    }
  }
  // the next place is as far from the last one as that was from the one before
  const double last = down_;
  down_ += change_;
  double low = -INFINITY, high = INFINITY;
  Rest rest;
  for (int i = 0; i < 60; ++i) {
    double phi;
    // without tilt gaps only shift when the wheel goes down a little
    if (i == 0 || sine_ != 0 || std::abs(down_ - down_taken_) > 1e-4) find_near(across, down_);
    rest = sum(down_, phi);
    if (!(std::abs(phi) > close)) break;
    (phi > 0 ? high : low) = down_;
    double next = down_ - std::clamp(phi / rest.phi_down, -longest, longest);
    if (!(next > low && next < high)) next = (low + high) / 2;
    down_ = next;
  }
  rest.down = down_;
  change_ = std::clamp(down_ - last, -1e-3, 1e-3);
  return rest;
}

LoadedGap::Row::Rest LoadedGap::Row::sum(double down, double& phi) const {
  using base::Pack;
  const double per_eps = -1 / gap_.eps_;
  // gaps were taken at another height if there is no tilt
  const double shift = down - down_taken_;
  double least = INFINITY;
  for (const Term& t : terms_) {
    const Pack g = t.gap + shift * t.cosine;
    for (std::size_t lane = 0; lane < base::pack_lanes; ++lane)
      if (t.ds[lane] > 0) least = std::min(least, g[lane]);
  }
  Pack W{}, C{}, R{}, S{}, SS{};
  for (const Term& t : terms_) {
    const Pack weight =
        t.ds * base::exponential((t.gap + shift * t.cosine - base::splat(least)) * per_eps);
    W += weight;
    C += weight * t.weight;
    R += weight * t.radius;
    S += weight * t.arc;
    SS += weight * (t.arc * t.arc);
  }
  const auto total = [](const Pack& x) { return (x[0] + x[1]) + (x[2] + x[3]); };
  const double all = total(W), mean = total(S) / all;
  phi = least - gap_.eps_ * std::log(all / gap_.length_);
  Rest rest;
  rest.down = down;
  rest.phi_down = total(C) / all;
  rest.radius = gap_.r0_ + total(R) / all;
  rest.variance = std::max(total(SS) / all - mean * mean, 1e-10);
  return rest;
}

// Points whose gap is not far above the smallest one, found by looking at every fourth point first.
void LoadedGap::Row::find_near(double across, double down) {
  constexpr std::size_t block = 4;
  constexpr double slack = 1e-4;  // m: gaps change less than that within a block, near the smallest
  const std::size_t n = gap_.points_.size();
  const double y = eta0_ + across * cosine_ - down * sine_;
  const double z = h0_ + across * sine_ + down * cosine_;
  down_taken_ = down;
  const auto gap = [&](std::size_t i) {
    return gap_.points_[i].cosine * (z + seen_.Z[i] - gap_.rail_height(y + seen_.Y[i]));
  };
  double lowest = INFINITY;
  coarse_.clear();
  for (std::size_t i = 0; i < n; i += block) {
    coarse_.push_back(gap(std::min(i + block / 2, n - 1)));
    lowest = std::min(lowest, coarse_.back());
  }
  terms_.clear();
  std::size_t count = 0, first = 0;
  const double reach = lowest + far * gap_.eps_ + slack;
  for (std::size_t b = 0; b < coarse_.size(); ++b) {
    if (coarse_[b] > reach) continue;
    const std::size_t begin = b * block, middle = std::min(begin + block / 2, n - 1);
    for (std::size_t i = begin; i < std::min(begin + block, n); ++i, ++count) {
      const std::size_t lane = count % base::pack_lanes;
      if (count == 0) first = i;
      if (lane == 0) terms_.push_back(Term{});
      const Point& p = gap_.points_[i];
      Term& t = terms_.back();
      t.ds[lane] = p.ds;
      t.cosine[lane] = p.cosine;
      t.gap[lane] = i == middle ? coarse_[b] : gap(i);
      t.weight[lane] = p.cosine;
      if (sine_ != 0)
        t.weight[lane] = p.cosine * (cosine_ + sine_ * gap_.rail_slope(y + seen_.Y[i]));
      t.radius[lane] = seen_.radius[i] - gap_.r0_;
      t.arc[lane] = gap_.spacing_ * static_cast<double>(i - first);
    }
  }
}

double resting_height(const LoadedGap& gap, double y, double e_n, double e_t) {
  const double r0 = gap.r0();
  return LoadedGap::Row(gap, e_n, e_t).at(y + r0 * e_n).down + r0 * (1 - e_n * e_n / 2);
}

}  // namespace klingel::contact
