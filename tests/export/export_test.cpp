// Subject: `klingel export`. Claim: a package builds with make alone and its self-test passes: with
// the same bits on this machine with gcc and clang, within the tolerance without AVX and on
// aarch64. What is not installed is skipped, not passed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/file.hpp"
#include "exec/process.hpp"
#include "exec/temporary_folder.hpp"
#include "packaging/write_package.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

bool is_installed(const std::string& program) {
  return exec::run({{"sh", "-c", "command -v " + program}, {}}).code == 0;
}

const packaging::Parts& wheelset() {
  static const packaging::Parts parts =
      packaging::vehicle_parts(vehicle::load_scenario("wheelset"));
  return parts;
}

// A filter that follows a wheelset by its lateral place, with samples that are missing.
packaging::Parts small_filter() {
  packaging::FilterContents contents;
  contents.name = "small_filter";
  contents.setup.states = {{"*", 1e-4, 1e-4}};
  contents.setup.without = {"*spin", "*.x", "*carriage*"};
  contents.setup.walks = {{"p.k_y", 20e3, 1e3, 0, 1e6}};
  contents.setup.sensors = {{"q.y", 1e-4, 0}, {"dq.roll", 1e-3, 0}};
  contents.setup.outputs = {"Y.*", "Q.*"};
  for (int k = 0; k < 200; ++k)
    contents.samples.push_back({k % 7 == 0 ? std::nan("") : 1e-3 * std::cos(0.02 * k), 0});
  return packaging::filter_parts(vehicle::load_scenario("wheelset_suspended"), contents);
}

// The output of the self-test.
std::string build_and_run(const std::vector<std::string>& variables,
                          std::vector<std::string> before = {}, bool embed = false,
                          const packaging::Parts& parts = wheelset()) {
  const exec::TemporaryFolder folder;
  packaging::PackageOptions options;
  options.embed = embed;
  for (const gen::File& f : packaging::package_files(parts, options))
    base::write_file(folder.path() / f.name, f.text);
  std::vector<std::string> make{"make", "-j2"};
  make.insert(make.end(), variables.begin(), variables.end());
  const exec::Outcome built = exec::run({make, folder.path()});
  EXPECT_EQ(built.code, 0) << built.output;
  before.push_back((folder.path() / "selftest").string());
  const exec::Outcome run = exec::run({before, {}});
  EXPECT_EQ(run.code, 0) << run.output;
  return run.output;
}

TEST(exported, gives_the_same_bits_with_the_compiler_of_this_machine) {
  EXPECT_THAT(build_and_run({}), HasSubstr("passed"));
}

TEST(exported, embedded_data_without_avx) {
  EXPECT_THAT(build_and_run({"ARCH="}, {}, true), HasSubstr("passed"));
}

TEST(exported, builds_with_clang) {
  if (!is_installed("clang++")) GTEST_SKIP() << "clang++ is not installed";
  EXPECT_THAT(build_and_run({"CC=clang", "CXX=clang++"}), HasSubstr("passed"));
}

TEST(exported, a_filter_gives_the_same_bits_on_its_recording) {
  EXPECT_THAT(build_and_run({}, {}, false, small_filter()), HasSubstr("the same bits"));
}

TEST(exported, runs_on_aarch64) {
  if (!is_installed("aarch64-linux-gnu-g++") || !is_installed("qemu-aarch64"))
    GTEST_SKIP() << "aarch64-linux-gnu-g++ or qemu-aarch64 is not installed";
  EXPECT_THAT(build_and_run({"CC=aarch64-linux-gnu-gcc", "CXX=aarch64-linux-gnu-g++",
                             "AR=aarch64-linux-gnu-ar"},
                            {"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"}),
              HasSubstr("passed"));
}

}  // namespace
}  // namespace klingel
