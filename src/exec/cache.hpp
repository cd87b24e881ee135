// Compiled kernels kept on disk, found again by a key.
//
// An entry is <name>.so and beside it <name>.so.sha256, as sha256sum writes and checks it. Both are
// published by renaming, so readers and writers in several processes never see half a file, and
// what does not fit its checksum is never used. Nothing is removed: deleting the folder, even while
// programs run, only costs the time to compile again.
//
// Loading a library runs its code. The folder and its files are therefore used only if they belong
// to this user and nobody else can write them (private_folder.hpp); a new folder is made for this
// user alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace klingel::exec {

class Cache {
 public:
  // An empty path: no cache, nothing is found and nothing kept.
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Entry {
    std::string bytes;   // of a library that fits its checksum; empty if there is none
    std::string damage;  // why an entry that exists cannot be used, as a phrase
  };
  Entry find(const std::string& name) const;

  // Keeps a library, replacing what was there. Throws Error if the folder cannot be written.
  void store(const std::string& name, std::string_view bytes) const;

  bool exists() const { return !folder_.empty(); }
  std::filesystem::path path_of(const std::string& name) const { return folder_ / (name + ".so"); }

 private:
  std::filesystem::path folder_;
};

// The default folder: $KLINGEL_CACHE, else $XDG_CACHE_HOME/klingel, else
// $HOME/.cache/klingel; empty if the environment has none of them.
std::filesystem::path default_cache_dir();

}  // namespace klingel::exec
