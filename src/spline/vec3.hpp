// Vectors of three components and matrices of nine, for geometry in numbers. Nothing more than the
// contact search needs; no allocation.
#pragma once

#include <cmath>

namespace klingel::spline {

struct Vec3 {
  double x = 0, y = 0, z = 0;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(double k, const Vec3& a) { return {k * a.x, k * a.y, k * a.z}; }
inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 unit(const Vec3& a) { return (1 / norm(a)) * a; }

// By columns: the axes of a base, as components in another one. R_AB = {e_x, e_y, e_z of B in A}.
struct Axes {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

// Components in A of a vector given in B, and the reverse.
inline Vec3 to_parent(const Axes& R_AB, const Vec3& u_B) {
  return u_B.x * R_AB.x + u_B.y * R_AB.y + u_B.z * R_AB.z;
}
inline Vec3 to_child(const Axes& R_AB, const Vec3& u_A) {
  return {dot(R_AB.x, u_A), dot(R_AB.y, u_A), dot(R_AB.z, u_A)};
}

}  // namespace klingel::spline
