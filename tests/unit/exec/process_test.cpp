// Processes: output and exit codes are kept, several run at once, and none outlives its caller.
#include "exec/process.hpp"

#include <chrono>
#include <csignal>
#include <fstream>

#include "tests/unit/exec/fixture.hpp"

namespace klingel::exec {
namespace {

using testing::HasSubstr;

class Process : public ExecTest {
 protected:
  static Command shell(const std::string& script) { return {{"sh", "-c", script}, {}}; }

  static double seconds(auto&& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

TEST_F(Process, keeps_output_and_exit_code) {
  const Outcome outcome = run(shell("echo one; echo two >&2; exit 3"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.output, "one\ntwo\n");
}

TEST_F(Process, runs_in_the_folder_asked_for) {
  const Command command{{"pwd", "-P"}, folder()};
  EXPECT_EQ(run(command).output, std::filesystem::canonical(folder()).string() + "\n");
}

TEST_F(Process, passes_words_unchanged_without_a_shell) {
  EXPECT_EQ(run({{"printf", "%s|", "a b", "$HOME", "'*'"}, {}}).output, "a b|$HOME|'*'|");
  EXPECT_EQ(line_of({"cc", "-c", "x.c"}), "cc -c x.c");
}

TEST_F(Process, reads_nothing_and_speaks_plain_english) {
  EXPECT_EQ(run(shell("cat; echo $LC_ALL")).output, "C\n");
}

TEST_F(Process, reports_a_signal_as_shells_do) {
  EXPECT_EQ(run(shell("kill -9 $$")).code, 128 + SIGKILL);
}

TEST_F(Process, keeps_long_outputs) {
  EXPECT_EQ(run(shell("head -c 1000000 /dev/zero")).output.size(), 1000000u);
}

TEST_F(Process, that_cannot_start_is_an_error_with_the_reason) {
  EXPECT_EQ(message_of([] {
              run({{"/nonexistent/program"}, {}});
            }),
            "cannot run '/nonexistent/program': No such file or directory");
}

TEST_F(Process, several_run_at_once_and_keep_their_order) {
  const std::vector<Command> commands{shell("sleep 0.4; echo a"), shell("sleep 0.3; echo b"),
                                      shell("sleep 0.2; echo c"), shell("sleep 0.1; echo d")};
  std::vector<Outcome> outcomes;
  EXPECT_LT(seconds([&] { outcomes = run_all(commands, 4); }), 0.9);
  std::string all;
  for (const Outcome& outcome : outcomes) all += outcome.output;
  EXPECT_EQ(all, "a\nb\nc\nd\n");
}

TEST_F(Process, a_failure_stops_those_that_run_and_starts_no_others) {
  const std::vector<Command> commands{shell("exec sleep 20"), shell("exit 1"),
                                      shell("echo later > " + (folder() / "later").string())};
  std::vector<Outcome> outcomes;
  EXPECT_LT(seconds([&] { outcomes = run_all(commands, 2); }), 10.0);
  EXPECT_EQ(outcomes[0].code, Outcome::not_run);
  EXPECT_EQ(outcomes[1].code, 1);
  EXPECT_EQ(outcomes[2].code, Outcome::not_run);
  EXPECT_FALSE(std::filesystem::exists(folder() / "later"));
}

TEST_F(Process, programs_are_found_in_path) {
  EXPECT_TRUE(find_program("sh").is_absolute());
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(message_of([] { find_program("no_such_program"); }),
            "there is no program 'no_such_program' in any folder of $PATH");
  std::ofstream(folder() / "text") << "not a program";
  const std::string text = (folder() / "text").string();
  EXPECT_EQ(message_of([&] { find_program(text); }), "there is no program '" + text + "'");
}

}  // namespace
}  // namespace klingel::exec
