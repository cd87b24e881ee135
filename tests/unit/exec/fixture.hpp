// What tests of this room share: an own cache, an own folder for temporary files that must be empty
// at the end, and an environment without the user's settings.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "exec/jit.hpp"
#include "exec/load.hpp"
#include "exec/temporary_folder.hpp"

namespace klingel::exec {

// What there is to run kernels with on this machine.
inline std::vector<Backend> every_backend() {
  std::vector<Backend> list{Backend::interpreter, Backend::cc};
  if (jit_refusal().empty()) list.push_back(Backend::jit);
  return list;
}

class ExecTest : public testing::Test {
 protected:
  ExecTest() {
    for (const char* name : {"CC", "KLINGEL_CACHE", "XDG_CACHE_HOME"}) ::unsetenv(name);
    const char* before = std::getenv("TMPDIR");
    tmpdir_before_ = before != nullptr ? before : "";
    std::filesystem::create_directories(folder_.path() / "tmp");
    ::setenv("TMPDIR", (folder_.path() / "tmp").c_str(), 1);
  }
  ~ExecTest() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "tmp")) << "temporary files are left";
    if (tmpdir_before_.empty()) {
      ::unsetenv("TMPDIR");
    } else {
      ::setenv("TMPDIR", tmpdir_before_.c_str(), 1);
    }
  }

  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path cache() const { return folder_.path() / "cache"; }

  Options options(Backend backend) const {
    Options result;
    result.backend = backend;
    result.cache_dir = cache();
    return result;
  }

  // Files in the cache with this ending.
  std::vector<std::filesystem::path> cached(const std::string& ending) const {
    std::vector<std::filesystem::path> found;
    if (!std::filesystem::exists(cache())) return found;
    for (const auto& entry : std::filesystem::directory_iterator(cache())) {
      if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
    }
    return found;
  }

 private:
  TemporaryFolder folder_;
  std::string tmpdir_before_;
};

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace klingel::exec
