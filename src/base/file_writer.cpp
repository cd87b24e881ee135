#include "base/file_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace klingel::base {
namespace {

constexpr std::string_view ending = ".tmp";

// 16 hexadecimal digits of the system's randomness
std::string random_name() {
  std::uint64_t bits = 0;
  while (::getrandom(&bits, sizeof bits, 0) < 0 && errno == EINTR) {
  }
  return fmt::format("{:016x}", bits);
}

}  // namespace

FileWriter::FileWriter(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.has_parent_path()) {
    std::error_code status;
    std::filesystem::create_directories(path_.parent_path(), status);
    if (status) fail_to_write(status.value());
  }
  do {
    temporary_ = fmt::format("{}.{}{}", path_.string(), random_name(), ending);
    // mkstemp would make it private to the user
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) fail_to_write(errno);
}

FileWriter::~FileWriter() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void FileWriter::fail_to_write(int error) const {
  fail("cannot write '{}': {}", path_.string(), std::generic_category().message(error));
}

void FileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_to_write(errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void FileWriter::commit() {
  const int fd = std::exchange(fd_, -1);
  int error = ::close(fd) != 0 ? errno : 0;
  if (error == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary_.c_str());
  fail_to_write(error);
}

bool is_unfinished(std::string_view file, std::string_view name) {
  constexpr std::size_t digits = 16;
  if (file.size() != name.size() + 1 + digits + ending.size()) return false;
  const std::string_view middle = file.substr(name.size() + 1, digits);
  return file.starts_with(name) && file[name.size()] == '.' && file.ends_with(ending) &&
         middle.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace klingel::base
