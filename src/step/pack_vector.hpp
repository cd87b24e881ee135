// Vectors of three components for four contacts at once.
#pragma once

#include "base/pack.hpp"

namespace klingel::step {

struct PackVector {
  base::Pack x{}, y{}, z{};

  base::Pack& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const base::Pack& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

inline PackVector operator+(const PackVector& a, const PackVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline PackVector operator-(const PackVector& a, const PackVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline PackVector operator*(const base::Pack& s, const PackVector& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline base::Pack dot(const PackVector& a, const PackVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline PackVector cross(const PackVector& a, const PackVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Three axes as columns: components in the frame become components outside of it, and the reverse.
struct PackAxes {
  PackVector x, y, z;

  PackVector out(const PackVector& a) const { return a.x * x + a.y * y + a.z * z; }
  PackVector in(const PackVector& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
};

}  // namespace klingel::step
