// Motions and wrenches of rigid bodies as six components, linear before angular, about one point in
// one base; and matrices between them. They carry no frame: the caller keeps track of it.
#pragma once

#include <array>

#include "mech/components.hpp"

namespace klingel::model {

using Six = std::array<sym::Expr, 6>;
using SixBySix = std::array<sym::Expr, 36>;  // row major

mech::Triple head(const Six& u);
mech::Triple tail(const Six& u);
Six joined(const mech::Triple& u, const mech::Triple& v);

Six plus(const Six& u, const Six& v);
sym::Expr dot(const Six& u, const Six& v);

// A wrench about a point, given about the point at r from it; and the motion of the point at r.
Six wrench_about(const mech::Triple& r, const Six& wrench);
Six motion_at(const mech::Triple& r, const Six& motion);

// Components in another base.
Six turned(const mech::Block& R, const Six& u);
SixBySix turned(const mech::Block& R, const SixBySix& K);

// Moments of inertia about a point, from those about the centre of mass at c.
mech::Block moved(const mech::Block& J, sym::Expr mass, const mech::Triple& c);
// What a first moment s about a point adds to moments of inertia about the point from which that
// one is at r.
mech::Block moved(const mech::Block& J, const mech::Triple& s, const mech::Triple& r);
// Mass, first moment and moments of inertia about a point.
SixBySix inertia(sym::Expr mass, const mech::Triple& first_moment, const mech::Block& J);

}  // namespace klingel::model
