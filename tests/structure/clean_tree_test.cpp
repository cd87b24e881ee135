// The tree holds sources and small reference data: no build product and nothing above a megabyte
// is tracked, and what a build makes is ignored.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/structure/shell.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;

Shell git(const std::string& arguments) {
  return shell(fmt::format("git -C '{}' {}", KLINGEL_SOURCE_DIR, arguments));
}

// Why a file should not be tracked; empty if it may.
std::string objection(const std::string& name, std::uintmax_t size) {
  if (name.starts_with("build/")) return "is below build/";
  for (const char* ending : {".o", ".a", ".so", ".dll", ".exe", ".pyc", ".log", ".input", ".tmp"})
    if (name.ends_with(ending)) return fmt::format("ends with {}", ending);
  if (size > 1000000) return fmt::format("has {} bytes", size);
  return "";
}

TEST(clean_tree, no_build_product_and_no_big_file_is_tracked) {
  const Shell files = git("ls-files");
  if (files.code != 0) GTEST_SKIP() << "not a git checkout";
  std::istringstream lines(files.out);
  for (std::string name; std::getline(lines, name);) {
    const fs::path path = fs::path(KLINGEL_SOURCE_DIR) / name;
    const std::uintmax_t size = fs::is_regular_file(path) ? fs::file_size(path) : 0;
    EXPECT_EQ(objection(name, size), "") << name;
  }
}

TEST(clean_tree, what_a_build_makes_is_ignored) {
  if (git("rev-parse").code != 0) GTEST_SKIP() << "not a git checkout";
  for (const char* name : {"build/release/klingel", "build/log/build.log", "build/bench/sym.json"})
    EXPECT_EQ(git(fmt::format("check-ignore -q {}", name)).code, 0) << name;
}

TEST(clean_tree, build_products_and_big_files_are_recognised) {
  EXPECT_EQ(objection("src/sym/graph.cpp", 9000), "");
  EXPECT_EQ(objection("build/release/klingel", 1), "is below build/");
  EXPECT_EQ(objection("src/sym/graph.o", 1), "ends with .o");
  EXPECT_EQ(objection("vehicles/mesh.bin", 2000000), "has 2000000 bytes");
}

}  // namespace
}  // namespace klingel::structure
