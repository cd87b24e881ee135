// One add() per constraint, as in elements.cpp.
#include "model/constraints.hpp"

#include "mech/closures.hpp"

namespace klingel::model {
namespace {

void add(Parts& p, const std::string& name, const vehicle::Condition& c) {
  p.model().constrain(name, p.formula(c.phi));
}

void add(Parts& p, const std::string& name, const vehicle::Coincide& c) {
  if (!c.normal.given())
    mech::coincide(p.model(), name, p.point(c.points[0]), p.point(c.points[1]), p.base(c.base));
  else
    mech::coincide_in_plane(p.model(), name, p.point(c.points[0]), p.point(c.points[1]),
                            p.base(c.base), c.normal.index);
}

void add(Parts& p, const std::string& name, const vehicle::Parallel& c) {
  mech::parallel(p.model(), name, p.model().axis_vector(p.base(c.base), c.axis.index),
                 p.base(c.to_base), c.to_axis.index);
}

void add(Parts& p, const std::string& name, const vehicle::Distance& c) {
  mech::distance(p.model(), name, p.point(c.points[0]), p.point(c.points[1]), p.formula(c.length));
}

void add(Parts& p, const std::string& name, const vehicle::UnitNorm& c) {
  mech::unit_norm(p.model(), name, p.four(c.e));
}

}  // namespace

void add_constraint(Parts& parts, const vehicle::Constraint& constraint) {
  at(constraint.place, [&] {
    std::visit([&](const auto& what) { add(parts, constraint.name, what); }, constraint.what);
  });
}

}  // namespace klingel::model
