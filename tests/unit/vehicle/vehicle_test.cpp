// Vehicle files: groups, scopes, overrides, and the texts of typical mistakes.
#include "vehicle/vehicle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string head = "[vehicle]\nname = 'v'\n";

Vehicle parse(const std::string& text, const std::vector<Setting>& settings = {}) {
  return parse_vehicle(head + text, "v.toml", settings);
}

std::string error_of(const std::string& text, const std::vector<Setting>& settings = {}) {
  try {
    parse(text, settings);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

std::vector<std::string> coordinates_of(const Vehicle& v) {
  std::vector<std::string> names;
  for (const Coordinate& c : v.coordinates) names.push_back(c.name);
  return names;
}

const Parameter& parameter(const Vehicle& v, const std::string& name) {
  for (const Parameter& p : v.parameters)
    if (p.name == name) return p;
  throw std::runtime_error("no parameter " + name);
}

const char* const nested = R"(
[parameters]
L = 2
[coordinates]
x = "L/4"
[[use]]
group = "bogie"
name = "rear"
end = -1
k = 7
[[use]]
group = "bogie"
name = "front"
end = 1
[group.bogie]
arguments = ["end"]
parameters = { k = 5 }
coordinates = { z = { value = "end*L", rate = 1 } }
point = [{ name = "frame", r = ["end*L/2", 0, "z"] }]
use = [{ group = "wheelset", name = "front", sign = 1 }, { group = "wheelset", name = "rear", sign = "-end" }]
[group.wheelset]
arguments = ["sign"]
coordinates = { z = 0 }
point = [{ name = "axle", parent = "frame", r = ["sign*k", 0, "z"] }]
)";

TEST(vehicle, groups_in_groups_get_full_names) {
  const Vehicle v = parse(nested);
  EXPECT_THAT(coordinates_of(v), ElementsAre("x", "rear.z", "rear.front.z", "rear.rear.z",
                                             "front.z", "front.front.z", "front.rear.z"));
  EXPECT_EQ(v.coordinates[0].value, 0.5);
  EXPECT_EQ(v.coordinates[1].value, -2);
  EXPECT_EQ(v.coordinates[1].rate, 1);
}

TEST(vehicle, names_are_looked_up_innermost_first_and_arguments_where_the_caller_stands) {
  const Vehicle v = parse(nested);
  ASSERT_EQ(v.points.size(), 6u);
  EXPECT_EQ(v.points[0].name, "rear.frame");
  EXPECT_EQ(text(v.points[0].r[0]), "-1.0*L/2.0");
  EXPECT_EQ(text(v.points[0].r[2]), "rear.z");
  EXPECT_EQ(v.points[1].parent, "rear.frame");
  EXPECT_EQ(text(v.points[1].r[2]), "rear.front.z");
  EXPECT_EQ(text(v.points[1].r[0]), "1.0*rear.k");
  EXPECT_EQ(v.points[5].name, "front.rear.axle");
  EXPECT_EQ(text(v.points[5].r[0]), "-1.0*front.k");  // sign = -end, end = 1
}

TEST(vehicle, a_use_may_give_a_parameter_of_the_group_another_value) {
  const Vehicle v = parse(nested);
  EXPECT_EQ(parameter(v, "rear.k").value.number, 7);
  EXPECT_EQ(parameter(v, "front.k").value.number, 5);
}

TEST(vehicle, a_use_with_a_dotted_name_adds_to_an_instance) {
  const Vehicle v = parse(std::string(nested) +
                          "[group.drive]\ncoordinates = { rotor = 0 }\npoint = [{ name = 'rotor', "
                          "parent = 'axle', r = ['sign', 0, 0] }]\n"
                          "[[use]]\ngroup = 'drive'\nname = 'rear.front'\n");
  EXPECT_EQ(v.points.back().name, "rear.front.rotor");
  EXPECT_EQ(v.points.back().parent, "rear.front.axle");
}

TEST(vehicle, settings_change_parameters_and_starts_by_full_name) {
  const Vehicle v = parse(nested, {{"L", "4"}, {"front.k", "L/2"}, {"rear.front.z", "0.25"}});
  EXPECT_EQ(v.coordinates[0].value, 1);
  EXPECT_EQ(text(parameter(v, "front.k").value), "L/2.0");
  EXPECT_EQ(v.coordinates[2].value, 0.25);
  EXPECT_THAT(
      error_of(nested, {{"fornt.k", "1"}}),
      HasSubstr("no parameter, coordinate or input 'fornt.k' to set; did you mean 'front.k'"));
}

TEST(vehicle, order_sorts_coordinates_and_must_name_each_once) {
  const std::string two = "order = ['b', 'a']\n[coordinates]\na = 1\nb = 2\n";
  EXPECT_THAT(coordinates_of(parse(two)), ElementsAre("b", "a"));
  EXPECT_THAT(error_of("order = ['a']\n[coordinates]\na = 1\nb = 2\n"),
              HasSubstr("does not name the coordinate 'b'"));
  EXPECT_THAT(error_of("order = ['a', 'c']\n[coordinates]\na = 1\nb = 2\n"),
              HasSubstr("names 'c', which is not a coordinate"));
  EXPECT_THAT(error_of("order = ['a', 'a']\n[coordinates]\na = 1\n"), HasSubstr("'a' twice"));
}

TEST(vehicle, misspelt_keys_are_refused_with_the_right_one) {
  EXPECT_EQ(error_of("[[body]]\nname = 'b'\npoint = 'O'\nbase = 'ground'\nmass = 1\ninertai = 2\n")
                .substr(0, 78),
            "v.toml:8:11: body 'b' has an unknown key 'inertai'; did you mean 'inertia'?\n  ");
  EXPECT_THAT(error_of("[paramters]\n"), HasSubstr("did you mean 'parameters'?"));
  EXPECT_THAT(error_of("[group.g]\ncordinates = {}\n"),
              HasSubstr("group 'g' has an unknown key 'cordinates'; did you mean 'coordinates'?"));
  EXPECT_THAT(error_of("graviti = 9\n"), HasSubstr("did you mean 'gravity'?"));
}

TEST(vehicle, missing_names_are_answered_with_near_ones) {
  EXPECT_EQ(error_of("[[point]]\nname = 'frame'\n[[line_spring]]\nname = 's'\nfrom = 'O'\n"
                     "to = 'farme'\nstiffness = 1\n"),
            "v.toml:8:6: there is no point 'farme'; did you mean 'frame'?");
  EXPECT_EQ(error_of("[parameters]\nL_bogie = 1\na = '2*L_bogei'\n"),
            "v.toml:5:8: there is no parameter, coordinate or input 'L_bogei'; did you mean "
            "'L_bogie'?");
  EXPECT_THAT(error_of("[group.g]\npoint = [{ name = 'p', r = ['lenght', 0, 0] }]\n"
                       "parameters = { length = 1 }\n[[use]]\ngroup = 'g'\nname = 'rear'\n"),
              HasSubstr("in 'rear' or around it; did you mean 'length'?"));
  EXPECT_THAT(error_of("[[use]]\ngroup = 'bogi'\nname = 'rear'\n[group.bogie]\n"),
              HasSubstr("there is no group 'bogi'; did you mean 'bogie'?"));
}

TEST(vehicle, wrong_types_say_what_was_found) {
  EXPECT_EQ(error_of("[[point]]\nname = 'p'\nr = [1, true, 0]\n"),
            "v.toml:5:9: point 'p': 'r' must be a number or a formula in quotes, found true or "
            "false");
  EXPECT_THAT(error_of("[[point]]\nname = 'p'\nr = [1, 2]\n"),
              HasSubstr("'r' must be a list of 3 formulas, found 2"));
  EXPECT_THAT(error_of("[[point]]\nr = [1, 2, 3]\n"), HasSubstr("'name' is missing"));
  EXPECT_THAT(error_of("[[base]]\nname = 'b'\naxis = 'u'\nangle = 1\n"),
              HasSubstr("'axis' must be \"x\", \"y\" or \"z\", found \"u\""));
  EXPECT_THAT(error_of("[[base]]\nname = 'b'\n"), HasSubstr("exactly one of: axis and angle"));
  EXPECT_THAT(error_of("[material]\npoisson = 27\n"), HasSubstr("between 0 and 0.5, found 27"));
}

TEST(vehicle, names_used_twice_are_refused_with_both_lines) {
  EXPECT_EQ(error_of("[[point]]\nname = 'p'\n[[point]]\nname = 'p'\n"),
            "v.toml:6:8: the point 'p' exists already at line 4");
  EXPECT_EQ(error_of("[parameters]\nx = 1\n[coordinates]\nx = 1\n"),
            "v.toml:6:5: the parameter 'x' exists already at line 4 (this is a coordinate)");
  EXPECT_THAT(error_of("[parameters]\npi = 3\n"), HasSubstr("it means the number pi"));
  EXPECT_THAT(error_of("[parameters]\n'a b' = 3\n"), HasSubstr("letters, digits and '_' only"));
}

TEST(vehicle, circles_are_refused_and_shown) {
  EXPECT_THAT(
      error_of("[[point]]\nname = 'a'\nparent = 'b'\n[[point]]\nname = 'b'\nparent = 'a'\n"),
      HasSubstr("the point 'a' is its own ancestor: a -> b -> a"));
  EXPECT_THAT(error_of("[parameters]\na = 'b'\nb = '2*a'\n"),
              HasSubstr("the parameter 'a' depends on itself: a -> b -> a"));
  EXPECT_THAT(
      error_of("[group.a]\nuse = [{ group = 'b', name = 'x' }]\n[group.b]\nuse = [{ group = "
               "'a', name = 'y' }]\n[[use]]\ngroup = 'a'\nname = 'z'\n"),
      HasSubstr("the group 'a' uses itself: a -> b -> a"));
}

TEST(vehicle, arguments_of_groups_are_complete_and_known) {
  const std::string group = "[group.g]\narguments = ['sign']\nparameters = { k = 1 }\n";
  EXPECT_EQ(error_of(group + "[[use]]\ngroup = 'g'\nname = 'rear'\n"),
            "v.toml:6:1: use 'rear': the group 'g' needs the argument 'sign'");
  EXPECT_THAT(error_of(group + "[[use]]\ngroup = 'g'\nname = 'rear'\nsign = 1\nsgin = 2\n"),
              HasSubstr("the group 'g' has no argument or parameter 'sgin'; did you mean 'sign'?"));
}

TEST(vehicle, values_at_the_start_may_use_parameters_only) {
  EXPECT_THAT(error_of("[coordinates]\nx = 1\ny = '2*x'\n"),
              HasSubstr("v.toml:5:8: 'x' has no value here: only parameters do"));
  EXPECT_THAT(error_of("[parameters]\na = '1/0'\n"), HasSubstr("no finite value"));
}

TEST(vehicle, wheelsets_take_the_name_of_their_instance) {
  const std::string wheelset =
      "[group.w]\ncoordinates = { spin = 0 }\nbase = [{ name = 'axle', axis = 'y', angle = 'spin' "
      "}]\npoint = [{ name = 'axle' }]\nwheelset = [{ point = 'axle', base = 'ground', "
      "spinning_base = 'axle', spin = 'spin', radius = 'r', distance = 1.5, profile = 'S1002' }]\n"
      "[[use]]\ngroup = 'w'\nname = 'front'\n";
  const Vehicle v = parse("[parameters]\nr = 0.46\n" + wheelset);
  ASSERT_EQ(v.wheelsets.size(), 1u);
  EXPECT_EQ(v.wheelsets[0].name, "front");
  EXPECT_EQ(v.wheelsets[0].spin, "front.spin");
  EXPECT_EQ(v.wheelsets[0].radius, 0.46);
  EXPECT_EQ(v.wheelsets[0].profile_left, "S1002");
  EXPECT_THAT(error_of("[parameters]\nr = -1\n" + wheelset), HasSubstr("greater than zero"));
}

TEST(vehicle, shear_modulus_follows_unless_it_is_given) {
  EXPECT_NEAR(parse("[material]\nE = 200e9\npoisson = 0.25\n").material.G, 80e9, 1);
  EXPECT_EQ(parse("[material]\nG = 143.84e9\n").material.G, 143.84e9);
}

TEST(vehicle, unused_groups_are_warned_about) {
  EXPECT_THAT(parse("[group.idle]\n").warnings,
              ElementsAre("v.toml: the group 'idle' is not used"));
}

TEST(vehicle, every_shipped_vehicle_is_read) {
  for (const auto& entry : std::filesystem::directory_iterator(KLINGEL_SOURCE_DIR "/vehicles")) {
    if (!entry.is_directory()) continue;
    const Vehicle v = load_vehicle((entry.path() / "vehicle.toml").string());
    EXPECT_EQ(v.name, entry.path().filename().string());
    EXPECT_TRUE(v.reference.has_value()) << v.name;
    EXPECT_TRUE(std::filesystem::exists(entry.path() / "README.md")) << v.name;
  }
}

TEST(vehicle, an_unknown_vehicle_is_answered_with_near_names) {
  try {
    load_vehicle("feve300");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("there is no vehicle 'feve300'; did you mean 'feve3000'"));
  }
}

TEST(vehicle, stiffness_damping_and_mass_are_not_negative) {
  const std::string two = "[coordinates]\nx = 0\n[[point]]\nname = 'p'\nr = ['x', 0, 0]\n";
  const std::string spring = two + "[[line_spring]]\nname = 's'\nfrom = 'O'\nto = 'p'\n";
  EXPECT_EQ(error_of("[parameters]\nk = -5\n" + spring + "stiffness = 'k'\n"),
            "v.toml:14:13: line_spring 's': 'stiffness' must not be negative, found -5");
  EXPECT_THAT(error_of("[parameters]\nk = 5\n" + spring + "stiffness = 'k'\n", {{"k", "-2"}}),
              HasSubstr("found -2"));
  EXPECT_THAT(error_of(spring + "stiffness = 1\ndamping = -1\n"), HasSubstr("'damping' must not"));
  EXPECT_EQ(error_of(spring + "stiffness = '1000 - x'\n"), "no error")
      << "what follows a coordinate is known at run time only";
  EXPECT_THAT(error_of(two + "[[body]]\nname = 'b'\npoint = 'p'\nbase = 'ground'\nmass = -1\n"),
              HasSubstr("'mass' must not be negative"));
}

TEST(vehicle, names_of_instances_are_words_with_dots) {
  const auto use = [](const std::string& name) {
    return error_of("[group.g]\nparameters = { a = 1 }\n[[use]]\ngroup = 'g'\nname = '" + name +
                    "'\n");
  };
  EXPECT_EQ(use("front"), "no error");
  EXPECT_THAT(use("a b"), HasSubstr("v.toml:7:8: use 'a b': 'a b' cannot be the name of an "));
  for (const char* name : {"1a", "", ".", "a.", ".a", "a..b", "a-b"})
    EXPECT_THAT(use(name), HasSubstr("cannot be the name of an instance")) << name;
}

TEST(vehicle, groups_in_groups_and_formulas_of_formulas_have_a_limit) {
  std::string groups, chain = "[parameters]\na0 = 1\n", back = "[parameters]\n";
  for (int i = 0; i < 5000; ++i) {
    groups += fmt::format("[[group.g{}.use]]\ngroup = 'g{}'\nname = 'u'\n", i, i + 1);
    chain += fmt::format("a{} = 'a{} + 1'\n", i + 1, i);
    back += fmt::format("a{} = 'a{} + 1'\n", i, i + 1);
  }
  EXPECT_THAT(error_of(groups + "[group.g5000]\n[[use]]\ngroup = 'g0'\nname = 'u'\n"),
              HasSubstr("groups use groups more than 50 deep"));
  EXPECT_THAT(error_of(chain), HasSubstr("v.toml:504:8: the parameter 'a500' is made of more than "
                                         "1000 operations one upon the other"));
  EXPECT_THAT(error_of(back + "a5000 = 1\n"), HasSubstr("operations one upon the other"));
}

// once the time grew with the square of their number, and 100,000 never ended
TEST(vehicle, many_parameters_are_read_in_a_time_that_grows_with_their_number) {
  std::string text = "[parameters]\n";
  for (int i = 0; i < 40000; ++i) text += fmt::format("a{} = {}\n", i, i);
  EXPECT_EQ(parse(text).parameters.size(), 40000u);
}

TEST(vehicle, a_formula_of_time_is_remembered) {
  EXPECT_FALSE(parse("[parameters]\na = 'pi'\n").time);
  const Vehicle v = parse("[coordinates]\nx = 0\n[[point]]\nname = 'p'\nr = ['sin(t)', 0, 0]\n");
  ASSERT_TRUE(v.time);
  EXPECT_EQ(base::text(*v.time), "v.toml:7:11");
}

TEST(vehicle, shapes_are_of_bodies_and_have_sizes_and_colours) {
  const std::string body = R"(
[parameters]
L = 10
[[body]]
name = "hull"
point = "O"
base = "ground"
mass = 1
inertia = [1, 1, 1]
[[shape]]
name = "look"
)";
  const Vehicle v =
      parse(body + "body = 'hull'\nkind = 'wagon'\nsize = ['L', 2.8, 1]\ncolour = '#8a5A33'\n");
  ASSERT_EQ(v.shapes.size(), 1u);
  EXPECT_EQ(v.shapes[0].kind, "wagon");
  EXPECT_THAT(v.shapes[0].size, ElementsAre(10, 2.8, 1));
  EXPECT_THAT(v.shapes[0].centre, ElementsAre(0, 0, 0));
  EXPECT_THAT(error_of(body + "body = 'hul'\nkind = 'box'\nsize = [1, 1, 1]\n"),
              HasSubstr("did you mean 'hull'?"));
  EXPECT_THAT(error_of(body + "body = 'hull'\nkind = 'bus'\nsize = [1, 1, 1]\n"),
              HasSubstr("'kind'"));
  EXPECT_THAT(error_of(body + "body = 'hull'\nkind = 'box'\nsize = [1, 0, 1]\n"),
              HasSubstr("'size' must be three lengths greater than zero, found 0"));
  EXPECT_THAT(error_of(body + "body = 'hull'\nkind = 'box'\nsize = [1, 1, 1]\ncolour = 'red'\n"),
              HasSubstr("a colour is written as \"#2f7d6d\", found \"red\""));
}

TEST(vehicle, wheels_of_a_wheelset_may_have_radii_of_their_own) {
  const auto wheels = [](const std::string& text) {
    return parse(R"(
[coordinates]
spin = 0
[[base]]
name = "axle"
axis = "y"
angle = "spin"
[[wheelset]]
name = "w"
point = "O"
base = "ground"
spinning_base = "axle"
spin = "spin"
radius = 0.46
distance = 1.5
profile = "S1002"
)" + text);
  };
  EXPECT_EQ(wheels("").wheelsets[0].radius_left, 0.46);
  EXPECT_EQ(wheels("radius_left = 0.4605\n").wheelsets[0].radius_left, 0.4605);
  EXPECT_EQ(wheels("radius_left = 0.4605\n").wheelsets[0].radius_right, 0.46);
}

}  // namespace
}  // namespace klingel::vehicle
