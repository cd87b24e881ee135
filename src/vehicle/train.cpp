#include "vehicle/train.hpp"

#include <algorithm>
#include <cmath>

#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

namespace fs = std::filesystem;

constexpr const char* front_point = "front_coupler";
constexpr const char* rear_point = "rear_coupler";

std::string count_name(const std::string& unit) { return joined(unit, "count"); }

std::string coupler_name(std::size_t in_front) { return fmt::format("coupler{}", in_front + 1); }

bool begins(const std::string& unit, const std::string& name) {
  return name.compare(0, unit.size(), unit) == 0 &&
         (name.size() == unit.size() || name[unit.size()] == '.');
}
bool belongs(const UnitFile& unit, const std::string& name) { return begins(unit.name, name); }

// a vehicle beside the train's file, or a shipped one
fs::path path_of(Table& t, const Document& train) {
  try {
    return find_vehicle(t.text("vehicle"), train.folder());
  } catch (const base::Error& e) {
    base::fail_at(t.place("vehicle"), "{}: {}", t.what(), e.what());
  }
}

// how many units a table describes, zero: one without a number. A count can be set from outside
// like a parameter, "coach.count", and is then no longer among the overrides.
std::int64_t count_of(Table& t, const std::string& name, Overrides& overrides) {
  if (!t.has("count")) return 0;
  double count = static_cast<double>(t.integer("count"));
  base::Place place = t.place("count");
  if (const auto outside = overrides.find(count_name(name)); outside != overrides.end()) {
    const Value& value = outside->second;
    place = value.place;
    count = value.kind == Value::Kind::text ? NominalValues({})(parse_expression(value.text, place))
                                            : value.number;
    overrides.erase(outside);
  }
  constexpr double most = 1000;  // more is a mistake rather than a train
  if (!(count >= 1 && count <= most && count == std::floor(count)))
    base::fail_at(place, "{}: 'count' must be a whole number from 1 to {}, found {:g}", t.what(),
                  most, count);
  return static_cast<std::int64_t>(count);
}

std::vector<std::string> names_of(Table& t, Overrides& overrides) {
  const std::string name = t.text("name");
  check_identifier(t, name, "unit");
  const std::int64_t count = count_of(t, name, overrides);
  if (count == 0) return {name};
  std::vector<std::string> names;
  for (std::int64_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", name, i));
  return names;
}

// points a unit stands on move with it; one fixed to the ground would stay where it is
void refuse_ground(const UnitFile& unit, const std::string& point, const char* what,
                   const std::string& name, const base::Place& place) {
  if (point != "O") return;
  base::fail_at(
      unit.table.place("vehicle"),
      "the vehicle of the unit '{}' is attached to the ground by its {} '{}' ({}); a unit "
      "of a train must be movable along the track",
      unit.name, what, name, base::text(place));
}

template <class Thing>
void refuse_ground(const UnitFile& unit, const Thing& thing, const char* what) {
  for (const std::string& point : points_of(thing))
    refuse_ground(unit, point, what, thing.name, thing.place);
}

class Train {
 public:
  Train(Table root, const std::vector<UnitFile>& units, const std::vector<UnitHeading>& headings,
        const Names& names, const NominalValues& nominal, Vehicle& vehicle)
      : root_(std::move(root)),
        units_(units),
        headings_(headings),
        names_(names),
        nominal_(nominal),
        v_(vehicle) {}

  void join() {
    take_gravity();
    take_material();
    take_profiles();
    if (!v_.reference) v_.reference = headings_[0].reference;
    std::vector<Triple> front, rear;
    for (std::size_t k = 0; k < units_.size(); ++k) {
      check_free(units_[k]);
      Table t = units_[k].table;
      if (const std::string counted = count_name(t.text("name")); t.has("count"))
        if (v_.counts.empty() || v_.counts.back() != counted) v_.counts.push_back(counted);
      front.push_back(end_point(k, "front", front_point));
      rear.push_back(end_point(k, "rear", rear_point));
      v_.units.push_back({units_[k].name, headings_[k].reference.value_or(Reference{})});
    }
    if (std::optional<Table> t = root_.table("coupler")) couple(*t, front, rear);
  }

 private:
  // the train's own, or that of its units if they agree
  void take_gravity() {
    if (root_.required_table("vehicle").has("gravity")) return;
    for (std::size_t k = 0; k < units_.size(); ++k) {
      const Triple g = headings_[k].gravity.value_or(Vehicle().gravity);
      if (k == 0) v_.gravity = g;
      for (std::size_t i = 0; i < 3; ++i)
        if (nominal_(g[i]) != nominal_(v_.gravity[i]))
          base::fail_at(
              units_[k].table.place(),
              "the unit '{}' has the gravity {:g} m/s^2, '{}' has {:g}: set the same value "
              "in 'parameters', or 'gravity' in [vehicle] of the train",
              units_[k].name, -nominal_(g[i]), units_[0].name, -nominal_(v_.gravity[i]));
    }
  }

  void take_material() {
    if (root_.has("material")) return;
    v_.material = read_material(units_[0].chain);
    for (const UnitFile& unit : units_) {
      const Material m = read_material(unit.chain);
      if (m.E != v_.material.E || m.poisson != v_.material.poisson || m.G != v_.material.G)
        base::fail_at(unit.table.place(),
                      "the units '{}' and '{}' have wheels of different material: add [material] "
                      "to the train",
                      units_[0].name, unit.name);
    }
  }

  // files of profiles are relative to the unit's file, not the train's
  void take_profiles() {
    for (const UnitFile& unit : units_) {
      for (Wheelset& w : v_.wheelsets) {
        if (!belongs(unit, w.name)) continue;
        for (std::string* profile : {&w.profile_right, &w.profile_left}) {
          std::error_code ignored;
          const fs::path beside = unit.chain.front().folder() / *profile;
          if (fs::is_regular_file(beside, ignored)) *profile = fs::absolute(beside).string();
        }
      }
    }
  }

  void check_free(const UnitFile& unit) const {
    for (const Element& e : v_.elements)
      if (belongs(unit, e.name)) refuse_ground(unit, e, "element");
    for (const Constraint& c : v_.constraints)
      if (belongs(unit, c.name)) refuse_ground(unit, c, "constraint");
  }

  // where a coupler takes hold of a unit, as a point of its reference body
  Triple end_point(std::size_t k, const char* key, const char* name) {
    const UnitFile& unit = units_[k];
    Table t = unit.table;
    if (!t.has(key)) return {};
    const std::optional<Reference>& reference = headings_[k].reference;
    if (!reference || reference->coordinates[0].empty())
      t.fail("vehicle", fmt::format("the vehicle of the unit '{}' cannot be coupled: it names no "
                                    "reference body with a coordinate x; add [reference] to {}",
                                    unit.name, unit.whole().file()));
    const auto body = std::find_if(v_.bodies.begin(), v_.bodies.end(),
                                   [&](const Body& b) { return b.name == reference->body; });
    const Triple r = Block{t, unit.name, &names_}.triple(t, key, true);
    v_.points.push_back({joined(unit.name, name), t.place(key), body->point, body->base, r});
    return r;
  }

  void couple(Table& t, const std::vector<Triple>& front, const std::vector<Triple>& rear) {
    t.call("the coupler");
    Coupler coupler;
    read_keys({Block{t, "", &names_}, t, nominal_, section("coupler")}, coupler);
    const bool stiff = t.boolean("stiff", false);
    const double length = nominal_(coupler.length);
    if (coupler.slack && coupler.preload.kind == Expression::Kind::number &&
        coupler.preload.number != 0)
      t.fail("preload", "a coupler with slack has no force at its length: remove 'preload'");
    double offset = 0;  // of a unit's origin from that of the first
    for (std::size_t k = 1; k < units_.size(); ++k) {
      const std::size_t before = k - 1;
      offset += x_of(before) + nominal_(rear[before][0]) - length - nominal_(front[k][0]) - x_of(k);
      const PointName from{joined(units_[before].name, rear_point)};
      const PointName to{joined(units_[k].name, front_point)};
      v_.elements.push_back({coupler_name(before), t.place(), stiff, element(coupler, from, to)});
      offsets_.push_back({k, offset});
    }
    for (const auto& [k, by] : offsets_) move(units_[k], by);
  }

  static ElementData element(const Coupler& c, const PointName& from, const PointName& to) {
    if (!c.slack && !c.curve.given())
      return LineSpring{from, to, c.stiffness, c.damping, c.length, c.preload};
    Strut strut;
    strut.from = from, strut.to = to;
    strut.rest = c.length;
    strut.preload = c.preload;
    strut.curve = c.curve;
    if (c.slack) {
      Expression half;
      half.kind = Expression::Kind::divide;
      half.arguments = {*c.slack, 2.0};
      half.place = c.slack->place;
      strut.clearance = half;
      strut.stop_stiffness = c.stiffness, strut.stop_damping = c.damping;
    } else {
      strut.stiffness = c.stiffness, strut.damping = c.damping;
    }
    return strut;
  }

  Coordinate& coordinate(const std::string& name) const {
    return *std::find_if(v_.coordinates.begin(), v_.coordinates.end(),
                         [&](const Coordinate& c) { return c.name == name; });
  }
  // of the reference body, in the unit's own drawing
  double x_of(std::size_t k) const {
    return coordinate(headings_[k].reference->coordinates[0]).value;
  }

  // coordinates that are x of points against the ground
  void move(const UnitFile& unit, double by) {
    std::vector<std::string> moved;
    for (const Point& p : v_.points) {
      if (p.parent != "O" || !belongs(unit, p.name)) continue;
      const bool plain = p.base == "ground" && p.r[0].kind == Expression::Kind::name;
      const auto known = [&] {
        return std::any_of(v_.coordinates.begin(), v_.coordinates.end(),
                           [&](const Coordinate& c) { return c.name == p.r[0].name; });
      };
      if (!plain || !known())
        base::fail_at(unit.table.place("vehicle"),
                      "the vehicle of the unit '{}' cannot be moved along the track: its point "
                      "'{}' ({}) is fixed to the ground, and its x is not a coordinate",
                      unit.name, p.name, base::text(p.place));
      if (std::find(moved.begin(), moved.end(), p.r[0].name) != moved.end()) continue;
      moved.push_back(p.r[0].name);
      coordinate(p.r[0].name).value += by;
    }
  }

  Table root_;
  const std::vector<UnitFile>& units_;
  const std::vector<UnitHeading>& headings_;
  const Names& names_;
  const NominalValues& nominal_;
  Vehicle& v_;
  std::vector<std::pair<std::size_t, double>> offsets_;
};

}  // namespace

const Unit* unit_of(const Vehicle& vehicle, const std::string& name) {
  for (const Unit& unit : vehicle.units)
    if (begins(unit.name, name)) return &unit;
  return nullptr;
}

std::vector<UnitFile> units_of(const Document& file, Overrides& overrides) {
  std::vector<UnitFile> units;
  Table root = file.root();
  for (Table& t : root.tables("unit")) {
    const Document vehicle = Document::load(path_of(t, file));
    for (const std::string& name : names_of(t, overrides)) {
      for (const UnitFile& other : units)
        if (other.name == name)
          t.fail("name", fmt::format("the unit '{}' exists already at line {}", name,
                                     other.table.place().line));
      // what the train says is further outside than what the unit's file extends
      if (std::optional<Table> values = t.table("parameters"))
        for (const std::string& p : values->keys())
          overrides.emplace(joined(name, p), *values->find(p));
      units.push_back({name, t, extensions(vehicle, name, overrides)});
    }
    Table whole = units.back().whole().root();
    if (whole.has("unit"))
      t.fail("vehicle",
             fmt::format("'{}' is a train itself; list its units here instead", t.text("vehicle")));
    for (const char* key : {"front", "rear"}) t.has(key);
    refuse_unknown(t, "unit");
  }
  if (units.empty()) {
    if (root.has("coupler")) root.fail("coupler", "a [coupler] joins units: add [[unit]]");
    return units;
  }
  if (units.size() < 2) return units;
  root.required_table("coupler");
  for (std::size_t k = 0; k < units.size(); ++k) {
    const auto need = [&](const char* key) {
      if (!units[k].table.has(key))
        units[k].table.fail("", fmt::format("'{}' is missing: where the coupler is attached, three "
                                            "formulas from the point of the reference body",
                                            key));
    };
    if (k > 0) need("front");
    if (k + 1 < units.size()) need("rear");
  }
  return units;
}

void declare_couplers(Table train, const std::vector<UnitFile>& units, Names& names) {
  for (const UnitFile& unit : units) {
    Table t = unit.table;
    if (t.has("front")) names.declare(NameKind::point, unit.name, front_point, t.place("front"));
    if (t.has("rear")) names.declare(NameKind::point, unit.name, rear_point, t.place("rear"));
  }
  for (std::size_t k = 0; k + 1 < units.size(); ++k)
    names.declare(NameKind::element, "", coupler_name(k), train.place("coupler"));
}

void join_units(Table train, const std::vector<UnitFile>& units,
                const std::vector<UnitHeading>& headings, const Names& names,
                const NominalValues& nominal, Vehicle& vehicle) {
  Train(std::move(train), units, headings, names, nominal, vehicle).join();
}

}  // namespace klingel::vehicle
