// From a vehicle file to a Vehicle: names first (instances.hpp), then contents, then what concerns
// the vehicle as a whole.
#include <algorithm>
#include <set>

#include "base/data.hpp"
#include "base/nearest.hpp"
#include "vehicle/instances.hpp"
#include "vehicle/keys.hpp"

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

void check_identifier(Table& t, const std::string& name) {
  bool fine = !name.empty() && (name[0] < '0' || name[0] > '9');
  for (const char c : name)
    fine &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  if (!fine)
    t.fail("name", fmt::format("'{}' cannot name a vehicle: letters, digits and '_' only", name));
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

// the order the user wants must name every coordinate once
void order_coordinates(Table& t, Vehicle& v) {
  if (!t.has("order")) return;
  const std::vector<std::string> order = t.texts("order");
  std::vector<Coordinate> sorted;
  for (const std::string& name : order) {
    const auto it = std::find_if(v.coordinates.begin(), v.coordinates.end(),
                                 [&](const Coordinate& c) { return c.name == name; });
    if (it == v.coordinates.end())
      t.fail("order", fmt::format("'order' names '{}', which is no coordinate{}", name,
                                  base::did_you_mean(name, names_of(v.coordinates))));
    if (std::count(order.begin(), order.end(), name) > 1)
      t.fail("order", fmt::format("'order' names '{}' twice", name));
    sorted.push_back(*it);
  }
  for (const Coordinate& c : v.coordinates)
    if (std::find(order.begin(), order.end(), c.name) == order.end())
      t.fail("order", fmt::format("'order' does not name the coordinate '{}'", c.name));
  v.coordinates = std::move(sorted);
}

Material read_material(Table root, const Material& fallback) {
  Material m = fallback;
  std::optional<Table> t = root.table("material");
  if (!t) return m;
  m.E = t->positive("E", m.E);
  m.poisson = t->number("poisson", m.poisson);
  if (!(m.poisson >= 0 && m.poisson < 0.5))
    t->fail("poisson", fmt::format("'poisson' must be between 0 and 0.5, found {}", m.poisson));
  const bool changed = t->has("E") || t->has("poisson");
  m.G = t->positive("G", changed ? m.E / (2 * (1 + m.poisson)) : m.G);
  refuse_unknown(*t, "material");
  return m;
}

void read_reference(Table root, const Names& names, Vehicle& v) {
  std::optional<Table> t = root.table("reference");
  if (!t) return;
  Reference r;
  r.body = names.resolve(NameKind::body, "", t->text("body"), t->place("body"));
  if (t->has("base")) r.base = names.resolve(NameKind::base, "", t->text("base"), t->place("base"));
  const std::vector<std::string> coordinates = t->texts("coordinates");
  if (!coordinates.empty() && coordinates.size() != 6)
    t->fail("coordinates", fmt::format("'coordinates' must be a list of six names (x, y, z, roll, "
                                       "pitch, yaw), found {}",
                                       coordinates.size()));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i].empty()) continue;
    r.coordinates[i] =
        names.resolve(NameKind::coordinate, "", coordinates[i], t->place("coordinates"));
  }
  refuse_unknown(*t, "reference");
  v.reference = r;
}

// parents must lead to the ground: points of points of ... of themselves have no place
template <class Things>
void refuse_circles(const Things& things, const char* what, const std::string& root) {
  std::map<std::string, const typename Things::value_type*> by_name;
  for (const auto& t : things) by_name[t.name] = &t;
  std::set<std::string> fine = {root};
  for (const auto& t : things) {
    std::vector<std::string> path;
    for (std::string at = t.name; fine.count(at) == 0; at = by_name.at(at)->parent) {
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

Vehicle read_whole(const Document& file, const Overrides& overrides) {
  Table root = file.root();
  Instances all(file, overrides);
  Vehicle v;
  v.file = file.file();
  v.folder = file.folder();
  read_values(all, v);
  const NominalValues nominal(v.parameters);
  read_coordinates(all, nominal, v);
  for (Block& block : all.blocks) {
    read_bodies(block, v);
    read_elements(block, v);
    read_closures(block, v, nominal);
  }
  refuse_circles(v.bases, "base", "ground");
  refuse_circles(v.points, "point", "O");
  refuse_twins(v.wheelsets);

  Table t = root.required_table("vehicle");
  v.name = t.text("name");
  check_identifier(t, v.name);
  v.about = t.text("about", "");
  if (const std::int64_t format = t.integer("format", format_version); format != format_version)
    t.fail("format",
           fmt::format("this is format {}, this program reads format {}", format, format_version));
  const Block top{t, "", &all.names};
  if (const Value* g = t.find("gravity"); g != nullptr && g->kind == Value::Kind::list) {
    v.gravity = top.triple(t, "gravity", true);
  } else if (g != nullptr) {
    Expression down;
    down.kind = Expression::Kind::negate;
    down.arguments = {top.formula(t, "gravity")};
    v.gravity = {0.0, 0.0, down};
  }
  order_coordinates(t, v);
  refuse_unknown(t, "vehicle");
  v.material = read_material(root, {});
  read_reference(root, all.names, v);
  root.find("extends");
  refuse_unknown(root, "file");
  for (const std::string& g : all.unused_groups)
    v.warnings.push_back(fmt::format("{}: the group '{}' is not used", v.file, g));
  return v;
}

// a file that changes another one
constexpr int deepest_extension = 8;
Vehicle read(const Document& file, Overrides overrides, int depth) {
  Table root = file.root();
  if (!root.has("extends")) return read_whole(file, overrides);
  if (depth >= deepest_extension) root.fail("extends", "files extend each other in a circle");
  for (const std::string& key : root.keys()) {
    constexpr std::string_view possible[] = {"extends",     "vehicle", "parameters",
                                             "coordinates", "inputs",  "material"};
    if (std::find(std::begin(possible), std::end(possible), key) == std::end(possible))
      root.fail(key, fmt::format("'{}' cannot stand in a file that extends another one; vehicle, "
                                 "parameters, coordinates, inputs and material can",
                                 key));
  }
  // what is asked for further outside wins: emplace keeps what is there
  for (const char* key : {"parameters", "coordinates", "inputs"}) {
    std::optional<Table> values = root.table(key);
    if (!values) continue;
    for (const std::string& name : values->keys()) overrides.emplace(name, *values->find(name));
  }
  fs::path path = file.folder() / root.text("extends");
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) path /= "vehicle.toml";
  if (!fs::exists(path, ignored))
    root.fail("extends", fmt::format("there is no file '{}'", path.string()));
  Vehicle v = read(Document::load(path), std::move(overrides), depth + 1);
  v.file = file.file();
  v.folder = file.folder();
  if (std::optional<Table> t = root.table("vehicle")) {
    v.name = t->text("name", v.name);
    check_identifier(*t, v.name);
    v.about = t->text("about", v.about);
    for (const char* key : {"order", "gravity", "format"})
      if (t->has(key))
        t->fail(key, fmt::format("'{}' can only stand in the file that is extended", key));
    refuse_unknown(*t, "vehicle");
  }
  v.material = read_material(root, v.material);
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
  return read(Document::parse(text, file), overrides_of(settings), 0);
}

fs::path find_vehicle(const std::string& name) {
  std::error_code ignored;
  fs::path path;
  // a plain word is a shipped vehicle first, then a folder
  if (name.find('/') == std::string::npos) path = base::find_data("vehicles", name);
  if (path.empty() && fs::exists(name, ignored)) path = name;
  if (fs::is_directory(path, ignored)) path /= "vehicle.toml";
  if (!path.empty() && fs::is_regular_file(path, ignored)) return path;
  const std::vector<std::string> shipped = base::list_data("vehicles");
  base::fail(
      "there is no vehicle '{}'{}\n    give the path of a vehicle file, or a shipped name: {}",
      name, base::did_you_mean(name, shipped), fmt::join(shipped, ", "));
}

std::string profile_name(const Vehicle& vehicle, const std::string& profile) {
  std::error_code ignored;
  const fs::path beside = vehicle.folder / profile;
  return fs::is_regular_file(beside, ignored) ? beside.string() : profile;
}

Vehicle load_vehicle(const std::string& name, const std::vector<Setting>& settings) {
  return read(Document::load(find_vehicle(name)), overrides_of(settings), 0);
}

}  // namespace klingel::vehicle
