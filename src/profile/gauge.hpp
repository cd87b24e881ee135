// The gauge of a track and where it is measured: between the points of the two rails that lie a
// given depth (14 mm by EN 13848-1) below the top of the rail. It connects the usual gauge
// with the distance of the rails' origins, which the geometry needs.
#pragma once

#include "profile/profile.hpp"

namespace klingel::profile {

constexpr double standard_gauge = 1.435;
constexpr double gauge_depth = 0.014;

// The profile's y (outwards, so usually negative) of the point `depth` below the top of the rail on
// the gauge side. A profile that ends up to 0.5 mm above that point on a steep face (5 or more)
// goes on straight. Not a rail, a depth that is not positive, or a profile that ends too early is
// an Error.
double gauge_point_y(const Profile& rail, double depth = gauge_depth);

// Distance of the origins of two such rails that stand upright at the given gauge, m.
double rail_distance(double gauge, const Profile& rail, double depth = gauge_depth);

}  // namespace klingel::profile
