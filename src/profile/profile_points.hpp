// From points to a profile: the points of a wheel or rail are checked (order, gaps, units, which
// way round), thinned where they nearly coincide, cut where the curve becomes too steep to be a
// function z(y), smoothed if asked, and a C2 spline is put through them. Points are already in the
// coordinates of profile.hpp; readers of files bring them there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.hpp"

namespace klingel::profile {

struct ProfilePoint {
  double y = 0, z = 0;  // m, outwards and down
  double weight = 1;    // for smoothing
  int line = 0;         // in the file, 0 without one
};

struct ProfilePoints {
  std::string name;
  std::string file;  // for error messages; empty without one
  ProfileKind kind = ProfileKind::wheel;
  std::vector<ProfilePoint> points;  // in the order of the curve, either direction
  double flange_back = -0.070;       // as in Profile
};

struct FitOptions {
  // Beyond this |dz/dy|, counted from the tread or the rail's top, the curve is cut: sides of rails
  // (1:20 = 20) and backs of flanges touch nothing, and a spline in y rings there.
  double steepest = 10;
  // Points closer together than this are one point, m.
  double resolution = 1e-6;
  // Root mean square distance by which the curve may leave the points, m; 0 interpolates.
  double smooth = 0;
};

struct FittedProfile {
  Profile profile;
  std::vector<ProfilePoint>
      points;                      // those used, ascending in y, before smoothing; none for pieces
  std::vector<std::string> notes;  // what was left out or looks odd, as sentences
};

// Errors name the file and line of the point and say what would help.
FittedProfile fit_profile(const ProfilePoints& points, const FitOptions& options = {});

// Only the checks of numbers, units and orientation, for a curve that needs no fit.
void check_shape(const ProfilePoints& points);

// "wheel" or "rail".
const char* text(ProfileKind kind);

}  // namespace klingel::profile
