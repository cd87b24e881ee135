// A fresh folder that disappears with the object; tests build small wrong trees in it.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "base/file.hpp"

namespace klingel::structure {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "klingel_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file given by its name inside the folder.
  void add(const std::string& name, const std::string& text) const {
    base::write_file(path_ / name, text);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace klingel::structure
