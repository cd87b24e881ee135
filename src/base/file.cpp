// Reading and atomically writing whole files with POSIX calls; see file.hpp.
#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "base/error.hpp"
#include "base/file_writer.hpp"

namespace klingel::base {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

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
  FileWriter file(path);
  file.write(text);
  file.commit();
}

}  // namespace klingel::base
