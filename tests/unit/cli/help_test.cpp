// What the program says about itself: help, lists, and what `klingel manual` writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// the commands that the overview lists
std::set<std::string> command_names(const std::string& overview) {
  std::set<std::string> names;
  const std::string list = overview.substr(0, overview.find("\nOptions:"));
  const std::regex row("\n  ([a-z]+) ");
  for (auto i = std::sregex_iterator(list.begin(), list.end(), row); i != std::sregex_iterator();
       ++i)
    names.insert((*i)[1]);
  return names;
}

TEST(help, of_a_command_is_the_same_by_both_ways) {
  const Program program;
  const Outcome outcome = program.run("help run");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("Run a vehicle over a track.\n\nUsage: klingel run "),
                    HasSubstr("--speed NUMBER"), HasSubstr("in m/s"), HasSubstr("Examples:\n")));
  EXPECT_EQ(outcome.out, program.run("run --help").out);
}

TEST(help, every_topic_of_the_overview_has_a_text) {
  const Program program;
  const std::string overview = program.run("help").out;
  for (const char* topic : {"vehicles", "tracks", "profiles", "scenarios", "channels", "units",
                            "exit-codes", "files"}) {
    EXPECT_THAT(overview, HasSubstr(std::string("\n  ") + topic));
    const Outcome outcome = program.run(std::string("help ") + topic);
    EXPECT_EQ(outcome.code, 0) << topic;
    EXPECT_GT(outcome.out.size(), 200u) << topic;
  }
}

TEST(help, about_something_unknown_is_answered_with_the_nearest) {
  const Outcome outcome = Program().run("help chanels");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no help about 'chanels'; did you mean 'channels'?"));
}

TEST(help, no_line_is_wider_than_a_terminal) {
  const Program program;
  for (const std::string& name : command_names(program.run("help").out)) {
    std::istringstream lines(program.run("help " + name).out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 100u) << name << ": " << line;
  }
}

TEST(list, has_what_is_shipped) {
  const Program program;
  EXPECT_THAT(program.run("list vehicles").out, HasSubstr("manchester1\n"));
  EXPECT_THAT(program.run("list tracks scenarios").out,
              AllOf(HasSubstr("curve_300\n"), HasSubstr("coach_300m\n")));
  EXPECT_THAT(program.run("list profiles").out,
              AllOf(HasSubstr("S1002\n"), HasSubstr("feve_rail\n")));
  EXPECT_THAT(program.run("list studies estimates").out,
              AllOf(HasSubstr("coach_curves\n"), HasSubstr("coach_forces\n")));
  EXPECT_THAT(program.run("list").out, AllOf(HasSubstr("vehicles:\n  "), HasSubstr("examples:\n")));
  const Outcome wrong = program.run("list vehicle");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'vehicles'?"));
}

TEST(manual, the_document_of_commands_is_what_the_program_writes) {
  const Program program;
  const fs::path folder = program.file("x/manual/empty", "");
  ASSERT_EQ(program.run("manual " + folder.parent_path().string()).code, 0);
  EXPECT_EQ(base::read_file(KLINGEL_SOURCE_DIR "/docs/commands.md"),
            base::read_file(folder.parent_path() / "commands.md"))
      << "copy build/release/manual/commands.md to docs/";
}

TEST(manual, every_command_has_a_man_page_and_stands_in_every_completion) {
  const Program program;
  const fs::path folder = fs::path(program.file("x/manual/empty", "")).parent_path();
  ASSERT_EQ(program.run("manual " + folder.string()).code, 0);
  const std::string bash = base::read_file(folder / "bash/klingel"),
                    zsh = base::read_file(folder / "zsh/_klingel"),
                    fish = base::read_file(folder / "fish/klingel.fish");
  const std::set<std::string> names = command_names(program.run("help").out);
  EXPECT_GE(names.size(), 18u);
  for (const std::string& name : names) {
    const std::string page = base::read_file(folder / "man1" / ("klingel-" + name + ".1"));
    EXPECT_THAT(page, HasSubstr(".SH NAME\nklingel\\-" + name + " \\- "));
    EXPECT_THAT(bash, HasSubstr("\n    " + name + ")\n"));
    EXPECT_THAT(zsh, HasSubstr("\n    " + name + ")\n"));
    EXPECT_THAT(fish, HasSubstr("-a " + name + " -d "));
    EXPECT_THAT(base::read_file(folder / "man1/klingel.1"), HasSubstr("klingel\\-" + name + "(1)"));
  }
  EXPECT_THAT(bash, HasSubstr("--law) _klingel_words 'linear she polach fastsim'"));
  EXPECT_THAT(zsh, HasSubstr("'--track[Another track\\: a shipped name or a file]:TRACK: "
                             "_klingel_names yes tracks'"));
  EXPECT_THAT(fish, HasSubstr("-l law -r -f -a 'linear she polach fastsim' -d 'Creep law'"));
  EXPECT_EQ(std::system(("bash -n " + (folder / "bash/klingel").string()).c_str()), 0);
}

TEST(manual, is_the_same_on_every_run) {
  const Program program;
  const fs::path folder = fs::path(program.file("x/empty", "")).parent_path();
  ASSERT_EQ(program.run("manual " + (folder / "a").string()).code, 0);
  ASSERT_EQ(program.run("manual " + (folder / "b").string()).code, 0);
  for (const char* name : {"man1/klingel.1", "bash/klingel", "commands.md"})
    EXPECT_EQ(base::read_file(folder / "a" / name), base::read_file(folder / "b" / name));
}

}  // namespace
}  // namespace klingel::test
