// Emitted C: clean under strict warnings with every compiler at hand, right by its own self-test,
// the same bytes on every run, and spread over files when it is large.
#include "gen/emit_c.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/unit/gen/random_program.hpp"

namespace klingel::gen {
namespace {

using structure::has_program;
using structure::Shell;
using sym::Expr;
using sym::Graph;
using sym::Output;
using testing::HasSubstr;
using testing::Not;

EmitOptions options(std::size_t chunk, std::size_t file = 3000) {
  EmitOptions o;
  o.schedule.chunk_operations = chunk;
  o.file_operations = file;
  return o;
}

std::string text_of(const Emitted& emitted, const std::string& name) {
  for (const File& f : emitted.files)
    if (f.name == name) return f.text;
  return "(no file " + name + ")";
}

// Compiles everything with one compiler, all warnings as errors, and runs the self-test.
Shell compile_and_run(const std::string& compiler, const Emitted& emitted) {
  const structure::TemporaryFolder folder;
  write_files(emitted.files, folder.path().string());
  return structure::shell(fmt::format(
      "cd '{}' && {} -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Werror *.c "
      "-o self_test -lm && ./self_test",
      folder.path().string(), compiler));
}

TEST(emit_c, compiles_without_a_warning_and_passes_its_self_test) {
  for (const char* compiler : {"gcc", "clang"}) {
    if (!has_program(compiler)) continue;
    for (unsigned seed = 0; seed < 6; ++seed) {
      const RandomProgram random(seed, 150);
      const std::size_t chunk = std::vector<std::size_t>{1, 2, 5, 13, 50, 400}[seed];
      const Shell outcome = compile_and_run(compiler, emit_c(random.program(), options(chunk)));
      EXPECT_EQ(outcome.code, 0) << compiler << ", seed " << seed << "\n" << outcome.out;
      EXPECT_THAT(outcome.out, HasSubstr(": fine\n"));
    }
  }
}

// with and without registers of four lanes
TEST(emit_c, on_lanes_it_compiles_without_a_warning_and_passes_its_self_test) {
  const RandomProgram random(3, 150);
  EmitOptions on_lanes = options(30, 100);
  for (const char* compiler : {"gcc -mavx", "clang"}) {
    if (!has_program(std::string(compiler).substr(0, 3) == "gcc" ? "gcc" : "clang")) continue;
    on_lanes.lanes = compiler[0] == 'g' ? 4 : 8;
    const Emitted emitted = emit_c(random.program(), on_lanes);
    EXPECT_EQ(emitted.manifest.lanes, on_lanes.lanes);
    const Shell outcome = compile_and_run(compiler, emitted);
    EXPECT_EQ(outcome.code, 0) << compiler << "\n" << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr(fmt::format("states on {} lanes, ", on_lanes.lanes)));
    EXPECT_THAT(outcome.out, HasSubstr(": fine\n"));
  }
}

TEST(emit_c, a_number_of_lanes_that_does_not_exist_is_refused) {
  const RandomProgram random(1, 20);
  EmitOptions wrong;
  for (const unsigned lanes : {0u, 2u, 3u, 16u}) {
    wrong.lanes = lanes;
    try {
      emit_c(random.program(), wrong);
      FAIL() << lanes;
    } catch (const base::Error& error) {
      EXPECT_EQ(std::string(error.what()),
                fmt::format("kernels of 'random' on {} lanes: there are kernels on 1, 4 or 8 lanes",
                            lanes));
    }
  }
}

TEST(emit_c, a_program_in_many_files_compiles_and_passes_too) {
  const RandomProgram random(42, 600);
  const Emitted emitted = emit_c(random.program(), options(10, 30));
  EXPECT_GT(emitted.sources.size(), 5u);
  EXPECT_EQ(emitted.sources.front(), "random.c");
  EXPECT_EQ(emitted.sources[1], "random_1.c");
  for (const char* compiler : {"gcc", "clang"}) {
    if (!has_program(compiler)) continue;
    const Shell outcome = compile_and_run(compiler, emitted);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
  }
}

TEST(emit_c, the_header_is_fine_in_cpp) {
  if (!has_program("c++")) GTEST_SKIP() << "c++ is not installed";
  const RandomProgram random(1, 50);
  const structure::TemporaryFolder folder;
  write_files(emit_c(random.program()).files, folder.path().string());
  folder.add("user.cpp",
             "#include \"random.h\"\nint main() { return random_kernel()->abi == 0; }\n");
  const Shell outcome = structure::shell(
      fmt::format("cd '{}' && c++ -std=c++20 -Wall -Wextra -Wpedantic -Werror -c user.cpp",
                  folder.path().string()));
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

// programs at the edge: no functions, no inputs, outputs without atoms or without elements
TEST(emit_c, unusual_programs_compile_too) {
  if (!has_program("gcc")) GTEST_SKIP() << "gcc is not installed";
  Graph g;
  const Expr x = g.symbol("x"), unused = g.symbol("unused");
  const sym::Matrix empty(2, 3), none(0, 0);
  std::vector<Program> programs;
  programs.emplace_back(g, "nothing");
  programs.emplace_back(g, "no_functions").input("u", {x});
  programs.emplace_back(g, "no_inputs")
      .function({"f", "", {Output::scalar("y", sin(g.number(2)))}});
  programs.emplace_back(g, "zeros")
      .input("u", {x})
      .function({"f", "", {{"dense", empty}, {"sparse", empty, true}, {"none", none}}});
  programs.emplace_back(g, "leaves")
      .input("u", {x, unused})
      .function({"f", "", {Output::scalar("y", x), Output::scalar("z", g.number(0.1))}});
  programs.emplace_back(g, "not_a_number")
      .input("u", {x})
      .function({"f",
                 "",
                 {Output::scalar("y", x * log(g.number(-1))),
                  Output::scalar("z", x * exp(g.number(1000)))}});
  EmitOptions on_lanes;
  on_lanes.lanes = 4;
  for (const Program& program : programs) {
    const Shell outcome = compile_and_run("gcc", emit_c(program));
    EXPECT_EQ(outcome.code, 0) << program.model() << "\n" << outcome.out;
    const Shell lanes = compile_and_run("gcc -mavx", emit_c(program, on_lanes));
    EXPECT_EQ(lanes.code, 0) << program.model() << " on lanes\n" << lanes.out;
  }
}

TEST(emit_c, the_same_program_gives_the_same_bytes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomProgram first(seed, 200), second(seed, 200);
    const Emitted a = emit_c(first.program(), options(20, 60));
    const Emitted b = emit_c(second.program(), options(20, 60));
    ASSERT_EQ(a.files.size(), b.files.size());
    for (std::size_t i = 0; i < a.files.size(); ++i) {
      EXPECT_EQ(a.files[i].name, b.files[i].name);
      EXPECT_EQ(a.files[i].text, b.files[i].text);
    }
  }
}

TEST(emit_c, other_atoms_in_the_graph_do_not_change_the_text) {
  const auto emit = [](bool crowded) {
    Graph g;
    const Expr x = g.symbol("x");
    const Expr s = sin(x);
    if (crowded) {
      Expr e = g.symbol("other");
      for (int i = 0; i < 100; ++i) e = cos(e * x);
    }
    Program program(g, "m");
    program.input("u", {x}).function({"f", "", {Output::scalar("y", s * s)}});
    return emit_c(program).manifest.hash;
  };
  EXPECT_EQ(emit(false), emit(true));
}

TEST(emit_c, every_file_carries_version_abi_and_hash) {
  const RandomProgram random(5, 100);
  const Emitted emitted = emit_c(random.program(), options(10, 30));
  EXPECT_EQ(emitted.manifest.hash.size(), 64u);
  const std::string banner = fmt::format("/* klingel {}, kernel abi 2, model random, sha256 {}\n",
                                         base::version, emitted.manifest.hash);
  for (const File& f : emitted.files) {
    const bool is_constant = f.name.starts_with("klingel_");
    if (f.name.ends_with(".json") || is_constant) continue;
    EXPECT_THAT(f.text, testing::StartsWith(banner)) << f.name;
    EXPECT_THAT(f.text, Not(HasSubstr("@"))) << f.name;
  }
}

TEST(emit_c, the_hash_follows_the_content) {
  const auto hash = [](double nominal, const char* about, std::size_t chunk) {
    Graph g;
    const Expr m = g.parameter("m", nominal);
    Program program(g, "m");
    program.input("p", {m}).function({"f", about, {Output::scalar("y", sin(m) * m)}});
    return emit_c(program, options(chunk)).manifest.hash;
  };
  const std::string reference = hash(1, "x", 400);
  EXPECT_EQ(hash(1, "x", 400), reference);
  EXPECT_NE(hash(2, "x", 400), reference);
  EXPECT_NE(hash(1, "y", 400), reference);
  EXPECT_NE(hash(1, "x", 1), reference);
}

TEST(emit_c, headers_it_needs_are_copies_of_our_sources) {
  const RandomProgram random(5, 100);
  const Emitted emitted = emit_c(random.program());
  EXPECT_EQ(text_of(emitted, "klingel_kernel.h"),
            base::read_file(KLINGEL_SOURCE_DIR "/src/kernel/abi.h"));
  EXPECT_EQ(text_of(emitted, "klingel_trig.h"),
            base::read_file(KLINGEL_SOURCE_DIR "/src/base/trig.h"));
  EmitOptions on_lanes;
  on_lanes.lanes = 4;
  EXPECT_EQ(text_of(emit_c(random.program(), on_lanes), "klingel_lanes.h"),
            base::read_file(KLINGEL_SOURCE_DIR "/src/gen/lanes.h"));
}

TEST(emit_c, file_names_are_the_models) {
  Graph g;
  const Expr x = g.symbol("x");
  Program program(g, "small");
  program.input("u", {x}).function({"f", "", {Output::scalar("y", x * x)}});
  std::vector<std::string> names;
  const Emitted emitted = emit_c(program);
  for (const File& f : emitted.files) names.push_back(f.name);
  EXPECT_THAT(names, testing::ElementsAre("klingel_kernel.h", "small.h", "small.c",
                                          "small_selftest.c", "small_manifest.json"));
  EXPECT_THAT(emitted.sources, testing::ElementsAre("small.c"));
}

TEST(emit_c, functions_say_what_they_are) {
  Graph g;
  const Expr m = g.parameter("m"), x = g.symbol("x");
  const sym::Matrix A(2, 2, {{0, 0, m * x}, {1, 1, exp(x)}});
  Program program(g, "small");
  program.input("p", {m}).stage("position").input("u", {x});
  program.function({"A", "a diagonal matrix", {{"values", A, true}, {"full", A}}});
  const std::string source = text_of(emit_c(program), "small.c");
  EXPECT_THAT(source, HasSubstr("/* A: a diagonal matrix\n"
                                " * in : p[1] = m\n"
                                " * in : u[1] = x\n"
                                " * needs stage position\n"
                                " * out: values[2], 2 x 2 sparse, nonzeros by columns\n"
                                " * out: full[4], 2 x 2 column major\n"
                                " * ops: 1 mul, 1 other (2 atoms) */\n"
                                "void small_A(const double *restrict p, const double *restrict u, "
                                "double *restrict values, double *restrict full) {\n"
                                "  memset(full, 0, 4 * sizeof *full);\n"));
}

// no statics that change, no allocation: the object files have no writable data
TEST(emit_c, generated_objects_have_no_writable_data) {
  if (!has_program("gcc") || !has_program("nm")) GTEST_SKIP() << "gcc or nm missing";
  const RandomProgram random(2, 100);
  const structure::TemporaryFolder folder;
  write_files(emit_c(random.program(), options(10)).files, folder.path().string());
  const Shell symbols = structure::shell(
      fmt::format("cd '{}' && gcc -std=c11 -O1 -c random.c -o random.o && nm random.o",
                  folder.path().string()));
  ASSERT_EQ(symbols.code, 0) << symbols.out;
  for (const char* kind : {" b ", " B ", " D ", " malloc", " calloc", " realloc"})
    EXPECT_THAT(symbols.out, Not(HasSubstr(kind)));
}

}  // namespace
}  // namespace klingel::gen
