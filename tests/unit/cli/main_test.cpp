// The program as the shell sees it: exit codes, and what stands on which stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "base/version.hpp"

namespace klingel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

// Runs the built program through the shell; `arguments` are shell text.
Outcome klingel(const std::string& arguments) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("klingel_cli_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string out = folder / "out", err = folder / "err";
  const std::string command =
      KLINGEL_BINARY_DIR "/klingel " + arguments + " >" + out + " 2>" + err + " </dev/null";
  const int status = std::system(command.c_str());
  const Outcome outcome = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, base::read_file(out),
                           base::read_file(err)};
  fs::remove_all(folder);
  return outcome;
}

TEST(cli, version_is_the_projects_version) {
  const Outcome outcome = klingel("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, std::string("klingel ") + base::version + "\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(cli, help_goes_to_stdout_and_names_the_exit_codes) {
  const Outcome outcome = klingel("--help");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Usage: klingel"));
  EXPECT_THAT(outcome.out, HasSubstr("--version"));
  EXPECT_THAT(outcome.out,
              HasSubstr("0 success, 1 internal error, 2 wrong input, 3 numeric failure"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(cli, no_arguments_show_the_help) {
  const Outcome outcome = klingel("");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, klingel("--help").out);
}

TEST(cli, an_unknown_argument_is_an_input_error_on_stderr) {
  const Outcome outcome = klingel("frobnicate");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(outcome.err,
            "klingel: unknown argument 'frobnicate'\n"
            "    'klingel --help' lists what there is\n");
}

TEST(cli, a_misspelled_option_is_answered_with_the_right_one) {
  const Outcome outcome = klingel("--versoin");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              StartsWith("klingel: unknown argument '--versoin'; did you mean '--version'?\n"));
}

TEST(cli, output_that_cannot_be_written_is_not_success) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const int status = std::system(KLINGEL_BINARY_DIR "/klingel --help >/dev/full 2>/dev/null");
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace
}  // namespace klingel
