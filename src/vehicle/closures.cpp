// Constraints, outputs and wheelsets of a block.
#include "vehicle/block.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

Condition condition(const Block& b, Table& t) { return {b.formula(t, "phi")}; }

Coincide coincide(const Block& b, Table& t) {
  const std::array<std::string, 2> points = b.two_points(t, "points");
  return {points[0], points[1], b.name(NameKind::base, t, "base", "ground"),
          t.has("normal") ? b.axis(t, "normal") : -1};
}

Parallel parallel(const Block& b, Table& t) {
  return {b.base(t, "base"), b.base(t, "to_base"), b.axis(t, "axis"), b.axis(t, "to_axis")};
}

Distance distance(const Block& b, Table& t) {
  const std::array<std::string, 2> points = b.two_points(t, "points");
  return {points[0], points[1], b.formula(t, "length")};
}

UnitNorm unit_norm(const Block& b, Table& t) { return {b.array<4>(t, "euler_parameters")}; }

Output output(const Block& b, Table& t) {
  Output o{b.full_name(t), t.place(), Output::Measure::formulas, {}, "", "", "", ""};
  if (t.has("values") == t.has("measure")) t.fail("", "give exactly one of: values, measure");
  if (t.has("values")) {
    o.values = b.formulas(t, "values");
    return o;
  }
  const std::string words[] = {"position", "velocity", "angular_velocity"};
  const std::string measure = t.word("measure", words, "");
  o.measure = measure == words[0]   ? Output::Measure::position
              : measure == words[1] ? Output::Measure::velocity
                                    : Output::Measure::angular_velocity;
  const bool of_base = o.measure == Output::Measure::angular_velocity;
  const NameKind kind = of_base ? NameKind::base : NameKind::point;
  o.of = b.name(kind, t, "of");
  o.from = b.name(kind, t, "from", of_base ? "ground" : "O");
  o.seen_from = b.name(NameKind::base, t, "seen_from", "ground");
  o.base = b.name(NameKind::base, t, "base", "ground");
  return o;
}

Wheelset wheelset(const Block& b, Table& t, const NominalValues& nominal) {
  Wheelset w;
  if (!t.has("name") && b.scope.empty())
    t.fail("", "'name' is missing; only a wheelset in a group takes the name of the instance");
  w.name = t.has("name") ? b.full_name(t) : b.scope;
  t.call(fmt::format("wheelset '{}'", w.name));
  w.place = t.place();
  w.point = b.point(t, "point");
  w.base = b.base(t, "base");
  w.spinning_base = b.base(t, "spinning_base");
  w.spin = b.name(NameKind::coordinate, t, "spin");
  w.radius = nominal(b.formula(t, "radius"));
  if (!(w.radius > 0))
    t.fail("radius", fmt::format("'radius' must be greater than zero, found {}", w.radius));
  w.distance = b.formula(t, "distance");
  if (const double d = nominal(w.distance); !(d > 0))
    t.fail("distance", fmt::format("'distance' must be greater than zero, found {}", d));
  const std::string both = t.text("profile", "");
  w.profile_right = t.text("profile_right", both);
  w.profile_left = t.text("profile_left", both);
  if (w.profile_right.empty() || w.profile_left.empty())
    t.fail("", "'profile' is missing (or profile_right and profile_left)");
  return w;
}

}  // namespace

void read_closures(Block& b, Vehicle& vehicle, const NominalValues& nominal) {
  const auto read = [&](const char* section, auto what) {
    for (Table& t : b.table.tables(section)) {
      vehicle.constraints.push_back({b.full_name(t), t.place(), what(b, t)});
      refuse_unknown(t, section);
    }
  };
  read("constraint", condition);
  read("coincide", coincide);
  read("parallel", parallel);
  read("distance", distance);
  read("unit_norm", unit_norm);
  for (Table& t : b.table.tables("output")) {
    vehicle.outputs.push_back(output(b, t));
    refuse_unknown(t, "output");
  }
  for (Table& t : b.table.tables("wheelset")) {
    vehicle.wheelsets.push_back(wheelset(b, t, nominal));
    refuse_unknown(t, "wheelset");
  }
}

}  // namespace klingel::vehicle
