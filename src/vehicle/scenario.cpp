#include "vehicle/scenario.hpp"

#include <algorithm>
#include <array>

#include "base/data.hpp"
#include "base/lookup.hpp"
#include "base/nearest.hpp"
#include "base/piecewise_linear.hpp"
#include "vehicle/keys.hpp"
#include "vehicle/scenario_numbers.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::vehicle {
namespace {

namespace fs = std::filesystem;

// Reads a file over what is known already, so that one scenario can extend another.
class Reader {
 public:
  Reader(const Document& file, Scenario start) : file_(file), s_(std::move(start)) {}

  Scenario read(int depth) {
    Table root = file_.root();
    if (root.has("extends")) extend(root, depth);
    s_.file = file_.file();
    run(root.required_table("scenario"));
    if (auto t = table(root, "creep")) creep(*t);
    if (auto t = table(root, "contact")) contact(*t);
    if (auto t = table(root, "material")) material(*t);
    if (auto t = table(root, "parameters")) parameters(*t);
    if (auto t = table(root, "inputs")) inputs(*t);
    if (auto t = table(root, "driver")) driver(*t);
    if (auto t = table(root, "rail_friction")) rail_friction(*t);
    if (auto t = table(root, "output")) output(*t);
    refuse_unknown(root, "scenario file");
    return s_;
  }

 private:
  // stores the place of every key
  std::optional<Table> table(Table& root, const std::string& key) {
    std::optional<Table> t = root.table(key);
    if (!t) return t;
    for (const std::string& k : t->keys()) s_.places[key + "." + k] = t->place(k);
    return t;
  }

  void extend(Table& root, int depth) {
    if (depth > 8) root.fail("extends", "files extend each other in a circle");
    const std::string name = root.text("extends");
    const fs::path path = base::look_up(base::scenarios, name, file_.folder());
    if (path.empty()) root.fail("extends", base::not_found(base::scenarios, name, file_.folder()));
    s_ = Reader(Document::load(path), s_).read(depth + 1);
  }

  void find_vehicle_of(Table& t) {
    if (t.has("vehicle")) {
      try {
        s_.vehicle = find_vehicle(t.text("vehicle"), file_.folder());
      } catch (const base::Error& e) {
        base::fail_at(t.place("vehicle"), "{}", e.what());
      }
    } else if (s_.vehicle.empty()) {
      s_.vehicle = base::find_beside(base::vehicles, "vehicle.toml", file_.folder());
      if (s_.vehicle.empty())
        t.fail("", "'vehicle' is missing, and there is no vehicle.toml in this folder");
    }
  }

  void find_track_of(Table& t) {
    if (!t.has("track")) return;
    const std::string name = t.text("track");
    try {
      find_track(name, file_.folder());
    } catch (const base::Error& e) {
      base::fail_at(t.place("track"), "{}", e.what());
    }
    s_.track = base::located(base::tracks, name, file_.folder());
  }

  void run(Table t) {
    for (const std::string& k : t.keys()) s_.places["scenario." + k] = t.place(k);
    s_.name = t.text("name", s_.name);
    s_.about = t.text("about", s_.about);
    find_vehicle_of(t);
    find_track_of(t);
    for (const char* key : {"speed", "position", "duration", "step"}) number(t, "scenario", key);
    static constexpr std::array<const char*, 5> integrators = {
        "imex", "imex-printed", "explicit-euler", "trapezoidal", "reference"};
    s_.integrator = word(t, "integrator", integrators, s_.integrator);
    static constexpr std::array<const char*, 2> methods = {"static_lu", "partitioning"};
    s_.method = word(t, "method", methods, s_.method);
    static constexpr std::array<const char*, 3> starts = {"static", "quasi-static", "none"};
    s_.equilibrium = word(t, "equilibrium", starts, s_.equilibrium);
    if (std::optional<Table> hold = t.table("hold")) {
      s_.hold.clear();
      for (const std::string& name : hold->keys())
        s_.hold.push_back({name, hold->place(name), hold->number(name)});
    }
    refuse_unknown(t, "scenario");
  }

  void number(Table& t, const std::string& table, const std::string& key) {
    if (t.has(key)) set_number(s_, table + "." + key, t.number(key), t.place(key));
  }

  template <std::size_t n>
  static std::string word(Table& t, const char* key, const std::array<const char*, n>& words,
                          const std::string& fallback) {
    return t.word(key, std::vector<std::string>(words.begin(), words.end()), fallback);
  }

  void creep(Table& t) {
    static constexpr std::array<const char*, 4> laws = {"linear", "she", "polach", "fastsim"};
    const std::string law = word(t, "law", laws, s_.law);
    // numbers of another law, from the file that this one extends, mean nothing to this one
    if (law != s_.law) s_.law_values.clear();
    s_.law = law;
    static constexpr std::array<const char*, 2> kinds = {"linear", "smooth"};
    s_.kalker = word(t, "kalker", kinds, s_.kalker);
    if (const Value* f = t.find("friction"); f != nullptr && f->kind == Value::Kind::table) {
      Table by_wheel = *t.table("friction");
      for (const std::string& wheel : by_wheel.keys()) {
        const double value = by_wheel.number(wheel);
        if (wheel == "other")
          set_number(s_, "creep.friction", value, by_wheel.place(wheel));
        else
          set_friction(s_, wheel, value, by_wheel.place(wheel));
      }
    } else {
      number(t, "creep", "friction");
    }
    if (std::optional<Table> values = t.table("values")) {
      for (const std::string& name : values->keys()) {
        s_.law_values[name] = values->number(name);
        s_.places["values." + name] = values->place(name);
      }
    }
    refuse_unknown(t, "creep");
  }

  void contact(Table& t) {
    static constexpr std::array<const char*, 2> treads = {"loaded", "rigid"};
    static constexpr std::array<const char*, 2> modes = {"unilateral", "bilateral"};
    s_.tread = word(t, "tread", treads, s_.tread);
    s_.contact = word(t, "mode", modes, s_.contact);
    s_.flange = t.boolean("flange", s_.flange);
    if (t.has("flange_zone")) {
      const std::vector<double> zone = t.numbers("flange_zone");
      if (zone.size() != 2 || !(0 <= zone[0] && zone[0] < zone[1]))
        t.fail("flange_zone", "'flange_zone' must be two ascending numbers in mm");
      s_.flange_begin = zone[0] * 1e-3;
      s_.flange_end = zone[1] * 1e-3;
    }
    s_.flange_stiffness = t.positive("flange_stiffness", s_.flange_stiffness);
    s_.flange_damping = not_negative(t, "flange_damping", s_.flange_damping);
    s_.rail_stiffness = not_negative(t, "rail_stiffness", s_.rail_stiffness);
    s_.rail_damping = not_negative(t, "rail_damping", s_.rail_damping);
    s_.curvature_floor = not_negative(t, "curvature_floor", s_.curvature_floor);
    refuse_unknown(t, "contact");
  }

  static double not_negative(Table& t, const char* key, double fallback) {
    const double v = t.number(key, fallback);
    if (v < 0) t.fail(key, fmt::format("'{}' must not be negative, found {}", key, v));
    return v;
  }

  void material(Table& t) {
    if (t.has("E")) s_.E = t.positive("E");
    if (t.has("G")) s_.G = t.positive("G");
    if (t.has("poisson")) {
      s_.poisson = t.number("poisson");
      if (!(*s_.poisson >= 0 && *s_.poisson < 0.5))
        t.fail("poisson",
               fmt::format("'poisson' must be between 0 and 0.5, found {}", *s_.poisson));
    }
    refuse_unknown(t, "material");
  }

  void parameters(Table& t) {
    for (const std::string& name : t.keys()) {
      const Value& v = *t.find(name);
      if (v.kind != Value::Kind::text && v.kind != Value::Kind::number)
        t.fail(name, fmt::format("'{}' must be a number or a formula in quotes, found {}", name,
                                 kind_name(v.kind)));
      const std::string value =
          v.kind == Value::Kind::text ? v.text : fmt::format("{}", t.number(name));
      const auto same = [&](const Setting& s) { return s.name == name; };
      std::erase_if(s_.parameters, same);
      s_.parameters.push_back({name, value});
    }
  }

  void inputs(Table& t) {
    for (const std::string& name : t.keys()) {
      Signal signal = read_signal(t, name);
      std::erase_if(s_.inputs, [&](const Signal& s) { return s.input == name; });
      s_.inputs.push_back(std::move(signal));
    }
  }

  // a number, a ramp { from, to, begin, end } or a table { times, values }
  Signal read_signal(Table& t, const std::string& name) {
    Signal signal{name, t.place(name), {0.0}, {}};
    const Value& v = *t.find(name);
    if (v.kind != Value::Kind::table) {
      signal.values = {t.number(name)};
      return signal;
    }
    Table s = *t.table(name);
    s.call(fmt::format("input '{}'", name));
    if (s.has("times") || s.has("values")) {
      signal.times = s.numbers("times");
      signal.values = s.numbers("values");
      if (signal.times.empty() || signal.times.size() != signal.values.size())
        s.fail("times",
               fmt::format("'times' and 'values' must have the same length, found {} and {}",
                           signal.times.size(), signal.values.size()));
    } else {
      signal.times = {s.number("begin", 0), s.number("end")};
      signal.values = {s.number("from", 0), s.number("to")};
    }
    for (std::size_t i = 1; i < signal.times.size(); ++i)
      if (!(signal.times[i - 1] < signal.times[i])) s.fail("times", "times must ascend");
    refuse_unknown(s, "input");
    return signal;
  }

  // Ascending places along the track.
  static std::vector<double> places_of(Table& t) {
    std::vector<double> s = t.numbers("s");
    for (std::size_t i = 1; i < s.size(); ++i)
      if (!(s[i - 1] < s[i])) t.fail("s", "'s' must ascend");
    return s;
  }

  // As many numbers as places, each within limits; a number alone holds everywhere.
  static std::vector<double> along(Table& t, const char* key, const std::vector<double>& s,
                                   double least, double most) {
    const Value* given = t.find(key);
    if (given == nullptr) t.fail("", fmt::format("'{}' is missing", key));
    const bool alone = given->kind == Value::Kind::number;
    std::vector<double> list =
        alone ? std::vector<double>(s.size(), t.number(key)) : t.numbers(key);
    if (list.size() != s.size())
      t.fail(key, fmt::format("'{}' must have as many numbers as 's', found {} and {}", key,
                              list.size(), s.size()));
    for (const double x : list)
      if (!(x >= least && x <= most))
        t.fail(key, fmt::format("'{}' must be from {:g} to {:g}, found {:g}", key, least, most, x));
    return list;
  }

  void driver(Table& t) {
    Driver d;
    d.place = t.place();
    static constexpr std::array<const char*, 2> modes = {"body", "wheelsets"};
    d.mode =
        word(t, "mode", modes, "body") == "body" ? Driver::Mode::body : Driver::Mode::wheelsets;
    d.s = places_of(t);
    if (d.s.empty()) d.s = {0};
    d.speeds = along(t, "speed", d.s, 0, 300);
    d.response = t.positive("response", d.response);
    if (d.response > 1000)
      t.fail("response", fmt::format("'response' must be at most 1000 s, found {}", d.response));
    refuse_unknown(t, "driver");
    s_.driver = std::move(d);
  }

  void rail_friction(Table& t) {
    RailFriction f;
    f.s = places_of(t);
    if (f.s.empty()) t.fail("", "'s' is missing");
    f.left = along(t, "left", f.s, 1e-3, 2);
    f.right = along(t, "right", f.s, 1e-3, 2);
    refuse_unknown(t, "rail_friction");
    s_.places["rail_friction"] = t.place();
    s_.rail_friction = std::move(f);
  }

  void output(Table& t) {
    number(t, "output", "interval");
    if (t.has("channels")) s_.channels = t.texts("channels");
    refuse_unknown(t, "output of a scenario");
  }

  Document file_;
  Scenario s_;
};

// an unknown name as an error that suggests near ones
void require(const std::string& name, const std::vector<std::string>& known, const char* what,
             const base::Place& place) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  std::string hint = base::did_you_mean(name, known);
  if (hint.empty())
    hint = fmt::format("\n    there are: {}",
                       known.empty() ? "none" : fmt::format("{}", fmt::join(known, " ")));
  base::fail_at(place, "the vehicle has no {} '{}'{}", what, name, hint);
}

}  // namespace

double Signal::at(double t) const { return base::piecewise_linear(times, values, t); }

base::Place Scenario::place(const std::string& key) const {
  const auto known = places.find(key);
  return known != places.end() ? known->second : base::Place{file, 0, 0};
}

Material material(const Vehicle& vehicle, const Scenario& s) {
  Material m = vehicle.material;
  m.E = s.E.value_or(m.E);
  m.poisson = s.poisson.value_or(m.poisson);
  if (s.E || s.poisson) m.G = m.E / (2 * (1 + m.poisson));
  m.G = s.G.value_or(m.G);
  return m;
}

creep::CreepModel creep_model(const Scenario& s) {
  // the law knows its numbers, the scenario where they stand
  const auto at = [&](const std::string& key, const auto& act) {
    try {
      act();
    } catch (const base::Error& e) {
      base::fail_at(s.place(key), "{}", e.what());
    }
  };
  creep::CreepModel model;
  at("creep.law", [&] { model.law = creep::creep_law(s.law); });
  for (const auto& [name, value] : s.law_values)
    at("values." + name,
       [&, &name = name, &value = value] { creep::set_value(model, name, value); });
  at("creep.values", [&] { creep::check_values(model); });
  return model;
}

Scenario parse_scenario(std::string_view text, const std::string& file) {
  return Reader(Document::parse(text, file), {}).read(0);
}

bool is_scenario(const fs::path& path) {
  const std::vector<std::string> keys = Document::load(path).root().keys();
  return std::find(keys.begin(), keys.end(), "scenario") != keys.end();
}

fs::path find_scenario(const std::string& name) {
  fs::path path = base::find_beside(base::vehicles, name, {});  // a file, or a vehicle's folder
  if (path.empty()) path = base::find_shipped(base::scenarios, name);
  if (path.empty()) path = base::find_shipped(base::vehicles, name);
  if (path.empty())
    base::fail("{}\n    and shipped scenarios: {}",
               base::not_found({base::vehicles.folder, "vehicle or scenario", ""}, name, {},
                               base::list_data("scenarios")),
               fmt::join(base::list_data("scenarios"), ", "));
  return path;
}

Scenario load_scenario(const std::string& name) {
  const fs::path path = find_scenario(name);
  if (is_scenario(path)) return Reader(Document::load(path), {}).read(0);

  // a vehicle: its default scenario is in the same folder
  const fs::path beside = path.parent_path() / "scenario.toml";
  Scenario start;
  start.vehicle = path;
  start.name = path.parent_path().filename().string();
  std::error_code ignored;
  if (!fs::exists(beside, ignored)) return start;
  return Reader(Document::load(beside), start).read(0);
}

namespace {

// Keys and methods that one of the two treads does not know. A file that says tread = "loaded" may
// extend one of a rigid tread: what stands there is of that tread.
void check_tread(const Scenario& s) {
  const auto refuse = [&](const std::string& key, const char* of) {
    const auto known = s.places.find(key);
    if (known == s.places.end()) return;
    const auto said = s.places.find("contact.tread");
    if (said != s.places.end() && said->second.file != known->second.file) return;
    base::fail_at(
        known->second, "'{}' is of {} tread, and this one is {}; remove it, or set tread = \"{}\"",
        key.substr(key.find('.') + 1), of, s.tread, s.tread == "rigid" ? "loaded" : "rigid");
  };
  if (s.tread == "rigid") {
    for (const char* key : {"contact.rail_stiffness", "contact.rail_damping"})
      refuse(key, "a loaded");
    return;
  }
  for (const char* key : {"contact.mode", "contact.flange_stiffness", "contact.flange_damping",
                          "contact.curvature_floor"})
    refuse(key, "a rigid");
  if (s.integrator == "imex-printed" || s.integrator == "explicit-euler") {
    base::fail_at(s.place("scenario.integrator"),
                  "the integrator '{}' is for rigid treads; use imex, trapezoidal or reference, or "
                  "set tread = \"rigid\" in [contact]",
                  s.integrator);
  }
  if (s.method == "partitioning") {
    base::fail_at(s.place("scenario.method"),
                  "partitioning chooses coordinates by the constraints of rigid treads; use "
                  "static_lu, or set tread = \"rigid\" in [contact]");
  }
  if (s.rail_damping > 0 && s.integrator != "imex") {
    base::fail_at(s.place("contact.rail_damping"),
                  "the integrator '{}' does not support rail damping; remove it or use imex",
                  s.integrator);
  }
  if (s.rail_damping > 0 && s.rail_stiffness == 0) {
    base::fail_at(s.place("contact.rail_damping"), "'rail_damping' needs 'rail_stiffness'");
  }
}

// A number that [rail_friction] of the same file would replace.
void check_friction(const Scenario& s) {
  const auto by_place = s.places.find("rail_friction");
  if (!s.rail_friction || by_place == s.places.end()) return;
  for (const auto& [key, place] : s.places) {
    if (key != "creep.friction" && !key.starts_with("friction.")) continue;
    if (place.file == by_place->second.file)
      base::fail_at(place,
                    "[rail_friction] says what the friction of all wheels is; remove this one");
  }
}

}  // namespace

void check_scenario(const Scenario& s, const Vehicle& v) {
  check_times(s);
  check_friction(s);
  check_tread(s);
  creep_model(s);
  std::vector<std::string> coordinates, inputs, wheels, parameters;
  for (const Coordinate& c : v.coordinates) coordinates.push_back(c.name);
  for (const Input& i : v.inputs) inputs.push_back(i.name);
  for (const Parameter& p : v.parameters) parameters.push_back(p.name);
  parameters.insert(parameters.end(), v.counts.begin(), v.counts.end());
  for (const Wheelset& w : v.wheelsets) {
    wheels.push_back(w.name + ".right");
    wheels.push_back(w.name + ".left");
  }
  for (const Hold& h : s.hold) require(h.coordinate, coordinates, "coordinate", h.place);
  for (const Signal& i : s.inputs) require(i.input, inputs, "input", i.place);
  for (const auto& [wheel, mu] : s.wheel_friction)
    require(wheel, wheels, "wheel", s.place("friction." + wheel));
  for (const Setting& p : s.parameters)
    require(p.name, parameters, "parameter", s.place("parameters." + p.name));
}

}  // namespace klingel::vehicle
