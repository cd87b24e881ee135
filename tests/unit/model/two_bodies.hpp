// Two free bodies as a file and in C++, to be joined by one element of which both must make the
// same forces.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "model/build.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::model {

inline std::unique_ptr<VehicleModel> built(const std::string& text) {
  return build(vehicle::parse_vehicle(text, "v.toml"));
}

inline const char* const two_bodies = R"(
[vehicle]
name = "two"
[parameters]
k = 100
c = 7
[coordinates]
x1 = 0.1
a1 = 0.2
b2 = 0.3
x2 = 1.4
y2 = 0.5
z2 = -0.6
[inputs]
F = 3
[[base]]
name = "A"
axis = "z"
angle = "a1"
[[base]]
name = "B"
axis = [1, 2, "k/100"]
angle = "b2"
[[point]]
name = "P"
r = ["x1", 0, 0]
[[point]]
name = "Q"
r = ["x2", "y2", "z2"]
[[point]]
name = "Q2"
parent = "Q"
base = "B"
r = [0.1, 0.2, 0]
[[body]]
name = "one"
point = "P"
base = "A"
mass = 2
inertia = [1, 1.1, 1.2]
[[body]]
name = "two"
point = "Q"
base = "B"
mass = 3
com = [0, 0.1, 0]
inertia = [0.5, 0.6, 0.7, 0.01, 0, 0]
about = "point"
)";

struct Two {
  explicit Two(mech::Model& m) : model(m) {
    k = m.parameter("k", 100);
    c = m.parameter("c", 7);
    const auto x1 = m.coordinate("x1", 0.1);
    a1 = m.coordinate("a1", 0.2);
    b2 = m.coordinate("b2", 0.3);
    const auto x2 = m.coordinate("x2", 1.4), y2 = m.coordinate("y2", 0.5),
               z2 = m.coordinate("z2", -0.6);
    F = m.input("F", 3);
    const mech::Base G = m.ground_base();
    A = m.rotation("A", G, mech::axis::z, a1.q);
    B = m.rotation("B", G, {1, 2, k / 100}, b2.q);
    P = m.point("P", m.origin(), m.vector(G, x1.q, 0, 0));
    Q = m.point("Q", m.origin(), m.vector(G, x2.q, y2.q, z2.q));
    Q2 = m.point("Q2", Q, m.vector(B, 0.1, 0.2, 0));
    m.body("one", P, A, 2, m.vector(A, 0, 0, 0), m.inertia(A, 1, 1.1, 1.2));
    m.body_about_point("two", Q, B, 3, m.vector(B, 0, 0.1, 0),
                       m.inertia(B, 0.5, 0.6, 0.7, 0.01, 0, 0));
    m.set_gravity(m.vector(G, 0, 0, -9.81));
  }
  mech::Model& model;
  sym::Expr k, c, F;
  sym::Coordinate a1, b2;
  mech::Base A, B;
  mech::Point P, Q, Q2;
};

inline std::vector<double> forces(mech::Model& m) {
  const std::vector<sym::Expr> delta = mech::generalized_forces(m);
  const test::State state = test::random_state(m, 7);
  return test::values_at(m, delta, state);
}

// The element in the file and the call in C++ make the same forces, to the last bit.
template <class Add>
void expect_same(const std::string& element, const Add& add) {
  const auto file = built(two_bodies + element);
  mech::Model m("two");
  const Two two(m);
  const std::vector<double> without = forces(m);
  mech::Model m2("two");
  const Two again(m2);
  add(m2, again);
  EXPECT_EQ(forces(file->mechanics), forces(m2)) << element;
  EXPECT_NE(forces(file->mechanics), without) << "the element does nothing: " << element;
}

}  // namespace klingel::model
