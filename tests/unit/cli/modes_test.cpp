// klingel modes and klingel curving: what they print, and what they say of wrong input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

test::Outcome run(const std::string& arguments) { return test::Program().run(arguments); }

TEST(modes_command, prints_modes_as_a_table_and_as_json) {
  const test::Outcome table = run("modes wheelset_suspended --speed 30");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("at 30 m/s"));
  const test::Outcome o = run("modes wheelset_suspended --speed 30:40:10 --law linear --json");
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* key :
       {"\"modes\"", "\"speed\": 40", "\"re\"", "\"im\"", "\"frequency_Hz\"", "\"damping\""})
    EXPECT_THAT(o.out, HasSubstr(key));
  EXPECT_THAT(run("modes wheelset_suspended --csv").out,
              testing::StartsWith("speed,re,im,frequency_Hz,damping\n"));
}

TEST(modes_command, finds_the_critical_speed_and_draws_what_changes_it) {
  const test::Program program;
  const std::string svg = program.file("bars.svg", "");
  const test::Outcome o =
      program.run("modes wheelset_suspended --set k_yaw=1e6 --critical --json --svg " + svg);
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* key : {"\"critical_speed\"", "\"frequency_Hz\"", "\"sensitivities\"", "k_yaw"})
    EXPECT_THAT(o.out, HasSubstr(key));
  EXPECT_THAT(base::read_file(svg), HasSubstr("k_yaw"));
  // none below 20 m/s
  EXPECT_THAT(run("modes wheelset_suspended --critical --max 20 --json").out,
              HasSubstr("\"critical_speed\": null"));
}

TEST(modes_command, a_mode_becomes_a_page) {
  const test::Program program;
  const std::string page = program.file("mode.html", "");
  const test::Outcome o = program.run("modes bogie --speed 30 --near 8 --page " + page);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(base::read_file(page), HasSubstr("Klingel"));
  EXPECT_THAT(run("modes bogie --speed 30:40:5 --page " + page).err, HasSubstr("one --speed"));
}

TEST(modes_command, wrong_input_is_explained) {
  const auto error = [](const std::string& arguments) {
    const test::Outcome o = run("modes " + arguments);
    EXPECT_EQ(o.code, 2) << arguments << o.out;
    return o.err;
  };
  EXPECT_THAT(error("wheelset_suspended --speed 0"), HasSubstr("above zero"));
  EXPECT_THAT(error("wheelset_suspended --set k_yow=1"), HasSubstr("k_yaw"));
  EXPECT_THAT(error("wheelset_suspended --law kalker"), HasSubstr("linear"));
  EXPECT_THAT(error("wheelset_suspended --cant 100"), HasSubstr("--radius"));
  EXPECT_THAT(error("wheelset_suspended --critical --speed 10"), HasSubstr("--speed"));
  EXPECT_THAT(error("wheelset_suspended --critical --max 1"), HasSubstr("--max"));
  EXPECT_THAT(error("wheelset_suspended --speed 10 --radius 500"), HasSubstr("carriage"));
}

TEST(limit_cycles_command, wrong_input_is_explained) {
  EXPECT_THAT(run("limit-cycles bogie --speed 60:50").err, HasSubstr("rising"));
  EXPECT_THAT(run("limit-cycles bogie --speed 0:50").err, HasSubstr("above zero"));
  EXPECT_THAT(run("limit-cycles bogie --speed 50:60 --step 1").err, HasSubstr("time step"));
}

TEST(curving_command, prints_curves) {
  const test::Program program;
  const std::string svg = program.file("curves.svg", "");
  const test::Outcome o = program.run(
      "curving bogie --radius 500,800 --speed 15 --cant-deficiency 50 --csv --svg " + svg);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out,
              testing::StartsWith("radius,speed,cant_deficiency,cant,friction,found,attack."));
  EXPECT_THAT(o.out, HasSubstr("\n800,15,50,"));
  EXPECT_THAT(base::read_file(svg), HasSubstr("Angle of attack"));
  EXPECT_THAT(run("curving bogie --radius 800 --speed 15 --json").out, HasSubstr("\"Tgamma\""));
}

TEST(curving_command, wrong_input_is_explained) {
  const auto error = [](const std::string& arguments) {
    const test::Outcome o = run("curving bogie " + arguments);
    EXPECT_EQ(o.code, 2) << arguments << o.out;
    return o.err;
  };
  EXPECT_THAT(error("--radius 500 --speed 0"), HasSubstr("speed"));
  EXPECT_THAT(error("--radius 3 --speed 10"), HasSubstr("at least 20"));
  EXPECT_THAT(error("--radius 300,x --speed 10"), HasSubstr("'x' is not a number"));
  EXPECT_THAT(error("--radius 300 --speed 60"), HasSubstr("mm of cant"));
}

}  // namespace
}  // namespace klingel
