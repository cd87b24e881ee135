// The difference of rolling radii of a wheelset over its lateral displacement, from its profiles:
// what conicity.hpp is made from.
#pragma once

#include <optional>

#include "contact/conicity.hpp"
#include "contact/loaded_wheelset.hpp"
#include "contact/wheelset_contact.hpp"

namespace klingel::contact {

// For waves of up to the given amplitude, m; rigid, or under load. Without roll it is found so that
// both wheels touch. Wheels that do not touch their rails are an Error.
RadiusDifference radius_difference(const WheelsetGeometry& wheelset, bool sides_differ,
                                   double amplitude, std::optional<double> roll);
RadiusDifference radius_difference(const LoadedWheelset& wheelset, bool sides_differ,
                                   double amplitude, std::optional<double> roll);

}  // namespace klingel::contact
