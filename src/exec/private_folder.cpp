#include "exec/private_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/error.hpp"

namespace klingel::exec {
namespace {

namespace fs = std::filesystem;

std::string why_not(int error) { return std::generic_category().message(error); }

// Why something that was opened cannot be trusted, or "".
std::string distrust(int fd, mode_t kind) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return why_not(errno);
  if ((status.st_mode & S_IFMT) != kind)
    return kind == S_IFDIR ? "it is no folder" : "it is no regular file";
  if (status.st_uid != ::geteuid()) return "it belongs to another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "others can write it; run 'chmod go-w' on it, or delete it";
  return "";
}

// A descriptor that is closed with the object.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

PrivateFolder::PrivateFolder(const fs::path& path, If missing) : path_(path) {
  if (missing == If::missing_make) {
    std::error_code ignored;  // opening it tells more
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
    ::mkdir(path.c_str(), 0700);
  }
  fd_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0) base::fail("cannot open the folder '{}': {}", path.string(), why_not(errno));
  if (const std::string why = distrust(fd_, S_IFDIR); !why.empty()) {
    ::close(fd_);
    base::fail("the folder '{}' is not safe: {}", path.string(), why);
  }
}

PrivateFolder::~PrivateFolder() { ::close(fd_); }

bool PrivateFolder::has(const std::string& name) const {
  return ::faccessat(fd_, name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

std::string PrivateFolder::read(const std::string& name) const {
  const int opened = ::openat(fd_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  const std::string path = (path_ / name).string();
  if (opened < 0) base::fail("cannot read '{}': {}", path, why_not(errno));
  const File file(opened);
  if (const std::string why = distrust(file.get(), S_IFREG); !why.empty())
    base::fail("'{}' is not safe: {}", path, why);
  std::string bytes;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) base::fail("cannot read '{}': {}", path, why_not(errno));
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
  }
}

void PrivateFolder::write(const std::string& name, std::string_view bytes) const {
  const std::string path = (path_ / name).string();
  std::string temporary;
  int opened = -1;
  for (int attempt = 0; opened < 0; ++attempt) {
    temporary = fmt::format("{}.{}-{}.tmp", name, ::getpid(), attempt);
    opened = ::openat(fd_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (opened < 0 && errno != EEXIST) base::fail("cannot write '{}': {}", path, why_not(errno));
  }
  int error = 0;
  {
    const File file(opened);
    while (!bytes.empty() && error == 0) {
      const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
      if (n < 0 && errno != EINTR) error = errno;
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  if (error == 0 && ::renameat(fd_, temporary.c_str(), fd_, name.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlinkat(fd_, temporary.c_str(), 0);
  base::fail("cannot write '{}': {}", path, why_not(error));
}

}  // namespace klingel::exec
