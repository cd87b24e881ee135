// Vectors of three components and matrices of nine, for geometry. Nothing more than the contact
// needs; no allocation. T is a number or a symbolic expression: sums are written one term after the
// other, since C++ leaves the order of operands open and symbols must not depend on the compiler.
#pragma once

#include <cmath>
#include <type_traits>

namespace klingel::spline {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};
};
using Vec3 = Vector3<double>;

template <class T>
Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vector3<T> operator*(const std::type_identity_t<T>& k, const Vector3<T>& a) {
  return {k * a.x, k * a.y, k * a.z};
}
// a b + c d and a b - c d
template <class T>
T sum_of_products(const T& a, const T& b, const T& c, const T& d) {
  const T first = a * b;
  return first + c * d;
}
template <class T>
T difference_of_products(const T& a, const T& b, const T& c, const T& d) {
  const T first = a * b;
  return first - c * d;
}
template <class T>
T dot(const Vector3<T>& a, const Vector3<T>& b) {
  const T two = sum_of_products(a.x, b.x, a.y, b.y);
  return two + a.z * b.z;
}
template <class T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}
template <class T = double>
T norm(const Vector3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T = double>
Vector3<T> unit(const Vector3<T>& a) {
  const T per_length = 1 / norm(a);
  return per_length * a;
}

// By columns: the axes of a base, as components in another one. R_AB = {e_x, e_y, e_z of B in A}.
template <class T>
struct AxesOf {
  Vector3<T> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};
using Axes = AxesOf<double>;

// Components in A of a vector given in B, and the reverse.
template <class T>
Vector3<T> to_parent(const AxesOf<T>& R_AB, const Vector3<T>& u_B) {
  const Vector3<T> x = u_B.x * R_AB.x, y = u_B.y * R_AB.y, z = u_B.z * R_AB.z;
  return x + y + z;
}
template <class T>
Vector3<T> to_child(const AxesOf<T>& R_AB, const Vector3<T>& u_A) {
  return {dot(R_AB.x, u_A), dot(R_AB.y, u_A), dot(R_AB.z, u_A)};
}

}  // namespace klingel::spline
