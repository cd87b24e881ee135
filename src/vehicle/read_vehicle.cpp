// From a vehicle file to a Vehicle: names first (instances.hpp), then contents, then what concerns
// the vehicle as a whole.
#include <algorithm>
#include <set>

#include "base/lookup.hpp"
#include "base/nearest.hpp"
#include "vehicle/keys.hpp"
#include "vehicle/parameter_units.hpp"
#include "vehicle/reductions.hpp"
#include "vehicle/train.hpp"

namespace klingel::vehicle {
namespace {

namespace fs = std::filesystem;
constexpr int format_version = 1;

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& t : things) names.push_back(t.name);
  return names;
}

void read_values(const Instances& all, Vehicle& v) {
  for (const Instances::Pending& p : all.parameters)
    v.parameters.push_back(
        {p.name, p.value->place,
         all.names.expression(*p.value, p.scope, fmt::format("the parameter '{}'", p.name))});
}

// coordinates and inputs: a value, or a table with the value and something more
void read_coordinates(const Instances& all, const NominalValues& nominal, Vehicle& v) {
  const auto number = [&](const Value& value, const Instances::Pending& p) {
    return nominal(all.names.expression(value, p.scope, fmt::format("'{}'", p.name)));
  };
  const auto table_of = [](const Instances::Pending& p) {
    return Table({std::shared_ptr<const void>(), p.value}, fmt::format("'{}'", p.name));
  };
  for (const Instances::Pending& p : all.coordinates) {
    Coordinate c{p.name, p.value->place, 0, 0};
    if (p.value->kind == Value::Kind::table) {
      Table t = table_of(p);
      if (const Value* value = t.find("value")) c.value = number(*value, p);
      if (const Value* rate = t.find("rate")) c.rate = number(*rate, p);
      refuse_unknown(t, "coordinates");
    } else {
      c.value = number(*p.value, p);
    }
    v.coordinates.push_back(c);
  }
  for (const Instances::Pending& p : all.inputs) {
    Input i{p.name, p.value->place, 0, "", {}};
    if (p.value->kind == Value::Kind::table) {
      Table t = table_of(p);
      if (const Value* value = t.find("value")) i.value = number(*value, p);
      i.unit = t.text("unit", "");
      if (t.has("slider")) {
        const std::vector<double> ends = t.numbers("slider");
        if (ends.size() != 2 || !(ends[0] < ends[1]))
          t.fail("slider", "'slider' must be two ascending numbers: the ends of the slider");
        i.slider = {ends[0], ends[1]};
      }
      refuse_unknown(t, "inputs");
    } else {
      i.value = number(*p.value, p);
    }
    v.inputs.push_back(i);
  }
}

// The given order must name every coordinate of the file once; those that an extending
// file adds come after them.
void order_coordinates(Table& t, const std::string& scope, const std::set<std::string>& added,
                       Vehicle& v) {
  if (!t.has("order")) return;
  const std::vector<std::string> order = t.texts("order");
  const std::string prefix = joined(scope, "");
  const auto first = std::find_if(
      v.coordinates.begin(), v.coordinates.end(),
      [&](const Coordinate& c) { return c.name.compare(0, prefix.size(), prefix) == 0; });
  const auto last = std::find_if(first, v.coordinates.end(), [&](const Coordinate& c) {
    return c.name.compare(0, prefix.size(), prefix) != 0;
  });
  std::vector<Coordinate> own, sorted, behind;
  for (auto c = first; c != last; ++c) (added.count(c->name) > 0 ? behind : own).push_back(*c);
  for (const std::string& name : order) {
    const auto it = std::find_if(
        own.begin(), own.end(), [&](const Coordinate& c) { return c.name == joined(scope, name); });
    if (it == own.end())
      t.fail("order", fmt::format("'order' names '{}', which is not a coordinate{}", name,
                                  base::did_you_mean(name, names_of(own))));
    if (std::count(order.begin(), order.end(), name) > 1)
      t.fail("order", fmt::format("'order' names '{}' twice", name));
    sorted.push_back(*it);
  }
  for (const Coordinate& c : own)
    if (std::find(order.begin(), order.end(), c.name.substr(prefix.size())) == order.end())
      t.fail("order", fmt::format("'order' does not name the coordinate '{}'", c.name));
  std::copy(behind.begin(), behind.end(), std::copy(sorted.begin(), sorted.end(), first));
}

std::optional<Reference> read_reference(Table root, const std::string& scope, const Names& names,
                                        const NominalValues& nominal) {
  std::optional<Table> t = root.table("reference");
  if (!t) return {};
  Reference r = read<Reference>(Block{*t, scope, &names}, *t, nominal);
  const std::vector<std::string> coordinates = t->texts("coordinates");
  if (!coordinates.empty() && coordinates.size() != 6)
    t->fail("coordinates", fmt::format("'coordinates' must be a list of six names (x, y, z, roll, "
                                       "pitch, yaw), found {}",
                                       coordinates.size()));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i].empty()) continue;
    r.coordinates[i] =
        names.resolve(NameKind::coordinate, scope, coordinates[i], t->place("coordinates"));
  }
  return r;
}

// parents must lead to the ground: points of points of ... of themselves have no place
template <class Things>
void refuse_circles(const Things& things, const char* what, const std::string& root) {
  std::map<std::string, const typename Things::value_type*> by_name;
  for (const auto& t : things) by_name[t.name] = &t;
  std::set<std::string> fine = {root};
  for (const auto& t : things) {
    std::vector<std::string> path;
    for (std::string at = t.name; fine.count(at) == 0; at = by_name.at(at)->parent.text) {
      if (std::find(path.begin(), path.end(), at) != path.end()) {
        std::string circle;
        for (const std::string& p : path) circle += p + " -> ";
        base::fail_at(t.place, "the {} '{}' is its own ancestor: {}{}", what, at, circle, at);
      }
      path.push_back(at);
    }
    fine.insert(path.begin(), path.end());
  }
}

void refuse_twins(const std::vector<Wheelset>& wheelsets) {
  for (std::size_t i = 0; i < wheelsets.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (wheelsets[i].name == wheelsets[k].name)
        base::fail_at(wheelsets[i].place, "the wheelset '{}' exists already at line {}",
                      wheelsets[i].name, wheelsets[k].place.line);
}

// What a file says about the vehicle as a whole; of the file asked for name and description are
// kept, too.
UnitHeading read_heading(const Document& file, const std::string& scope, const Instances& all,
                         const NominalValues& nominal, Vehicle& v) {
  Table root = file.root();
  UnitHeading heading;
  Table t = root.required_table("vehicle");
  const std::string name = t.text("name"), about = t.text("about", "");
  check_identifier(t, name, "vehicle");
  if (scope.empty()) v.name = name, v.about = about;
  if (const std::int64_t format = t.integer("format", format_version); format != format_version)
    t.fail("format",
           fmt::format("this is format {}, this program reads format {}", format, format_version));
  const Block top{t, scope, &all.names};
  if (const Value* g = t.find("gravity"); g != nullptr && g->kind == Value::Kind::list) {
    heading.gravity = top.triple(t, "gravity", true);
  } else if (g != nullptr) {
    Expression down;
    down.kind = Expression::Kind::negate;
    down.arguments = {top.formula(t, "gravity")};
    heading.gravity = {0.0, 0.0, down};
  }
  std::set<std::string> added;
  for (const Instances::Pending& p : all.coordinates)
    if (p.added) added.insert(p.name);
  order_coordinates(t, scope, added, v);
  if (t.boolean("exact_tangents", false)) v.exact_tangents = true;
  refuse_unknown(t, "vehicle");
  heading.reference = read_reference(root, scope, all.names, nominal);
  for (const char* key : {"extends", "material", "model", "unit", "coupler"}) root.find(key);
  refuse_unknown(root, "file");
  return heading;
}

Vehicle read_whole(const Chain& chain, Overrides overrides) {
  const Document& file = chain.back();
  Table root = file.root();
  const std::vector<UnitFile> units = units_of(file, overrides);
  Instances all(chain, overrides);
  for (const UnitFile& unit : units) all.declare_unit(unit.chain, unit.name);
  declare_couplers(root, units, all.names);
  all.refuse_unused();
  Vehicle v;
  v.file = file.file();
  v.folder = file.folder();
  read_values(all, v);
  NominalValues nominal(v.parameters);
  nominal.limits = &v.limits;
  std::vector<FormulaOfKey> formulas;
  nominal.formulas = &formulas;
  read_coordinates(all, nominal, v);
  for (const Block& block : all.blocks) {
    read_bodies(block, nominal, v);
    read_elements(block, nominal, v);
    read_constraints(block, nominal, v);
    read_outputs(block, v);
    read_sensors(block, v);
    read_shapes(block, nominal, v);
    read_wheelsets(block, nominal, v);
  }
  std::vector<UnitHeading> headings;
  for (const UnitFile& unit : units)
    headings.push_back(read_heading(unit.whole(), unit.name, all, nominal, v));
  const UnitHeading own = read_heading(file, "", all, nominal, v);
  if (own.gravity) v.gravity = *own.gravity;
  v.reference = own.reference;
  v.material = read_material(root, {});
  read_reductions(root, v);
  if (!units.empty()) join_units(root, units, headings, all.names, nominal, v);
  refuse_circles(v.bases, "base", "ground");
  refuse_circles(v.points, "point", "O");
  refuse_twins(v.wheelsets);
  for (const Expression& g : v.gravity) formulas.push_back({g, "m/s2"});
  v.parameter_units = parameter_units(formulas, v.parameters);
  v.time = all.names.time();
  v.warnings = all.warnings;
  return v;
}

// a file that changes another one: what the outer file says about the whole wins
Vehicle read(const Document& file, Overrides overrides) {
  const Chain chain = extensions(file, "", overrides);
  Vehicle v = read_whole(chain, std::move(overrides));
  for (std::size_t i = chain.size() - 1; i-- > 0;) {
    Table root = chain[i].root();
    if (std::optional<Table> t = root.table("vehicle")) {
      v.name = t->text("name", v.name);
      check_identifier(*t, v.name, "vehicle");
      v.about = t->text("about", v.about);
      v.exact_tangents = t->boolean("exact_tangents", v.exact_tangents);
      for (const char* key : {"order", "gravity", "format"})
        if (t->has(key))
          t->fail(key, fmt::format("'{}' is only allowed in the file that is extended", key));
      refuse_unknown(*t, "vehicle");
    }
    v.material = read_material(root, v.material);
    read_reductions(root, v);
  }
  v.file = file.file();
  v.folder = file.folder();
  return v;
}

Overrides overrides_of(const std::vector<Setting>& settings) {
  Overrides overrides;
  for (const Setting& s : settings) {
    Value value;
    value.kind = Value::Kind::text;
    value.text = s.value;
    value.place.file = fmt::format("{}={}", s.name, s.value);
    overrides[s.name] = value;
  }
  return overrides;
}

}  // namespace

Vehicle parse_vehicle(std::string_view text, const std::string& file,
                      const std::vector<Setting>& settings) {
  return read(Document::parse(text, file), overrides_of(settings));
}

fs::path find_vehicle(const std::string& name, const fs::path& folder) {
  return base::find_file(base::vehicles, name, folder);
}

Vehicle load_vehicle(const std::string& name, const std::vector<Setting>& settings) {
  return read(Document::load(find_vehicle(name)), overrides_of(settings));
}

}  // namespace klingel::vehicle
