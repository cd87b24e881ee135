// klingel contact --load and klingel conicity --load as the shell sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class LoadedContactCommand : public testing::Test {
 protected:
  test::Outcome contact(const std::string& arguments) const {
    return program_.run("contact --wheel S1002 --rail 60E1:1:40 " + arguments);
  }
  test::Outcome conicity(const std::string& arguments) const {
    return program_.run("conicity --wheel S1002 --rail 60E1:1:40 " + arguments);
  }

  test::Program program_;
};

TEST_F(LoadedContactCommand, csv_has_the_rigid_columns_first) {
  const test::Outcome o = contact("--load 60 --y=-1:1:1 --csv");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out,
              StartsWith("y,yaw,side,wheel_u,rail_u,angle,rolling_radius,roll,lift,jump,second,"
                         "patches,share,a,b,approach\n-1,0,left,"));
  EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 7);
  // nothing jumps, and there is no second point
  EXPECT_THAT(o.out, HasSubstr(",0,,1,1.0000,"));
  EXPECT_THAT(o.err, IsEmpty());
}

TEST_F(LoadedContactCommand, patches_have_a_row_each) {
  const test::Outcome o = contact("--load 100 --roll 0 --y 5.5 --patches");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, StartsWith("y,yaw,side,patches,patch,force,share,wheel_u,rail_u,rail_min,"
                                "rail_max,length,a,b\n5.5,0,left,2,1,"));
  EXPECT_THAT(o.out, HasSubstr("\n5.5,0,left,2,2,"));
  EXPECT_THAT(o.out, HasSubstr("\n5.5,0,right,1,1,1000"));
  EXPECT_THAT(contact("--y 0 --patches").err, HasSubstr("add --load"));
}

TEST_F(LoadedContactCommand, table_tells_load_and_patches) {
  const test::Outcome o = contact("--load 60 --y 5");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("60 kN on each wheel"));
  EXPECT_THAT(o.out, HasSubstr("patches on the rail: from, to, share"));
  EXPECT_THAT(o.out, HasSubstr("; -"));  // a second patch
}

TEST_F(LoadedContactCommand, picture_shows_both_wheels_with_what_patches_carry) {
  const std::string file = program_.file("picture.svg", "");
  const test::Outcome o = contact("--load 60 --wheel-right cone:0.05 --y 0:4:1 --svg " + file);
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string svg = base::read_file(file);
  EXPECT_THAT(svg, StartsWith("<svg"));
  EXPECT_THAT(svg, HasSubstr("y = 0 mm, 60 kN on each wheel"));
  EXPECT_THAT(svg, HasSubstr("y = 4 mm, 60 kN on each wheel"));
  EXPECT_THAT(svg, HasSubstr("right: cone"));
  EXPECT_THAT(svg, HasSubstr("kN, 100 %"));
  EXPECT_THAT(svg, HasSubstr("Rolling radius"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST_F(LoadedContactCommand, wrong_loads_are_explained) {
  for (const std::string load : {"0", "-5", "nan", "inf", "heavy", "60kN", "1e9"}) {
    for (const test::Outcome& o : {contact("--y 0 --load=" + load), conicity("--load=" + load)}) {
      EXPECT_EQ(o.code, 2) << load;
      EXPECT_THAT(o.err,
                  HasSubstr("--load " + load + ": expected the vertical force on one wheel"));
      EXPECT_THAT(o.out, IsEmpty());
    }
  }
  EXPECT_NE(contact("--y 0 --E 200").code, 0);
  EXPECT_THAT(contact("--y 0 --E 200").err, HasSubstr("--load"));
  EXPECT_EQ(contact("--y 0 --load 60 --E -1").code, 2);
  EXPECT_EQ(contact("--y 0 --load 60 --poisson 0.7").code, 2);
  EXPECT_THAT(contact("--y 300 --load 60").err, HasSubstr("does not touch its rail"));
  EXPECT_THAT(program_.run("conicity --delta-r x --load 60").err,
              HasSubstr("use --load with --wheel"));
}

TEST_F(LoadedContactCommand, load_lowers_the_conicity_of_small_waves) {
  EXPECT_THAT(conicity("--amplitude 1 --csv").out, StartsWith("amplitude,tan_gamma\n1,0.35"));
  // CONTACT: 0.2102
  EXPECT_THAT(conicity("--load 60 --amplitude 1 --csv").out,
              StartsWith("amplitude,tan_gamma\n1,0.21"));
  EXPECT_THAT(conicity("--load 60 --amplitude 1").out, HasSubstr("60 kN on each wheel"));
  EXPECT_THAT(conicity("--amplitude 1").out, HasSubstr("zero load"));
  const test::Outcome both = program_.run(
      "conicity --wheel S1002 --rail-left 60E1:1:40 --rail-right 60E1:1:20 --load 60 --amplitude 2 "
      "--csv");
  EXPECT_EQ(both.code, 0) << both.err;
}

// Soft steel has larger patches: conicity goes on as under more load.
TEST_F(LoadedContactCommand, material_matters) {
  EXPECT_NE(conicity("--load 60 --amplitude 1 --csv --E 100").out,
            conicity("--load 60 --amplitude 1 --csv").out);
}

}  // namespace
}  // namespace klingel
