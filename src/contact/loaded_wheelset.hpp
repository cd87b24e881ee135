// A wheelset on straight track whose wheels press onto their rails: the loaded counterpart of
// wheelset_contact.hpp, from the same profiles and placement. Both wheels carry the same vertical
// force; what they touch with are means over the patches, weighted with normal forces. No friction.
// Nothing jumps: all means are smooth functions of the place.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "contact/hertz.hpp"
#include "contact/loaded_pair.hpp"
#include "contact/patches.hpp"
#include "contact/wheelset_contact.hpp"

namespace klingel::contact {

struct LoadedSide {
  LoadedWheel wheel;               // in the coordinates of a left wheel
  SectionPose pose;                // its place above the rail, likewise
  double wheel_y = 0, rail_y = 0;  // in the coordinates of the profiles, m
  double angle = 0;                // against the track's plane, rad
  double rolling_radius = 0;       // m
  // Of the wheelset's centre above its place under load at y = yaw = 0, m.
  double lift = 0;
  bool at_end = false;  // of a profile: it should be longer
};

using LoadedContact = BothSides<LoadedSide>;

class LoadedWheelset {
 public:
  // `load` is the vertical force on each wheel, N. The geometry is that of these profiles.
  LoadedWheelset(const WheelsetGeometry& geometry, const SideProfiles& left,
                 const SideProfiles& right, double load, const HertzTable& hertz);

  // With roll: each wheel is lowered onto its own rail, alone. Without: roll is found so that both
  // wheels touch at one height of the axle, each with its load. Nothing if a wheel is not above its
  // rail, or no roll within 0.15 rad does it.
  std::optional<LoadedContact> at(double y, double yaw,
                                  std::optional<double> roll = std::nullopt) const;

  // The patches of one side in the coordinates of the profiles, the one that carries most first.
  std::vector<Patch> patches(const LoadedContact& contact, profile::Side side) const;

  // How far the wheel went down from where it first touched, m.
  double approach(const LoadedContact& contact, profile::Side side) const;

  double load() const { return load_; }

 private:
  struct Parts {  // the same for both sides if their profiles are
    spline::CubicSpline f_w, f_r;
    LoadedPair pair;
    LoadedGap whole;
  };
  struct Half {
    profile::Side side;
    double wheel_offset, rail_offset, rail_height;
    std::shared_ptr<const Parts> parts;

    // The place on the rail's own profile: an inclined rail was turned about its origin.
    double rail_y(double u_r, double inclination) const;
  };
  Half make(const WheelsetGeometry& geometry, const SideProfiles& profiles,
            profile::Side side) const;
  const Half& half(profile::Side side) const {
    return side == profile::Side::left ? left_ : right_;
  }
  std::optional<LoadedSide> land(const Half& half, double y, double yaw, double roll) const;
  std::optional<double> roll_on_both(double y, double yaw) const;

  double load_, inclination_;
  HertzTable hertz_;
  double z_centred_ = 0;
  Half left_, right_;
};

}  // namespace klingel::contact
