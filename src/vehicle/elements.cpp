// Force elements of a block; the words are those of mech/elements.hpp.
#include "vehicle/block.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

IsotropicSpring isotropic_spring(const Block& b, Table& t) {
  IsotropicSpring s{b.point(t, "from"),
                    b.point(t, "to"),
                    b.name(NameKind::base, t, "seen_from", "ground"),
                    b.formula(t, "stiffness"),
                    b.formula(t, "damping", 0),
                    std::nullopt,
                    b.name(NameKind::base, t, "preload_base", "ground")};
  if (t.has("preload")) s.preload = b.triple(t, "preload", true);
  return s;
}

LineSpring line_spring(const Block& b, Table& t) {
  return {b.point(t, "from"),
          b.point(t, "to"),
          b.formula(t, "stiffness"),
          b.formula(t, "damping", 0),
          b.formula(t, "natural_length", 0),
          b.formula(t, "preload", 0)};
}

Bushing bushing(const Block& b, Table& t) {
  const std::string from_base = b.base(t, "from_base");
  return {b.point(t, "from"),
          from_base,
          b.point(t, "to"),
          b.base(t, "to_base"),
          b.name(NameKind::base, t, "axes", from_base),
          b.triple(t, "stiffness", false),
          b.triple(t, "damping", false),
          b.triple(t, "turning_stiffness", false),
          b.triple(t, "turning_damping", false)};
}

TorsionSpring torsion_spring(const Block& b, Table& t) {
  const std::string from = b.base(t, "from");
  return {from,
          b.base(t, "to"),
          b.name(NameKind::base, t, "axis_base", from),
          b.direction(t, "axis"),
          b.formula(t, "angle"),
          b.formula(t, "stiffness"),
          b.formula(t, "damping", 0),
          b.formula(t, "rest", 0),
          b.formula(t, "preload", 0)};
}

Gear gear(const Block& b, Table& pair, const char* which) {
  Table t = pair.required_table(which);
  t.call(fmt::format("{}: gear {}", pair.what(), which));
  const Gear g{b.point(t, "point"), b.base(t, "base"), b.formula(t, "angle"),
               b.formula(t, "radius")};
  refuse_unknown(t, "gear");
  return g;
}

GearPair gear_pair(const Block& b, Table& t) {
  return {gear(b, t, "one"),         gear(b, t, "two"),      b.point(t, "mesh"),
          b.base(t, "line_base"),    b.direction(t, "line"), b.formula(t, "stiffness"),
          b.formula(t, "damping", 0)};
}

AppliedForce applied_force(const Block& b, Table& t) {
  return {b.point(t, "to"), b.name(NameKind::point, t, "from", ""),
          b.name(NameKind::base, t, "base", "ground"), b.triple(t, "force", true)};
}

AppliedTorque applied_torque(const Block& b, Table& t) {
  const std::string to = b.base(t, "to");
  return {to, b.name(NameKind::base, t, "from", ""), b.name(NameKind::base, t, "base", to),
          b.triple(t, "torque", true)};
}

}  // namespace

void read_elements(Block& b, Vehicle& vehicle) {
  const auto read = [&](const char* section, auto what) {
    for (Table& t : b.table.tables(section)) {
      vehicle.elements.push_back(
          {b.full_name(t), t.place(), t.boolean("stiff", false), what(b, t)});
      refuse_unknown(t, section);
    }
  };
  read("isotropic_spring", isotropic_spring);
  read("line_spring", line_spring);
  read("bushing", bushing);
  read("torsion_spring", torsion_spring);
  read("gear_pair", gear_pair);
  read("applied_force", applied_force);
  read("applied_torque", applied_torque);
}

}  // namespace klingel::vehicle
