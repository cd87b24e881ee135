// Scenario files: defaults, signals, extensions, and the texts of typical mistakes.
#include "vehicle/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace klingel::vehicle {
namespace {

using testing::HasSubstr;

const std::string head = "[scenario]\nvehicle = 'wheelset'\n";

Scenario parse(const std::string& text) { return parse_scenario(head + text, "s.toml"); }

std::string error_of(const std::string& text) {
  try {
    const Scenario s = parse(text);
    check_scenario(s, load_vehicle(s.vehicle.string()));
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(scenario, an_empty_one_has_the_documented_defaults) {
  const Scenario s = parse("");
  EXPECT_EQ(s.track, "straight");
  EXPECT_EQ(s.step, 1e-3);
  EXPECT_EQ(s.integrator, "imex");
  EXPECT_EQ(s.law, "she");
  EXPECT_EQ(s.friction, 0.3);
  EXPECT_EQ(s.tread, "loaded");
  EXPECT_EQ(s.contact, "unilateral");
  EXPECT_EQ(s.flange_begin, 0.033);
  EXPECT_EQ(s.interval, 0.01);
}

TEST(scenario, values_of_the_file_are_read) {
  const Scenario s = parse(
      "track = 'article'\nspeed = 23.7\nhold = { y = 0.005, yaw = 0 }\nintegrator = "
      "'imex-printed'\n"
      "[creep]\nlaw = 'polach'\nfriction = { other = 0.2, 'wheelset.right' = 0.05 }\n"
      "values = { k_A = 0.5, k_S = 0.3, B = 0.6 }\n[contact]\ntread = 'rigid'\nmode = "
      "'bilateral'\nflange_zone = "
      "[30, 50]\n"
      "[material]\nG = 80e9\n[parameters]\nm = 1000\n[output]\nchannels = ['N.*']\n"
      "[inputs]\ntorque = 3\n");
  EXPECT_EQ(s.speed, 23.7);
  ASSERT_EQ(s.hold.size(), 2u);
  EXPECT_EQ(s.hold[0].value, 0.005);
  EXPECT_EQ(s.friction, 0.2);
  EXPECT_EQ(s.wheel_friction.at("wheelset.right"), 0.05);
  EXPECT_EQ(creep_model(s).polach.k_A, 0.5);
  EXPECT_EQ(creep_model(s).polach.k_S, 0.3);
  EXPECT_EQ(creep_model(s).falling.B, 0.6);
  EXPECT_EQ(s.tread, "rigid");
  EXPECT_EQ(s.contact, "bilateral");
  EXPECT_DOUBLE_EQ(s.flange_end, 0.050);
  EXPECT_EQ(material(load_vehicle("wheelset"), s).G, 80e9);
  EXPECT_EQ(s.parameters[0].value, "1000");
  EXPECT_EQ(s.inputs[0].at(99), 3);
  check_scenario(s, load_vehicle("wheelset"));
}

TEST(scenario, signals_are_constants_ramps_and_tables) {
  const Scenario s = parse(
      "[inputs]\na = { to = 10, begin = 1, end = 3 }\nb = { times = [0, 1, 2], values = [1, 5, "
      "-1] }\n");
  const Signal &ramp = s.inputs[0], &table = s.inputs[1];
  EXPECT_EQ(ramp.at(0), 0);
  EXPECT_EQ(ramp.at(2), 5);
  EXPECT_EQ(ramp.at(9), 10);
  EXPECT_EQ(table.at(-1), 1);
  EXPECT_EQ(table.at(0.5), 3);
  EXPECT_EQ(table.at(1), 5);
  EXPECT_EQ(table.at(1.5), 2);
  EXPECT_EQ(table.at(5), -1);
}

TEST(scenario, names_the_vehicle_does_not_have_are_refused_with_near_ones) {
  EXPECT_EQ(error_of("hold = { yw = 0 }\n"),
            "s.toml:3:15: the vehicle has no coordinate 'yw'; did you mean 'y' or 'yaw'?");
  EXPECT_THAT(error_of("[inputs]\ntorqe = 1\n"),
              HasSubstr("s.toml:4:9: the vehicle has no input 'torqe'; did you mean 'torque'?"));
  EXPECT_THAT(error_of("[creep]\nfriction = { 'wheelset.rigth' = 0.1 }\n"),
              HasSubstr("no wheel 'wheelset.rigth'; did you mean 'wheelset.right'"));
  EXPECT_THAT(error_of("[parameters]\nmm = 1\n"), HasSubstr("s.toml:4:6: the vehicle has no"));
}

TEST(scenario, mistakes_are_errors_with_their_place) {
  EXPECT_THAT(error_of("spede = 3\n"), HasSubstr("'spede'; did you mean 'speed'?"));
  EXPECT_THAT(error_of("step = 0\n"), HasSubstr("'step' must be greater than zero, found 0"));
  EXPECT_THAT(error_of("integrator = 'euler'\n"), HasSubstr("it must be one of 'imex'"));
  EXPECT_THAT(error_of("track = 'striaght'\n"), HasSubstr("s.toml:3:9: "));
  EXPECT_THAT(error_of("[creep]\nlaw = 'kalker'\n"), HasSubstr("'linear', 'she', 'polach'"));
  EXPECT_THAT(error_of("[contact]\ntread = 'soft'\n"), HasSubstr("'loaded'"));
  EXPECT_THAT(error_of("[contact]\nmode = 'elastic'\n"), HasSubstr("'unilateral', 'bilateral'"));
  EXPECT_THAT(error_of("[contact]\nflange_zone = [50, 30]\n"), HasSubstr("two ascending numbers"));
  EXPECT_THAT(error_of("[inputs]\ntorque = { times = [0, 0], values = [1, 2] }\n"),
              HasSubstr("times must ascend"));
  EXPECT_THAT(error_of("[inputs]\ntorque = { times = [0, 1], values = [1] }\n"),
              HasSubstr("the same length, found 2 and 1"));
  EXPECT_THAT(error_of("[inputs]\ntorque = { to = 3 }\n"), HasSubstr("'end' is missing"));
}

TEST(scenario, keys_and_methods_of_the_other_tread_are_refused) {
  EXPECT_EQ(
      error_of("[contact]\nflange_stiffness = 5e7\n"),
      "s.toml:4:20: 'flange_stiffness' is of a rigid tread, and this one is loaded; remove it, "
      "or set tread = \"rigid\"");
  EXPECT_THAT(error_of("[contact]\ntread = 'rigid'\nrail_stiffness = 5e7\n"),
              HasSubstr("'rail_stiffness' is of a loaded tread, and this one is rigid"));
  EXPECT_THAT(error_of("integrator = 'explicit-euler'\n"), HasSubstr("is for rigid treads"));
  EXPECT_THAT(error_of("method = 'partitioning'\n"), HasSubstr("constraints of rigid treads"));
  EXPECT_THAT(error_of("[contact]\nrail_damping = 1e5\n"), HasSubstr("needs 'rail_stiffness'"));
  EXPECT_EQ(error_of("[contact]\nrail_stiffness = 5e7\nrail_damping = 1e5\n"), "no error");
  EXPECT_EQ(error_of("[contact]\nflange = false\n"), "no error");
}

TEST(scenario, every_shipped_vehicle_has_one_that_fits_it) {
  for (const auto& entry : std::filesystem::directory_iterator(KLINGEL_SOURCE_DIR "/vehicles")) {
    if (!entry.is_directory()) continue;
    ASSERT_TRUE(std::filesystem::exists(entry.path() / "scenario.toml")) << entry.path();
    const Scenario s = load_scenario(entry.path().filename().string());
    EXPECT_EQ(s.vehicle.filename(), "vehicle.toml");
    check_scenario(s, load_vehicle(s.vehicle.string(), s.parameters));
  }
}

TEST(scenario, values_of_a_creep_law_are_those_it_has) {
  EXPECT_EQ(creep_model(parse("[creep]\nlaw = 'polach'\nvalues = { A = 0.4 }\n")).falling.A, 0.4);
  EXPECT_EQ(error_of("[creep]\nlaw = 'polach'\nvalues = { k_a = 0.4 }\n"),
            "s.toml:5:18: the creep law 'polach' has no value 'k_a'; did you mean 'k_A' or 'k_S'?\n"
            "    it has k_A, k_S, A, B");
  EXPECT_THAT(error_of("[creep]\nvalues = { k_A = 0.4 }\n"),
              HasSubstr("the creep law 'she' has no value 'k_A'"));
  EXPECT_EQ(creep_model(parse("[creep]\nvalues = { A = 0.4, B = 0.6 }\n")).falling.B, 0.6);
  EXPECT_THAT(error_of("[creep]\nlaw = 'linear'\nvalues = { A = 0.4 }\n"),
              HasSubstr("the creep law 'linear' has no value 'A'\n    it has none"));
  EXPECT_THAT(error_of("[creep]\nlaw = 'polach'\nvalues = { k_A = 1.4 }\n"),
              HasSubstr("'k_A' must be greater than zero and at most 1, found 1.4"));
  EXPECT_THAT(error_of("[creep]\nlaw = 'polach'\nvalues = { k_A = 0.2, k_S = 0.4 }\n"),
              HasSubstr("'k_S' of Polach's law must not be greater than 'k_A'"));
  EXPECT_THAT(error_of("[creep]\nlaw = 'fastsim'\nvalues = { strips = 2.5 }\n"),
              HasSubstr("'strips' must be a whole number from 3 to 100"));
}

}  // namespace
}  // namespace klingel::vehicle
