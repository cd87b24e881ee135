#include "exec/guard.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace klingel::exec {

Guard::Guard(const std::filesystem::path& folder) {
  const auto reason = [](int error) { return std::generic_category().message(error); };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) base::fail("cannot make a pipe: {}", reason(errno));
  pipe_ = ends[1];

  // group 0: everybody in the shell's own. A program that dies may still leave a file in between
  std::string words[] = {"sh", "-c",
                         "trap '' HUP INT TERM; read -r line; kill -s TERM 0; "
                         "rm -rf -- \"$0\" || { sleep 1; rm -rf -- \"$0\"; }",
                         folder.string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  for (const int out : {1, 2})
    posix_spawn_file_actions_addopen(&actions, out, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = ::posix_spawn(&shell_, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (error != 0) {
    ::close(pipe_);
    base::fail("cannot run '/bin/sh': {}", reason(error));
  }
}

Guard::~Guard() {
  ::close(pipe_);
  int status = 0;
  while (::waitpid(shell_, &status, 0) < 0 && errno == EINTR) continue;
}

}  // namespace klingel::exec
