// Ready joints by closure: constraints that close the loops a tree cannot.
//
// Each adds only independent equations as far as it can know; a mechanism may still be
// over-constrained, which assembly reports.
#pragma once

#include <string>

#include "mech/model.hpp"

namespace klingel::mech {

// P and Q coincide: three equations, components of the vector between them in a base. In a plane
// mechanism give the axis normal to the plane, which leaves two.
void coincide(Model& model, const std::string& name, Point P, Point Q, Base base);
void coincide_in_plane(Model& model, const std::string& name, Point P, Point Q, Base base,
                       int normal_axis);

// u is parallel to v: two equations, u dot two directions perpendicular to v. `v` is given by an
// axis of a base.
void parallel(Model& model, const std::string& name, const Vector& u, Base base,
              int coordinate_axis);

// The distance of two points is constant: a massless rod. One equation, (r^2 - length^2) / (2
// length), in metres.
void distance(Model& model, const std::string& name, Point P, Point Q, Scalar length);

// Joints: a ball joint is coincide(); a revolute joint adds parallel axes.
void revolute_closure(Model& model, const std::string& name, Point P, Point Q,
                      const Vector& axis_on_first, Base second, int coordinate_axis);

// Euler parameters have norm one: one equation.
void unit_norm(Model& model, const std::string& name, const std::array<Expr, 4>& e);

}  // namespace klingel::mech
