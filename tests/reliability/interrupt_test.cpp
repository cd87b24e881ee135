// Commands that take long, stopped by Ctrl-C and by SIGTERM while they work: shells see 130 and
// 143, never a code that blames the input, and no result is written that looks whole.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/file.hpp"
#include "tests/structure/temporary_folder.hpp"

extern char** environ;

namespace klingel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* stopped = KLINGEL_BINARY_DIR "/klingel";  // by these tests

// Seconds of processor time of a process and its threads, or -1 if it has ended.
double processor_time(pid_t pid) {
  std::string text;
  try {
    text = base::read_file(fmt::format("/proc/{}/stat", pid));
  } catch (const std::exception&) {
    return -1;
  }
  std::istringstream words(text.substr(text.rfind(')') + 2));
  std::string state, skipped;
  words >> state;
  for (int i = 0; i < 10; ++i) words >> skipped;
  double user = 0, system = 0;
  words >> user >> system;
  return state == "Z" ? -1 : (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// What a shell would say of a command that gets a signal once it has worked for a while.
int code_after(const std::string& arguments, int signal, double worked) {
  std::istringstream words(arguments);
  std::vector<std::string> text{stopped};
  for (std::string word; words >> word;) text.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : text) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int fd : {1, 2})
    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_WRONLY, 0);
  // whoever runs this test may ignore signals
  posix_spawnattr_t usual;
  posix_spawnattr_init(&usual);
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT), sigaddset(&both, SIGTERM);
  posix_spawnattr_setsigdefault(&usual, &both);
  posix_spawnattr_setflags(&usual, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  EXPECT_EQ(::posix_spawn(&pid, stopped, &quiet, &usual, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&quiet);
  posix_spawnattr_destroy(&usual);
  while (true) {
    const double now = processor_time(pid);
    if (now < 0 || now >= worked) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(pid, signal);
  const Clock::time_point sent = Clock::now();
  int status = 0;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (Clock::now() - sent > std::chrono::seconds(100)) {
      ADD_FAILURE() << "it goes on";
      ::kill(pid, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Long {
  const char* command;
  const char* whole;  // what is written last, or nothing
};

TEST(interrupt, of_a_long_command_is_not_blamed_on_its_input) {
  constexpr Long all[] = {{"run manchester1 --speed 0 --duration 900 --backend interpreter", ""},
                          {"study coach_tolerances --threads 1 --out OUT/r", "r/cases.csv"},
                          {"optimise coach_front --threads 1 --out OUT/r", "r/optimum.json"},
                          {"estimate coach_forces --runs 1000 --out OUT/r", "r/estimate.html"},
                          {"limit-cycles manchester1 --speed 40:90", ""},
                          {"wear coach_wear --out OUT/r", "r/wear.csv"},
                          {"paper --out OUT/r", "r/index.html"},
                          {"curving manchester1 --radius 300:3000:1", ""},
                          {"modes manchester1 --speed 1:80:0.1", ""},
                          {"bench feve3000_corrected --replays 1000", ""},
                          {"realtime wheelset --seconds 600 --priority 0 --spin 1000", ""},
                          {"view coach_300m --port 0", ""}};
  for (const Long& one : all) {
    for (const int signal : {SIGINT, SIGTERM}) {
      const structure::TemporaryFolder folder;
      std::string command = one.command;
      if (const std::size_t at = command.find("OUT"); at != std::string::npos)
        command.replace(at, 3, folder.path().string());
      SCOPED_TRACE(fmt::format("{} by {}", command, signal));
      const int code = code_after(command, signal, 0.7);
      // a view is meant to be ended so
      EXPECT_EQ(code, command.starts_with("view") ? 0 : 128 + signal);
      EXPECT_FALSE(one.whole[0] != '\0' && fs::exists(folder.path() / one.whole));
    }
  }
}

}  // namespace
}  // namespace klingel
