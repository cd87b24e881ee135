// Profiles known by their geometry: the S1002 wheel, the head of the rail 60E1, and simple shapes
// for examples and tests. Splines follow the analytic curves to within 2e-7 m. Curvature, which
// jumps where arcs meet, goes over from one value to the other within 0.01 to 0.3 mm.
#pragma once

#include "profile/profile.hpp"

namespace klingel::profile {

// How closely the splines below follow their curves between junctions, m.
inline constexpr double profile_tolerance = 1e-9;

// S1002 (EN 13715, UIC 510-2) from its eight sections, flange 28 mm high and 32.5 mm thick; from
// the flange's inner side, where the slope is 10:1, to y = 60 mm.
Profile s1002();

// The sections' own z(y) and dz/dy, m; to measure a spline of it with.
double s1002_z(double y);
double s1002_slope(double y);

// The head of a rail made of tangent arcs: crown, shoulder, corner, then the side 1:20. The top is
// the origin. `crown_half_width` is where the crown ends, `half_width` where the corner meets the
// side; the rest follows from tangency.
struct RailHead {
  double crown_radius = 0.300, shoulder_radius = 0.080, corner_radius = 0.013;
  double crown_half_width = 0.010228, half_width = 0.036;
};
// 60E1 of EN 13674-1: crown 20.456 mm wide, head 72 mm; the shoulder then ends 52.053 mm apart.
inline constexpr RailHead head_60e1 = {};
// UIC 60 as in the reference profiles of contact benchmarks: the crown is 21 mm wide. It differs
// from 60E1 by up to 0.04 mm.
inline constexpr RailHead head_uic60 = {0.300, 0.080, 0.013, 0.0105, 0.036};

// The upright head, from slope 10:1 to slope 10:1.
Profile rail_head(const RailHead& head, const char* name);

// A wheel without flange whose radius falls with `conicity` outwards, 120 mm wide.
Profile cone(double conicity);

// One arc of radius R (m) about y = 0: the head of a rail, 60 mm wide, or a wheel's tread, 120 mm
// wide, convex for R > 0 and hollow for R < 0; narrower if R is small.
Profile arc(double radius, ProfileKind kind);

// The curve turned about its origin, z(y) refitted; `angle` (rad) > 0 leans a rail towards the
// middle of the track, as inclinations 1:20 and 1:40 are meant (angle = atan(1/40)). What becomes
// steeper than 10:1 is cut off.
Profile inclined(const Profile& profile, double angle);

}  // namespace klingel::profile
