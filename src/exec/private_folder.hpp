// A folder that only this user can write, and files in it. Whoever can write the cache of kernels
// can run code as the user who loads them, so nothing that others can write is read. Owner and mode
// are those of the opened folder or file, not of a path, which others might change in between.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace klingel::exec {

class PrivateFolder {
 public:
  enum class If { missing_refuse, missing_make };

  // Opens the folder; a missing one is made, readable by this user only, or an Error. So is a
  // folder that belongs to somebody else or that others can write.
  PrivateFolder(const std::filesystem::path& path, If missing);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  bool has(const std::string& name) const;
  // The bytes of a regular file of this user that others cannot write; an Error otherwise.
  std::string read(const std::string& name) const;
  // Replaces the file in one step. An Error if that fails.
  void write(const std::string& name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace klingel::exec
