// Generated C is a product: whole files are compared with committed ones, they are the same bytes
// on every run, and the self-test beside them compiles, passes, and can fail.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "examples/00_expressions/pendulum.hpp"
#include "gen/emit_c.hpp"
#include "tests/golden/springs.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/support/golden.hpp"

namespace klingel::golden {
namespace {

using structure::Shell;
using testing::HasSubstr;

gen::Emitted emit_pendulum() {
  sym::Graph graph;
  return gen::emit_c(examples::make_pendulum(graph).program);
}

// chunks of at most 5 operations: one stage and one function come in pieces
gen::Emitted emit_springs() {
  sym::Graph graph;
  gen::EmitOptions options;
  options.schedule.chunk_operations = 5;
  return gen::emit_c(make_springs(graph), options);
}

// the same on four lanes, under another name
gen::Emitted emit_springs_on_lanes() {
  sym::Graph graph;
  gen::EmitOptions options;
  options.lanes = 4;
  return gen::emit_c(make_springs(graph, "springs_lanes"), options);
}

const gen::File& file(const gen::Emitted& emitted, const std::string& name) {
  const auto it = std::find_if(emitted.files.begin(), emitted.files.end(),
                               [&](const gen::File& f) { return f.name == name; });
  if (it == emitted.files.end()) throw std::runtime_error("no file " + name);
  return *it;
}

// Headers emitted beside every model are copies of our sources and have no golden file of their
// own.
void expect_golden_files(const gen::Emitted& emitted) {
  for (const gen::File& f : emitted.files) {
    if (f.name == "klingel_kernel.h") {
      EXPECT_EQ(f.text, base::read_file(KLINGEL_SOURCE_DIR "/src/kernel/abi.h"));
    } else if (f.name == "klingel_trig.h") {
      EXPECT_EQ(f.text, base::read_file(KLINGEL_SOURCE_DIR "/src/base/trig.h"));
    } else if (f.name == "klingel_lanes.h") {
      EXPECT_EQ(f.text, base::read_file(KLINGEL_SOURCE_DIR "/src/gen/lanes.h"));
    } else {
      test::expect_golden(emitted.manifest.model + "/" + f.name, f.text);
    }
  }
}

// Compiles all emitted files with the self-test's main and runs it.
Shell run_self_test(const std::vector<gen::File>& files) {
  const structure::TemporaryFolder folder;
  gen::write_files(files, folder.path().string());
  return structure::shell(fmt::format(
      "cd '{}' && cc -std=c11 -O1 -ffp-contract=off *.c -o self_test -lm && ./self_test",
      folder.path().string()));
}

TEST(golden_kernels, pendulum) { expect_golden_files(emit_pendulum()); }

TEST(golden_kernels, springs) { expect_golden_files(emit_springs()); }

TEST(golden_kernels, springs_on_lanes) { expect_golden_files(emit_springs_on_lanes()); }

TEST(golden_kernels, emitting_twice_gives_the_same_bytes) {
  for (const auto emit : {emit_pendulum, emit_springs, emit_springs_on_lanes}) {
    const gen::Emitted first = emit(), second = emit();
    ASSERT_EQ(first.files.size(), second.files.size());
    for (std::size_t i = 0; i < first.files.size(); ++i) {
      EXPECT_EQ(first.files[i].name, second.files[i].name);
      EXPECT_EQ(first.files[i].text, second.files[i].text);
    }
  }
}

TEST(golden_kernels, what_the_second_system_is_for_is_in_it) {
  const gen::Emitted emitted = emit_springs();
  const std::string source = file(emitted, "springs.c").text;
  for (const char* word :
       {"klingel_sincos(", "tan(", "asin(", "acos(", "atan2(", "exp(", "log(", "sqrt(", "pow(",
        "fabs(", "klingel_sign(", "klingel_min(", "klingel_max(", "memset(K_dense",
        "sparse, nonzeros by columns", "/* stiffness[2] */", "displacement, part 1 of 2"}) {
    EXPECT_NE(source.find(word), std::string::npos) << word;
  }
}

TEST(golden_kernels, the_self_test_passes) {
  if (!structure::has_program("cc")) GTEST_SKIP() << "cc is not installed";
  const Shell pendulum = run_self_test(emit_pendulum().files);
  EXPECT_EQ(pendulum.code, 0) << pendulum.out;
  // the same operations in the same order: not a last digit differs
  EXPECT_EQ(pendulum.out, "pendulum: 6 values at 3 states, worst relative difference 0: fine\n");
  const Shell springs = run_self_test(emit_springs().files);
  EXPECT_EQ(springs.code, 0) << springs.out;
  EXPECT_THAT(springs.out, HasSubstr("worst relative difference 0: fine\n"));
  const Shell lanes = run_self_test(emit_springs_on_lanes().files);
  EXPECT_EQ(lanes.code, 0) << lanes.out;
  EXPECT_THAT(lanes.out, HasSubstr("states on 4 lanes, worst relative difference 0: fine\n"));
}

TEST(golden_kernels, a_wrong_number_in_the_table_fails_the_self_test) {
  if (!structure::has_program("cc")) GTEST_SKIP() << "cc is not installed";
  std::vector<gen::File> files = emit_pendulum().files;
  const auto self_test = std::find_if(files.begin(), files.end(), [](const gen::File& f) {
    return f.name == "pendulum_selftest.c";
  });
  // the first expected value: M_qq at the first state
  const std::size_t table = self_test->text.find("sample_out[3]");
  const std::size_t value = self_test->text.find("  {1.02", table);
  ASSERT_NE(value, std::string::npos);
  self_test->text.replace(value, 7, "  {1.03");
  const Shell outcome = run_self_test(files);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("mass_matrix.M_qq[0]: got 1.02"));
  EXPECT_THAT(outcome.out, HasSubstr("WRONG"));
}

}  // namespace
}  // namespace klingel::golden
