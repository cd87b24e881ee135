#include "contact/contact_search.hpp"

#include <algorithm>
#include <cmath>

#include "contact/rail_view.hpp"

namespace klingel::contact {
namespace {

// Samples of a profile: its direction turns by at most 3 degrees from one to the next, and they lie
// at most 1.5 mm apart, so that a minimum of the gap hardly fits between two of them.
template <typename Sample>
std::vector<Sample> sampled(const spline::CubicSpline& f) {
  constexpr double most = 1.5e-3, least = 5e-5, turn = 0.052;
  std::vector<Sample> samples;
  double u = f.begin();
  while (u < f.end()) {
    samples.push_back({u, f.value(u), f.derivative(u)});
    double step = most;
    const double angle = std::atan(f.derivative(u));
    while (step > least && std::abs(std::atan(f.derivative(u + step)) - angle) > turn) step *= 0.7;
    u += step;
  }
  samples.push_back({f.end(), f.value(f.end()), f.derivative(f.end())});
  return samples;
}

struct Value {
  double f, df, ddf;
};

// The rail's profile; beyond its ends it goes straight on, as a gauge face does below the measured
// part. An extrapolated cubic would bend away. Feet go from sample to sample along the profile, so
// the next piece is looked for near the last one.
class RailProfile {
 public:
  explicit RailProfile(const spline::CubicSpline& f_r)
      : f_r_(f_r), begin_(f_r.begin()), end_(f_r.end()) {}

  double begin() const { return begin_; }
  double end() const { return end_; }
  bool contains(double v) const { return f_r_.contains(v); }

  Value at(double v) {
    if (v > begin_ && v < end_) {
      const double* knots = f_r_.knots().data();
      if (!(v >= knots[piece_] && v < knots[piece_ + 1])) find(v);
      const spline::CubicPiece& p = f_r_.pieces()[piece_];
      return {p.value(v), p.derivative(v), p.second_derivative(v)};
    }
    const double end = v >= end_ ? end_ : begin_;
    const double df = f_r_.derivative(end);
    return {f_r_.value(end) + df * (v - end), df, 0};
  }

 private:
  void find(double v) {
    const auto& knots = f_r_.knots();
    const std::size_t last = f_r_.pieces().size() - 1;
    if (piece_ < last && v >= knots[piece_ + 1] && v < knots[piece_ + 2])
      ++piece_;
    else if (piece_ > 0 && v < knots[piece_] && v >= knots[piece_ - 1])
      --piece_;
    else
      piece_ = f_r_.index(v);
  }

  const spline::CubicSpline& f_r_;
  double begin_, end_;
  std::size_t piece_ = 0;
};

void insert(MinimumList& list, const Minimum& m) {
  // two brackets may lead to the same point
  for (int i = 0; i < list.count; ++i) {
    if (std::abs(list.minima[i].point.s.u_w - m.point.s.u_w) < 1e-6) return;
  }
  const auto before = [](const Minimum& a, const Minimum& b) {
    const bool a_end = a.status == ContactStatus::profile_end;
    const bool b_end = b.status == ContactStatus::profile_end;
    return a_end != b_end ? b_end : a.distance < b.distance;
  };
  int place = list.count;
  while (place > 0 && before(m, list.minima[place - 1])) --place;
  if (place >= MinimumList::capacity) return;
  if (list.count < MinimumList::capacity) ++list.count;
  for (int i = list.count - 1; i > place; --i) list.minima[i] = list.minima[i - 1];
  list.minima[place] = m;
}

}  // namespace

struct ContactSearch::Plane : RailView {
  using RailView::RailView;

  bool normal = true;
  bool all = true;            // ends and folds are wanted, too
  double up_c = 0, up_n = 1;  // of a drop, a unit vector in the plane
  double up_length = 1;       // of the projection of up

  // The foot of a point on the rail: nearest along the normal, or along up. Newton's method from
  // v, damped where the point lies near the centre of curvature. The error is the square of the
  // last step.
  struct Foot {
    double v, df;
  };
  Foot foot(RailProfile& f_r, const Point& p, double v, int iterations) const {
    double df = 0;
    for (int i = 0; i < iterations; ++i) {
      const Value r = f_r.at(v);
      double step;
      if (normal) {
        const double w2 = 1 + r.df * r.df;
        const double J = std::max(w2 - (p.z - r.f) * r.ddf, 0.3 * w2);
        step = ((p.y - v) + (p.z - r.f) * r.df) / J;
      } else {
        double J = up_n - r.df * up_c;
        if (std::abs(J) < 0.05) J = J < 0 ? -0.05 : 0.05;
        step = ((p.y - v) * up_n - (p.z - r.f) * up_c) / J;
      }
      step = std::clamp(step, -0.01, 0.01);
      v += step;
      df = r.df + step * r.ddf;
      if (std::abs(step) < 1e-5) break;
    }
    return {v, df};
  }
};

// The gap's slope along the silhouette at u, with the rail's foot v.
struct ContactSearch::Slope {
  double u = 0, v = 0, slope = 0;
};

ContactSearch::ContactSearch(const WheelSurface& wheel, const RailSurface& rail)
    : wheel_(&wheel),
      rail_(&rail),
      wheel_samples_(sampled<Sample>(wheel.f_w)),
      rail_samples_(sampled<Sample>(rail.f_r)) {}

ContactSearch::Plane ContactSearch::plane(const WheelPose& pose, double s_near) const noexcept {
  // the section whose plane holds the wheel's reference point
  double s = s_near;
  track::RailSection S = section(rail_->line, s);
  for (int i = 0; i < 20; ++i) {
    const double ahead = dot(pose.r_Ow - S.origin, S.axes.x);
    s += ahead / S.ds;
    if (!(std::abs(ahead) > 1e-7)) break;
    S = section(rail_->line, s);
  }
  return Plane(S, s, pose);
}

MinimumList ContactSearch::minima(const WheelPose& pose, double s_near,
                                  const Interval& u_w) const noexcept {
  MinimumList list;
  seek(pose, plane(pose, s_near), u_w, list);
  return list;
}

MinimumList ContactSearch::contacts(const WheelPose& pose, double s_near,
                                    const Interval& u_w) const noexcept {
  MinimumList list;
  Plane p = plane(pose, s_near);
  p.all = false;
  seek(pose, p, u_w, list);
  return list;
}

MinimumList ContactSearch::drop(const WheelPose& pose, double s_near, const spline::Vec3& up,
                                const Interval& u_w) const noexcept {
  MinimumList list;
  Plane p = plane(pose, s_near);
  const spline::Axes axes = section(rail_->line, p.s_r).axes;
  const double c = dot(up, axes.y), n = dot(up, axes.z);
  p.normal = false;
  p.up_length = std::hypot(c, n);
  p.up_c = c / p.up_length;
  p.up_n = n / p.up_length;
  seek(pose, p, u_w, list);
  return list;
}

void ContactSearch::seek(const WheelPose& pose, const Plane& plane, const Interval& u_w,
                         MinimumList& list) const noexcept {
  const spline::CubicSpline& f_w = wheel_->f_w;
  RailProfile f_r(rail_->f_r);
  const double low = std::max(u_w.low, f_w.begin()), high = std::min(u_w.high, f_w.end());
  if (!(low < high)) return;
  const auto at = [&](const Sample& s, double v, int iterations) {
    const Plane::Point p = plane.silhouette(s.u, s.f, s.df);
    const Plane::Foot foot = plane.foot(f_r, p, v, iterations);
    return Slope{s.u, foot.v, p.dz - foot.df * p.dy};
  };
  const auto sample = [&](double u) { return Sample{u, f_w.value(u), f_w.derivative(u)}; };

  // start on the tread, where the foot is beyond doubt, from the nearest sample of the rail
  const double u_start = std::clamp(0.0, low, high);
  const Sample s_start = sample(u_start);
  const Plane::Point p_start = plane.silhouette(s_start.u, s_start.f, s_start.df);
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t nearest_at = 0;
  const auto look = [&](std::size_t i) {
    const Sample& r = rail_samples_[i];
    const double y = p_start.y - r.u, z = p_start.z - r.f;
    const double d = plane.normal ? y * y + z * z : std::abs(y * plane.up_n - z * plane.up_c);
    if (d < nearest) nearest = d, nearest_at = i;
  };
  constexpr std::size_t coarse = 4;
  for (std::size_t i = 0; i < rail_samples_.size(); i += coarse) look(i);
  const std::size_t middle = nearest_at, last = rail_samples_.size() - 1;
  for (std::size_t i = middle - std::min(middle, coarse); i <= std::min(middle + coarse, last); ++i)
    look(i);
  const double v = rail_samples_[nearest_at].u;
  const Slope start = at(s_start, v, 30);

  // falling on the left and rising on the right encloses a minimum; so does a dip of the slope
  // between three samples that its parabola takes through zero: near a fold minimum and maximum
  // lie closer together than samples
  const auto enclose = [&](Slope a, Slope b) {
    if (a.u > b.u) std::swap(a, b);
    if (a.slope < 0 && b.slope >= 0) add(pose, plane, a, b, list);
  };
  const auto dip = [&](const Slope& a, const Slope& b, const Slope& c) {
    if (!(a.slope * b.slope > 0 && b.slope * c.slope > 0)) return;
    if (std::abs(b.slope) >= std::abs(a.slope) || std::abs(b.slope) >= std::abs(c.slope)) return;
    const double d1 = (b.slope - a.slope) / (b.u - a.u), d2 = (c.slope - b.slope) / (c.u - b.u);
    const double bend = (d2 - d1) / (c.u - a.u);
    const double at_b = d1 + bend * (b.u - a.u);
    const double lowest = b.slope - at_b * at_b / (4 * bend);
    if (lowest * b.slope > 0 && std::abs(lowest) > 0.3 * std::abs(b.slope)) return;
    const double u = std::clamp(b.u - at_b / (2 * bend), std::min(a.u, c.u), std::max(a.u, c.u));
    const Slope m = at(sample(u), b.v, 8);
    if (m.slope * b.slope > 0) return;
    const bool left = (u < b.u) == (a.u < b.u);
    enclose(left ? a : b, m);
    enclose(m, left ? b : c);
  };
  const auto end = [&](const Slope& e, bool falls_outwards) {
    if (falls_outwards && plane.all) add(pose, plane, e, e, list);
  };

  // outwards from the start in both directions; the foot follows from sample to sample
  const auto above = std::upper_bound(wheel_samples_.begin(), wheel_samples_.end(), u_start,
                                      [](double u, const Sample& s) { return u < s.u; });
  Slope previous = start, before = start, first = start;
  bool two = false;
  const auto advance = [&](const Slope& now) {
    enclose(previous, now);
    if (two) dip(before, previous, now);
    before = previous;
    previous = now;
    two = true;
  };
  // where the foot will be if it goes on as it did
  const auto ahead = [&](double u) {
    if (!two) return previous.v;
    const double rate = (previous.v - before.v) / (previous.u - before.u);
    return previous.v + std::clamp(rate, 0.0, 2.0) * (u - previous.u);
  };
  for (auto s = above; s != wheel_samples_.end() && s->u < high; ++s) {
    advance(at(*s, ahead(s->u), 4));
    if (s == above) first = previous;
  }
  if (previous.u < high) advance(at(sample(high), previous.v, 8));
  end(previous, previous.slope < 0);

  two = first.u > start.u;
  before = first;
  previous = start;
  for (auto s = above; s != wheel_samples_.begin() && (s - 1)->u > low; --s) {
    if ((s - 1)->u >= u_start) continue;
    advance(at(*(s - 1), ahead((s - 1)->u), 4));
  }
  if (previous.u > low) advance(at(sample(low), previous.v, 8));
  end(previous, previous.slope > 0);
}

void ContactSearch::add(const WheelPose& pose, const Plane& plane, Slope low, Slope high,
                        MinimumList& list) const noexcept {
  const spline::CubicSpline& f_w = wheel_->f_w;
  RailProfile f_r(rail_->f_r);
  const Interval bracket{low.u - 5e-4, high.u + 5e-4};
  Slope best = high;

  // false position that halves the weight of an end that stays (Illinois)
  double weight_low = low.slope, weight_high = high.slope;
  const auto narrow = [&](int steps) {
    for (int i = 0; i < steps && high.u - low.u > 1e-13; ++i) {
      double x = weight_low / (weight_low - weight_high);
      if (!(x > 0.01 && x < 0.99)) x = 0.5;
      const double u = low.u + x * (high.u - low.u);
      const Plane::Point p = plane.silhouette(u, f_w.value(u), f_w.derivative(u));
      const Plane::Foot foot = plane.foot(f_r, p, low.v + x * (high.v - low.v), 8);
      best = {u, foot.v, p.dz - foot.df * p.dy};
      if (best.slope < 0) {
        low = best;
        weight_low = best.slope;
        weight_high /= 2;
      } else {
        high = best;
        weight_high = best.slope;
        weight_low /= 2;
      }
      if (std::abs(best.slope) < 1e-14) break;
    }
  };

  // the contact of the two plane curves, as a start or as the answer
  const auto planar = [&] {
    const double f = f_w.value(best.u), df = f_w.derivative(best.u);
    const Plane::Point p = plane.silhouette(best.u, f, df);
    const Value r = f_r.at(best.v);
    Minimum m;
    m.point.s = plane.coordinates(p, best.u, f, best.v);
    const double y = p.y - best.v, z = p.z - r.f;
    const double per_w = 1 / std::sqrt(1 + r.df * r.df);
    if (plane.normal) {
      m.point.gap = (z - r.df * y) * per_w;
      m.distance = m.point.gap;
    } else {
      m.distance = (y * plane.up_c + z * plane.up_n) / plane.up_length;
      m.point.gap = m.distance * plane.up_length * (plane.up_n - r.df * plane.up_c) * per_w;
    }
    return m;
  };
  const auto with_radii = [&](Minimum& m) {
    const ContactEquations e = contact_equations(*wheel_, *rail_, pose, m.point.s);
    double ds[4];
    const double gap = m.point.gap;
    m.point = contact_point(e, m.point.s, newton_step(e, ds));
    m.point.gap = gap;
  };

  // where a profile ends there is no tangent contact to solve for
  const bool outside = !(best.v > f_r.begin() && best.v < f_r.end());
  if (low.u == high.u || (outside && !(low.v > f_r.begin() && low.v < f_r.end()))) {
    if (!plane.all) return;
    if (low.u < high.u) narrow(40);
    Minimum m = planar();
    m.status = ContactStatus::profile_end;
    with_radii(m);
    insert(list, m);
    return;
  }

  narrow(plane.normal ? 2 : 60);
  for (int attempt = 0; plane.normal && attempt < 2; ++attempt) {
    Minimum m = planar();
    m.status = newton(pose, m.point, 1.5e-3);
    m.distance = m.point.gap;
    if (m.status == ContactStatus::converged && m.point.s.u_w > bracket.low &&
        m.point.s.u_w < bracket.high) {
      insert(list, m);
      return;
    }
    if (attempt == 0) narrow(60);
  }
  if (!plane.all) return;
  Minimum m = planar();
  if (!f_r.contains(best.v)) {
    m.status = ContactStatus::profile_end;
  } else {
    m.status = plane.normal ? ContactStatus::not_converged : ContactStatus::converged;
  }
  with_radii(m);
  insert(list, m);
}

ContactStatus ContactSearch::newton(const WheelPose& pose, ContactPoint& point,
                                    double reach) const noexcept {
  ContactCoordinates s = point.s;
  for (int i = 0; i < 12; ++i) {
    const ContactEquations e = contact_equations(*wheel_, *rail_, pose, s);
    double ds[4];
    const double determinant = newton_step(e, ds);
    // along the rail the surfaces are nearly straight: longer steps are safe there
    const double size = std::max({std::abs(ds[1]), std::abs(ds[3]), 0.05 * std::abs(ds[2]),
                                  0.05 * e.wheel.f * std::abs(ds[0])});
    if (!(size < 1e3) || determinant == 0) return ContactStatus::not_converged;
    const double scale = size > 1e-3 ? 1e-3 / size : 1;
    s.theta_w += scale * ds[0];
    s.u_w += scale * ds[1];
    s.s_r += scale * ds[2];
    s.u_r += scale * ds[3];
    if (std::abs(s.u_w - point.s.u_w) > reach) return ContactStatus::not_converged;
    if (size < 1e-7) {
      // the last step leaves an error of its square, or of a part of it where curvature jumps; gap
      // and radii are those just before it
      const ContactPoint solution = contact_point(e, s, determinant);
      if (!(solution.det > 0)) return ContactStatus::not_converged;
      if (!wheel_->f_w.contains(s.u_w) || !rail_->f_r.contains(s.u_r)) {
        return ContactStatus::profile_end;
      }
      point = solution;
      return ContactStatus::converged;
    }
  }
  return ContactStatus::not_converged;
}

ContactStatus ContactSearch::refine(const WheelPose& pose, ContactPoint& point) const noexcept {
  return newton(pose, point, std::numeric_limits<double>::infinity());
}

FollowStatus ContactSearch::follow(const WheelPose& pose, const Interval& u_w, ContactPoint& point,
                                   double reach) const noexcept {
  ContactPoint next = point;
  const auto inside = [&](double u) { return u > u_w.low && u < u_w.high; };
  if (newton(pose, next, reach) == ContactStatus::converged && inside(next.s.u_w)) {
    point = next;
    return FollowStatus::followed;
  }
  // the branch may still be there: Newton's method cycles near a fold
  const MinimumList list = minima(pose, point.s.s_r, u_w);
  const Minimum* nearest = nullptr;
  for (const Minimum& m : list) {
    if (m.status == ContactStatus::profile_end) continue;
    const double d = std::abs(m.point.s.u_w - point.s.u_w);
    if (!nearest || d < std::abs(nearest->point.s.u_w - point.s.u_w)) nearest = &m;
  }
  if (!nearest) return FollowStatus::lost;
  if (std::abs(nearest->point.s.u_w - point.s.u_w) <= reach) {
    point = nearest->point;
    return FollowStatus::followed;
  }
  point = list.front().point;
  return FollowStatus::branch_ended;
}

}  // namespace klingel::contact
