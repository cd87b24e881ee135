// Runs the built program as a shell does, for tests of its commands.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.hpp"

namespace klingel::test {

struct Outcome {
  int code;
  std::string out, err;
};

// A folder of its own for each test, removed with it.
class Program {
 public:
  Program() { std::filesystem::create_directories(folder_); }
  ~Program() { std::filesystem::remove_all(folder_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Writes a file into the folder and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    base::write_file(folder_ / name, text);
    return (folder_ / name).string();
  }

  // `arguments` are shell text.
  Outcome run(const std::string& arguments) const {
    const std::string out = folder_ / "out", err = folder_ / "err";
    const int status = std::system(
        (KLINGEL_BINARY_DIR "/klingel " + arguments + " >" + out + " 2>" + err + " </dev/null")
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, base::read_file(out),
            base::read_file(err)};
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("klingel_program_" + std::to_string(::getpid()));
};

}  // namespace klingel::test
