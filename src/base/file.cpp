// Reading and atomically writing whole files with POSIX calls; see file.hpp.
#include "base/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "base/error.hpp"
#include "base/file_writer.hpp"

namespace klingel::base {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

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
  FileWriter file(path);
  file.write(text);
  file.commit();
}

}  // namespace klingel::base
