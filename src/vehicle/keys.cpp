// Tables of the file as a whole, and what follows from all tables; see keys.hpp.
#include "vehicle/keys.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/nearest.hpp"
#include "vehicle/train.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key file_keys[] = {
    {"extends", "text", "-", "none", "another vehicle this file changes; see extending file"},
    {"vehicle", "table", "-", "required", "name and gravity"},
    {"material", "table", "-", "steel", "of wheels and rails"},
    {"model", "table", "-", "none", "how the equations are made shorter"},
    {"reference", "table", "-", "none", "the body whose motion is reported"},
    {"group", "table of groups", "-", "none", "[group.NAME]: contents that can be used many times"},
    {"unit", "list of tables", "-", "none", "vehicles of a train, the one in front first"},
    {"coupler", "table", "-", "none", "what joins each unit to the next; required with two"}};

constexpr Key extending_keys[] = {
    {"extends", "text", "-", "required",
     "a vehicle file or its folder, relative to this file, or a shipped vehicle"},
    {"vehicle", "table", "-", "as extended", "name and about; the rest stays as extended"},
    {"material", "table", "-", "as extended", "of wheels and rails"},
    {"model", "table", "-", "as extended", "how the equations are made shorter"},
    {"parameters", "table", "-", "as extended", "\"FULL.NAME\" = value of one that exists"},
    {"coordinates", "table", "-", "as extended", "\"FULL.NAME\" = value at the start"},
    {"inputs", "table", "-", "as extended", "\"FULL.NAME\" = value while a scenario gives none"},
    {"remove", "list of texts", "-", "none",
     "full names of force elements, constraints, outputs and sensors to be removed; the file may "
     "list another one of that name"},
    {"add", "table", "-", "none", "new parameters, coordinates and inputs; see add"},
    {"group", "table of groups", "-", "none", "further groups; those of the extended file exist"}};

constexpr Key add_keys[] = {
    {"parameters", "table", "-", "none", "as in a file that extends none"},
    {"coordinates", "table", "-", "none", "the same; they come after the existing ones"},
    {"inputs", "table", "-", "none", "the same"}};

constexpr Key content_keys[] = {
    {"parameters", "table", "-", "none", "name = number or formula; see [parameters]"},
    {"coordinates", "table", "-", "none", "name = value at the start; see [coordinates]"},
    {"inputs", "table", "-", "none", "name = value while a scenario gives none; see [inputs]"}};

constexpr Key group_keys[] = {
    {"about", "text", "-", "none", "what the group is"},
    {"arguments", "list of texts", "-", "none",
     "names every use must give; in the group they mean what the use gives: a number, a "
     "formula or the name of a point, base or coordinate"}};

constexpr Key vehicle_keys[] = {
    {"name", "text", "-", "required", "letters, digits and '_'; also names the generated code"},
    {"about", "text", "-", "none", "one sentence"},
    {"format", "whole number", "-", "1", "version of this format"},
    {"gravity", "formula or three", "m/s^2", "9.81",
     "one value points down (-z); three are components in the ground"},
    {"order", "list of texts", "-", "order of the file",
     "full names of all coordinates in the desired order"},
    {"exact_tangents", "true or false", "-", "false",
     "tangents of stiff elements with what turning axes add; slower, hardly more accurate"},
};

constexpr Key parameters_keys[] = {
    {"NAME", "number or formula", "SI", "-",
     "a number can be set before a run; a formula follows what it is made of"}};

constexpr Key coordinates_keys[] = {
    {"NAME", "formula or table", "m or rad", "-",
     "value at the start, or { value, rate }; it may use parameters only"},
    {"value", "formula", "m or rad", "0", "value at the start"},
    {"rate", "formula", "m/s or rad/s", "0",
     "rate at the start; on a track rates follow from the speed"}};

constexpr Key inputs_keys[] = {
    {"NAME", "formula or table", "N or N m", "-", "value while a scenario gives none"},
    {"value", "formula", "N or N m", "0", "the same in a table"},
    {"unit", "text", "-", "none", "unit for tables and plots"},
    {"slider", "two numbers", "N or N m", "none",
     "ends of a slider in `klingel view`; inputs of the same last name share one"}};

constexpr Key material_keys[] = {
    {"E", "number", "Pa", "210e9", "Young's modulus"},
    {"poisson", "number", "-", "0.27", "Poisson's ratio, between 0 and 0.5"},
    {"G", "number", "Pa", "E/(2 (1 + poisson))", "shear modulus"}};

constexpr Key model_keys[] = {
    {"reduce", "list of texts", "-", "none",
     "trigonometric, base_parameters, elimination, linearisation"},
    {"small", "list of texts", "-", "none",
     "for linearisation: coordinates that stay small, by full name or by the last part of it"},
    {"drop", "list of texts", "-", "none",
     "for elimination: inertial parameters, as `klingel reduce` names them"}};

constexpr Key reference_keys[] = {
    key<&Reference::body>("body", "-", required, "the vehicle body: channels body.* and speed"),
    key<&Reference::base>("base", "-", none, "another base than the body's, for a body that spins"),
    {"coordinates", "list of six texts", "-", "none",
     "coordinates x, y, z, roll, pitch, yaw of that body; \"\" where there is none"}};

constexpr Key unit_keys[] = {
    {"vehicle", "text", "-", "required",
     "a shipped vehicle, or the path of a vehicle file or its folder, relative to this file"},
    {"name", "text", "-", "required", "prefix of all its names"},
    {"count", "whole number", "-", "none",
     "that many, called name1, name2 ... from the front; without it one, called name"},
    {"front", "three formulas", "m", "required with a unit in front",
     "from the point of the unit's reference body to its front coupler, in the body's base; may "
     "use the unit's parameters"},
    {"rear", "three formulas", "m", "required with a unit behind", "the same of its rear coupler"},
    {"parameters", "table", "-", "the vehicle's", "NAME = value of a parameter of the vehicle"}};

constexpr Key coupler_keys[] = {
    key<&Coupler::length>("length", "m", required,
                          "length without force; at the start the couplers have this length",
                          Limit::positive),
    key<&Coupler::stiffness>("stiffness", "N/m", required,
                             "in tension and compression, beyond the slack", Limit::no_source),
    key<&Coupler::damping>("damping", "N s/m", "0", "beside the stiffness", Limit::no_source),
    key<&Coupler::preload>("preload", "N", "0", "tension at that length"),
    key<&Coupler::slack>("slack", "m", none,
                         "free way between the first pull and the first push, half on each side of "
                         "the length",
                         Limit::not_negative),
    key<&Coupler::curve>("curve", "m, N", none,
                         "further force over what it is longer than its length: draw gear and "
                         "buffers"),
    stiff_key};

constexpr Key use_keys[] = {
    {"group", "text", "-", "required", "the group"},
    {"name", "text", "-", "required",
     "prefix of all its names; with dots it adds to an instance that exists"},
    {"NAME", "number or text", "-", "-",
     "every argument of the group, and parameters of the group with another value"}};

// in the document before the lists of things, and behind them
constexpr Section sections_before[] = {
    {"file", "Top level of a vehicle file, in addition to contents.", file_keys, "",
     Also::contents},
    {"extending file",
     "Top level of a file that extends another one, in addition to all lists of "
     "contents: what they hold is added.",
     extending_keys, "", Also::lists},
    {"add", "New values, for what an extending file adds.", add_keys},
    {"contents", "What the file and every group may hold.", content_keys, "", Also::lists},
    {"vehicle", "The vehicle as a whole.", vehicle_keys},
    {"parameters", "Named values, usable in formulas.", parameters_keys},
    {"coordinates", "The generalized coordinates q.", coordinates_keys},
    {"inputs", "Forces and torques given at every step.", inputs_keys},
    {"group", "Contents that can be instantiated; every key of contents is allowed here.",
     group_keys, "", Also::contents},
    {"use", "An instance of a group.", use_keys, "instances of groups"},
};
constexpr Section sections_behind[] = {
    {"material", "Elastic constants of wheels and rails.", material_keys},
    {"model", "Reductions of the equations of motion: see docs/reduction.md.", model_keys},
    {"unit", "Vehicles of a train; each is what its own file says.", unit_keys},
    {"coupler", "A spring and damper along the line between the couplers of two units.",
     coupler_keys},
};

// what [[name]] can list, in the order of the document
std::vector<const Section*> listed() {
  std::vector<const Section*> all = {&section("use"), &Base::table, &Point::table, &Body::table};
  const auto elements = element_tables(), constraints = constraint_tables();
  all.insert(all.end(), elements.begin(), elements.end());
  all.insert(all.end(), constraints.begin(), constraints.end());
  all.push_back(&Output::table);
  all.push_back(&Sensor::table);
  all.push_back(&Shape::table);
  all.push_back(&Wheelset::table);
  return all;
}

std::string meaning_of(const Key& k) {
  const char* limit = k.limit == Limit::positive       ? "greater than zero; parameters only"
                      : k.limit == Limit::not_negative ? "not negative; parameters only"
                      : k.limit == Limit::no_source    ? "not negative"
                                                       : "";
  return fmt::format("{}{}{}", k.meaning, k.meaning.empty() || *limit == 0 ? "" : "; ", limit);
}

}  // namespace

constinit const Section Reference::table = {
    "reference", "The body whose motion is reported as the vehicle's.", reference_keys};

std::vector<Section> vehicle_sections() {
  std::vector<Section> all(std::begin(sections_before), std::end(sections_before));
  for (const Section* s : listed()) {
    if (s == &section("use")) continue;
    all.push_back(*s);
    const Section* last = nullptr;  // two gears of a pair have one table
    for (const Key& k : s->keys)
      if (k.nested != nullptr && k.nested != last) all.push_back(*(last = k.nested));
  }
  all.insert(all.end(), std::begin(sections_behind), std::end(sections_behind));
  all.push_back(Reference::table);
  return all;
}

const Section& section(std::string_view name) {
  for (const std::span<const Section> all :
       {std::span<const Section>(sections_before), std::span<const Section>(sections_behind),
        scenario_sections()})
    for (const Section& s : all)
      if (s.name == name) return s;
  KLINGEL_ASSERT(false);
  return sections_before[0];
}

std::vector<Key> keys_of(const Section& s) {
  std::vector<Key> keys(s.keys.begin(), s.keys.end());
  if (s.also == Also::lists)
    for (const Section* l : listed())
      keys.push_back({l->name, "list of tables", "-", none, l->list});
  if (s.also == Also::contents) {
    const std::vector<Key> contents = keys_of(section("contents"));
    keys.insert(keys.end(), contents.begin(), contents.end());
  }
  return keys;
}

void refuse_unknown(const Table& table, std::string_view name) {
  refuse_unknown(table, section(name));
}

void refuse_unknown(const Table& table, const Section& s) {
  std::vector<std::string> known;
  for (const Key& k : keys_of(s)) known.emplace_back(k.name);
  const auto knows = [&](const std::string& key) {
    return std::find(known.begin(), known.end(), key) != known.end();
  };
  for (const std::string& key : table.asked()) KLINGEL_ASSERT(knows(key));
  for (const std::string& key : table.keys()) {
    if (knows(key)) continue;
    std::string all;
    for (const std::string& k : known) all += (all.empty() ? "" : ", ") + k;
    base::fail_at(table.place(key), "{} has an unknown key '{}'{}\n    known keys: {}",
                  table.what(), key, base::did_you_mean(key, known), all);
  }
}

std::string reference_text(std::span<const Section> all) {
  std::string text;
  for (const Section& s : all) {
    text += fmt::format(
        "### {}\n\n{}\n\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n",
        s.name, s.about);
    // lists are shown once, with contents
    const bool all_keys = s.name == "contents";
    const std::vector<Key> keys =
        all_keys ? keys_of(s) : std::vector<Key>(s.keys.begin(), s.keys.end());
    for (const Key& k : keys)
      text += fmt::format("| `{}` | {} | {} | {} | {} |\n", k.name, k.kind, k.unit, k.fallback,
                          meaning_of(k));
    text += "\n";
  }
  return text;
}

}  // namespace klingel::vehicle
