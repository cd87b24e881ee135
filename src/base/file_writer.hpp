// A file written part by part, which appears under its name only when it is complete. Until then it
// is beside it under a name that nobody can guess, and links are not followed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace klingel::base {

class FileWriter {
 public:
  // Creates missing folders. Errors have the path and the system's reason.
  explicit FileWriter(std::filesystem::path path);
  ~FileWriter();  // removes what was not committed
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view bytes);
  // The file gets its name; an existing one is replaced.
  void commit();

  int descriptor() const { return fd_; }  // for libraries that write by themselves

 private:
  [[noreturn]] void fail_to_write(int error) const;

  std::filesystem::path path_;
  std::string temporary_;
  int fd_ = -1;
};

// Whether a file beside `name` has the name of such an unfinished one: left by a killed program.
bool is_unfinished(std::string_view file, std::string_view name);

}  // namespace klingel::base
