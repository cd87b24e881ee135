// Every number that any command takes, given as what is no number or cannot be one: exit code 2 and
// a message, whatever the command. Options are read from the help, so a new one is tried without
// being named here; a new command fails until it has an ordinary call in the list.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

// Ordinary calls, and commands without numbers.
const std::map<std::string, std::string> calls = {
    {"run", "wheelset --duration 0.01"},
    {"study", "@s.toml --out @study"},
    {"optimise", "coach_front --out @front"},
    {"estimate", "rail_friction --out @estimate"},
    {"assess", "@recorded"},
    {"spectrum", "@recorded"},
    {"wear", "coach_wear --out @wear"},
    {"reduce", "arm"},
    {"identify", "arm --make @motion.csv"},
    {"view", "wheelset --port 0"},
    {"modes", "wheelset_suspended --speed 20"},
    {"curving", "wheelset_suspended --radius 500 --speed 10"},
    {"limit-cycles", "wheelset_suspended --speed 20:21:1 --longest 0.5"},
    {"export", "wheelset --to @package"},
    {"fmu", "wheelset -o @w.fmu"},
    {"realtime", "wheelset --seconds 0.05 --priority 0"},
    {"track", "curve_300 --csv --step 100"},
    {"profile", "S1002"},
    {"contact", "--wheel S1002 --rail 60E1:1:40 --y 0 --load 60"},
    {"conicity", "--wheel S1002 --rail 60E1:1:40 --amplitude 3 --load 60"},
    {"creep", "--a 6 --b 4 --normal 80000"},
    {"example", "pendulum --duration 0.01"},
    {"bench", "wheelset --steps 10 --replays 1 --only-steps"},
    {"growth", "--units 1 --steps 5 --replays 1"},
};
const std::set<std::string> without_numbers = {"report", "compare", "check", "channels",
                                               "eval",   "ops",     "paper", "help",
                                               "list",   "manual",  "hidden"};

std::set<std::string> commands_of(const Program& program) {
  std::string help = program.run("--help").out;
  help.resize(help.find("\nOptions:"));
  static const std::regex line(R"(\n  ([a-z][a-z-]*)  +[A-Z])");
  std::set<std::string> names;
  for (std::sregex_iterator i(help.begin(), help.end(), line), end; i != end; ++i)
    names.insert((*i)[1]);
  return names;
}

// Options with numbers: "--speed", "NUMBER".
std::vector<std::pair<std::string, std::string>> numbers_of(const Program& program,
                                                            const std::string& command) {
  const std::string help = program.run(command + " --help").out;
  static const std::regex line(
      R"(\n  (--?[A-Za-z-]+) (NUMBER|COUNT(?:\.\.\.)?|LIST|A:B:STEP|PORT|ANGLE|1:N|FROM:TO:FRICTION|I/N))");
  std::vector<std::pair<std::string, std::string>> options;
  for (std::sregex_iterator i(help.begin(), help.end(), line), end; i != end; ++i)
    options.emplace_back((*i)[1], (*i)[2]);
  return options;
}

// The ordinary call with another value of one option.
std::string with(std::string call, const std::string& option, const std::string& value) {
  const std::size_t at = call.find(option + " ");
  if (at == std::string::npos) return fmt::format("{} {} {}", call, option, value);
  const std::size_t from = at + option.size() + 1;
  return call.replace(from, call.find(' ', from) - from, value);
}

TEST(hostile, every_number_of_every_command_is_checked) {
  const Program program;
  const std::string study =
      program.file("s.toml",
                   "[study]\nname = 's'\nrun = 'wheelset'\nduration = 0.01\n[[vary]]\nname = "
                   "'speed'\nvalues = [10, 12]\n[[measure]]\nname = 'Q'\nformula = "
                   "'max(Q.wheelset.left)'\n");
  const std::string folder = study.substr(0, study.size() - std::string("s.toml").size());
  ASSERT_EQ(program.run("run wheelset --duration 0.01 --out " + folder + "recorded").code, 0);
  int tried = 0;
  for (const std::string& command : commands_of(program)) {
    const std::vector<std::pair<std::string, std::string>> options = numbers_of(program, command);
    if (without_numbers.contains(command)) {
      EXPECT_TRUE(options.empty()) << command << " has numbers now: give it a call";
      continue;
    }
    const auto call = calls.find(command);
    ASSERT_NE(call, calls.end()) << "no ordinary call of klingel " << command;
    EXPECT_FALSE(options.empty()) << command;
    for (const auto& [option, kind] : options) {
      for (const std::string value : {"nan", "inf", "x", "''", "1e300", "-1e300"}) {
        std::string given = value;
        if (kind == "FROM:TO:FRICTION") given = "0:100:" + value;
        if (kind == "I/N") given = "1/" + value;
        const std::string words = with(call->second, option, given);
        const Outcome o = program.run(
            fmt::format("{} {}", command, std::regex_replace(words, std::regex("@"), folder)));
        EXPECT_EQ(o.code, 2) << command << ' ' << option << ' ' << given << '\n' << o.out << o.err;
        EXPECT_THAT(o.err, testing::StartsWith("klingel: ")) << command << ' ' << option;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 300);
}

// Options that would do nothing.
TEST(hostile, options_without_effect_are_refused) {
  const Program program;
  for (const char* call : {
           "modes wheelset_suspended --speed 20 --max 100",
           "modes wheelset_suspended --speed 20 --near 2",
           "modes wheelset_suspended --speed 20 --cant 50",
           "modes wheelset_suspended --speed 20 --csv --json",
           "curving wheelset_suspended --radius 500 --csv --json",
           "limit-cycles wheelset_suspended --speed 20:21:1 --csv --json",
           "realtime wheelset --seconds 0.05 --bind 127.0.0.1",
           "realtime wheelset --seconds 0.05 --patience 3",
           "contact --wheel S1002 --rail 60E1 --y 0 --E 200",
           "contact --wheel S1002 --rail 60E1 --y 0 --patches",
           "run wheelset --csv",
           "run wheelset --save-every 1",
           "study coach_speed_friction folder",
           "study merge",
           "check wheelset --keys",
           "export pendulum --to package --speed 3",
           "fmu pendulum -o p.fmu --set m=3",
           "check coach_300m --set no_such_parameter=1",
           "creep --a 6 --b 4 --normal 6e4 --law she --kA 0.5",
           "creep --a 6 --b 4 --normal 6e4 --law polach --slices 40",
           "realtime wheelset --seconds 0.05 --hold-input 5",
           "realtime wheelset --seconds 0.05 --header h.h --record r.csv",
           "estimate rail_friction --duration 1 --runs 0",
       }) {
    const Outcome o = program.run(call);
    EXPECT_EQ(o.code, 2) << call << '\n' << o.out << o.err;
    EXPECT_THAT(o.err, testing::StartsWith("klingel: ")) << call;
  }
}

// Files that cannot be written are known before anything runs.
TEST(hostile, files_that_cannot_be_written_are_noticed_first) {
  const Program program;
  const std::string file = program.file("file", "");
  for (const std::string call : {
           "realtime wheelset --seconds 1e6 --json ",
           "realtime wheelset --seconds 1e6 --histogram ",
           "limit-cycles manchester1 --speed 20:90:0.1 --svg ",
           "modes manchester1 --speed 1:200:0.01 --svg ",
           "curving manchester1 --radius 300:3000:1 --svg ",
           "study coach_tolerances --json ",
           "bench coach_300m --json ",
           "fmu coach_300m -o ",
       }) {
    const Outcome o = program.run(call + file + "/x");
    EXPECT_EQ(o.code, 2) << call << '\n' << o.out << o.err;
    EXPECT_THAT(o.err, testing::HasSubstr("is not a folder")) << call;
    EXPECT_EQ(o.out, "") << call;
  }
  const Outcome o = program.run("estimate yaw_damper --out " + file + "/x");
  EXPECT_EQ(o.code, 2) << o.out << o.err;
  EXPECT_THAT(o.err, testing::HasSubstr("cannot write"));
}

// Whatever the file system says is a wrong input, no defect of the program.
TEST(hostile, errors_of_the_file_system_are_no_internal_errors) {
  const Program program;
  const std::string too_long(300, 'a');
  for (const std::string call : {"assess ", "report ", "fmu wheelset -o ", "export wheelset --to ",
                                 "curving wheelset_suspended --radius 500 --svg "}) {
    const Outcome o = program.run(call + too_long);
    EXPECT_EQ(o.code, 2) << call << '\n' << o.out << o.err;
    EXPECT_THAT(o.err, testing::Not(testing::HasSubstr("internal error"))) << call;
    EXPECT_THAT(o.err, testing::HasSubstr("too long")) << call;
  }
}

}  // namespace
}  // namespace klingel::test
