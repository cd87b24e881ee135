// The recursive operators of the article: where things are and how they move, of anything with
// respect to anything. Each follows the path in its tree and uses the result for the next node up,
// so that elements that share a path share atoms.  [eq:new_base] [eq:new_point]
#pragma once

#include "mech/model.hpp"

namespace klingel::mech {

// r_OP, from O to P.
Vector position(Point O, Point P);

// R_AB: components in B to components in A.
Block base_change(Base A, Base B);

// w_AB and its derivative: angular velocity and acceleration of B with respect to A.
Vector angular_velocity(Base A, Base B);
Vector angular_acceleration(Base A, Base B);

// Velocity and acceleration of P with respect to a frame.
Vector velocity(Frame frame, Point P);
Vector acceleration(Frame frame, Point P);

// The same at ddq = 0: what is left of accelerations when the coordinates do not accelerate.
Vector bias_angular_acceleration(Base A, Base B);
Vector bias_acceleration(Frame frame, Point P);
// Bias acceleration with respect to the ground, less gravity: a ground that accelerates upwards
// does what weight does, and costs nothing.
Vector bias_acceleration_less_gravity(Point P);

// Velocity of body's point and angular velocity of its base.
Twist twist(Frame frame, const Body& body);

// d(u)/dt as seen from base A.
Vector time_derivative(const Vector& u, Base A);
// d(u)/dx as seen from base A, x a symbol.
Vector derivative(const Vector& u, Expr x, Base A);

// Weight of a body, acting at its centre of mass.
Wrench gravity_wrench(const Body& body);
// -m a_G and -dH_G/dt, acting at the body's point.
Wrench inertia_wrench(const Body& body);

// The centre of mass as a vector from the origin of the model.
Vector position_of_com(const Body& body);
Vector velocity_of_com(const Body& body);

// 1/2 m v_G^2 + 1/2 w I w, and the potential of gravity.
Expr kinetic_energy(const Body& body);
Expr gravity_energy(const Body& body);

}  // namespace klingel::mech
