// Small mechanisms for the tests of the simulator, from bases and points to a mechanism::Mechanism.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/closures.hpp"
#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "mechanism/mechanism.hpp"

namespace klingel::physics {

// A mechanism with the kernels it runs on; may be moved.
struct Simulated {
  exec::Kernel kernel;
  mechanism::Mechanism mechanism;

  mechanism::Mechanism* operator->() { return &mechanism; }
};

// Interpreted, so that no test waits for a compiler. Constraints get the unit m.
inline Simulated simulated(mech::Model& model, const std::string& unit = " [m]") {
  const mech::Equations equations = mech::equations(model);
  const gen::Program program(model.graph(), model.name(), mech::interface(model, equations));
  exec::Options options;
  options.backend = exec::Backend::interpreter;
  exec::Kernel kernel = exec::load(program, options);
  std::vector<std::string> names;
  for (const mech::Constraint& c : model.constraints()) names.push_back(c.name + unit);
  mechanism::Mechanism mechanism(kernel.abi(), names);
  return {std::move(kernel), std::move(mechanism)};
}

inline constexpr double gravity = 9.81;

inline void add_gravity(mech::Model& m) {
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -gravity));
}

// A mass of 2 kg on a massless rod of 0.7 m; theta = 0 hangs down.
inline Simulated pendulum() {
  mech::Model m("pendulum");
  const auto theta = m.coordinate("theta");
  const mech::Expr l = m.parameter("l", 0.7), mass = m.parameter("mass", 2);
  const mech::Base B = m.rotation("B", m.ground_base(), mech::axis::y, theta.q);
  const mech::Point P = m.point("P", m.origin(), m.vector(B, 0, 0, -l));
  m.body("bob", P, B, mass);
  add_gravity(m);
  const std::vector<mech::Expr> height{-l * cos(theta.q)};
  m.output("height", height);
  return simulated(m);
}

// Period of the pendulum for an amplitude below pi: 4 K(sin(amplitude / 2)) sqrt(l / g), K by the
// arithmetic-geometric mean.
inline double pendulum_period(double amplitude, double l = 0.7) {
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 40; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::acos(-1.0) / a * std::sqrt(l / gravity);
}

// The same pendulum as a free point mass in a plane, held by a rod; and if asked for, held by the
// same rod again, scaled by a number.
inline Simulated rod_pendulum(double again = 0) {
  mech::Model m("rod_pendulum");
  const auto x = m.coordinate("x"), z = m.coordinate("z", -0.7);
  const mech::Point P = m.point("P", m.origin(), m.vector(m.ground_base(), x.q, 0, z.q));
  m.body("bob", P, m.ground_base(), 2.0);
  add_gravity(m);
  mech::distance(m, "rod", m.origin(), P, 0.7);
  if (again != 0) m.constrain("rod_again", m.number(again) * m.constraints()[0].phi);
  return simulated(m);
}

struct FourBar {
  double ground = 0.5, crank = 0.15, coupler = 0.45, rocker = 0.35;  // m
};

// Four-bar linkage in the xz plane, angles absolute: crank a from O, coupler b, rocker c from the
// ground pivot; the loop closes at the joint of coupler and rocker.
inline Simulated four_bar(const FourBar& length = {}) {
  mech::Model m("four_bar");
  const auto a = m.coordinate("a", 0.5), b = m.coordinate("b", -0.4), c = m.coordinate("c", -1.2);
  const mech::Base ground = m.ground_base();
  // rotations about y take x to -z
  const mech::Base A = m.rotation("A", ground, mech::axis::y, -a.q);
  const mech::Base B = m.rotation("B", ground, mech::axis::y, -b.q);
  const mech::Base C = m.rotation("C", ground, mech::axis::y, -c.q);
  const mech::Expr la = m.parameter("crank", length.crank),
                   lb = m.parameter("coupler", length.coupler),
                   lc = m.parameter("rocker", length.rocker),
                   ld = m.parameter("ground", length.ground);
  const mech::Point pivot = m.point("pivot", m.origin(), m.vector(ground, ld, 0, 0));
  const mech::Point P = m.point("P", m.origin(), m.vector(A, la, 0, 0));
  const mech::Point Q = m.point("Q", P, m.vector(B, lb, 0, 0));
  const mech::Point R = m.point("R", pivot, m.vector(C, lc, 0, 0));
  const auto rod = [&m](const char* name, mech::Point at, mech::Base base, const mech::Expr& l,
                        double mass) {
    const mech::Expr J = mass / 12 * l * l;
    m.body(name, at, base, mass, m.vector(base, l / 2, 0, 0), m.inertia(base, 0, J, J));
  };
  rod("crank", m.origin(), A, la, 0.3);
  rod("coupler", P, B, lb, 0.9);
  rod("rocker", pivot, C, lc, 0.7);
  add_gravity(m);
  mech::coincide_in_plane(m, "loop", Q, R, ground, mech::axis::y);
  return simulated(m);
}

}  // namespace klingel::physics
