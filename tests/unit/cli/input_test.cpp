// Wrong input of `klingel run`: one clear message and exit code 2, whether it is an option or a
// file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <regex>
#include <set>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// What `klingel run` says to these arguments; the exit code must be 2.
std::string refusal(const Program& program, const std::string& arguments) {
  const Outcome outcome = program.run("run " + arguments + " --backend interpreter");
  EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.out << outcome.err;
  return outcome.err;
}

TEST(input, numbers_that_cannot_be_are_refused) {
  const Program program;
  for (const char* option : {"--friction", "--speed", "--step", "--duration", "--interval"}) {
    for (const char* value : {"nan", "inf", "-inf", "1e999"})
      EXPECT_THAT(
          refusal(program, fmt::format("wheelset {} {}", option, value)),
          HasSubstr(fmt::format("{}: expected a finite number, found '{}'", option, value)));
    EXPECT_THAT(refusal(program, fmt::format("wheelset {} 1e300", option)),
                HasSubstr(fmt::format("klingel: {}: '{}' must be ", option, option + 2)));
  }
  for (const char* option : {"--friction", "--step", "--duration", "--interval"}) {
    for (const char* value : {"0", "-0.3"})
      EXPECT_THAT(refusal(program, fmt::format("wheelset {} {}", option, value)),
                  HasSubstr(fmt::format("must be greater than zero, found {}", value)));
  }
  EXPECT_THAT(refusal(program, "wheelset --duration 1e-9"),
              HasSubstr("--duration: a duration of 1e-09 s is shorter than one time step"));
  EXPECT_THAT(refusal(program, "wheelset_suspended --set k_y=-1"),
              HasSubstr("'stiffness' must not be negative, found -1"));
  EXPECT_THAT(refusal(program, "wheelset --integrator explicit-euler"),
              HasSubstr("klingel: --integrator: the integrator 'explicit-euler' is for rigid"));
}

TEST(input, names_are_suggested) {
  const Program program;
  EXPECT_THAT(refusal(program, "wheelset --sped 3"), HasSubstr("did you mean '--speed'"));
  const std::string scenario = refusal(program, "coach_30m");
  EXPECT_THAT(scenario, HasSubstr("there is no vehicle or scenario 'coach_30m'; did you mean "
                                  "'coach_300m'"));
  EXPECT_THAT(scenario, HasSubstr("shipped scenarios: article"));
  EXPECT_THAT(refusal(program, "wheelset --law polac"), HasSubstr("did you mean 'polach'"));
}

const char* const vehicle =
    "[vehicle]\nname = 'v'\n[coordinates]\nz = 0\n[[point]]\nname = 'p'\nr = [0, 0, 'z']\n"
    "[[body]]\nname = 'b'\npoint = 'p'\nbase = 'ground'\nmass = 5\n";

TEST(input, what_a_vehicle_on_a_track_cannot_be_is_said_in_its_words) {
  const Program program;
  EXPECT_THAT(refusal(program, program.file("v.toml", vehicle)),
              HasSubstr("v.toml: the vehicle 'v' has no wheelset"));
  const std::string with = "extends = 'wheelset_suspended'\n[vehicle]\nname = 'ww'\n";
  EXPECT_THAT(refusal(program, program.file("time.toml",
                                            with + "[[applied_force]]\nname = 'f'\nto = 'axle'\n"
                                                   "force = [0, 0, 'sin(t)']\n")),
              HasSubstr("time.toml:7:21: a vehicle on a track cannot use time 't'; use an input"));
  EXPECT_THAT(
      refusal(program, program.file("rod.toml", with + "[[distance]]\nname = 'rod'\npoints "
                                                       "= ['O', 'carriage']\nlength = 1\n")),
      HasSubstr("rod.toml:4:1: a vehicle on a track cannot have constraints, and 'rod'"));
  EXPECT_THAT(refusal(program, program.file("mass.toml",
                                            with + "[add.coordinates]\nlost = 0\n[[point]]\nname = "
                                                   "'lost'\nr = ['lost', 0, 0]\n")),
              HasSubstr("mass.toml:5:8: the coordinate 'lost' moves no mass"));
}

TEST(input, a_train_that_does_not_fit_is_refused_before_it_is_built) {
  const Program program;
  EXPECT_THAT(refusal(program, "train --set coach.count=100"),
              HasSubstr("the train 'train' does not fit on the track: at position 250 m its unit "
                        "'coach"));
}

TEST(input, pipes_and_devices_are_not_waited_for) {
  const Program program;
  const std::string pipe = program.file("pipe", "");
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(program, "wheelset --state " + pipe), HasSubstr("a device or a pipe"));
  const std::string track =
      program.file("track.toml", "rail_profile = '60E1'\n[points]\nfile = 'pipe'\n");
  EXPECT_THAT(refusal(program, "wheelset --track " + track), HasSubstr("a device or a pipe"));
}

// The wheelset at 10 m/s, turning too fast, with a friction of 0.2.
std::string slipping_wheelset() {
  std::string text = "klingel state 1\nmodel wheelset\nt 0\nstep 0\n";
  text += "q x 0\nq y 0\nq z 0.46\nq yaw 0\nq roll 0\nq spin 0\n";
  text += "dq dx 10\ndq dy 0\ndq dz 0\ndq dyaw 0\ndq droll 0\ndq dspin 23\nu torque 0\n";
  for (const char* side : {"wheelset.right", "wheelset.left"}) {
    text += fmt::format("friction {} 0.2\n", side);
    for (const char* point : {"tread", "flange"}) {
      for (const char* word : {"found", "on", "N", "gap", "deflection", "gamma_n", "slip_rate_x",
                               "slip_rate_y", "steady"})
        text += fmt::format("{}.{} {} 0\n", point, word, side);
      for (const char* rate : {"", "d", "dd"})
        for (const char* word : {"theta_w", "u_w", "s_r", "u_r"})
          text += fmt::format("{}.{}{} {} 0\n", point, rate, word, side);
    }
  }
  return text;
}

TEST(input, a_saved_state_keeps_its_speed_and_takes_another_friction) {
  const Program program;
  const std::string state = program.file("a.state", slipping_wheelset());
  EXPECT_THAT(refusal(program, "wheelset --speed 3 --state " + state),
              HasSubstr("--speed does not go with --state"));
  const std::string folder =
      std::filesystem::path(program.file("run/note", "")).parent_path().string() + "/new";
  const auto results = [&](const std::string& arguments) {
    const Outcome o =
        program.run("run wheelset --duration 0.05 --backend interpreter --csv --out " + folder +
                    " --state " + state + " " + arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string text = base::read_file(folder + "/results.csv");
    std::filesystem::remove_all(folder);
    return text;
  };
  const std::string saved = results("");
  EXPECT_EQ(results("--friction 0.2"), saved);
  EXPECT_NE(results("--friction 0.4"), saved);
}

TEST(input, channels_select) {
  const Program program;
  const std::string folder =
      std::filesystem::path(program.file("run/note", "")).parent_path().string() + "/new";
  const auto header = [&](const std::string& arguments) {
    const Outcome o =
        program.run("run wheelset --duration 0.05 --backend interpreter --csv --out " + folder +
                    " " + arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string text = base::read_file(folder + "/results.csv");
    std::filesystem::remove_all(folder);
    const std::size_t names = text.find('\n') + 1;  // behind the units
    EXPECT_TRUE(text.starts_with("# units: s,"));
    return text.substr(names, text.find('\n', names) - names);
  };
  EXPECT_EQ(header("--channels 'Q.*'"), "t,Q.wheelset.right,Q.wheelset.left");
  const std::string usual = header(""), all = header("--channels all");
  EXPECT_THAT(usual, HasSubstr("N.wheelset.left"));
  EXPECT_EQ(header("--channels default"), usual);
  EXPECT_EQ(header("--channels '*'"), all);
  EXPECT_GT(all.size(), 2 * usual.size());
  const std::string scenario = program.file(
      "s.toml", "[scenario]\nvehicle = 'wheelset'\n[output]\nchannels = ['default', 'dq.x']\n");
  const Outcome o = program.run("run " + scenario +
                                " --duration 0.05 --backend interpreter --csv "
                                "--out " +
                                folder);
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(base::read_file(folder + "/results.csv"), HasSubstr("dq.x"));
  EXPECT_THAT(base::read_file(folder + "/results.csv"), Not(HasSubstr("dq.y")));
}

// Options of `klingel run` that do not change results, each with the reason.
const std::set<std::string> without_effect = {
    "--save-every", "--force",
    "--help",                                                           // prints
    "--out",        "--csv",   "--svg", "--hdf5", "--mat", "--report",  // which files are written
    "--backend",                                                        // all give the same bits
};

// Another value for each of the others.
const std::map<std::string, std::string> changes = {{"--track", "curve_300"},
                                                    {"--speed", "10.1"},
                                                    {"--step", "0.00101"},
                                                    {"--friction", "0.11"},
                                                    {"--set", "m=1300"},
                                                    {"--duration", "0.061"},
                                                    {"--interval", "0.002"},
                                                    {"--integrator", "trapezoidal"},
                                                    {"--law", "polach"},
                                                    {"--channels", "Q.*"},
                                                    {"--state", "a.state"},
                                                    {"--position", "3"},
                                                    {"--wheel-profile", "cone:0.05"},
                                                    {"--rail-profile", "60E1:1:20"}};

TEST(input, every_option_of_run_has_an_effect) {
  const Program program;
  const std::string state = program.file("a.state", slipping_wheelset());
  const std::string folder =
      std::filesystem::path(program.file("run/note", "")).parent_path().string() + "/new";
  const std::string scenario =
      program.file("s.toml",
                   "[scenario]\nvehicle = 'wheelset'\nspeed = 10\nduration = 0.06\n"
                   "hold = { y = 0.001 }\n[creep]\nfriction = 0.1\n");
  const auto results = [&](const std::string& arguments) {
    std::filesystem::remove_all(folder);
    const Outcome o = program.run(
        fmt::format("run {} --backend interpreter --csv --out {} {}", scenario, folder, arguments));
    EXPECT_EQ(o.code, 0) << o.err;
    return base::read_file(folder + "/results.csv");
  };
  const std::string usual = results("");
  const std::string help = program.run("run --help").out;
  static const std::regex option("\n  (?:-., )?(--[a-z0-9-]+)");
  int found = 0;
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at, ++found) {
    const std::string name = (*at)[1];
    if (without_effect.contains(name)) continue;
    const auto change = changes.find(name);
    ASSERT_NE(change, changes.end()) << "say in this test what " << name << " changes";
    const std::string value = name == "--state" ? state : change->second;
    EXPECT_NE(results(name + " '" + value + "'"), usual) << name;
  }
  EXPECT_GE(found, static_cast<int>(changes.size()));
}

}  // namespace
}  // namespace klingel::test
