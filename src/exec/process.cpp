// Children by posix_spawn, their output by one pipe each; see process.hpp. A pipe ends when the
// child and everything it started is gone, so one poll() both reads and waits, and never touches
// children of the host program as waitpid(-1) would.
#include "exec/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <list>
#include <string_view>
#include <system_error>

#include "base/error.hpp"

namespace klingel::exec {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// our environment with LC_ALL=C: messages and version texts are the same for every user
std::vector<std::string> plain_environment() {
  std::vector<std::string> result{"LC_ALL=C"};
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("LC_ALL=")) result.emplace_back(*variable);
  }
  return result;
}

class Child {
 public:
  Child(const Command& command, std::size_t number) : number_(number) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) base::fail("cannot make a pipe: {}", reason(errno));
    pipe_ = ends[0];
    const int error = spawn(command, ends[1]);
    ::close(ends[1]);
    if (error != 0) {
      ::close(pipe_);
      base::fail("cannot run '{}': {}", command.words.front(), reason(error));
    }
  }

  // Stops it if it still runs.
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGTERM);
      while (read_some()) continue;
      wait();
    }
    ::close(pipe_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  std::size_t number() const { return number_; }
  int pipe() const { return pipe_; }

  // Takes what it printed; false when nothing more can come.
  bool read_some() {
    char buffer[4096];
    ssize_t n;
    do {
      n = ::read(pipe_, buffer, sizeof buffer);
    } while (n < 0 && errno == EINTR);
    if (n > 0) output_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }

  Outcome finish() {
    const int status = wait();
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return {code, std::move(output_)};
  }

 private:
  // a host that ignores SIGCHLD loses the status: 0, and a missing file is noticed later
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return status;
  }

  int spawn(const Command& command, int out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, out, 2);
    if (!command.folder.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
    }

    // what the host blocks or ignores is not the child's business
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (const int signal : {SIGTERM, SIGPIPE, SIGCHLD}) sigaddset(&defaults, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    std::vector<std::string> words = command.words, environment = plain_environment();
    const int error = ::posix_spawnp(&pid_, words.front().c_str(), &actions, &attributes,
                                     pointers(words).data(), pointers(environment).data());
    if (error != 0) pid_ = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }

  std::size_t number_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string output_;
};

// Reads from every child that has something to say; those at their end move to `ended`.
void wait_for_some(std::list<Child>& running, std::list<Child>& ended) {
  std::vector<pollfd> pipes;
  for (const Child& child : running) pipes.push_back({child.pipe(), POLLIN, 0});
  // EINTR: the caller tries again
  if (::poll(pipes.data(), pipes.size(), -1) < 0) return;
  std::size_t i = 0;
  for (auto child = running.begin(); child != running.end(); ++i) {
    const auto current = child++;
    if (pipes[i].revents != 0 && !current->read_some()) {
      ended.splice(ended.end(), running, current);
    }
  }
}

}  // namespace

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::vector<Outcome> run_all(std::span<const Command> commands, unsigned jobs) {
  std::vector<Outcome> outcomes(commands.size());
  std::list<Child> running;
  std::size_t next = 0;
  while (next < commands.size() || !running.empty()) {
    while (next < commands.size() && running.size() < std::max(1u, jobs)) {
      running.emplace_back(commands[next], next);
      ++next;
    }
    std::list<Child> ended;
    wait_for_some(running, ended);
    bool failed = false;
    for (Child& child : ended) {
      Outcome& outcome = outcomes[child.number()] = child.finish();
      failed = failed || outcome.code != 0;
    }
    if (failed) break;
  }
  return outcomes;
}

Outcome run(const Command& command) { return std::move(run_all({&command, 1}, 1).front()); }

fs::path find_program(const std::string& name) {
  std::vector<fs::path> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else if (const char* list = std::getenv("PATH"); list != nullptr) {
    for (std::string_view rest = list;;) {
      const std::size_t colon = rest.find(':');
      candidates.push_back(fs::path(rest.substr(0, colon)) / name);
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  for (const fs::path& path : candidates) {
    std::error_code ignored;
    const bool is_file = fs::is_regular_file(path, ignored);
    if (is_file && ::access(path.c_str(), X_OK) == 0) return fs::absolute(path);
  }
  base::fail("there is no program '{}'{}", name,
             name.find('/') != std::string::npos ? "" : " in any folder of $PATH");
}

}  // namespace klingel::exec
