#include "contact/loaded_wheelset.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "contact/roll_search.hpp"
#include "profile/standard_profiles.hpp"

namespace klingel::contact {
namespace {

// The gap over all of a profile has no soft minimum: its widths are never used.
constexpr double any_fade = 2e-3, unused = 1e-5;

// Where O_w and the axis are, seen from the rail of its side: both sides look alike.
SectionPose seen_from_rail(profile::Side side, double y, double yaw, double roll,
                           double wheel_offset, double rail_offset) {
  const double sign = side == profile::Side::left ? 1 : -1;
  const double across = std::cos(yaw) * std::cos(roll);
  return {sign * y + wheel_offset * across - rail_offset, 0, sign * std::sin(roll),
          -sign * std::sin(yaw) * std::cos(roll)};
}

}  // namespace

double LoadedWheelset::Half::rail_y(double u_r, double inclination) const {
  return u_r * std::cos(inclination) + parts->f_r.value(u_r) * std::sin(inclination);
}

LoadedWheelset::Half LoadedWheelset::make(const WheelsetGeometry& geometry,
                                          const SideProfiles& profiles, profile::Side side) const {
  const profile::Profile rail =
      inclination_ == 0 ? profiles.rail : inclined(profiles.rail, inclination_);
  const spline::CubicSpline f_w =
      wheel_function(profiles.wheel, profile::Side::left, geometry.placement().radius);
  const spline::CubicSpline f_r = rail_function(rail, profile::Side::left);
  const double wheel = geometry.wheel_offset(side), rail_offset = geometry.rail_offset(side);
  return {side, wheel, rail_offset, geometry.rail_height(side),
          std::make_shared<const Parts>(
              Parts{f_w, f_r, loaded_pair(f_w, f_r, wheel - rail_offset, load_, hertz_),
                    LoadedGap(f_w, f_r, {}, any_fade, unused, unused)})};
}

LoadedWheelset::LoadedWheelset(const WheelsetGeometry& geometry, const SideProfiles& left,
                               const SideProfiles& right, double load, const HertzTable& hertz)
    : load_(load),
      inclination_(geometry.placement().inclination),
      hertz_(hertz),
      left_(make(geometry, left, profile::Side::left)),
      right_(left_) {
  if (left.wheel.z == right.wheel.z && left.rail.z == right.rail.z &&
      left.wheel.flange_back == right.wheel.flange_back)
    right_.side = profile::Side::right;
  else
    right_ = make(geometry, right, profile::Side::right);
  const std::optional<LoadedContact> centred = at(0, 0);
  if (!centred) base::fail("at y = 0 a wheel with {} kN does not touch its rail", 1e-3 * load);
  z_centred_ = centred->left.lift;
}

std::optional<LoadedSide> LoadedWheelset::land(const Half& half, double y, double yaw,
                                               double roll) const {
  LoadedSide s;
  const Parts& parts = *half.parts;
  s.pose = seen_from_rail(half.side, y, yaw, roll, half.wheel_offset, half.rail_offset);
  s.wheel = let_down(parts.pair, s.pose.y, s.pose.e_n, s.pose.e_t, load_);
  s.pose.z = s.wheel.z;
  const LoadedWheel& w = s.wheel;
  // beyond its ends a rail goes straight on, and a wheel beside it falls far
  const bool stands = std::abs(w.tread.Q + w.flange.Q - load_) < 1e-6 * load_ &&
                      parts.f_r.contains(w.u_r) && parts.f_w.contains(w.u_w);
  if (!stands) return std::nullopt;

  const double N = w.tread.N + w.flange.N;
  s.wheel_y = w.u_w;
  s.rail_y = half.rail_y(w.u_r, inclination_);
  s.angle =
      (w.tread.N * std::atan(w.tread.place.slope) + w.flange.N * std::atan(w.flange.place.slope)) /
      N;
  s.rolling_radius = w.radius;
  s.lift = w.z + half.rail_height - half.wheel_offset * s.pose.e_n - z_centred_;
  for (const LoadedWheel::Part* part : {&w.tread, &w.flange}) {
    const LoadedPlace& place = part->place;
    if (part->N > 0.01 * N)
      s.at_end |= !parts.f_r.contains(place.u_r) || !parts.f_w.contains(place.u_w);
  }
  return s;
}

std::optional<double> LoadedWheelset::roll_on_both(double y, double yaw) const {
  const auto excess = [&](double roll) -> std::optional<double> {
    const std::optional<LoadedSide> l = land(left_, y, yaw, roll), r = land(right_, y, yaw, roll);
    if (!l || !r) return std::nullopt;
    return r->lift - l->lift;
  };
  return roll_search(excess, left_.wheel_offset + right_.wheel_offset, 1e-11);
}

std::optional<LoadedContact> LoadedWheelset::at(double y, double yaw,
                                                std::optional<double> roll) const {
  if (!roll) roll = roll_on_both(y, yaw);
  if (!roll) return std::nullopt;
  const std::optional<LoadedSide> l = land(left_, y, yaw, *roll), r = land(right_, y, yaw, *roll);
  if (!l || !r) return std::nullopt;
  return LoadedContact{y, yaw, *roll, *l, *r};
}

std::vector<Patch> LoadedWheelset::patches(const LoadedContact& contact, profile::Side side) const {
  const LoadedSide& s = contact.on(side);
  const Parts& parts = *half(side).parts;
  std::vector<Patch> list = contact::patches(parts.pair, parts.whole, s.pose, s.wheel, hertz_);
  for (Patch& p : list) {
    p.u_r = half(side).rail_y(p.u_r, inclination_);
    for (Zone::Point& point : p.zone.points) point.u_r = half(side).rail_y(point.u_r, inclination_);
  }
  return list;
}

double LoadedWheelset::approach(const LoadedContact& contact, profile::Side side) const {
  const Parts& parts = *half(side).parts;
  double deepest = 0;
  for (const LoadedGap::Gap& g : parts.whole.gaps(contact.on(side).pose)) {
    const double slope = parts.f_w.derivative(g.u_w);
    deepest = std::max(deepest, -g.g * std::sqrt(1 + slope * slope));
  }
  return deepest;
}

}  // namespace klingel::contact
