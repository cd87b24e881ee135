// ./run is the door: it works from any folder, refuses what it does not know with exit code 2, and
// the documents name only commands it has.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "base/file.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Shell run(const std::string& arguments) {
  return shell(fmt::format("cd / && '{}/run' {}", KLINGEL_SOURCE_DIR, arguments));
}

TEST(run, help_lists_every_command) {
  const Shell help = run("help");
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"build", "test", "python", "bench", "demo", "help"})
    EXPECT_THAT(help.out, HasSubstr(fmt::format("\n  {} ", command)));
  EXPECT_EQ(run("").out, help.out);
}

TEST(run, an_unknown_command_is_refused) {
  const Shell outcome = run("biuld");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out,
            "./run: unknown command 'biuld'; there are: build test python bench soak sanitize fuzz "
            "demo help\n");
}

TEST(run, ci_runs_the_tests) {
  const fs::path ci = KLINGEL_SOURCE_DIR "/.ci/run";
  EXPECT_NE(fs::status(ci).permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_THAT(base::read_file(ci), HasSubstr("exec ./run test --all\n"));
}

TEST(run, every_test_has_a_tier) {
  const auto tests = [](const std::string& labels) {
    return shell("ctest --test-dir '" KLINGEL_BINARY_DIR "' -N " + labels).out;
  };
  EXPECT_THAT(tests("-LE '^tier[12]$'"), HasSubstr("Total Tests: 0"));
  EXPECT_THAT(tests("-L '^tier1$' -R '^structure$'"), HasSubstr("Total Tests: 1"));
  EXPECT_THAT(tests("-L '^tier1$' -R fuzz"), HasSubstr("Total Tests: 0"));
}

// As GoogleTest and ctest write them.
TEST(run, skipped_tests_are_listed_with_their_reasons) {
  const TemporaryFolder folder;
  const auto list = [&] {
    return shell(fmt::format("awk -f '{}/tests/skipped.awk' '{}'/*.xml", KLINGEL_SOURCE_DIR,
                             folder.path().string()))
        .out;
  };
  folder.add("unit_a.xml", R"(<testsuite name="creep" tests="3">
    <testcase name="fine" status="run" result="completed" time="0." classname="creep" />
)");
  EXPECT_EQ(list(), "No test was skipped.\n");
  folder.add("unit_b.xml", R"(<testsuite name="creep" tests="3">
    <testcase name="fine" status="run" result="completed" time="0." classname="creep" />
    <testcase name="met" status="run" result="skipped" time="0." classname="laws/creep">
      <skipped message="/tmp/a_test.cpp:89&#x0A;&quot;x&quot; &amp; more&#x0A;"><![CDATA[...]]></skipped>
    </testcase>
)");
  folder.add("ctest.xml", R"(<testsuite name="klingel">
    <testcase name="unit_a" classname="unit_a" time="1" status="run">
    </testcase>
    <testcase name="page" classname="page" time="1" status="notrun">
      <skipped message="SKIP_RETURN_CODE=77"/>
    </testcase>
)");
  EXPECT_EQ(list(),
            "2 tests were skipped:\n  page: SKIP_RETURN_CODE=77\n"
            "  laws/creep.met: \"x\" & more\n");
}

TEST(run, documents_name_only_commands_that_exist) {
  const std::string help = run("help").out;
  const std::regex command(R"(\./run ([a-z]+))");
  std::vector<fs::path> documents = {KLINGEL_SOURCE_DIR "/README.md"};
  if (fs::exists(KLINGEL_SOURCE_DIR "/docs"))
    for (const auto& entry : fs::recursive_directory_iterator(KLINGEL_SOURCE_DIR "/docs"))
      if (entry.path().extension() == ".md") documents.push_back(entry.path());
  for (const fs::path& document : documents) {
    if (!fs::exists(document)) continue;
    const std::string text = base::read_file(document);
    for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it)
      EXPECT_THAT(help, HasSubstr(fmt::format("\n  {} ", (*it)[1].str()))) << document;
  }
}

}  // namespace
}  // namespace klingel::structure
