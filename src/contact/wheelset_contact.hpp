// A wheelset on straight track, without forces: where its two wheels touch at a lateral
// displacement y (to the left), a yaw angle (to the left) and a roll angle (left side up).
//
// Placement. A rail is placed so that its gauge-side point, `gauge_depth` below its highest point,
// is half a gauge from the track's centre; its inclination leans it to the centre, on top of what
// the profile already has. A wheel is placed by its flange back: the taping line is half the
// flange-back distance plus the profile's own distance from flange back (70 mm) from the wheelset's
// centre. The sides may have different profiles; each is placed by its own. The base turns by yaw
// about z, then by roll about the new x.
#pragma once

#include <optional>

#include "contact/contact_search.hpp"
#include "profile/gauge.hpp"
#include "profile/profile.hpp"

namespace klingel::contact {

struct WheelsetPlacement {
  double flange_back_distance = 1.360;  // between the backs of the two flanges, m
  double gauge = profile::standard_gauge;
  double gauge_depth = profile::gauge_depth;
  double radius = 0.460;   // at the taping line, m
  double inclination = 0;  // of the rails, rad
};

// What meets on one side.
struct SideProfiles {
  profile::Profile wheel, rail;
};

struct SideContact {
  ContactPoint point;
  double wheel_y = 0, rail_y = 0;  // in the coordinates of the profiles, m
  double angle = 0;  // against the track's plane, rad; positive where it falls towards the centre
  // The lever arm of spin: height of the axle over the point in the wheel's own base, m. Without
  // yaw this is the distance from the axis, radius + z; with yaw the point lies ahead of or behind
  // it.
  double rolling_radius = 0;
  // Of the wheelset's centre above its place with both wheels on their rails at y = yaw = 0, m.
  double lift = 0;
  bool at_end = false;  // of a profile: it should be longer
  // The next minimum of the gap, if there is one: at its distance along the normal, m.
  bool second = false;
  double second_wheel_y = 0, second_rail_y = 0, second_gap = 0;
};

// Place of a wheelset and what is known of either side.
template <class SideKind>
struct BothSides {
  double y = 0, yaw = 0, roll = 0;
  SideKind left, right;

  const SideKind& on(profile::Side side) const {
    return side == profile::Side::left ? left : right;
  }
  double delta_r() const { return left.rolling_radius - right.rolling_radius; }
};
using WheelsetContact = BothSides<SideContact>;

class WheelsetGeometry {
 public:
  // Profiles that are not a wheel and a rail, or dimensions that do not fit, are an Error.
  WheelsetGeometry(const SideProfiles& left, const SideProfiles& right,
                   const WheelsetPlacement& placement);
  // The same profiles on both sides.
  WheelsetGeometry(const profile::Profile& wheel, const profile::Profile& rail,
                   const WheelsetPlacement& placement);
  WheelsetGeometry(const WheelsetGeometry&) = delete;
  WheelsetGeometry& operator=(const WheelsetGeometry&) = delete;

  // With roll: each wheel is lowered onto its own rail, alone. Without: roll is found so that both
  // touch. Nothing if a wheel is not above its rail, or no roll within 0.15 rad does it.
  std::optional<WheelsetContact> at(double y, double yaw,
                                    std::optional<double> roll = std::nullopt) const;

  // Whether a contact jumps from one point of the wheel to another somewhere between a and b, and
  // at which y: the interval is halved until it is 0.1 um long; a wheel coordinate that still
  // differs by 0.2 mm has jumped. Both from at(), with the same roll or both without.
  std::optional<double> jump(const WheelsetContact& a, const WheelsetContact& b, profile::Side side,
                             std::optional<double> roll = std::nullopt) const;

  const WheelsetPlacement& placement() const { return placement_; }
  // Lateral place of a rail's origin and of a taping line, m from the centre.
  double rail_offset(profile::Side side) const { return half(side).rail_offset; }
  double wheel_offset(profile::Side side) const { return half(side).wheel_offset; }
  // Height of a rail's origin: its highest point is at zero.
  double rail_height(profile::Side side) const { return half(side).rail_height; }

 private:
  struct Half {
    Half(const SideProfiles& profiles, profile::Side its_side, const WheelsetPlacement& placement);
    profile::Side side;
    double wheel_offset, rail_offset, rail_height;
    WheelSurface wheel;
    RailSurface rail;
    ContactSearch search;
  };

  const Half& half(profile::Side side) const {
    return side == profile::Side::left ? left_ : right_;
  }
  WheelPose pose(const Half& half, double y, double z, double yaw, double roll) const;
  // The travel down from z until the wheel touches, with the point.
  std::optional<Minimum> drop(const Half& half, const WheelPose& pose) const;
  std::optional<SideContact> land(const Half& half, double y, double yaw, double roll) const;
  std::optional<double> roll_on_both(double y, double yaw) const;

  WheelsetPlacement placement_;
  double z_centred_ = 0;
  Half left_, right_;
};

}  // namespace klingel::contact
