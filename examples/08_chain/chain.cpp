// A chain of n links, each turning in the plane against the one before: how costs grow with n.
#include <fmt/format.h>

#include "examples/mechanisms.hpp"

namespace klingel::examples {

void build_chain(mech::Model& m) {
  using namespace mech;
  constexpr int n = 20;
  const Expr l = m.parameter("l", 0.1), mass = m.parameter("m", 0.2), g = m.parameter("g", 9.81);
  const Expr I = mass * l * l / 12;
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -g));
  Base base = m.ground_base();
  Point point = m.origin();
  for (int i = 1; i <= n; ++i) {
    const auto q = m.coordinate(fmt::format("q{}", i), i == 1 ? 1.0 : 0.02);
    base = m.rotation(fmt::format("b{}", i), base, axis::y, q.q);
    m.body(fmt::format("link{}", i), point, base, mass, m.vector(base, 0, 0, -l / 2),
           m.inertia(base, I, I, 0));
    point = m.point(fmt::format("P{}", i), point, m.vector(base, 0, 0, -l));
  }
}

}  // namespace klingel::examples
