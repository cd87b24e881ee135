// The compiler: found by option or environment, told apart by everything that matters, quoted when
// it fails, and deterministic.
#include "exec/compile.hpp"

#include "base/file.hpp"
#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class CompileTest : public ExecTest {
 protected:
  static gen::Emitted emitted_text(const std::string& text) {
    gen::Emitted emitted;
    emitted.manifest.model = "hand";
    emitted.sources = {"hand.c"};
    emitted.files = {{"hand.c", text}};
    return emitted;
  }
};

TEST_F(CompileTest, the_compiler_comes_from_the_option_then_CC_then_cc) {
  EXPECT_THAT(Compiler::find({}).command.front(), testing::EndsWith("/cc"));
  ::setenv("CC", "gcc -m64", 1);
  const Compiler from_environment = Compiler::find({});
  EXPECT_THAT(from_environment.command.front(), testing::EndsWith("/gcc"));
  EXPECT_THAT(from_environment.command, Contains("-m64"));
  Options options;
  options.cc = "cc";
  EXPECT_THAT(Compiler::find(options).command.front(), testing::EndsWith("/cc"));
  ::unsetenv("CC");
}

TEST_F(CompileTest, contraction_is_off_unless_asked_for) {
  Options options;
  EXPECT_THAT(Compiler::find(options).flags, Contains("-ffp-contract=off"));
  options.contraction = true;
  EXPECT_THAT(Compiler::find(options).flags,
              AllOf(Contains("-ffp-contract=fast"), Not(Contains("-ffp-contract=off"))));
}

TEST_F(CompileTest, flags_and_version_are_part_of_the_identity) {
  Options options;
  const std::string plain = Compiler::find(options).identity;
  EXPECT_EQ(Compiler::find(options).identity, plain);
  options.flags = {"-DX=1"};
  EXPECT_NE(Compiler::find(options).identity, plain);
  EXPECT_THAT(plain, HasSubstr("Free Software Foundation"));
}

TEST_F(CompileTest, something_that_is_no_compiler_is_refused) {
  Options options;
  options.cc = "/nonexistent";
  EXPECT_EQ(message_of([&] { Compiler::find(options); }), "there is no program '/nonexistent'");
  options.cc = "false";
  EXPECT_THAT(message_of([&] { Compiler::find(options); }),
              HasSubstr("false --version' fails with exit code 1"));
}

TEST_F(CompileTest, an_error_shows_the_command_and_what_the_compiler_says) {
  EXPECT_THAT(
      message_of([&] { build_library(Compiler::find({}), emitted_text("int f( { }\n"), 0); }),
      AllOf(HasSubstr("the compiler fails on the emitted C with exit code 1"),
            HasSubstr("-c hand.c -o hand.c.o\n"), HasSubstr("hand.c:1:8: error:")));
}

TEST_F(CompileTest, an_error_of_the_linker_is_shown_too) {
  Options options;
  options.flags = {"-Wl,-z,defs"};
  const std::string text = "int missing(void);\nint f(void) { return missing(); }\n";
  EXPECT_THAT(message_of([&] { build_library(Compiler::find(options), emitted_text(text), 0); }),
              AllOf(HasSubstr("the compiler fails on linking"), HasSubstr("undefined reference")));
}

TEST_F(CompileTest, only_the_end_of_a_long_complaint_is_shown) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "#error number " + std::to_string(i) + "\n";
  const std::string message =
      message_of([&] { build_library(Compiler::find({}), emitted_text(text), 0); });
  EXPECT_LT(std::count(message.begin(), message.end(), '\n'), 25);
  EXPECT_THAT(message, HasSubstr("#error number 199"));
}

// two processes that build the same model at once rely on it
TEST_F(CompileTest, the_same_program_gives_the_same_bytes) {
  gen::EmitOptions small;
  small.schedule.chunk_operations = 20;
  small.file_operations = 100;
  const gen::Emitted emitted = gen::emit_c(*random_model(9, 200).program, small);
  ASSERT_GE(emitted.sources.size(), 2u);
  const Compiler compiler = Compiler::find({});
  EXPECT_EQ(build_library(compiler, emitted, 1), build_library(compiler, emitted, 4));
}

}  // namespace
}  // namespace klingel::exec
