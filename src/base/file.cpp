// Reading and atomically writing whole files with POSIX calls; see file.hpp.
#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace klingel::base {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// Writes all bytes; returns 0 or errno.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// Reads to the end, but not more than `most` bytes; the size a file claims to have may be wrong
// (in /proc it is 0). Returns why it failed, or "".
std::string read_all(int fd, std::size_t most, std::string& text) {
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return reason(errno);
    if (n == 0) return "";
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > most)
      return fmt::format("it is larger than {} MB", std::max<std::size_t>(most >> 20, 1));
  }
}

// Creates a new file beside `path`, so that a rename to it stays within one file system; mkstemp
// would make it private to the user. Returns the descriptor, negative with errno set on failure.
std::pair<int, std::string> create_beside(const std::filesystem::path& path) {
  for (int attempt = 0;; ++attempt) {
    std::string name = fmt::format("{}.{}-{}.tmp", path.string(), ::getpid(), attempt);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return {fd, name};
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t most) {
  // without blocking: opening a pipe would wait for a writer
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) fail("cannot read '{}': {}", path.string(), reason(errno));
  struct stat status {};
  std::string text, refusal;
  if (::fstat(fd, &status) != 0) {
    refusal = reason(errno);
  } else if (S_ISDIR(status.st_mode)) {
    refusal = reason(EISDIR);
  } else if (!S_ISREG(status.st_mode)) {
    refusal = "it is a device or a pipe, not a file";
  } else {
    refusal = read_all(fd, most, text);
  }
  ::close(fd);
  if (!refusal.empty()) fail("cannot read '{}': {}", path.string(), refusal);
  return text;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  const auto fail_to_write = [&](int error) {
    fail("cannot write '{}': {}", path.string(), reason(error));
  };

  if (path.has_parent_path()) {
    std::error_code status;
    std::filesystem::create_directories(path.parent_path(), status);
    if (status) fail_to_write(status.value());
  }

  const auto [fd, temporary] = create_beside(path);
  if (fd < 0) fail_to_write(errno);
  int error = write_all(fd, text);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;

  if (error != 0) {
    ::unlink(temporary.c_str());
    fail_to_write(error);
  }
}

}  // namespace klingel::base
