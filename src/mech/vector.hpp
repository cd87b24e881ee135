// Bases, points, frames as handles; vectors and tensors that know their base.
//
// Algebra between different bases finds a common one by itself: the operand that is cheaper to
// change is changed, along the tree of bases. Mixing two models is an input error.
#pragma once

#include <cstdint>
#include <string>

#include "mech/components.hpp"

namespace klingel::mech {

class Model;

// A node of the tree of bases. Base-change matrices read R_AB: components in B to components in A.
struct Base {
  Model* model = nullptr;
  std::uint32_t index = 0;
  friend bool operator==(const Base&, const Base&) = default;
};

// A node of the tree of points.
struct Point {
  Model* model = nullptr;
  std::uint32_t index = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// What motion is observed from: a point and a base.
struct Frame {
  Point point;
  Base base;
};

struct Vector {
  Base base;
  Triple c;  // components in base

  Expr x() const { return c[0]; }
  Expr y() const { return c[1]; }
  Expr z() const { return c[2]; }
};

struct Tensor {
  Base base;
  Block c;
};

// A force at a point and a moment: the action on a body.
struct Wrench {
  Vector force;
  Vector moment;
  Point point;
};

// Linear velocity of a point and angular velocity: the motion of a body.
struct Twist {
  Vector velocity;
  Vector angular_velocity;
  Point point;
};

std::string name(const Base& b);
std::string name(const Point& p);

// The same vector or tensor with components in another base.
Vector in_base(const Vector& u, const Base& base);
Tensor in_base(const Tensor& t, const Base& base);

Vector operator+(const Vector& u, const Vector& v);
Vector operator-(const Vector& u, const Vector& v);
Vector operator-(const Vector& u);
Vector operator*(Expr s, const Vector& u);
Vector operator*(double s, const Vector& u);
Vector operator/(const Vector& u, Expr s);
Expr dot(const Vector& u, const Vector& v);
Vector cross(const Vector& u, const Vector& v);
Expr norm(const Vector& u);
Vector unit(const Vector& u);

Tensor operator+(const Tensor& s, const Tensor& t);
Tensor operator-(const Tensor& s, const Tensor& t);
Tensor operator*(Expr s, const Tensor& t);
Vector operator*(const Tensor& t, const Vector& u);

// The tensor of u x: skew(u) v = cross(u, v).
Tensor skew(const Vector& u);

// The wrench of the same action with its moment about another point.
Wrench moved(const Wrench& w, const Point& point);

}  // namespace klingel::mech
