// Runs a shell command and keeps what it printed; for tests about the tree and its tools.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace klingel::structure {

struct Shell {
  int code;         // exit code, -1 if the command did not end by itself
  std::string out;  // stdout and stderr, in order
};

inline Shell shell(const std::string& command) {
  std::FILE* pipe = ::popen(("( " + command + " ) 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  Shell result{-1, ""};
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.out.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

inline bool has_program(const std::string& name) { return shell("command -v " + name).code == 0; }

}  // namespace klingel::structure
