// Trains: units of other files become one vehicle, and mistakes are answered with their places.
#include "vehicle/train.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.hpp"
#include "vehicle/scenario.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string head = "[vehicle]\nname = 'train'\n";
const std::string coach = R"(
[[unit]]
vehicle = "manchester1"
name = "coach"
count = 3
front = ["L_pivots/2 + 3.2", 0, "1.0 - z_body"]
rear = ["-L_pivots/2 - 3.2", 0, "1.0 - z_body"]
)";
const std::string coupler = "[coupler]\nlength = 1\nstiffness = 4e6\n";
const std::string locomotive = R"(
[[unit]]
vehicle = "feve3000_corrected"
name = "engine"
rear = [-6.5, 0, 0.3]
)";

Vehicle parse(const std::string& text, const std::vector<Setting>& settings = {}) {
  return parse_vehicle(head + text, "train.toml", settings);
}

std::string error_of(const std::string& text, const std::vector<Setting>& settings = {}) {
  try {
    parse(text, settings);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

const Coordinate& coordinate(const Vehicle& v, const std::string& name) {
  for (const Coordinate& c : v.coordinates)
    if (c.name == name) return c;
  throw std::runtime_error("no coordinate " + name);
}

double parameter(const Vehicle& v, const std::string& name) {
  for (const Parameter& p : v.parameters)
    if (p.name == name) return NominalValues(v.parameters)(p.value);
  throw std::runtime_error("no parameter " + name);
}

TEST(train, units_stand_one_behind_the_other_with_their_names_in_front) {
  const Vehicle v = parse(coach + coupler), one = load_vehicle("manchester1");
  ASSERT_EQ(v.coordinates.size(), 3 * one.coordinates.size());
  // 19 m between pivots, 3.2 m beyond them on both sides, and a coupler
  constexpr double pitch = 19 + 2 * 3.2 + 1;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < one.coordinates.size(); ++i) {
      const Coordinate& c = v.coordinates[k * one.coordinates.size() + i];
      EXPECT_EQ(c.name, fmt::format("coach{}.{}", k + 1, one.coordinates[i].name));
      const bool along = one.coordinates[i].name.ends_with("x");
      EXPECT_NEAR(c.value, one.coordinates[i].value - (along ? double(k) * pitch : 0), 1e-12)
          << c.name;
    }
  }
  EXPECT_EQ(v.wheelsets.size(), 12u);
  EXPECT_EQ(v.wheelsets[4].name, "coach2.rear.front");
  EXPECT_EQ(v.elements.size(), 3 * one.elements.size() + 2);
  const auto& second = std::get<LineSpring>(v.elements.back().what);
  EXPECT_EQ(v.elements.back().name, "coupler2");
  EXPECT_EQ(second.from, "coach2.rear_coupler");
  EXPECT_EQ(second.to, "coach3.front_coupler");
  EXPECT_EQ(v.reference->body, "coach1.body");
  EXPECT_EQ(v.material.poisson, one.material.poisson);
  ASSERT_EQ(v.units.size(), 3u);
  EXPECT_EQ(v.units[2].reference.coordinates[5], "coach3.yaw");
  EXPECT_EQ(unit_of(v, "coach2.rear.front.right"), &v.units[1]);
  EXPECT_EQ(unit_of(v, "coach21.rear"), nullptr);
}

TEST(train, couplers_with_slack_have_no_force_within_it) {
  const Vehicle v = parse(coach + coupler + "damping = 8e4\nslack = 0.02\n");
  const auto& strut = std::get<Strut>(v.elements.back().what);
  const NominalValues nominal(v.parameters);
  EXPECT_EQ(nominal(strut.rest.value()), 1);
  EXPECT_EQ(nominal(strut.clearance.value()), 0.01);
  EXPECT_EQ(nominal(strut.stop_stiffness), 4e6);
  EXPECT_EQ(nominal(strut.stop_damping), 8e4);
  EXPECT_EQ(nominal(strut.stiffness), 0);
  EXPECT_EQ(nominal(strut.damping), 0);
  const Vehicle buffers = parse(coach + coupler + "curve = [[-0.1, -6e5], [0, 0], [0.1, 3e5]]\n");
  EXPECT_EQ(nominal(std::get<Strut>(buffers.elements.back().what).stiffness), 4e6);
  EXPECT_TRUE(std::get<Strut>(buffers.elements.back().what).curve.given());
  EXPECT_THAT(error_of(coach + coupler + "slack = -0.01\n"),
              HasSubstr("'slack' must not be negative, found -0.01"));
  EXPECT_THAT(error_of(coach + coupler + "slack = 0.01\npreload = 100\n"),
              HasSubstr("a coupler with slack has no force at its length: remove 'preload'"));
}

TEST(train, counts_and_parameters_can_be_set_for_a_kind_of_unit_or_for_one) {
  const std::string text = coach + "parameters = { m_body = 30000 }\n" + coupler;
  const Vehicle v = parse(text, {{"coach.count", "4"}, {"coach3.m_body", "2*m_bogie"}});
  EXPECT_EQ(v.units.size(), 4u);
  EXPECT_EQ(parameter(v, "coach4.m_body"), 30000);
  EXPECT_EQ(parameter(v, "coach3.m_body"), 2 * 2615);
  // formulas of the unit follow its own values
  EXPECT_NEAR(parameter(v, "coach4.d_secondary"), 30000 * 9.81 / 4 / 430e3, 1e-12);
  EXPECT_EQ(parse(text, {{"coach.count", "1"}}).elements.size(),
            load_vehicle("manchester1").elements.size());
  Scenario scenario;
  scenario.parameters = {{"coach.count", "4"}};
  EXPECT_NO_THROW(check_scenario(scenario, v));
}

TEST(train, different_vehicles_make_one_and_the_train_adds_what_it_likes) {
  const std::string text = "gravity = 9.8\nabout = 'mixed'\n" + locomotive + coach + coupler +
                           "[material]\nE = 2e11\n[inputs]\npull = 5\n[[applied_force]]\n"
                           "name = 'pull'\nto = 'coach3.rear_coupler'\nforce = ['-pull', 0, 0]\n";
  const Vehicle v = parse(text);
  EXPECT_EQ(v.coordinates.size(), 30u + 3 * 42u);
  // what its file extends with, and the order of the file it extends
  EXPECT_EQ(parameter(v, "engine.z_body"), 1.0);
  EXPECT_EQ(v.coordinates[6].name, "engine.rear.yaw");
  EXPECT_EQ(v.coordinates[8].name, "engine.rear.z");
  EXPECT_EQ(v.reference->coordinates[0], "engine.x");
  EXPECT_NEAR(coordinate(v, "coach1.x").value, 0.001 - 6.5 - 1 - 12.7, 1e-12);
  EXPECT_EQ(v.material.E, 2e11);
  EXPECT_EQ(v.inputs[0].name, "pull");
}

TEST(train, one_unit_needs_no_coupler_and_is_the_vehicle) {
  const Vehicle v = parse("[[unit]]\nvehicle = 'manchester1'\nname = 'only'\n");
  const Vehicle one = load_vehicle("manchester1");
  ASSERT_EQ(v.points.size(), one.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i)
    EXPECT_EQ(v.points[i].name, "only." + one.points[i].name);
}

TEST(train, a_file_that_extends_a_train_adds_to_it_and_removes_of_its_units) {
  const std::size_t before = load_vehicle("train").elements.size();
  const auto extend = [](const std::string& text) {
    return parse_vehicle("extends = 'train'\n" + text, "own.toml");
  };
  const Vehicle v = extend(
      "remove = ['coach2.front.traction_rod', 'coach1.front.right.spring']\n[[applied_force]]\n"
      "name = 'pull'\nforce = [1, 0, 0]\nto = 'coach1.front_coupler'\n");
  EXPECT_EQ(v.elements.size(), before - 2 + 1);
  for (const Element& e : v.elements) EXPECT_NE(e.name, "coach2.front.traction_rod");
  try {
    extend("remove = ['coupler1']\n");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("own.toml:2:11: 'coupler1' cannot be removed"));
  }
}

TEST(train, mistakes_are_answered_with_their_places) {
  EXPECT_THAT(error_of(coach), StartsWith("train.toml"));
  EXPECT_THAT(error_of(coach), HasSubstr("'coupler' is missing"));
  EXPECT_EQ(error_of(coupler), "train.toml:3:1: the file: a [coupler] joins units: add [[unit]]");
  EXPECT_THAT(error_of("[[unit]]\nvehicle = 'manchestr1'\nname = 'a'\n"),
              StartsWith("train.toml:4:11: unit 'a': there is no vehicle 'manchestr1'"));
  EXPECT_THAT(error_of("[[unit]]\nvehicle = 'manchestr1'\nname = 'a'\n"), HasSubstr("manchester1"));
  EXPECT_THAT(error_of("[[unit]]\nvehicle = 'train'\nname = 'a'\n"),
              StartsWith("train.toml:4:11: unit 'a': 'train' is a train itself"));
  EXPECT_THAT(error_of("[[unit]]\nvehicle = 'manchester1'\nname = 'a.b'\n"),
              StartsWith("train.toml:5:8: unit 'a.b': 'a.b' cannot name a unit"));
  EXPECT_THAT(error_of(coach + "count_ = 1\n" + coupler), HasSubstr("unknown key 'count_'"));
  EXPECT_THAT(error_of(coach + coach + coupler),
              StartsWith("train.toml:13:8: unit 'coach': the unit 'coach1' exists already"));
  EXPECT_THAT(error_of(locomotive + "front = [0, 0, 0]\n" + coach + coupler),
              HasSubstr("'coach1' has the gravity 9.81 m/s^2, 'engine' has 9.8"));
  EXPECT_THAT(error_of("gravity = 9.8\n" + locomotive + coach + coupler),
              HasSubstr("different material"));
  EXPECT_THAT(error_of(coach + coupler, {{"coach.count", "2.5"}}),
              HasSubstr("'count' must be a whole number from 1 to 1000, found 2.5"));
  EXPECT_THAT(error_of(coach + coupler, {{"coach5.m_body", "1"}}),
              HasSubstr("no parameter, coordinate or input 'coach5.m_body' to set"));
  EXPECT_THAT(error_of(coach + "parameters = { m_bdy = 1 }\n" + coupler),
              StartsWith("train.toml:10:24: there is no parameter, coordinate or input "
                         "'coach1.m_bdy' to set"));
  EXPECT_THAT(error_of(locomotive + locomotive + coupler), HasSubstr("exists already"));
  EXPECT_THAT(error_of("gravity = 9.8\n" + coach + locomotive + coupler),
              HasSubstr("'front' is missing: where the coupler is attached"));
  EXPECT_THAT(error_of(coach + "[coupler]\nstiffness = 1\nlength = -1\n"),
              StartsWith("train.toml:12:10: the coupler: 'length' must be greater than zero"));
  EXPECT_THAT(error_of(coach + "[coupler]\nstiffness = 1\nlength = 'x'\n"),
              HasSubstr("train.toml:12:11: there is no parameter, coordinate or input 'x'"));
  EXPECT_THAT(error_of(coach + coupler + "slak = 1\n"),
              HasSubstr("the coupler has an unknown key 'slak'"));
}

// A unit whose file, beside that of the train, is `text`.
std::string error_of_unit(const std::string& text) {
  const std::string folder = testing::TempDir() + "klingel_train_" + std::to_string(getpid()) + "/";
  std::filesystem::create_directories(folder);
  base::write_file(folder + "unit.toml", "[vehicle]\nname = 'u'\n" + text);
  std::string error = "no error";
  try {
    parse_vehicle(head +
                      "[[unit]]\nvehicle = 'unit.toml'\nname = 'u'\ncount = 2\nfront = [1, 0, 0]\n"
                      "rear = [-1, 0, 0]\n" +
                      coupler,
                  folder + "train.toml");
  } catch (const base::Error& e) {
    error = e.what();
  }
  std::filesystem::remove_all(folder);
  return error.substr(error.find("train.toml") == std::string::npos ? 0 : error.find("train.toml"));
}

TEST(train, vehicles_that_cannot_stand_elsewhere_are_refused) {
  const std::string body = R"(
[coordinates]
x = 0
[[point]]
name = "body"
r = ["x", 0, 0]
[[body]]
name = "body"
point = "body"
base = "ground"
mass = 1
)";
  const std::string reference =
      "[reference]\nbody = 'body'\ncoordinates = ['x', '', '', '', '', '']\n";
  EXPECT_EQ(error_of_unit(body + reference), "no error");
  EXPECT_THAT(error_of_unit(body), StartsWith("train.toml:4:11: unit 'u': the vehicle of the unit "
                                              "'u1' cannot be coupled: it names no reference"));
  EXPECT_THAT(
      error_of_unit(body + reference +
                    "[[isotropic_spring]]\nname = 's'\nfrom = 'O'\n"
                    "to = 'body'\nstiffness = 1\n"),
      StartsWith("train.toml:4:11: the vehicle of the unit 'u1' is attached to the ground by "
                 "its element 'u1.s'"));
  EXPECT_THAT(error_of_unit(body + reference + "[[point]]\nname = 'post'\nr = [3, 0, 0]\n"),
              StartsWith("train.toml:4:11: the vehicle of the unit 'u2' cannot be moved along the "
                         "track: its point 'u2.post'"));
}

}  // namespace
}  // namespace klingel::vehicle
