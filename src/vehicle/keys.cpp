// The lists of keys; see keys.hpp. Only tables: hand-aligned text would be wider than the page.
#include "vehicle/keys.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/nearest.hpp"

namespace klingel::vehicle {
namespace {

// what the file itself and every group may hold
constexpr Key content_keys[] = {
    {"parameters", "table", "-", "none", "name = number or formula; see [parameters]"},
    {"coordinates", "table", "-", "none", "name = value at the start; see [coordinates]"},
    {"inputs", "table", "-", "none", "name = value while a scenario gives none; see [inputs]"},
    {"base", "list of tables", "-", "none", "bases"},
    {"point", "list of tables", "-", "none", "points"},
    {"body", "list of tables", "-", "none", "rigid bodies"},
    {"isotropic_spring", "list of tables", "-", "none", "springs alike in all directions"},
    {"line_spring", "list of tables", "-", "none", "springs along a line"},
    {"bushing", "list of tables", "-", "none", "springs along and about three axes"},
    {"torsion_spring", "list of tables", "-", "none", "springs about an axis"},
    {"gear_pair", "list of tables", "-", "none", "two gears with compliant teeth"},
    {"applied_force", "list of tables", "-", "none", "forces from outside"},
    {"applied_torque", "list of tables", "-", "none", "torques from outside"},
    {"constraint", "list of tables", "-", "none", "conditions phi = 0"},
    {"coincide", "list of tables", "-", "none", "two points that coincide"},
    {"parallel", "list of tables", "-", "none", "two axes that stay parallel"},
    {"distance", "list of tables", "-", "none", "two points at a constant distance"},
    {"unit_norm", "list of tables", "-", "none", "Euler parameters of norm one"},
    {"output", "list of tables", "-", "none", "further results"},
    {"wheelset", "list of tables", "-", "none", "two wheels on an axle"},
    {"use", "list of tables", "-", "none", "instances of groups"}};

constexpr Key file_keys[] = {
    {"extends", "path", "-", "none",
     "another vehicle file this one changes; then only vehicle, parameters, coordinates, inputs "
     "and material may stand here, with full names in quotes"},
    {"vehicle", "table", "-", "required", "name and gravity"},
    {"material", "table", "-", "steel", "of wheels and rails"},
    {"reference", "table", "-", "none", "the body whose motion is reported"},
    {"group", "table of groups", "-", "none", "[group.NAME]: contents that can be used many times"},
    {"unit", "list of tables", "-", "none", "vehicles of a train, the one in front first"},
    {"coupler", "table", "-", "none", "what joins each unit to the next; required with two"}};

constexpr Key group_keys[] = {
    {"about", "text", "-", "none", "what the group is"},
    {"arguments", "list of texts", "-", "none",
     "names every use must give; in the group they stand for what the user wrote: a number, a "
     "formula or the name of a point, base or coordinate"}};

constexpr Key vehicle_keys[] = {
    {"name", "text", "-", "required", "letters, digits and '_'; also names the generated code"},
    {"about", "text", "-", "none", "one sentence"},
    {"format", "whole number", "-", "1", "version of this format"},
    {"gravity", "formula or three", "m/s^2", "9.81",
     "one value points down (-z); three are components in the ground"},
    {"order", "list of texts", "-", "order of the file",
     "full names of all coordinates in the order wanted"},
};

constexpr Key parameters_keys[] = {
    {"NAME", "number or formula", "SI", "-",
     "a number can be set before a run; a formula follows what it is made of"}};

constexpr Key coordinates_keys[] = {
    {"NAME", "formula or table", "m or rad", "-",
     "value at the start, or { value, rate }; it may use parameters only"},
    {"value", "formula", "m or rad", "0", "value at the start"},
    {"rate", "formula", "m/s or rad/s", "0", "rate at the start"}};

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

constexpr Key reference_keys[] = {
    {"body", "body", "-", "required", "the vehicle body: channels body.* and speed"},
    {"base", "base", "-", "the body's", "another base, for a body that spins"},
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
     "use "
     "the unit's parameters"},
    {"rear", "three formulas", "m", "required with a unit behind", "the same of its rear coupler"},
    {"parameters", "table", "-", "the vehicle's", "NAME = value of a parameter of the vehicle"}};

constexpr Key coupler_keys[] = {
    {"length", "formula", "m", "required",
     "without force; the units stand so that their couplers are that long"},
    {"stiffness", "formula", "N/m", "required", "in tension and compression"},
    {"damping", "formula", "N s/m", "0", ""},
    {"preload", "formula", "N", "0", "tension at that length"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key base_keys[] = {
    {"name", "text", "-", "required", ""},
    {"parent", "base", "-", "ground", "the base it turns in"},
    {"axis", "\"x\", \"y\", \"z\" or three", "-", "required with angle",
     "axis of rotation, components in the parent; it need not have length one"},
    {"angle", "formula", "rad", "required with axis", ""},
    {"euler_parameters", "four formulas", "-", "none",
     "e0 (scalar), e1, e2, e3 instead of axis and angle; add unit_norm"},
    {"matrix", "nine formulas", "-", "none",
     "instead of axis and angle: rows of R, components here to components in the parent"}};

constexpr Key point_keys[] = {{"name", "text", "-", "required", ""},
                              {"parent", "point", "-", "O", "the point it is measured from"},
                              {"base", "base", "-", "ground", "base of r"},
                              {"r", "three formulas", "m", "0, 0, 0", "from the parent"}};

constexpr Key body_keys[] = {
    {"name", "text", "-", "required", ""},
    {"point", "point", "-", "required", "a point that moves with the body"},
    {"base", "base", "-", "required", "the base the body turns with"},
    {"mass", "formula", "kg", "required", ""},
    {"com", "three formulas", "m", "0, 0, 0", "from the point to the centre of mass, in the base"},
    {"inertia", "three or six formulas", "kg m^2", "0, 0, 0",
     "xx, yy, zz, and xy, xz, yz as they stand in the tensor, in the base"},
    {"about", "\"com\" or \"point\"", "-", "com", "what the inertia is taken about"}};

constexpr Key isotropic_spring_keys[] = {
    {"name", "text", "-", "required", ""},
    {"from", "point", "-", "required", "on the first body"},
    {"to", "point", "-", "required", "on the second body; unloaded where the points coincide"},
    {"stiffness", "formula", "N/m", "required", ""},
    {"damping", "formula", "N s/m", "0", ""},
    {"seen_from", "base", "-", "ground", "the rate of the vector between the points is seen here"},
    {"preload", "three formulas", "N", "none", "force on 'to' where the points coincide"},
    {"preload_base", "base", "-", "ground", "base of preload"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key line_spring_keys[] = {
    {"name", "text", "-", "required", ""},
    {"from", "point", "-", "required", "on the first body"},
    {"to", "point", "-", "required", "on the second body; never in the same place"},
    {"stiffness", "formula", "N/m", "required", ""},
    {"damping", "formula", "N s/m", "0", ""},
    {"natural_length", "formula", "m", "0", "length without force"},
    {"preload", "formula", "N", "0", "tension at the natural length"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key bushing_keys[] = {
    {"name", "text", "-", "required", ""},
    {"from", "point", "-", "required", "on the first body"},
    {"from_base", "base", "-", "required", "the base the first body turns with"},
    {"to", "point", "-", "required", "on the second body"},
    {"to_base", "base", "-", "required", "the base the second body turns with"},
    {"axes", "base", "-", "from_base", "stiffness and damping are along and about its axes"},
    {"stiffness", "three formulas", "N/m", "0, 0, 0", "along x, y, z"},
    {"damping", "three formulas", "N s/m", "0, 0, 0", "along x, y, z"},
    {"turning_stiffness", "three formulas", "N m/rad", "0, 0, 0", "about x, y, z"},
    {"turning_damping", "three formulas", "N m s/rad", "0, 0, 0", "about x, y, z"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key torsion_spring_keys[] = {
    {"name", "text", "-", "required", ""},
    {"from", "base", "-", "required", "of the first body"},
    {"to", "base", "-", "required", "of the second body"},
    {"axis", "\"x\", \"y\", \"z\" or three", "-", "required", "axis of the moment"},
    {"axis_base", "base", "-", "from", "base of axis"},
    {"angle", "formula", "rad", "required", "turn of 'to' in 'from' about the axis"},
    {"stiffness", "formula", "N m/rad", "required", ""},
    {"damping", "formula", "N m s/rad", "0", ""},
    {"rest", "formula", "rad", "0", "angle without moment"},
    {"preload", "formula", "N m", "0", "moment at rest"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key gear_pair_keys[] = {
    {"name", "text", "-", "required", ""},
    {"one", "table", "-", "required", "the first gear; see gear"},
    {"two", "table", "-", "required", "the second gear"},
    {"mesh", "point", "-", "required", "where the teeth meet"},
    {"line", "\"x\", \"y\", \"z\" or three", "-", "required",
     "direction of the tooth force on gear two"},
    {"line_base", "base", "-", "required", "base of line"},
    {"stiffness", "formula", "N/m", "required", "of the teeth along the line"},
    {"damping", "formula", "N s/m", "0", ""},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key gear_keys[] = {{"point", "point", "-", "required", "the gear's centre"},
                             {"base", "base", "-", "required", "the base the gear turns with"},
                             {"angle", "formula", "rad", "required", "how far it has turned"},
                             {"radius", "formula", "m", "required", ""}};

constexpr Key applied_force_keys[] = {
    {"name", "text", "-", "required", ""},
    {"force", "three formulas", "N", "required", "may use inputs"},
    {"base", "base", "-", "ground", "base of force"},
    {"to", "point", "-", "required", "where it acts"},
    {"from", "point", "-", "none", "where its reaction acts"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key applied_torque_keys[] = {
    {"name", "text", "-", "required", ""},
    {"torque", "three formulas", "N m", "required", "may use inputs"},
    {"base", "base", "-", "to", "base of torque"},
    {"to", "base", "-", "required", "of the body it acts on"},
    {"from", "base", "-", "none", "of the body its reaction acts on"},
    {"stiff", "true or false", "-", "false", "a wish that the step treats it implicitly"}};

constexpr Key constraint_keys[] = {
    {"name", "text", "-", "required", ""},
    {"phi", "formula", "m or rad", "required", "kept at zero; coordinates, parameters, t"}};

constexpr Key coincide_keys[] = {
    {"name", "text", "-", "required", ""},
    {"points", "two points", "-", "required", "that coincide"},
    {"base", "base", "-", "ground", "base of the three equations"},
    {"normal", "\"x\", \"y\" or \"z\"", "-", "none", "left out in a plane mechanism"}};

constexpr Key parallel_keys[] = {{"name", "text", "-", "required", ""},
                                 {"base", "base", "-", "required", "of the first axis"},
                                 {"axis", "\"x\", \"y\" or \"z\"", "-", "required", ""},
                                 {"to_base", "base", "-", "required", "of the second axis"},
                                 {"to_axis", "\"x\", \"y\" or \"z\"", "-", "required", ""}};

constexpr Key distance_keys[] = {{"name", "text", "-", "required", ""},
                                 {"points", "two points", "-", "required", ""},
                                 {"length", "formula", "m", "required", ""}};

constexpr Key unit_norm_keys[] = {{"name", "text", "-", "required", ""},
                                  {"euler_parameters", "four formulas", "-", "required", ""}};

constexpr Key output_keys[] = {
    {"name", "text", "-", "required", ""},
    {"values", "list of formulas", "SI", "none", "the results"},
    {"measure", "word", "-", "none",
     "instead of values: position, velocity or angular_velocity, three components"},
    {"of", "point or base", "-", "required with measure", "what is measured"},
    {"from", "point or base", "-", "O or ground", "with respect to this"},
    {"seen_from", "base", "-", "ground", "velocity only: base of the frame"},
    {"base", "base", "-", "ground", "base of the components"}};

constexpr Key wheelset_keys[] = {
    {"name", "text", "-", "the instance's name",
     "wheels are called NAME.right and NAME.left, in this order"},
    {"point", "point", "-", "required", "centre of the axle"},
    {"base", "base", "-", "required", "base of the wheelset that does not spin; y along the axle"},
    {"spinning_base", "base", "-", "required", "base the wheels turn with"},
    {"spin", "coordinate", "-", "required", "angle of spin about y, forward rolling positive"},
    {"radius", "formula", "m", "required", "of the wheels at the taping line; parameters only"},
    {"distance", "formula", "m", "required", "between the reference points of the two wheels"},
    {"profile", "text", "-", "none", "shipped profile or file, for both sides"},
    {"profile_right", "text", "-", "profile", "for the right wheel"},
    {"profile_left", "text", "-", "profile", "for the left wheel"}};

constexpr Key use_keys[] = {
    {"group", "text", "-", "required", "the group"},
    {"name", "text", "-", "required",
     "prefix of all its names; with dots it adds to an instance that exists"},
    {"NAME", "number or text", "-", "-",
     "every argument of the group, and parameters of the group that shall differ"}};

constexpr Section sections[] = {
    {"file", "What stands at the top level of a vehicle file, beside contents.", file_keys, true},
    {"contents", "What the file and every group may hold.", content_keys},
    {"vehicle", "The vehicle as a whole.", vehicle_keys},
    {"parameters", "Named values, usable in formulas.", parameters_keys},
    {"coordinates", "The generalized coordinates q.", coordinates_keys},
    {"inputs", "Forces and torques given at every step.", inputs_keys},
    {"group", "Contents that can be instantiated; all that stands under contents may stand here.",
     group_keys, true},
    {"use", "An instance of a group.", use_keys},
    {"base", "A base: three axes that turn together.", base_keys},
    {"point", "A point.", point_keys},
    {"body", "A rigid body: a point, a base and mass.", body_keys},
    {"isotropic_spring", "Force stiffness r + damping dr/dt between two points.",
     isotropic_spring_keys},
    {"line_spring", "Spring and damper along the line between two points.", line_spring_keys},
    {"bushing", "Stiffness and damping along and about the axes of a base.", bushing_keys},
    {"torsion_spring", "Moment about an axis, linear in an angle.", torsion_spring_keys},
    {"gear_pair", "Two gears; tooth deflection is radius angle + radius angle.", gear_pair_keys},
    {"gear", "One gear of a pair.", gear_keys},
    {"applied_force", "A force from outside.", applied_force_keys},
    {"applied_torque", "A torque from outside.", applied_torque_keys},
    {"constraint", "A condition phi(q, t) = 0.", constraint_keys},
    {"coincide", "Two points that coincide: three equations, two in a plane.", coincide_keys},
    {"parallel", "Two axes that stay parallel: two equations.", parallel_keys},
    {"distance", "Two points at a constant distance: a massless rod.", distance_keys},
    {"unit_norm", "Euler parameters have norm one.", unit_norm_keys},
    {"output", "A further result of the model.", output_keys},
    {"wheelset", "Two wheels on an axle, each touching its rail.", wheelset_keys},
    {"material", "Elastic constants of wheels and rails.", material_keys},
    {"reference", "The body whose motion is reported as the vehicle's.", reference_keys},
    {"unit", "Vehicles of a train; each is what its own file says.", unit_keys},
    {"coupler", "A spring and damper along the line between the couplers of two units.",
     coupler_keys},
};

}  // namespace

std::span<const Section> vehicle_sections() { return sections; }

const Section& section(std::string_view name) {
  for (const std::span<const Section> all : {vehicle_sections(), scenario_sections()})
    for (const Section& s : all)
      if (s.name == name) return s;
  KLINGEL_ASSERT(false);
  return sections[0];
}

void refuse_unknown(const Table& table, std::string_view name) {
  const Section& s = section(name);
  std::vector<std::string> known;
  for (const Key& k : s.keys) known.emplace_back(k.name);
  if (s.contents)
    for (const Key& k : content_keys) known.emplace_back(k.name);
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
    for (const Key& k : s.keys)
      text += fmt::format("| `{}` | {} | {} | {} | {} |\n", k.name, k.kind, k.unit, k.fallback,
                          k.meaning);
    text += "\n";
  }
  return text;
}

}  // namespace klingel::vehicle
