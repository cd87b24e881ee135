// klingel check: summaries of shipped vehicles and scenarios, errors of wrong files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(check, the_locomotive_is_summed_up_and_doubted) {
  const test::Outcome o = test::Program().run("check feve3000");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("34250.68"));
  EXPECT_THAT(o.out, HasSubstr("30 coordinates"));
  EXPECT_THAT(o.out, HasSubstr("rear.front.motor (N m)"));
  EXPECT_THAT(o.out, HasSubstr("warning: body 'body'"));
  EXPECT_THAT(o.out,
              HasSubstr("normal force N of each wheel, standing on track 'metre_straight', in "
                        "kN\n    rear.front.right 4"));
}

TEST(check, what_cannot_run_on_a_track_is_still_checked) {
  const test::Program program;
  const test::Outcome o = program.run("check " + program.file("a.toml", R"([vehicle]
name = "pendulum"
[coordinates]
z = 0
[[point]]
name = "p"
r = [0, 0, "z"]
[[body]]
name = "b"
point = "p"
base = "ground"
mass = 5
)"));
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("no wheelset: it cannot run on a track"));
}

TEST(check, scenarios_are_told_from_vehicles) {
  const test::Outcome o =
      test::Program().run("check " KLINGEL_SOURCE_DIR "/vehicles/feve3000_corrected/scenario.toml");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("track        article"));
  EXPECT_THAT(o.out, HasSubstr("rear.rear.motor: -200"));
}

TEST(check, a_wrong_file_is_an_input_error_with_place_and_suggestion) {
  const test::Program program;
  const std::string file = program.file("a.toml", "[vehicle]\nname = 'a'\ngravty = 9.81\n");
  const test::Outcome o = program.run("check " + file);
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, StartsWith("klingel: " + file + ":3:10: "));
  EXPECT_THAT(o.err, HasSubstr("did you mean 'gravity'?"));
}

TEST(check, a_profile_that_does_not_exist_is_named_with_its_wheelset) {
  const test::Program program;
  const std::string file = program.file(
      "a.toml",
      "[vehicle]\nname = 'a'\n[coordinates]\nspin = 0\n[[base]]\nname = 'axle'\naxis = 'y'\n"
      "angle = 'spin'\n[[wheelset]]\nname = 'w'\npoint = 'O'\nbase = 'ground'\nspinning_base = "
      "'axle'\nspin = 'spin'\nradius = 0.46\ndistance = 1.5\nprofile = 'S1003'\n");
  EXPECT_THAT(program.run("check " + file).err, HasSubstr(":9:1: wheelset 'w': "));
}

TEST(check, keys_are_printed_on_request) {
  EXPECT_THAT(test::Program().run("check --keys").out, HasSubstr("| `turning_stiffness` |"));
  EXPECT_EQ(test::Program().run("check").code, 2);
}

}  // namespace
}  // namespace klingel
