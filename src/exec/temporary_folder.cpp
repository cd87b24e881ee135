#include "exec/temporary_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace klingel::exec {

namespace fs = std::filesystem;

namespace {

constexpr const char* prefix = "klingel-kernels-";

// Takes the lock that says a folder is in use; the system takes it back with the process, however
// that ends. Negative if it is taken or the folder cannot be opened.
int lock(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

// Whether the opened folder is ours, and old enough that its maker has had time to lock it.
bool is_left_over(int fd) {
  constexpr std::time_t young = 60;  // s
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_uid == ::geteuid() &&
         std::time(nullptr) - status.st_mtime > young;
}

// A process that is killed cannot remove its folder, so the next one does.
void remove_left_overs(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; entry != end; entry.increment(ignored)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const int fd = lock(entry->path());
    if (fd < 0) continue;
    if (is_left_over(fd)) fs::remove_all(entry->path(), ignored);
    ::close(fd);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code status;
  const fs::path parent = fs::temp_directory_path(status);
  if (status) base::fail("there is no folder for temporary files: {}", status.message());
  remove_left_overs(parent);
  std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    base::fail("cannot make a temporary folder in '{}': {}", parent.string(),
               std::generic_category().message(errno));
  }
  path_ = name;
  lock_ = lock(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace klingel::exec
