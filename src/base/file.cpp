// Reading and atomically writing whole files with POSIX calls; see file.hpp.
#include "base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <system_error>

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

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail("cannot read '{}': {}", path.string(), reason(errno));

  std::string text;
  char buffer[1 << 16];
  int error = 0;
  while (true) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error = errno;
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(fd);
  if (error != 0) fail("cannot read '{}': {}", path.string(), reason(error));
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

  // a name of our own beside the target, so that rename stays within one file system
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) fail_to_write(errno);

  // mkostemp makes the file private; give it the mode any new file here would have had
  const mode_t mask = ::umask(0);
  ::umask(mask);
  int error = ::fchmod(fd, 0666 & ~mask) != 0 ? errno : 0;
  if (error == 0) error = write_all(fd, text);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;

  if (error != 0) {
    ::unlink(temporary.c_str());
    fail_to_write(error);
  }
}

}  // namespace klingel::base
