// One add() per force element: from the element of the file to the call of mech. An element without
// its add() does not compile.
#include "model/elements.hpp"

#include "mech/elements.hpp"

namespace klingel::model {
namespace {

using sym::Expr;

void add(Parts& p, const std::string& name, const vehicle::IsotropicSpring& s) {
  std::optional<mech::Vector> preload;
  if (s.preload) preload = p.vector(s.preload_base, *s.preload);
  const Expr k = p.formula(s.stiffness), c = p.formula(s.damping);
  mech::isotropic_spring(p.model(), name, p.point(s.from), p.point(s.to), k, c, p.base(s.seen_from),
                         preload);
}

void add(Parts& p, const std::string& name, const vehicle::LineSpring& s) {
  const Expr k = p.formula(s.stiffness), c = p.formula(s.damping);
  const Expr length = p.formula(s.natural_length), preload = p.formula(s.preload);
  mech::line_spring(p.model(), name, p.point(s.from), p.point(s.to), k, c, length, preload);
}

void add(Parts& p, const std::string& name, const vehicle::Bushing& s) {
  const mech::Bushing data{p.triple(s.stiffness), p.triple(s.damping),
                           p.triple(s.turning_stiffness), p.triple(s.turning_damping)};
  mech::bushing(p.model(), name, {p.point(s.from), p.base(s.from_base)},
                {p.point(s.to), p.base(s.to_base)}, p.base(s.axes), data);
}

void add(Parts& p, const std::string& name, const vehicle::TorsionSpring& s) {
  const mech::Vector axis = p.vector(s.axis_base, s.axis.components);
  const Expr angle = p.formula(s.angle), k = p.formula(s.stiffness), c = p.formula(s.damping);
  const Expr rest = p.formula(s.rest), preload = p.formula(s.preload);
  mech::torsion_spring(p.model(), name, p.base(s.from), p.base(s.to), axis, angle, k, c, rest,
                       preload);
}

mech::Gear gear(Parts& p, const vehicle::Gear& g) {
  return {{p.point(g.point), p.base(g.base)}, p.formula(g.angle), p.formula(g.radius)};
}

void add(Parts& p, const std::string& name, const vehicle::GearPair& g) {
  const mech::Gear one = gear(p, g.one), two = gear(p, g.two);
  const mech::Vector line = p.vector(g.line_base, g.line.components);
  const Expr k = p.formula(g.stiffness), c = p.formula(g.damping);
  mech::gear_pair(p.model(), name, one, two, p.point(g.mesh), line, k, c);
}

void add(Parts& p, const std::string& name, const vehicle::AppliedForce& f) {
  std::optional<mech::Point> from;
  if (!f.from.empty()) from = p.point(f.from);
  mech::applied_force(p.model(), name, p.vector(f.base, f.force), p.point(f.to), from);
}

void add(Parts& p, const std::string& name, const vehicle::AppliedTorque& t) {
  std::optional<mech::Base> from;
  if (!t.from.empty()) from = p.base(t.from);
  mech::applied_torque(p.model(), name, p.vector(t.base, t.torque), p.base(t.to), from);
}

}  // namespace

void add_element(Parts& parts, const vehicle::Element& element) {
  at(element.place,
     [&] { std::visit([&](const auto& what) { add(parts, element.name, what); }, element.what); });
}

}  // namespace klingel::model
