// Bases, points and bodies of a block.
#include "vehicle/keys.hpp"
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key base_keys[] = {
    name_key,
    key<&Base::parent>("parent", "-", "ground", "the base it turns in"),
    {"axis", "\"x\", \"y\", \"z\" or three", "-", "required with angle",
     "axis of rotation, components in the parent; it need not have length one"},
    {"angle", "formula", "rad", "required with axis", ""},
    {"euler_parameters", "four formulas", "-", "none",
     "e0 (scalar), e1, e2, e3 instead of axis and angle; add unit_norm"},
    {"matrix", "nine formulas", "-", "none",
     "instead of axis and angle: rows of R, components here to components in the parent"}};

constexpr Key point_keys[] = {
    name_key, key<&Point::parent>("parent", "-", "O", "the point it is measured from"),
    key<&Point::base>("base", "-", "ground", "base of r"),
    key<&Point::r>("r", "m", "0, 0, 0", "from the parent")};

constexpr Key body_keys[] = {
    name_key,
    key<&Body::point>("point", "-", required, "a point that moves with the body"),
    key<&Body::base>("base", "-", required, "the base the body turns with"),
    key<&Body::mass>("mass", "kg", required, "", Limit::no_source),
    key<&Body::com>("com", "m", "0, 0, 0", "from the point to the centre of mass, in the base"),
    key<&Body::inertia>("inertia", "kg m^2", "0, 0, 0",
                        "xx, yy, zz, and xy, xz, yz as entries of the tensor, in the base"),
    {"about", "\"com\" or \"point\"", "-", "com", "what the inertia is taken about"}};

void read_turn(const Block& b, Table& t, Base& base) {
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
}

template <class T>
T read_named(const Block& b, Table& t, const NominalValues& nominal) {
  const std::string name = b.full_name(t);
  T thing = read<T>(b, t, nominal);
  thing.name = name;
  thing.place = t.place();
  return thing;
}

}  // namespace

constinit const Section Base::table = {"base", "A base: three axes that turn together.", base_keys,
                                       "bases"};
constinit const Section Point::table = {"point", "A point.", point_keys, "points"};
constinit const Section Body::table = {"body", "A rigid body: a point, a base and mass.", body_keys,
                                       "rigid bodies"};

void read_bodies(const Block& b, const NominalValues& nominal, Vehicle& vehicle) {
  Table table = b.table;
  for (Table& t : table.tables("base")) {
    Base base = read_named<Base>(b, t, nominal);
    read_turn(b, t, base);
    vehicle.bases.push_back(std::move(base));
  }
  for (Table& t : table.tables("point")) vehicle.points.push_back(read_named<Point>(b, t, nominal));
  for (Table& t : table.tables("body")) {
    Body body = read_named<Body>(b, t, nominal);
    const std::string words[] = {"com", "point"};
    body.about_point = t.word("about", words, "com") == "point";
    vehicle.bodies.push_back(std::move(body));
  }
}

}  // namespace klingel::vehicle
