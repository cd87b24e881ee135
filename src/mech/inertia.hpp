// Checks and changes of a body's mass data.
#pragma once

#include <optional>
#include <string>

#include "mech/model.hpp"

namespace klingel::mech {

// The tensor about the centre of mass from the one about a point, com from the point in the same
// base.
Tensor about_com(const Tensor& about_point, Expr mass, const Triple& com);

// Why these values cannot belong to a real body, if they cannot: negative mass, negative moment,
// triangle inequality of the principal moments. Evaluated at nominal values.
std::optional<std::string> unphysical(Expr mass, const Block& inertia_about_com);

// An error unless x is constant in time.
void check_constant(Expr x, const std::string& body, const char* what);

// A body of revolution that spins about its axis is described in the base that does not spin: the
// outermost base in which tensor and centre of mass do not change. Sets the bases of both.
void describe_without_spin(Body& body);

// The coordinate axis about which the body spins in the base its inertia is described in, if that
// is not its own.
std::size_t spin_axis(const Body& body);

// Angular velocity of the body relative to the base its inertia is described in, components there.
Triple spin(const Body& body);

}  // namespace klingel::mech
