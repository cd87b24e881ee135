// klingel ops of vehicles, klingel bench, and klingel growth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ops, of_a_vehicle_has_every_stage_and_function_and_the_articles_table) {
  const test::Outcome ran = test::Program().run("ops feve3000 --article");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* name : {"place", "position", "system", "solve", "impulse", "tangent", "motion"})
    EXPECT_THAT(ran.out, HasSubstr(name));
  // the mass matrix: 1265 operations where the article needs 10910
  EXPECT_THAT(ran.out, HasSubstr("M_qq                      1795       10910        1265"));
  // every function of the contacts that the article counts is found
  EXPECT_THAT(ran.out, Not(HasSubstr("gamma_n                   3779       25870           -")));
}

TEST(growth, says_what_longer_trains_cost) {
  const test::Program program;
  const std::string file = program.file("train.json", "");
  const test::Outcome o =
      program.run("growth --units 1 2 --steps 20 --replays 1 --backend interpreter --json " + file);
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("generation ms"));
  EXPECT_THAT(base::read_file(file), HasSubstr("\"step_over_linear\""));
  const test::Outcome wrong = program.run("growth wheelset");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'wheelset' is not a train"));
  EXPECT_EQ(program.run("growth --units 0").code, 2);
}

TEST(bench, writes_times_of_steps_beside_those_of_eigen) {
  if (std::system("cc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "cc is not installed";
  const test::Program program;
  const std::string file = program.file("step.json", "");
  const test::Outcome o = program.run("bench wheelset --steps 50 --replays 1 --json " + file);
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string json = base::read_file(file);
  for (const char* key : {"\"step_us\"", "\"p999\"", "\"eigen_lu_us\"", "\"step_over_eigen_lu\"",
                          "\"generate_s\"", "\"first_step_s\"", "\"stage system\""})
    EXPECT_THAT(json, HasSubstr(key));
  EXPECT_EQ(program.run("bench wheelset --replays 0").code, 2);
}

}  // namespace
}  // namespace klingel
