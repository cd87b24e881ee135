// What must not outlive this process, whatever happens to it: the programs of one process group,
// and one folder. A shell beside them waits for a pipe to close. It closes with this object, or
// when the process ends, by Ctrl-C, by a crash or killed; then the shell ends the programs and
// removes the folder.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace klingel::exec {

class Guard {
 public:
  // An Error with the system's reason if there is no shell.
  explicit Guard(const std::filesystem::path& folder);
  // Waits until all of it is gone.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // The process group to put programs into.
  pid_t group() const { return shell_; }

 private:
  pid_t shell_ = -1;
  int pipe_ = -1;
};

}  // namespace klingel::exec
