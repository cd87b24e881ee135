// The runtime tower stands alone: its libraries refer to nothing of the compiler tower, the build
// without that tower has none of it, and a program of the runtime steps kernels given as a library.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "base/file.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::structure {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string binary = KLINGEL_BINARY_DIR;
const char* const compiler_rooms[] = {"sym",     "mech",     "gen", "exec",   "model",
                                      "vehicle", "examples", "cli", "compile"};

// lines of an object file's table of undefined symbols that name a room of the compiler tower
std::string symbols_of_the_compiler(const std::string& file) {
  std::string pattern;
  for (const char* room : compiler_rooms)
    pattern += fmt::format("{}klingel::{}::", pattern.empty() ? "" : "\\|", room);
  return shell(fmt::format("nm -uC '{}' | grep '{}'", file, pattern)).out;
}

TEST(runtime, its_libraries_use_no_symbol_of_the_compiler_tower) {
  if (!has_program("nm")) GTEST_SKIP() << "nm is not installed";
  for (const char* room :
       {"base", "dense", "spline", "profile", "track", "contact", "creep", "kernel", "runtime",
        "mechanism", "step", "reference", "start", "record", "simulation"}) {
    const std::string library = fmt::format("{}/src/libklingel_{}.a", binary, room);
    ASSERT_TRUE(std::filesystem::exists(library)) << library;
    EXPECT_EQ(symbols_of_the_compiler(library), "") << room;
  }
  // the check itself: a library of the compiler tower does
  EXPECT_NE(symbols_of_the_compiler(binary + "/src/libklingel_model.a"), "");
}

TEST(runtime, the_build_without_the_compiler_tower_has_no_target_of_it) {
  const TemporaryFolder folder;
  const Shell configured =
      shell(fmt::format("cmake -S '{}' -B '{}' -G Ninja -DKLINGEL_COMPILER=OFF"
                        " && ninja -C '{}' -t targets all",
                        KLINGEL_SOURCE_DIR, folder.path().string(), folder.path().string()));
  ASSERT_EQ(configured.code, 0) << configured.out;
  EXPECT_THAT(configured.out, HasSubstr("example_runtime:"));
  EXPECT_THAT(configured.out, HasSubstr("libklingel_record.a:"));
  for (const char* room : compiler_rooms)
    EXPECT_THAT(configured.out, Not(HasSubstr(fmt::format("libklingel_{}.a:", room))));
}

std::map<std::string, double> values_of(const std::string& names, const std::string& values) {
  std::map<std::string, double> found;
  std::istringstream a(names), b(values);
  std::string name, value;
  while (std::getline(a, name, ',') && std::getline(b, value, ',')) {
    name = name.substr(0, name.find(' '));
    found[name] = std::stod(value);
  }
  return found;
}

TEST(runtime, alone_it_steps_kernels_of_a_library_to_the_same_bits) {
  if (!has_program("cc")) GTEST_SKIP() << "cc is not installed";
  const TemporaryFolder folder;
  const std::string here = folder.path().string();
  const Shell made = shell(fmt::format(
      "'{}/klingel' example pendulum --backend interpreter --method rk4 --step 1e-3 --duration 2 "
      "--interval 2"
      " --out '{}' && cd '{}/c' && cc -O1 -shared -fPIC -ffp-contract=off -o pendulum.so"
      " $(ls *.c | grep -v selftest) -lm",
      binary, here, here));
  ASSERT_EQ(made.code, 0) << made.out;
  const std::string program = binary + "/examples/11_runtime/runtime";
  const Shell ran = shell(fmt::format("'{}' '{}/c/pendulum.so' pendulum 2", program, here));
  ASSERT_EQ(ran.code, 0) << ran.out;

  // the last row of what the program of both towers wrote
  std::istringstream csv(base::read_file(folder.path() / "results.csv"));
  std::string names, row, last;
  std::getline(csv, names);
  while (std::getline(csv, row)) last = row;
  std::map<std::string, double> wanted = values_of(names, last);
  std::istringstream lines(ran.out);
  int compared = 0;
  std::string name;
  for (double value; lines >> name >> value; ++compared) {
    ASSERT_TRUE(wanted.contains(name)) << name << " is not in " << names;
    EXPECT_EQ(value, wanted[name]) << name;
  }
  EXPECT_GE(compared, 3);

  EXPECT_EQ(shell(fmt::format("'{}' /nowhere.so pendulum", program)).code, 2);
  EXPECT_EQ(shell(fmt::format("'{}' '{}/c/pendulum.so' clock", program, here)).code, 2);
}

}  // namespace
}  // namespace klingel::structure
