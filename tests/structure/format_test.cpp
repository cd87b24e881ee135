// Every hand-written source is formatted as .clang-format says. Versions of clang-format disagree
// in details, so only version 14 (Debian 12) decides; without it the test is skipped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/structure/shell.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;

std::string formatter() {
  for (const char* name : {"clang-format-14", "clang-format"}) {
    const Shell version = shell(fmt::format("{} --version", name));
    if (version.code == 0 && version.out.find("version 14.") != std::string::npos) return name;
  }
  return "";
}

// Sources below a folder of the tree; golden files are generated text and keep their own form.
std::vector<std::string> sources(const std::string& folder) {
  std::vector<std::string> found;
  const fs::path root = KLINGEL_SOURCE_DIR;
  if (!fs::exists(root / folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string name = entry.path().lexically_relative(root).generic_string();
    const std::string extension = entry.path().extension();
    const bool is_ours = extension == ".cpp" || extension == ".hpp";
    const bool is_c = extension == ".c" || extension == ".h";
    if (is_ours || (is_c && !name.starts_with("tests/golden/"))) found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(format, every_source_is_formatted) {
  const std::string program = formatter();
  if (program.empty()) GTEST_SKIP() << "clang-format 14 is not installed";
  const auto is_formatted = [&](const std::string& names) {
    return shell(fmt::format("cd '{}' && {} --dry-run -Werror {}", KLINGEL_SOURCE_DIR, program,
                             names))
               .code == 0;
  };
  // a folder at once is ten times faster than file by file; look closer only where it is wrong
  std::string wrong;
  for (const char* folder : {"src", "tests", "examples"}) {
    const std::vector<std::string> names = sources(folder);
    if (names.empty() || is_formatted(fmt::format("{}", fmt::join(names, " ")))) continue;
    for (const std::string& name : names)
      if (!is_formatted(name)) wrong += " " + name;
  }
  EXPECT_TRUE(wrong.empty()) << "to format: " << program << " -i" << wrong;
}

TEST(format, wrong_formatting_is_noticed) {
  const std::string program = formatter();
  if (program.empty()) GTEST_SKIP() << "clang-format 14 is not installed";
  const std::string check = fmt::format("cd '{}' && printf 'int  *x;\\n' | {} --dry-run -Werror",
                                        KLINGEL_SOURCE_DIR, program);
  EXPECT_NE(shell(check).code, 0);
}

}  // namespace
}  // namespace klingel::structure
