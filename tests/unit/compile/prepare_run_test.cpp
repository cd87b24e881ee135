// Subject: compile/prepare_run. Claim: the description holds what the files say, programs of one
// model are the same each time, and files are found beside the file that names them wherever one
// stands.
#include "compile/prepare_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "compile/implausible_values.hpp"
#include "gen/emit_c.hpp"
#include "profile/named_profile.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::compile {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

const exec::Options quick{exec::Backend::interpreter};
const std::string source = KLINGEL_SOURCE_DIR;

std::string text_of(model::VehicleModel& model) {
  std::string all;
  for (const gen::File& file : gen::emit_c(vehicle_program(model)).files) all += file.text;
  return all;
}

TEST(prepare_run, the_program_of_a_model_is_the_same_a_second_time) {
  const auto model = model::build(vehicle::load_vehicle("wheelset"));
  const std::string once = text_of(*model);
  const std::string again = text_of(*model);
  EXPECT_EQ(once, again);
  const auto other = model::build(vehicle::load_vehicle("wheelset"));
  EXPECT_EQ(text_of(*other), once);
}

TEST(prepare_run, the_description_says_what_the_scenario_says) {
  vehicle::Scenario s = vehicle::load_scenario("wheelset");
  s.inputs = {{"torque", {}, {0.0, 1.0}, {0.0, 5.0}}};
  s.wheel_friction["wheelset.left"] = 0.1;
  s.integrator = "trapezoidal";
  s.channels = {"N.*"};
  const auto d = compile(s, quick).description;
  EXPECT_EQ(d->start.speed, 10);
  ASSERT_EQ(d->start.held.size(), 2u);
  EXPECT_EQ(d->start.held[0].value, 0.001);
  EXPECT_EQ(d->inputs.at(0).at(0.5), 2.5);
  ASSERT_EQ(d->friction.size(), 1u);
  EXPECT_EQ(d->data.wheels[d->friction[0].wheel].name, "wheelset.left");
  EXPECT_EQ(d->method.scheme, step::Scheme::trapezoidal);
  EXPECT_EQ(d->channels, s.channels);
  EXPECT_FALSE(d->steady);
}

// what --set does
vehicle::Scenario with(const std::string& name, const std::string& value) {
  vehicle::Scenario s = vehicle::load_scenario("wheelset_suspended");
  s.parameters.push_back({name, value});
  return s;
}

TEST(prepare_run, values_that_no_vehicle_has_are_doubted) {
  EXPECT_THAT(compile(with("r_wheel", "450"), quick).description->warnings,
              testing::ElementsAre(HasSubstr("have a radius of 450 m")));
  const auto warnings = [](const std::vector<vehicle::Setting>& settings) {
    return implausible_values(vehicle::load_vehicle("wheelset_suspended", settings));
  };
  EXPECT_THAT(warnings({}), testing::IsEmpty());
  EXPECT_THAT(warnings({{"m", "1250e3"}}),
              testing::ElementsAre(HasSubstr("weighs 1255 t, 6155.78 kN on each wheel")));
  EXPECT_THAT(warnings({{"g", "0"}}), testing::ElementsAre(HasSubstr("gravity is 0 m/s2")));
}

TEST(prepare_run, a_mass_of_zero_is_refused_before_the_first_step) {
  EXPECT_THAT([] { compile(with("m", "0"), quick); },
              ThrowsMessage<base::Error>(HasSubstr("moves no mass")));
}

TEST(prepare_run, a_quasi_static_start_holds_nothing) {
  vehicle::Scenario s = vehicle::load_scenario("wheelset");
  s.equilibrium = "quasi-static";
  EXPECT_THAT([&] { compile(s, quick); },
              ThrowsMessage<base::Error>(HasSubstr("cannot hold coordinates")));
}

// A vehicle, its track and its profiles in a folder of their own, away from the working directory.
class Files : public testing::Test {
 protected:
  Files() {
    std::string vehicle = base::read_file(source + "/vehicles/wheelset/vehicle.toml");
    vehicle.replace(vehicle.find("\"S1002\""), 7, "\"own_wheel.pieces:1:400\"");
    folder.add("loco/vehicle.toml", vehicle);
    folder.add("loco/own_wheel.pieces", base::read_file(source + "/profiles/feve_wheel.pieces"));
    folder.add("lines/own_rail.pieces", base::read_file(source + "/profiles/feve_rail.pieces"));
    folder.add("lines/here.toml",
               "rail_distance = 1.5\nrail_profile = 'own_rail.pieces'\n"
               "[[section]]\nkind = 'straight'\nlength = 100\n");
    folder.add("loco/scenario.toml",
               "[scenario]\nvehicle = 'vehicle.toml'\ntrack = '../lines/here.toml'\n");
  }
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  structure::TemporaryFolder folder;
};

TEST_F(Files, names_are_those_of_files_beside_wherever_one_stands) {
  const CompiledVehicle c = compile(vehicle::load_scenario(path("loco/scenario.toml")), quick);
  EXPECT_EQ(c.scenario.vehicle, fs::path(path("loco/vehicle.toml")));
  const profile::Profile rail = profile::profile("feve_rail");
  EXPECT_EQ(c.description->data.left.f_r.value(0.01),
            profile::rail_function(rail, profile::Side::left).value(0.01));
  // a folder stands for its vehicle, and that for its scenario
  EXPECT_EQ(vehicle::load_scenario(path("loco")).track, path("lines/here.toml"));
}

TEST_F(Files, a_file_beside_comes_before_shipped_names) {
  folder.add("loco/feve3000/vehicle.toml", base::read_file(path("loco/vehicle.toml")));
  folder.add("loco/straight", base::read_file(path("lines/here.toml")));
  folder.add("loco/other.toml", "[scenario]\nvehicle = 'feve3000'\ntrack = 'straight'\n");
  const vehicle::Scenario s = vehicle::load_scenario(path("loco/other.toml"));
  EXPECT_EQ(s.vehicle, fs::path(path("loco/feve3000/vehicle.toml")));
  EXPECT_EQ(s.track, path("loco/straight"));
}

TEST_F(Files, a_folder_named_like_a_profile_is_no_profile) {
  fs::create_directories(folder.path() / "lines/60E1");
  folder.add("lines/there.toml",
             "rail_distance = 1.5\nrail_profile = '60E1'\n[[section]]\nkind = 'straight'\n"
             "length = 100\n");
  fs::create_directories(folder.path() / "loco/S1002");
  folder.add("loco/vehicle.toml", base::read_file(source + "/vehicles/wheelset/vehicle.toml"));
  vehicle::Scenario s = vehicle::load_scenario(path("loco/vehicle.toml"));
  s.track = path("lines/there.toml");
  EXPECT_NO_THROW(compile(s, quick));
}

TEST_F(Files, the_working_directory_does_not_count_for_names_in_files) {
  folder.add("lines/far.toml",
             "rail_distance = 1.5\nrail_profile = 'only_here.pieces'\n"
             "[[section]]\nkind = 'straight'\nlength = 100\n");
  folder.add("cwd/only_here.pieces", base::read_file(path("lines/own_rail.pieces")));
  vehicle::Scenario s = vehicle::load_scenario(path("loco/scenario.toml"));
  s.track = path("lines/far.toml");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path() / "cwd");
  EXPECT_THAT([&] { compile(s, quick); },
              ThrowsMessage<base::Error>(HasSubstr("there is no profile 'only_here.pieces'")));
  fs::current_path(before);
}

TEST_F(Files, errors_say_where_it_was_looked_for) {
  folder.add("loco/wrong.toml", "[scenario]\nvehicle = 'feve300'\n");
  EXPECT_THAT([&] { vehicle::load_scenario(path("loco/wrong.toml")); },
              ThrowsMessage<base::Error>(testing::AllOf(
                  HasSubstr("wrong.toml:2:11: there is no vehicle 'feve300'; did you mean "
                            "'feve3000'?"),
                  HasSubstr(path("loco/feve300")), HasSubstr("shipped vehicles: bogie, "))));
}

TEST_F(Files, scenarios_extend_shipped_ones_by_name) {
  folder.add("loco/more.toml", "extends = 'coach_300m'\n[scenario]\nspeed = 3\n");
  const vehicle::Scenario s = vehicle::load_scenario(path("loco/more.toml"));
  EXPECT_EQ(s.speed, 3);
  EXPECT_EQ(s.track, "curve_300");
  folder.add("loco/none.toml", "extends = 'coach_30m'\n[scenario]\n");
  EXPECT_THAT(
      [&] { vehicle::load_scenario(path("loco/none.toml")); },
      ThrowsMessage<base::Error>(HasSubstr("there is no scenario 'coach_30m'; did you mean")));
}

}  // namespace
}  // namespace klingel::compile
