// Crank, connecting rod and piston. The tree is cut at the piston pin and closed by two
// constraints.
#include "examples/mechanisms.hpp"
#include "mech/closures.hpp"
#include "mech/elements.hpp"

namespace klingel::examples {

void build_slider_crank(mech::Model& m) {
  using namespace mech;
  const auto phi = m.coordinate("phi", 0.6, 10);                    // crank
  const auto psi = m.coordinate("psi", -0.2);                       // rod
  const auto x = m.coordinate("x", 0.35);                           // piston
  const Expr r = m.parameter("r", 0.1), l = m.parameter("l", 0.3);  // m
  const Expr m_crank = m.parameter("m_crank", 1.0), m_rod = m.parameter("m_rod", 0.5),
             m_piston = m.parameter("m_piston", 0.4);
  const Expr I_crank = m.parameter("I_crank", 2e-3), I_rod = m.parameter("I_rod", 4e-3);
  const Expr torque = m.input("torque", 0);

  const Base crank = m.rotation("crank", m.ground_base(), axis::y, -phi.q);
  const Base rod = m.rotation("rod", m.ground_base(), axis::y, -psi.q);
  const Point A = m.point("A", m.origin(), m.vector(crank, r, 0, 0));
  const Point B = m.point("B", A, m.vector(rod, l, 0, 0));
  const Point P = m.point("P", m.origin(), m.vector(m.ground_base(), x.q, 0, 0));
  m.body("crank", m.origin(), crank, m_crank, m.vector(crank, r / 2, 0, 0),
         m.inertia(crank, I_crank, I_crank, I_crank));
  m.body("rod", A, rod, m_rod, m.vector(rod, l / 2, 0, 0), m.inertia(rod, I_rod, I_rod, I_rod));
  m.body("piston", P, m.ground_base(), m_piston);
  applied_torque(m, "torque", m.vector(crank, 0, -torque, 0), crank);
  coincide_in_plane(m, "pin", B, P, m.ground_base(), axis::y);
}

}  // namespace klingel::examples
