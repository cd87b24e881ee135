// Command lines: where values go, and what is said about those that cannot be read.
#include "cli/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace klingel::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// a command with an argument of every type
struct Values {
  std::string what = "coach", law;
  double radius = 460;
  std::optional<double> speed;
  int strips = 10;
  std::vector<std::string> set, channels;
  std::vector<int> units = {1, 2};
  bool csv = false;
};

class Line : public testing::Test {
 protected:
  Line() {
    Command c(Group::simulate, "drive", "Drive a vehicle");
    c.option("what", v.what, "Vehicle");
    c.option("--law", v.law, "Creep law").choices({"linear", "fastsim"});
    c.option("--radius", v.radius, "Radius").unit("mm");
    c.option("--speed", v.speed, "Speed").unit("m/s").needs("--radius");
    c.option("--strips", v.strips, "Strips").check([](const std::string& text) {
      return text == "13" ? std::string("not thirteen") : std::string();
    });
    c.option("--set", v.set, "Parameter").repeatable();
    c.option("--channels", v.channels, "Channels").separated_by(',');
    c.option("--units", v.units, "Units");
    c.option("--csv", v.csv, "Write CSV");
    commands.push_back(c);
    Command other(Group::help, "other", "Do nothing");
    other.option("file", other_file, "File").required();
    commands.push_back(other);
  }

  Parsed read(std::vector<const char*> words) {
    words.insert(words.begin(), "klingel");
    return parse(commands, static_cast<int>(words.size()), words.data());
  }
  std::string complaint(std::vector<const char*> words) {
    try {
      read(std::move(words));
    } catch (const base::Error& e) {
      return e.what();
    }
    return "no complaint";
  }

  Values v;
  std::string other_file;
  std::vector<Command> commands;
};

TEST_F(Line, values_go_to_their_variables) {
  const Parsed parsed =
      read({"drive", "--radius", "500",      "--speed",    "12.5",     "--set",   "m=1",
            "train", "--set",    "k=2",      "--channels", "q.*,dq.*", "--units", "3",
            "4",     "--csv",    "--strips", "7",          "--law",    "fastsim"});
  ASSERT_NE(parsed.command, nullptr);
  EXPECT_EQ(parsed.command->name, "drive");
  EXPECT_FALSE(parsed.help);
  EXPECT_EQ(v.what, "train");
  EXPECT_EQ(v.radius, 500);
  EXPECT_EQ(v.speed, 12.5);
  EXPECT_THAT(v.set, ElementsAre("m=1", "k=2"));
  EXPECT_THAT(v.channels, ElementsAre("q.*", "dq.*"));
  EXPECT_THAT(v.units, ElementsAre(3, 4));
  EXPECT_TRUE(v.csv);
  EXPECT_EQ(v.strips, 7);
  EXPECT_EQ(v.law, "fastsim");
}

TEST_F(Line, what_is_not_given_keeps_its_default) {
  read({"drive"});
  EXPECT_EQ(v.what, "coach");
  EXPECT_EQ(v.speed, std::nullopt);
  EXPECT_THAT(v.units, ElementsAre(1, 2));
  EXPECT_FALSE(v.csv);
}

TEST_F(Line, help_and_version_are_told_apart) {
  EXPECT_EQ(read({}).command, nullptr);
  EXPECT_TRUE(read({"--version"}).version);
  EXPECT_TRUE(read({"--help"}).help);
  EXPECT_EQ(read({"--help"}).command, nullptr);
  // a required argument need not be there
  const Parsed parsed = read({"other", "--help"});
  EXPECT_TRUE(parsed.help);
  ASSERT_NE(parsed.command, nullptr);
  EXPECT_EQ(parsed.command->name, "other");
}

TEST_F(Line, an_unknown_option_is_answered_with_the_commands_nearest) {
  EXPECT_EQ(complaint({"drive", "--sped", "3"}),
            "unknown argument '--sped'; did you mean '--speed' or '--set'?\n"
            "    'klingel drive --help' lists what there is");
  EXPECT_THAT(complaint({"driv"}), StartsWith("unknown argument 'driv'; did you mean 'drive'?"));
  EXPECT_THAT(complaint({"--versoin"}), HasSubstr("did you mean '--version'?"));
}

TEST_F(Line, a_wrong_value_is_answered_with_what_was_expected) {
  EXPECT_EQ(complaint({"drive", "--radius", "wide"}),
            "--radius: expected a number, found 'wide'\n"
            "    'klingel drive --help' lists what there is");
  EXPECT_THAT(complaint({"drive", "--strips", "2.5"}),
              StartsWith("--strips: expected a whole number, found '2.5'"));
  EXPECT_THAT(complaint({"drive", "--units", "x"}),
              StartsWith("--units: expected a whole number, found 'x'"));
  EXPECT_THAT(complaint({"drive", "--law", "lineal"}),
              StartsWith("--law: expected linear or fastsim, found 'lineal'; "
                         "did you mean 'linear'?"));
  EXPECT_THAT(complaint({"drive", "--strips", "13"}), StartsWith("--strips: not thirteen"));
}

TEST_F(Line, what_is_missing_is_named) {
  EXPECT_THAT(complaint({"other"}), StartsWith("file is required"));
  EXPECT_THAT(complaint({"drive", "--speed", "3"}), HasSubstr("--radius"));
}

}  // namespace
}  // namespace klingel::cli
