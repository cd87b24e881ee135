// One add() per force element: from the element of the file to the call of mech. An element without
// its add() does not compile.
#include "model/elements.hpp"

#include "base/error.hpp"
#include "mech/elements.hpp"
#include "mech/suspension.hpp"

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

// Along the axis a file gives, or along the line between the points.
template <class Element>
mech::Stroke stroke_of(Parts& p, const std::string& name, const Element& s) {
  if (s.along.given() == s.axes.empty())
    base::fail("'axes' and 'along' belong together: an axis of a base, or neither of them");
  const mech::Point from = p.point(s.from), to = p.point(s.to);
  if (!s.along.given()) return mech::stroke_along_line(p.model(), name, from, to);
  return mech::stroke_along_axis(p.model(), name, from, to, p.base(s.axes), s.along.index);
}

std::optional<mech::Scalar> optional(Parts& p, const std::optional<vehicle::Expression>& e) {
  if (!e) return std::nullopt;
  return p.formula(*e);
}

template <class Element>
mech::DamperLaw damper_of(Parts& p, const Element& s) {
  mech::DamperLaw law;
  const bool damping = !(s.damping.is_number() && s.damping.number == 0);
  const bool slope = !(s.blow_off_damping.is_number() && s.blow_off_damping.number == 0);
  if (s.damper_curve.given() && (damping || s.blow_off))
    base::fail("a damper has either 'damper_curve' or 'damping' with 'blow_off'");
  if (s.blow_off && !damping) base::fail("'blow_off' needs 'damping', the slope below it");
  if (slope && !s.blow_off) base::fail("'blow_off_damping' needs 'blow_off', where it begins");
  if (s.damper_curve.given()) law.curve.emplace(s.damper_curve.points);
  law.damping = p.formula(s.damping);
  law.blow_off = optional(p, s.blow_off);
  law.blow_off_damping = p.formula(s.blow_off_damping);
  return law;
}

mech::SpringLaw::Stop stop_of(Parts& p, const vehicle::Strut& s) {
  if (s.stop_stiffness.is_number() && s.stop_stiffness.number == 0)
    base::fail("'clearance' needs 'stop_stiffness', the stiffness of the stop");
  const vehicle::Expression& pull = s.clearance ? *s.clearance : *s.push_clearance;
  const vehicle::Expression& push = s.push_clearance ? *s.push_clearance : *s.clearance;
  const Expr c_pull = p.formula(pull), c_push = p.formula(push);
  const Expr k = p.formula(s.stop_stiffness);
  return {c_pull, c_push, k, p.formula(s.stop_damping)};
}

void add(Parts& p, const std::string& name, const vehicle::Strut& s) {
  mech::SpringLaw spring;
  spring.stiffness = p.formula(s.stiffness);
  spring.preload = p.formula(s.preload);
  for (const vehicle::Expression& e : s.polynomial) spring.polynomial.push_back(p.formula(e));
  if (s.curve.given()) spring.curve.emplace(s.curve.points);
  if (s.clearance || s.push_clearance) spring.stop = stop_of(p, s);
  spring.rest = optional(p, s.rest);
  const mech::DamperLaw damper = damper_of(p, s);
  mech::strut(p.model(), stroke_of(p, name, s), spring, damper);
}

void add(Parts& p, const std::string& name, const vehicle::SeriesDamper& s) {
  const bool damping = !(s.damping.is_number() && s.damping.number == 0);
  if (!damping && !s.damper_curve.given())
    base::fail("a series damper needs 'damping' or 'damper_curve'");
  if (s.blow_off && s.blow_off_damping.is_number() && !(s.blow_off_damping.number > 0))
    base::fail("a series damper that blows off needs 'blow_off_damping' greater than zero");
  mech::SpringLaw beside;
  beside.stiffness = p.formula(s.stiffness);
  beside.preload = p.formula(s.preload);
  beside.rest = optional(p, s.rest);
  const mech::DamperLaw damper = damper_of(p, s);
  const Expr k = p.formula(s.end_stiffness);
  mech::series_damper(p.model(), stroke_of(p, name, s), k, damper, beside);
}

void add(Parts& p, const std::string& name, const vehicle::Friction& s) {
  const Expr force = p.formula(s.force), k = p.formula(s.stick_stiffness);
  if (!s.across.given()) {
    mech::friction(p.model(), {stroke_of(p, name, s)}, force, k);
    return;
  }
  if (s.along.given()) base::fail("friction is either 'along' an axis or 'across' it");
  if (s.axes.empty()) base::fail("'across' needs 'axes', the base of the axis");
  std::vector<mech::Stroke> strokes;
  constexpr const char* suffix[] = {".x", ".y", ".z"};
  for (int i = 0; i < 3; ++i) {
    if (i == s.across.index) continue;
    strokes.push_back(mech::stroke_along_axis(p.model(), name + suffix[i], p.point(s.from),
                                              p.point(s.to), p.base(s.axes), i));
  }
  mech::friction(p.model(), strokes, force, k);
}

void add(Parts& p, const std::string& name, const vehicle::FrictionTorque& s) {
  const Expr torque = p.formula(s.torque), k = p.formula(s.stick_stiffness);
  const mech::Stroke turn =
      mech::stroke_about_axis(p.model(), name, p.base(s.from), p.base(s.to), s.axis.index);
  mech::friction(p.model(), {turn}, torque, k);
}

void add(Parts& p, const std::string& name, const vehicle::AntiRollBar& s) {
  mech::Model& m = p.model();
  const auto link = [&](std::size_t i, const char* suffix) {
    return mech::stroke_along_axis(m, name + suffix, p.point(s.from[i]), p.point(s.to[i]),
                                   p.base(s.axes), s.along.index);
  };
  const mech::Stroke left = link(0, ".first"), right = link(1, ".second");
  const mech::Vector between = position(p.point(s.from[0]), p.point(s.from[1]));
  const Expr k = p.formula(s.stiffness), c = p.formula(s.damping);
  mech::anti_roll_bar(m, name, left, right, norm(between), k, c);
}

void add(Parts& p, const std::string& name, const vehicle::AirSpring& s) {
  const mech::Point from = p.point(s.from), to = p.point(s.to);
  const mech::Base axes = p.base(s.axes);
  const auto along = [&](int axis, const std::string& suffix) {
    return mech::stroke_along_axis(p.model(), name + suffix, from, to, axes, axis % 3);
  };
  constexpr const char* suffix[] = {".x", ".y", ".z"};
  const int axis = s.along.index, next = (axis + 1) % 3, last = (axis + 2) % 3;
  const mech::Stroke up = along(axis, suffix[axis]);
  const std::array<mech::Stroke, 2> across = {along(next, suffix[next]), along(last, suffix[last])};
  const Expr pressure = p.formula(s.pressure), outside = p.formula(s.outside_pressure);
  const Expr area = p.formula(s.area), change = p.formula(s.area_change);
  const Expr volume = p.formula(s.volume), reservoir = p.formula(s.reservoir);
  const Expr exponent = p.formula(s.exponent), orifice = p.formula(s.orifice_damping);
  const Expr shear = p.formula(s.shear_stiffness), damping = p.formula(s.shear_damping);
  mech::air_spring(
      p.model(), up, across,
      {pressure, outside, area, change, volume, reservoir, exponent, orifice, shear, damping});
}

}  // namespace

void add_element(Parts& parts, const vehicle::Element& element) {
  at(element.place,
     [&] { std::visit([&](const auto& what) { add(parts, element.name, what); }, element.what); });
}

}  // namespace klingel::model
