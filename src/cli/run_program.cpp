#include "cli/run_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

extern char** environ;

namespace klingel::cli {

std::string run_program(const char* const* arguments) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe: " + std::generic_category().message(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int code = ::posix_spawn(&child, arguments[0], &actions, nullptr,
                                 const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string said;
  if (code == 0) {
    char some[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], some, sizeof some)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0) said.append(some, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  if (code != 0) return "cannot start: " + std::generic_category().message(code);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  return said.empty() ? fmt::format("the run ended with status {}", status) : said;
}

}  // namespace klingel::cli
