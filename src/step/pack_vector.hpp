// Vectors of three components for four contacts at once.
#pragma once

#include "base/multiply_add.hpp"

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
  return base::multiply_add(a.z, b.z, base::sum_of_products(a.y, b.y, a.x, b.x));
}
inline PackVector cross(const PackVector& a, const PackVector& b) {
  using base::difference_of_products;
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}
// a + s b
inline PackVector add(const PackVector& a, const base::Pack& s, const PackVector& b) {
  using base::multiply_add;
  return {multiply_add(s, b.x, a.x), multiply_add(s, b.y, a.y), multiply_add(s, b.z, a.z)};
}

// Three axes as columns: components in the frame become components outside of it, and the reverse.
struct PackAxes {
  PackVector x, y, z;

  PackVector out(const PackVector& a) const { return add(add(a.x * x, a.y, y), a.z, z); }
  PackVector out_yz(const base::Pack& a_y, const base::Pack& a_z) const {
    return add(a_y * y, a_z, z);
  }
  PackVector in(const PackVector& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
};

}  // namespace klingel::step
