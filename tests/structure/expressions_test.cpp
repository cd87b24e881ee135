// The first example as a newcomer meets it: what it writes, what it says without a compiler, and
// how it refuses a folder it cannot write.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

// the example with its cache in the folder, started with some variables and arguments
Shell run(const TemporaryFolder& folder, const std::string& variables,
          const std::string& arguments) {
  return shell(fmt::format("cd '{}' && KLINGEL_CACHE=cache {} '{}' {}", folder.path().string(),
                           variables, KLINGEL_BINARY_DIR "/examples/00_expressions/expressions",
                           arguments));
}

TEST(expressions, end_well_and_say_where_to_look) {
  const TemporaryFolder folder;
  const Shell outcome = run(folder, "", "out");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("ends in the same bits"));
  EXPECT_THAT(outcome.out,
              EndsWith("\nlook at out/pendulum.svg; the numbers are in pendulum.csv, the C is in "
                       "pendulum/ beside it\n"));
  for (const char* name : {"pendulum.svg", "pendulum.csv", "pendulum/pendulum.c",
                           "pendulum/pendulum.h", "pendulum/pendulum_manifest.json"}) {
    EXPECT_TRUE(fs::exists(folder.path() / "out" / name)) << name;
  }
  const std::string svg = base::read_file(folder.path() / "out/pendulum.svg");
  EXPECT_THAT(svg, HasSubstr("time t [s]"));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  EXPECT_THAT(base::read_file(folder.path() / "out/pendulum.csv"),
              testing::StartsWith("t [s],theta [rad],dtheta [rad/s],T [J],V [J]\n0.000,2.5,0,0,"));
}

TEST(expressions, write_the_golden_files) {
  const TemporaryFolder folder;
  ASSERT_EQ(run(folder, "", "out").code, 0);
  for (const char* name : {"pendulum.c", "pendulum.h", "pendulum_selftest.c"}) {
    EXPECT_EQ(base::read_file(folder.path() / "out/pendulum" / name),
              base::read_file(fs::path(KLINGEL_SOURCE_DIR) / "tests/golden/pendulum" / name))
        << name;
  }
}

TEST(expressions, run_without_a_compiler_and_say_so) {
  const TemporaryFolder folder;
  const Shell outcome = run(folder, "CC=no_such_compiler", "out");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out,
              testing::AnyOf(HasSubstr("5. back end jit: compiled in memory"),
                             AllOf(HasSubstr("5. back end interpreter: interpreted, which is "
                                             "slower, because "),
                                   HasSubstr("there is no program 'no_such_compiler'"))));
}

TEST(expressions, refuse_a_folder_that_cannot_be_written) {
  const TemporaryFolder folder;
  folder.add("file", "in the way");
  const Shell outcome = run(folder, "", "file/out");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out,
            "expressions: cannot write 'file/out/pendulum/klingel_kernel.h': Not a directory\n");
}

TEST(expressions, want_exactly_one_folder) {
  const TemporaryFolder folder;
  for (const char* arguments : {"", "one two"}) {
    const Shell outcome = run(folder, "", arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "usage: expressions <output folder>\n");
  }
}

}  // namespace
}  // namespace klingel::structure
