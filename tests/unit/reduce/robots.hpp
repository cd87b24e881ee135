// A textbook robot: the PUMA 560 by its joint axes, with masses and inertias that are all different
// from zero, so that nothing vanishes by chance.
#pragma once

#include <fmt/format.h>

#include "mech/model.hpp"

namespace klingel::test {

inline void build_puma(mech::Model& m) {
  using namespace mech;
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  // about x of the link before, then the joint about z: sine of the twist, offsets along x and z
  struct Joint {
    int twist;
    double a, d;
  };
  constexpr Joint joints[6] = {
      {0, 0, 0},  {-1, 0, 0.2435}, {0, 0.4318, -0.0934}, {1, -0.0203, 0.4331},
      {-1, 0, 0}, {1, 0, 0}};
  Base base = m.ground_base();
  Point P = m.origin();
  for (int i = 0; i < 6; ++i) {
    const Joint& j = joints[i];
    const std::string number = fmt::format("{}", i + 1);
    const auto q = m.coordinate("q" + number, 0.3 * i - 0.5);
    const int s = j.twist, c = s == 0 ? 1 : 0;
    Base before = base;
    if (s != 0) before = m.rotation_matrix("x" + number, base, {1, 0, 0, 0, c, -s, 0, s, c});
    const Base link = m.rotation("link" + number, before, axis::z, q.q);
    if (j.a != 0) P = m.point("A" + number, P, m.vector(base, j.a, 0, 0));
    if (j.d != 0) P = m.point("D" + number, P, m.vector(before, 0, 0, j.d));
    const auto p = [&](const char* name, double value) {
      return m.parameter(name + number, value);
    };
    const Expr x = p("x", 0.02 + 0.01 * i), y = p("y", 0.012 * i - 0.03),
               z = p("z", 0.05 - 0.013 * i);
    const Expr mass = p("m", 10 - 1.5 * i);
    const Expr xx = p("I_xx", 0.5 / (i + 1)), yy = p("I_yy", 0.45 / (i + 1)),
               zz = p("I_zz", 0.4 / (i + 1)), xy = p("I_xy", 0.01 / (i + 1)),
               xz = p("I_xz", -0.02 / (i + 1)), yz = p("I_yz", 0.015 / (i + 1));
    m.body("link" + number, P, link, mass, m.vector(link, x, y, z),
           m.inertia(link, xx, yy, zz, xy, xz, yz));
    base = link;
  }
}

}  // namespace klingel::test
