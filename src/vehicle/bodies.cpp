// Bases, points and bodies of a block.
#include "vehicle/block.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

Base read_base(const Block& b, Table& t) {
  Base base{b.full_name(t), t.place(), b.name(NameKind::base, t, "parent", "ground"), {}};
  const int ways = (t.has("axis") || t.has("angle")) + t.has("euler_parameters") + t.has("matrix");
  if (ways != 1) t.fail("", "give exactly one of: axis and angle, euler_parameters, matrix");
  if (t.has("euler_parameters")) {
    base.turn = EulerParameters{b.array<4>(t, "euler_parameters")};
  } else if (t.has("matrix")) {
    base.turn = RotationMatrix{b.array<9>(t, "matrix")};
  } else if (const Value* axis = t.find("axis");
             axis != nullptr && axis->kind == Value::Kind::list) {
    base.turn = AxisRotation{b.triple(t, "axis", true), b.formula(t, "angle")};
  } else {
    base.turn = Rotation{b.axis(t, "axis"), b.formula(t, "angle")};
  }
  return base;
}

Body read_body(const Block& b, Table& t) {
  Body body{b.full_name(t),
            t.place(),
            b.point(t, "point"),
            b.base(t, "base"),
            b.formula(t, "mass"),
            b.triple(t, "com", false),
            {},
            false};
  if (t.has("inertia")) {
    const std::vector<Expression> I = b.formulas(t, "inertia");
    if (I.size() != 3 && I.size() != 6)
      t.fail("inertia",
             fmt::format("'inertia' must be a list of three formulas (xx, yy, zz) or six "
                         "(and xy, xz, yz), found {}",
                         I.size()));
    for (std::size_t i = 0; i < I.size(); ++i) body.inertia[i] = I[i];
  }
  const std::string words[] = {"com", "point"};
  body.about_point = t.word("about", words, "com") == "point";
  return body;
}

}  // namespace

void read_bodies(Block& b, Vehicle& vehicle) {
  for (Table& t : b.table.tables("base")) {
    vehicle.bases.push_back(read_base(b, t));
    refuse_unknown(t, "base");
  }
  for (Table& t : b.table.tables("point")) {
    vehicle.points.push_back({b.full_name(t), t.place(), b.name(NameKind::point, t, "parent", "O"),
                              b.name(NameKind::base, t, "base", "ground"),
                              b.triple(t, "r", false)});
    refuse_unknown(t, "point");
  }
  for (Table& t : b.table.tables("body")) {
    vehicle.bodies.push_back(read_body(b, t));
    refuse_unknown(t, "body");
  }
}

}  // namespace klingel::vehicle
