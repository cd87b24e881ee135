// A kinematic tree of rigid bodies as plain numbers, with no library behind it.
//
// It is the common ground of the peers: MuJoCo, Simbody, the plain reference and Klingel each
// build their own model from it and must then agree on
//     M(q) ddq + c(q, dq) = 0,   c = Coriolis and centrifugal terms + gravity terms,
// that is, c is the generalised force that holds ddq = 0. Gravity is g along -z of the ground.
// C++17, so that the Simbody translation unit can read it. No springs, constraints or contacts.

#pragma once

#include <array>
#include <vector>

namespace klingel::peers {

using Vec3 = std::array<double, 3>;
using Mat3 = std::array<double, 9>;  // row by row

// One coordinate. The axis is a unit vector given in the frame that the joints before it have
// reached; at q = 0 all frames of the tree are parallel to the ground.
struct Joint {
  enum class Kind { prismatic, revolute };
  Kind kind;
  Vec3 axis;
};

// A body frame starts at the parent's frame, moves by `offset` and then through `joints` in order.
// No joints: welded to the parent. Zero mass (then com and inertia are not read) is allowed where
// a body welded to this one has mass.
struct Body {
  int parent;   // index of an earlier body, -1 for the ground
  Vec3 offset;  // m, in the parent frame
  std::vector<Joint> joints;
  double mass;             // kg
  Vec3 com;                // m, in the body frame
  Mat3 inertia_about_com;  // kg m^2, tensor (products with minus sign) in body axes; symmetric
};

// Coordinates are numbered by body, then by joint.
struct Tree {
  std::vector<Body> bodies;
  double g;  // m/s^2
};

// The number of coordinates n.
inline int coordinate_count(const Tree& tree) {
  int n = 0;
  for (const Body& body : tree.bodies) n += static_cast<int>(body.joints.size());
  return n;
}

// Throws std::invalid_argument naming the body if a parent does not come first, an axis is not a
// unit vector, a mass is negative or an inertia is not symmetric. Whether the inertia is physical
// is left to the libraries, which refuse principal moments that break A + B >= C.
void check(const Tree& tree);

}  // namespace klingel::peers
