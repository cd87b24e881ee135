// A report about a profile: its dimensions, the radius of curvature along it, and whether the
// spline oscillates. Contact mechanics takes the curvature from the spline, so an oscillation of a
// micrometre in shape can be a factor of two in contact pressure. Numbers only, no text or plots.
#pragma once

#include <optional>
#include <vector>

#include "profile/profile.hpp"

namespace klingel::profile {

// The curve at one place. Curvature (1/m) is positive where the body is convex, for wheels and
// rails; the radius is its inverse.
struct ProfileSample {
  double y = 0, z = 0;
  double angle = 0;  // atan(dz/dy), rad
  double curvature = 0;
};

ProfileSample sample(const Profile& profile, double y);

// A place where the curvature has a clear local extremum.
struct CurvatureExtremum {
  double y = 0;
  double curvature = 0;
};

struct ProfileReport {
  double begin = 0, end = 0;   // of y, m
  double top = 0, bottom = 0;  // smallest and largest z
  double length = 0;           // along the curve, m
  std::size_t pieces = 0;
  double shortest_piece = 0;  // in y, m

  // The part that can touch: of a wheel from the flange's tip outwards, of a rail where the surface
  // is less than 75 degrees steep.
  double zone_begin = 0, zone_end = 0;
  ProfileSample sharpest_convex, sharpest_concave;  // in the zone; curvature 0 if there is none
  std::vector<CurvatureExtremum> extrema;           // in the zone, in order of y
  int curvature_sign_changes = 0;                   // in the zone
  double jump[3] = {};                              // largest of z, dz/dy, d2z/dy2 at knots
  double jump_y[3] = {};                            // where

  // Measures of a wheel with flange (EN 15313), m: height over the taping line, thickness 10 mm
  // below the taping line, qR between there and 2 mm above the tip.
  std::optional<double> flange_height, flange_thickness, flange_qr;
  std::optional<double> flange_angle;  // largest, rad
  // Of a rail: width of the head 14 mm below its top, y of the highest point.
  std::optional<double> head_width, highest_y;
};

ProfileReport profile_report(const Profile& profile);

// Samples at both ends and every `step` (m) at round values of y between.
std::vector<ProfileSample> samples(const Profile& profile, double step);

}  // namespace klingel::profile
