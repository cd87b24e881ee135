#include "profile/profile_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/error.hpp"
#include "profile/millimetre.hpp"
#include "spline/smooth_curve.hpp"
#include "spline/spline_fit.hpp"

namespace klingel::profile {
namespace {

constexpr std::size_t fewest_points = 5;

// The work of fit_profile, one check after the other; each may rely on the ones before.
class Fit {
 public:
  Fit(const ProfilePoints& input, const FitOptions& options)
      : input_(input), options_(options), points_(input.points) {}

  void check() {
    check_numbers();
    check_units();
    refuse_twins();
    check_orientation();
  }

  FittedProfile run() {
    check();
    start_ = start();
    cut_steep_ends();
    thin_out();
    check_order();
    check_gaps();
    spline::CubicSpline z = spline();
    note_overshoots(z);
    if (input_.kind == ProfileKind::wheel && std::abs(z.value(0)) > 1 * mm) {
      note("z at the taping line is {:.2f} mm, not 0: the wheel's radius there is r0 {:+.2f} mm",
           z.value(0) / mm, z.value(0) / mm);
    }
    return {{input_.name, input_.kind, std::move(z), input_.flange_back},
            std::move(points_),
            std::move(notes_)};
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(int line, fmt::format_string<Args...> format, Args&&... args) const {
    std::string text = fmt::format(format, std::forward<Args>(args)...);
    if (input_.file.empty()) throw base::Error(fmt::format("profile '{}': {}", input_.name, text));
    throw base::Error(base::Place{input_.file, line, 0}, text);
  }

  template <typename... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    notes_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void check_numbers() {
    if (points_.size() < fewest_points) {
      refuse(0, "a profile needs at least {} points, found {}", fewest_points, points_.size());
    }
    for (const ProfilePoint& p : points_) {
      if (!std::isfinite(p.y) || !std::isfinite(p.z)) {
        refuse(p.line, "a point is not a pair of finite numbers");
      }
      if (!(p.weight > 0) || !std::isfinite(p.weight)) {
        refuse(p.line, "the weight of a point must be positive, found {}", p.weight);
      }
    }
    if (points_.back().y < points_.front().y) std::reverse(points_.begin(), points_.end());
  }

  std::pair<double, double> range_of_y() const {
    const auto [a, b] = std::minmax_element(points_.begin(), points_.end(),
                                            [](auto& p, auto& q) { return p.y < q.y; });
    return {a->y, b->y};
  }

  // wheels are 90 to 150 mm wide and heads of rails 50 to 80 mm; parts of them may be given
  void check_units() const {
    const auto [begin, end] = range_of_y();
    const double width = end - begin;
    if (!(width >= 0.010) || !(width <= 0.300)) {
      refuse(
          points_.front().line,
          "the {} profile is {:.4g} m wide, expected 0.01 to 0.3 m: check the unit of the points "
          "('# unit = mm' in a table, units.len.f = 1000 for mm in a .prw or .prr file)",
          text(input_.kind), width);
    }
    for (const ProfilePoint& p : points_) {
      if (!(std::abs(p.y) <= 1) || !(std::abs(p.z) <= 1)) {
        refuse(p.line, "the point ({:.4g}, {:.4g}) m is more than 1 m from the profile's origin",
               p.y, p.z);
      }
    }
  }

  void refuse_twins() const {
    for (std::size_t i = 1; i < points_.size(); ++i) {
      const ProfilePoint &p = points_[i - 1], &q = points_[i];
      if (p.y == q.y && p.z == q.z) {
        refuse(std::max(p.line, q.line),
               "the point ({:.6g}, {:.6g}) mm stands twice in a row: delete one of them", q.y / mm,
               q.z / mm);
      }
    }
  }

  void check_orientation() {
    if (input_.kind == ProfileKind::wheel) {
      check_wheel();
    } else {
      check_rail();
    }
  }

  // the flange, if there is one, is what differs most from the tread: it must be inside and deep
  void check_wheel() const {
    const auto [begin, end] = range_of_y();
    if (begin > 0 || end < 0) {
      refuse(points_.front().line,
             "the wheel profile reaches from y = {:.4g} to {:.4g} mm and misses its taping line at "
             "y = 0: shift it (shift.y in a .prw file)",
             begin / mm, end / mm);
    }
    const double tread = points_[nearest_to(0)].z;
    // three points in a row, because a single one may be a slip
    const auto height = [&](std::size_t i) {
      return std::min({std::abs(points_[i - 1].z - tread), std::abs(points_[i].z - tread),
                       std::abs(points_[i + 1].z - tread)});
    };
    std::size_t highest = 1;
    for (std::size_t i = 2; i + 1 < points_.size(); ++i) {
      if (height(i) > height(highest)) highest = i;
    }
    if (height(highest) < 10 * mm) return;
    const ProfilePoint& tip = points_[highest];
    if (tip.z < tread) {
      refuse(
          tip.line,
          "the wheel's flange points up (z = {:.4g} mm at y = {:.4g} mm; z counts down): say that "
          "z is up ('# z = up' in a table, mirror.z = 1 in a .prw file, --z up)",
          tip.z / mm, tip.y / mm);
    }
    if (tip.y > 0) {
      refuse(tip.line,
             "the wheel's flange is on the outer side (z = {:.4g} mm at y = {:.4g} mm; y counts "
             "outwards): say that y is inward ('# y = inward' in a table, mirror.y changed in a "
             ".prw file, --y inward)",
             tip.z / mm, tip.y / mm);
    }
  }

  void check_rail() {
    const double left = points_.front().z, right = points_.back().z;
    const ProfilePoint& top = points_[highest_of_middle()];
    const auto [begin, end] = range_of_y();
    const auto& lowest_middle = points_[nearest_to((begin + end) / 2)];
    if (std::max(left, right) < lowest_middle.z - 0.5 * mm) {
      refuse(points_.front().line,
             "the rail is upside down (z = {:.4g} and {:.4g} mm at its ends, {:.4g} mm between; z "
             "counts down): say that z is up ('# z = up' in a table, mirror.z = 1 in a .prr file, "
             "--z up)",
             left / mm, right / mm, lowest_middle.z / mm);
    }
    if (top.y - (begin + end) / 2 < -4 * mm) {
      note(
          "the rail's highest point lies {:.1f} mm on the gauge side of its middle: it leans "
          "outwards, or the profile is mirrored",
          ((begin + end) / 2 - top.y) / mm);
    }
  }

  std::size_t nearest_to(double y) const {
    const auto nearest = std::min_element(points_.begin(), points_.end(), [y](auto& p, auto& q) {
      return std::abs(p.y - y) < std::abs(q.y - y);
    });
    return static_cast<std::size_t>(nearest - points_.begin());
  }

  // the highest point of the middle half: undersides and feet of rails are not in it
  std::size_t highest_of_middle() const {
    const auto [begin, end] = range_of_y();
    const double middle = (begin + end) / 2, quarter = (end - begin) / 4;
    std::size_t best = nearest_to(middle);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (std::abs(points_[i].y - middle) < quarter && points_[i].z < points_[best].z) best = i;
    }
    return best;
  }

  std::size_t start() const {
    return input_.kind == ProfileKind::wheel ? nearest_to(0) : highest_of_middle();
  }

  bool steep(const ProfilePoint& p, const ProfilePoint& q) const {
    return std::abs(q.z - p.z) > options_.steepest * std::abs(q.y - p.y);
  }

  // Goes outwards from the start and drops what lies beyond the first steep step. A steep step far
  // from the end is a mistake in the points, not a side.
  void cut_steep_ends() {
    constexpr double most_beyond = 8 * mm;
    const auto [begin, end] = range_of_y();
    std::size_t first = start_, last = start_;
    while (first > 0 && !steep(points_[first - 1], points_[first])) --first;
    while (last + 1 < points_.size() && !steep(points_[last], points_[last + 1])) ++last;
    const auto refuse_jump = [this](const ProfilePoint& p, const ProfilePoint& q) {
      refuse(std::max(p.line, q.line),
             "z jumps from {:.4g} to {:.4g} mm between y = {:.6g} and {:.6g} mm, steeper than {}:1 "
             "in the middle of the profile: a profile is a smooth function z(y)",
             p.z / mm, q.z / mm, p.y / mm, q.y / mm, options_.steepest);
    };
    // without a step there, a point far outside is out of order: check_order() refuses it
    if (first > 0 && points_[first].y - begin > most_beyond)
      refuse_jump(points_[first - 1], points_[first]);
    if (last + 1 < points_.size() && end - points_[last].y > most_beyond)
      refuse_jump(points_[last], points_[last + 1]);

    const std::size_t cut = first + (points_.size() - 1 - last);
    if (cut > 0) {
      note(
          "{} points beyond slopes of {}:1 left out; the profile reaches from y = {:.3f} to {:.3f} "
          "mm",
          cut, options_.steepest, points_[first].y / mm, points_[last].y / mm);
    }
    points_ = std::vector<ProfilePoint>(points_.begin() + static_cast<std::ptrdiff_t>(first),
                                        points_.begin() + static_cast<std::ptrdiff_t>(last + 1));
  }

  void thin_out() {
    std::vector<ProfilePoint> kept = {points_.front()};
    for (const ProfilePoint& p : points_) {
      const double distance = std::hypot(p.y - kept.back().y, p.z - kept.back().z);
      // a step backwards is kept: check_order reports it
      if (distance >= options_.resolution || p.y < kept.back().y) kept.push_back(p);
    }
    if (const std::size_t dropped = points_.size() - kept.size(); dropped > 0) {
      note("{} points closer than {:g} mm to their neighbour left out", dropped,
           options_.resolution / mm);
    }
    points_ = std::move(kept);
    if (points_.size() < fewest_points) {
      refuse(0, "only {} points of the profile can be used, {} are needed", points_.size(),
             fewest_points);
    }
  }

  void check_order() const {
    for (std::size_t i = 1; i < points_.size(); ++i) {
      const ProfilePoint &p = points_[i - 1], &q = points_[i];
      if (q.y > p.y) continue;
      refuse(std::max(p.line, q.line),
             "y goes from {:.6g} to {:.6g} mm: a profile is a function z(y), its points must be in "
             "order of y",
             p.y / mm, q.y / mm);
    }
  }

  // a step ten times longer than the ones around it: points are missing
  void check_gaps() const {
    const std::size_t n = points_.size();
    const auto length = [&](std::size_t i) {
      return std::hypot(points_[i + 1].y - points_[i].y, points_[i + 1].z - points_[i].z);
    };
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double before = i > 0 ? length(i - 1) : 0, after = i + 2 < n ? length(i + 1) : 0;
      if (length(i) < 2 * mm || length(i) < 10 * std::max(before, after)) continue;
      refuse(points_[i + 1].line,
             "no points between y = {:.6g} and {:.6g} mm, {:.0f} times the distance of their "
             "neighbours: add some there, the spline would have to guess",
             points_[i].y / mm, points_[i + 1].y / mm, length(i) / std::max(before, after));
    }
  }

  spline::CubicSpline spline() {
    spline::CurvePoints curve;
    std::vector<double> weights;
    for (const ProfilePoint& p : points_) {
      curve.y.push_back(p.y);
      curve.z.push_back(p.z);
      weights.push_back(p.weight);
    }
    if (options_.smooth == 0) return spline::interpolate(curve.y, curve.z);
    if (!(options_.smooth <= 1 * mm)) {
      refuse(0, "smoothing may move the curve by 1 mm at most, found {:.4g} mm",
             options_.smooth / mm);
    }
    const spline::CurvePoints measured = curve;
    curve = smooth_curve(curve, weights, options_.smooth);
    for (std::size_t i = 1; i < curve.y.size(); ++i) {
      if (curve.y[i] > curve.y[i - 1]) continue;
      refuse(
          points_[i].line,
          "smoothed by {:.4g} mm, the curve is no function z(y) any more at y = {:.4g} mm: smooth "
          "less",
          options_.smooth / mm, curve.y[i] / mm);
    }
    const spline::CubicSpline before = spline::interpolate(measured.y, measured.z);
    const spline::CubicSpline after = spline::interpolate(curve.y, curve.z);
    note_smoothing(measured, curve, before, after);
    return after;
  }

  // What smoothing changed: how far points moved, and how much calmer the curvature is.
  void note_smoothing(const spline::CurvePoints& from, const spline::CurvePoints& to,
                      const spline::CubicSpline& before, const spline::CubicSpline& after) {
    double sum = 0, most = 0, where = 0;
    for (std::size_t i = 0; i < from.y.size(); ++i) {
      const double way = std::hypot(to.y[i] - from.y[i], to.z[i] - from.z[i]);
      sum += way * way;
      if (way > most) most = way, where = from.y[i];
    }
    const auto changes = [](const spline::CubicSpline& z) {
      int count = 0;
      double last = 0;
      for (double y = z.begin(); y < z.end(); y += 0.05 * mm) {
        const double bend = z.second_derivative(y);
        if (bend * last < 0) ++count;
        if (bend != 0) last = bend;
      }
      return count;
    };
    note(
        "smoothing moved points by {:.4f} mm root mean square, most at y = {:.2f} mm by {:.4f} mm; "
        "the curvature changes its sign {} times along the profile, before {} times",
        std::sqrt(sum / static_cast<double>(from.y.size())) / mm, where / mm, most / mm,
        changes(after), changes(before));
  }

  // Between two points the spline should bend about as much as the points around do.
  void note_overshoots(const spline::CubicSpline& z) {
    if (options_.smooth > 0) return;
    const std::size_t n = points_.size();
    const auto bend = [&](std::size_t i) {
      if (i == 0 || i + 1 >= n) return 0.0;
      const ProfilePoint &p = points_[i - 1], &q = points_[i], &r = points_[i + 1];
      const double left = (q.z - p.z) / (q.y - p.y), right = (r.z - q.z) / (r.y - q.y);
      return 2 * std::abs((right - left) / (r.y - p.y));
    };
    std::size_t count = 0;
    double worst = 0, where = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double h = points_[i + 1].y - points_[i].y, middle = points_[i].y + h / 2;
      const double around = std::max({i > 0 ? bend(i - 1) : 0, bend(i), bend(i + 1), bend(i + 2)});
      const double off = std::abs(z.value(middle) - (points_[i].z + points_[i + 1].z) / 2);
      const double excess = off - 3 * around * h * h / 8;
      if (excess < 1e-6) continue;
      ++count;
      if (excess > worst) worst = excess, where = middle;
    }
    if (count > 0) {
      note(
          "the spline swings between the points in {} places, most at y = {:.3f} mm by {:.3g} mm: "
          "smooth it, or give more points",
          count, where / mm, worst / mm);
    }
  }

  const ProfilePoints& input_;
  const FitOptions& options_;
  std::vector<ProfilePoint> points_;
  std::vector<std::string> notes_;
  std::size_t start_ = 0;
};

}  // namespace

FittedProfile fit_profile(const ProfilePoints& points, const FitOptions& options) {
  if (!(options.smooth >= 0)) base::fail("smoothing must be zero or positive");
  return Fit(points, options).run();
}

void check_shape(const ProfilePoints& points) {
  const FitOptions options;
  Fit(points, options).check();
}

const char* text(ProfileKind kind) { return kind == ProfileKind::wheel ? "wheel" : "rail"; }

}  // namespace klingel::profile
