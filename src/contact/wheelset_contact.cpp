#include "contact/wheelset_contact.hpp"

#include <cmath>

#include "base/error.hpp"
#include "contact/roll_search.hpp"

namespace klingel::contact {
namespace {

struct RailPlace {
  double offset, height;
};

// The position of a rail's origin. An inclined rail is measured in its inclined position: in the
// profile's coordinates leaning inwards takes (y, h) to (y cos i - h sin i, y sin i + h cos i).
RailPlace rail_place(const profile::Profile& rail, const WheelsetPlacement& p) {
  const double c = std::cos(p.inclination), s = std::sin(p.inclination);
  const auto height = [&](double y) { return y * s - rail.z.value(y) * c; };
  const auto across = [&](double y) { return y * c + rail.z.value(y) * s; };
  constexpr int n = 2000;
  const double low = rail.z.begin(), step = (rail.z.end() - low) / n;
  int top = 0;
  for (int i = 1; i <= n; ++i) {
    if (height(low + step * i) > height(low + step * top)) top = i;
  }
  // the highest point, between the neighbours of the highest sample
  double a = low + step * std::max(top - 1, 0), b = low + step * std::min(top + 1, n);
  for (int i = 0; i < 60; ++i) {
    const double x = a + (b - a) / 3, y = b - (b - a) / 3;
    (height(x) < height(y) ? a : b) = height(x) < height(y) ? x : y;
  }
  const double crown = height((a + b) / 2);
  if (p.inclination == 0) return {rail_distance(p.gauge, rail, p.gauge_depth) / 2, -crown};

  // the gauge-side point: heights fall from the top to the gauge side
  int i = top;
  while (i > 0 && height(low + step * i) > crown - p.gauge_depth) --i;
  if (height(low + step * i) > crown - p.gauge_depth) {
    base::fail(
        "rail profile '{}' ends {:.2f} mm below its top on the gauge side, where it is "
        "inclined; the gauge is measured {:.2f} mm below",
        rail.name, 1e3 * (crown - height(low)), 1e3 * p.gauge_depth);
  }
  double below = low + step * i, above = below + step;
  for (int k = 0; k < 60; ++k) {
    const double m = (below + above) / 2;
    (height(m) > crown - p.gauge_depth ? above : below) = m;
  }
  return {p.gauge / 2 - across(below), -crown};
}

void check(const profile::Profile& wheel, const profile::Profile& rail,
           const WheelsetPlacement& p) {
  if (wheel.kind != profile::ProfileKind::wheel)
    base::fail("'{}' is not a wheel profile", wheel.name);
  if (rail.kind != profile::ProfileKind::rail) base::fail("'{}' is not a rail profile", rail.name);
  const auto positive = [](double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) {
      base::fail("{} must be positive, found {} mm", what, 1e3 * value);
    }
  };
  positive(p.flange_back_distance, "the flange-back distance");
  positive(p.gauge, "the gauge");
  positive(p.gauge_depth, "the depth at which the gauge is measured");
  positive(p.radius, "the wheel radius");
  if (!(std::abs(p.inclination) < 0.5)) {
    base::fail("the inclination of rails must be below 0.5 rad, found {}", p.inclination);
  }
}

spline::CubicSpline linear(double slope, double value) {
  return {{-10, 10}, {{0, 0, slope, value - 10 * slope, -10}}};
}

// Far enough above the rail, so that the travel down is never through it.
constexpr double start_height = 0.02;

}  // namespace

WheelsetGeometry::Half::Half(const SideProfiles& profiles, profile::Side its_side,
                             const WheelsetPlacement& p)
    : side((check(profiles.wheel, profiles.rail, p), its_side)),
      wheel_offset(p.flange_back_distance / 2 - profiles.wheel.flange_back),
      rail_offset(rail_place(profiles.rail, p).offset),
      rail_height(rail_place(profiles.rail, p).height),
      wheel{wheel_function(profiles.wheel, side, p.radius)},
      rail{rail_function(profiles.rail, side),
           {linear(1, 0), linear(0, side == profile::Side::left ? rail_offset : -rail_offset),
            linear(0, rail_height),
            linear(0, side == profile::Side::left ? p.inclination : -p.inclination)}},
      search(wheel, rail) {}

WheelsetGeometry::WheelsetGeometry(const SideProfiles& left, const SideProfiles& right,
                                   const WheelsetPlacement& placement)
    : placement_(placement),
      left_(left, profile::Side::left, placement),
      right_(right, profile::Side::right, placement) {
  std::optional<SideContact> centred;
  for (const Half* half : {&left_, &right_}) {
    centred = land(*half, 0, 0, 0);
    if (centred) continue;
    const SideProfiles& its = half->side == profile::Side::left ? left : right;
    base::fail(
        "wheel '{}' does not touch rail '{}': its taping line is {:.1f} mm from the "
        "centre, the rail's origin {:.1f} mm\n    check flange-back distance and gauge",
        its.wheel.name, its.rail.name, 1e3 * half->wheel_offset, 1e3 * half->rail_offset);
  }
  const std::optional<double> roll = roll_on_both(0, 0);
  if (roll) centred = land(left_, 0, 0, *roll);
  if (!roll || !centred) {
    base::fail("at y = 0 there is no roll below {} rad at which both wheels touch", most_roll);
  }
  z_centred_ = centred->lift;
}

WheelsetGeometry::WheelsetGeometry(const profile::Profile& wheel, const profile::Profile& rail,
                                   const WheelsetPlacement& placement)
    : WheelsetGeometry(SideProfiles{wheel, rail}, SideProfiles{wheel, rail}, placement) {}

WheelPose WheelsetGeometry::pose(const Half& half, double y, double z, double yaw,
                                 double roll) const {
  const double cp = std::cos(yaw), sp = std::sin(yaw), cr = std::cos(roll), sr = std::sin(roll);
  WheelPose pose;
  pose.R_Gw = {{cp, sp, 0}, {-sp * cr, cp * cr, sr}, {sp * sr, -cp * sr, cr}};
  const double offset = half.side == profile::Side::left ? half.wheel_offset : -half.wheel_offset;
  pose.r_Ow = spline::Vec3{0, y, z} + offset * pose.R_Gw.y;
  return pose;
}

std::optional<Minimum> WheelsetGeometry::drop(const Half& half, const WheelPose& pose) const {
  const MinimumList list = half.search.drop(pose, 0, {0, 0, 1});
  // the first to touch; a point where a profile ends counts here, since the wheel rests on it
  const Minimum* first = nullptr;
  for (const Minimum& m : list) {
    if (!first || m.distance < first->distance) first = &m;
  }
  // no wheel hangs deeper than its radius below the start: the profiles are beside each other
  if (!first || !(first->distance < placement_.radius)) return std::nullopt;
  return *first;
}

std::optional<SideContact> WheelsetGeometry::land(const Half& half, double y, double yaw,
                                                  double roll) const {
  const double z = placement_.radius + start_height;
  const std::optional<Minimum> first = drop(half, pose(half, y, z, yaw, roll));
  if (!first) return std::nullopt;

  SideContact c;
  c.at_end = first->status == ContactStatus::profile_end;
  c.point = first->point;
  const double z_down = z - first->distance;
  const WheelPose touching = pose(half, y, z_down, yaw, roll);
  // the drop knows the point to rounding; this gives its radii where the wheel now stands
  if (!c.at_end) half.search.refine(touching, c.point);
  c.lift = z_down - z_centred_;

  const double sign = half.side == profile::Side::left ? 1 : -1;
  c.wheel_y = profile_y(half.side, c.point.s.u_w);
  c.rail_y = profile_y(half.side, c.point.s.u_r);
  c.angle = sign * std::atan(half.rail.f_r.derivative(c.point.s.u_r)) + placement_.inclination;
  c.rolling_radius = half.wheel.f_w.value(c.point.s.u_w) * std::sin(c.point.s.theta_w);

  for (const Minimum& m : half.search.minima(touching, 0)) {
    if (m.status == ContactStatus::profile_end) continue;
    if (std::abs(m.point.s.u_w - c.point.s.u_w) < 1e-4) continue;
    c.second = true;
    c.second_wheel_y = profile_y(half.side, m.point.s.u_w);
    c.second_rail_y = profile_y(half.side, m.point.s.u_r);
    c.second_gap = m.point.gap;
    break;
  }
  return c;
}

std::optional<double> WheelsetGeometry::roll_on_both(double y, double yaw) const {
  // how much farther the left wheel has to go down than the right one; grows with roll by about
  // the distance of the contacts
  const double z = placement_.radius + start_height;
  const auto excess = [&](double roll) -> std::optional<double> {
    const std::optional<Minimum> l = drop(left_, pose(left_, y, z, yaw, roll));
    const std::optional<Minimum> r = drop(right_, pose(right_, y, z, yaw, roll));
    if (!l || !r) return std::nullopt;
    return l->distance - r->distance;
  };
  return roll_search(excess, left_.wheel_offset + right_.wheel_offset, 1e-13);
}

std::optional<WheelsetContact> WheelsetGeometry::at(double y, double yaw,
                                                    std::optional<double> roll) const {
  if (!roll) roll = roll_on_both(y, yaw);
  if (!roll) return std::nullopt;
  const std::optional<SideContact> l = land(left_, y, yaw, *roll), r = land(right_, y, yaw, *roll);
  if (!l || !r) return std::nullopt;
  return WheelsetContact{y, yaw, *roll, *l, *r};
}

std::optional<double> WheelsetGeometry::jump(const WheelsetContact& a, const WheelsetContact& b,
                                             profile::Side side, std::optional<double> roll) const {
  const auto moved = [side](const WheelsetContact& p, const WheelsetContact& q) {
    return std::abs(q.on(side).wheel_y - p.on(side).wheel_y);
  };
  constexpr double least = 2e-4, finest = 1e-7;
  WheelsetContact low = a, high = b;
  while (moved(low, high) > least && std::abs(high.y - low.y) > finest) {
    const std::optional<WheelsetContact> middle =
        at((low.y + high.y) / 2, (low.yaw + high.yaw) / 2, roll);
    if (!middle) return std::nullopt;
    // the half with the larger movement holds the jump if there is one
    (moved(low, *middle) > moved(*middle, high) ? high : low) = *middle;
  }
  if (moved(low, high) <= least) return std::nullopt;
  return (low.y + high.y) / 2;
}

}  // namespace klingel::contact
