// Subject: `klingel export` into a folder that has a package, and of names that nothing has. Claim:
// nothing of the earlier one stays, and nothing that others put there goes; the right name is
// suggested. tests/export builds packages.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(export_command, replaces_an_earlier_package) {
  const Program program;
  const std::string mine = program.file("package/mine.c", "int mine;\n");
  const std::string other = program.file("other.c", "int other;\n");
  const fs::path folder = fs::path(mine).parent_path();
  ASSERT_EQ(program.run("export pendulum --to " + folder.string()).code, 0);
  EXPECT_TRUE(fs::exists(folder / "model/pendulum.c"));
  // a list that names files elsewhere removes none of them
  program.file("package/FILES", base::read_file(folder / "FILES") + "../other.c\n" + other + "\n");
  ASSERT_EQ(program.run("export double_pendulum --to " + folder.string()).code, 0);
  EXPECT_TRUE(fs::exists(folder / "model/double_pendulum.c"));
  EXPECT_FALSE(fs::exists(folder / "model/pendulum.c"));
  EXPECT_TRUE(fs::exists(mine));
  EXPECT_TRUE(fs::exists(other));
}

TEST(export_command, nearest_name_is_suggested_among_vehicles_estimates_and_mechanisms) {
  const Program program;
  for (const auto& [wrong, right] : {std::pair{"coach_30m", "coach_300m"},
                                     {"manchester", "manchester1"},
                                     {"yaw_dampr", "yaw_damper"},
                                     {"pendulums", "pendulum"}}) {
    for (const std::string command : {"fmu ", "export --to package "}) {
      const Outcome outcome = program.run(command + wrong);
      EXPECT_EQ(outcome.code, 2) << wrong;
      EXPECT_THAT(outcome.err, HasSubstr(fmt::format("did you mean '{}'", right)));
      EXPECT_THAT(outcome.err, HasSubstr("shipped estimates: coach_forces"));
    }
  }
}

}  // namespace
}  // namespace klingel::test
