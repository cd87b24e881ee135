// Subject: `klingel estimate`, and estimates of `klingel fmu` and `klingel export`. Claim: what
// cannot be is refused with a message before anything is compiled, and --first chooses other noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

using testing::HasSubstr;

constexpr const char* small_estimate = R"([estimate]
name = "small"
run = "wheelset_suspended"
duration = 0.1
settle = 0.02
without = ["q.spin", "q.x", "dq.x", "dq.spin", "*carriage*"]
[[state]]
names = "*"
sigma = 1e-4
noise = 1e-4
[[sensor]]
channel = "y_rel.wheelset"
sigma = 1e-4
[truth]
step = 1e-3
)";

std::string refused_estimate(const Program& program, const std::string& arguments) {
  const Outcome outcome = program.run(arguments);
  EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.out << outcome.err;
  return outcome.err;
}

TEST(estimate_command, what_cannot_be_is_refused) {
  const Program program;
  EXPECT_THAT(refused_estimate(program, "fmu yaw_damper --speed 20"), HasSubstr("is an estimate"));
  EXPECT_THAT(refused_estimate(program, "export yaw_damper --to d --track straight"),
              HasSubstr("is an estimate"));
  EXPECT_THAT(refused_estimate(program, "estimate yaw_damper --first -1"),
              HasSubstr("--first is -1"));
  EXPECT_THAT(refused_estimate(program, "estimate yaw_damper --first 1 --recording a.csv"),
              HasSubstr("--recording has none"));
  const std::string wrong = program.file("wrong.toml", std::string(small_estimate) + "[filtr]\n");
  EXPECT_THAT(refused_estimate(program, "fmu " + wrong), HasSubstr("wrong.toml:16"));
}

TEST(estimate_command, the_first_run_may_be_another_one) {
  const Program program;
  const std::string file = program.file("small.toml", small_estimate);
  const auto nis = [&](const std::string& options) {
    const Outcome outcome =
        program.run("estimate " + file + " --backend interpreter --out " +
                    std::filesystem::path(file).parent_path().string() + "/results " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.substr(outcome.out.find("NIS   mean"), 40);
  };
  const std::string of_first = nis("--first 0"), of_third = nis("--first 2");
  EXPECT_EQ(of_first, nis("--runs 1"));
  EXPECT_NE(of_first, of_third);
  // several: all of them, and the same ones
  const Outcome three = program.run("estimate " + file + " --backend interpreter --runs 3 --out " +
                                    std::filesystem::path(file).parent_path().string() + "/all");
  EXPECT_THAT(three.out, HasSubstr("NIS  of runs:"));
  EXPECT_THAT(three.out, HasSubstr(of_first));
}

TEST(estimate_command, estimates_are_listed) {
  const Program program;
  EXPECT_THAT(program.run("list estimates").out, HasSubstr("yaw_damper\n"));
}

}  // namespace
}  // namespace klingel::test
