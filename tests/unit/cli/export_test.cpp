// Subject: `klingel export` into a folder that has a package. Claim: nothing of the earlier one
// stays, and nothing that others put there goes. tests/export builds packages.
#include <gtest/gtest.h>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

namespace fs = std::filesystem;

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

}  // namespace
}  // namespace klingel::test
