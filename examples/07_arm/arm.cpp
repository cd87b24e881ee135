// A robot arm with seven revolute joints, axes z y z y z y z, springs at the joints so that it
// swings.
#include <fmt/format.h>

#include "examples/mechanisms.hpp"
#include "mech/elements.hpp"

namespace klingel::examples {

void build_arm(mech::Model& m) {
  using namespace mech;
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -m.parameter("g", 9.81)));
  Base base = m.ground_base();
  Point point = m.origin();
  for (int i = 1; i <= 7; ++i) {
    const int k = i % 2 == 1 ? axis::z : axis::y;
    const auto q = m.coordinate(fmt::format("q{}", i), 0.2 * i - 0.7);
    const Expr l = m.parameter(fmt::format("l{}", i), 0.35 - 0.03 * i);
    const Expr mass = m.parameter(fmt::format("m{}", i), 6.0 - 0.6 * i);
    const Expr I = m.parameter(fmt::format("I{}", i), 0.05 / i);      // across the link
    const Expr I_l = m.parameter(fmt::format("I_l{}", i), 0.01 / i);  // along it
    const Expr K = m.parameter(fmt::format("K{}", i), 60.0 / i),
               D = m.parameter(fmt::format("D{}", i), 2.0 / i);
    const Base link = m.rotation(fmt::format("link{}", i), base, k, q.q);
    m.body(fmt::format("link{}", i), point, link, mass, m.vector(link, 0.01, 0, l / 2),
           m.inertia(link, I, I, I_l));
    torsion_spring(m, fmt::format("joint{}", i), base, link, m.axis_vector(link, k), q.q, K, D);
    point = m.point(fmt::format("P{}", i), point, m.vector(link, 0, 0, l));
    base = link;
  }
}

}  // namespace klingel::examples
