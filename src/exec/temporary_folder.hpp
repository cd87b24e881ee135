// A fresh private folder that disappears with the object, whatever happens in between.
#pragma once

#include <filesystem>

namespace klingel::exec {

class TemporaryFolder {
 public:
  // Below $TMPDIR or /tmp, readable by this user only. Throws Error with the system's reason.
  // Removes what killed processes of this user left there.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // held while the folder is in use
};

}  // namespace klingel::exec
