// Loading: the fastest back end that works, kept in the cache, never stale, never silently another.
#include "exec/load.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/file.hpp"
#include "base/sha256.hpp"
#include "exec/compile.hpp"
#include "exec/process.hpp"
#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class LoadTest : public ExecTest {
 protected:
  Kernel load_cc() const { return load(*model_.program, options(Backend::cc)); }

  static void expect_works(const Kernel& kernel) {
    EXPECT_EQ(Evaluator(kernel).evaluate("known")[0][2], 2.5);
  }

  // Loads again after something happened to the entry in the cache: it must be made anew, with
  // this explanation, and be sound afterwards.
  void expect_repaired(const std::string& explanation) const {
    const Kernel kernel = load_cc();
    EXPECT_THAT(kernel.note(), AllOf(HasSubstr("could not be used"), HasSubstr(explanation),
                                     HasSubstr("compiled with")));
    expect_works(kernel);
    EXPECT_THAT(load_cc().note(), StartsWith("loaded from '"));
  }

  fs::path entry() const { return cached(".so").at(0); }

  const Model model_ = staged();
};

TEST_F(LoadTest, compiles_once_and_finds_it_again) {
  const Kernel first = load_cc();
  EXPECT_THAT(first.note(), AllOf(StartsWith("compiled with /"), HasSubstr("kept as '")));
  const Kernel second = load_cc();
  EXPECT_EQ(second.note(), "loaded from '" + entry().string() + "'");
  EXPECT_THAT(entry().filename().string(), StartsWith("staged-"));
  expect_same_results(first, second, 5);
}

TEST_F(LoadTest, automatic_is_compiled_in_memory_and_starts_no_compiler) {
  if (const std::string refusal = jit_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  Options o = options(Backend::automatic);
  o.cc = "/nonexistent";
  const Kernel kernel = load(*model_.program, o);
  EXPECT_EQ(kernel.backend(), Backend::jit);
  EXPECT_EQ(kernel.note(), "compiled in memory");
  expect_works(kernel);
  load(*model_.program, options(Backend::automatic));
  EXPECT_TRUE(cached("").empty());
}

TEST_F(LoadTest, without_avx2_the_c_compiler_is_the_default) {
  const Kernel with = load(*model_.program, options(Backend::automatic));
  setenv("KLINGEL_WITHOUT_AVX2", "1", 1);
  const std::string refusal = jit_refusal();
  const Kernel without = load(*model_.program, options(Backend::automatic));
  EXPECT_THROW(load(*model_.program, options(Backend::jit)), base::Error);
  unsetenv("KLINGEL_WITHOUT_AVX2");
  EXPECT_THAT(refusal, HasSubstr("AVX2"));
  EXPECT_EQ(without.backend(), Backend::cc);
  expect_same_results(with, without, 5);
}

// what a machine does that lets no program make code: here the kernel is asked to, in a process of
// its own
int load_without_code_in_memory(const Model& model, const Options& options, Backend expected) {
  constexpr int set_mdwe = 65;  // PR_SET_MDWE of Linux 6.3, which older headers do not name
  constexpr unsigned long refuse_exec_gain = 1;
  constexpr int cannot_ask = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 1;
    try {
      if (::prctl(set_mdwe, refuse_exec_gain, 0, 0, 0) != 0) ::_exit(cannot_ask);
      const Kernel kernel = load(*model.program, options);
      const bool works = Evaluator(kernel).evaluate("known")[0][2] == 2.5;
      code = works && kernel.backend() == expected ? 0 : 2;
    } catch (...) {
    }
    ::_exit(code);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == cannot_ask ? -1 : status;
}

TEST_F(LoadTest, automatic_goes_on_to_the_compiler_and_then_to_the_interpreter) {
  Options o = options(Backend::automatic);
  const int status = load_without_code_in_memory(model_, o, Backend::cc);
  if (status < 0) GTEST_SKIP() << "this kernel cannot refuse code made in memory";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(cached(".so").size(), 1u);
  o.cc = "/nonexistent";
  EXPECT_EQ(load_without_code_in_memory(model_, o, Backend::interpreter), 0);
}

// only the C compiler contracts
TEST_F(LoadTest, automatic_with_contraction_takes_the_compiler) {
  Options o = options(Backend::automatic);
  o.contraction = true;
  EXPECT_EQ(load(*model_.program, o).backend(), Backend::cc);
}

TEST_F(LoadTest, automatic_ends_at_the_interpreter_and_says_why) {
  Options o = options(Backend::automatic);
  o.contraction = true;
  o.cc = "/nonexistent";
  const Kernel kernel = load(*model_.program, o);
  EXPECT_EQ(kernel.backend(), Backend::interpreter);
  EXPECT_EQ(kernel.note(),
            "interpreted, which is slower, because there is no program '/nonexistent'");
  expect_works(kernel);
}

TEST_F(LoadTest, automatic_does_without_when_the_compiler_fails_and_quotes_it) {
  Options o = options(Backend::automatic);
  o.contraction = true;
  o.flags = {"-include", "no_such_header.h"};
  const Kernel kernel = load(*model_.program, o);
  EXPECT_EQ(kernel.backend(), Backend::interpreter);
  EXPECT_THAT(kernel.note(), HasSubstr("no_such_header.h: No such file or directory"));
  expect_works(kernel);
}

TEST_F(LoadTest, asking_for_the_compiler_without_one_is_an_error) {
  Options o = options(Backend::cc);
  o.cc = "/nonexistent";
  EXPECT_EQ(message_of([&] { load(*model_.program, o); }), "there is no program '/nonexistent'");
  o.cc = "";
  o.flags = {"-include", "no_such_header.h"};
  EXPECT_THAT(message_of([&] { load(*model_.program, o); }),
              HasSubstr("no_such_header.h: No such file or directory"));
  EXPECT_TRUE(cached("").empty());
}

TEST_F(LoadTest, the_interpreter_does_what_it_is_asked_for) {
  const Kernel kernel = load(*model_.program, options(Backend::interpreter));
  EXPECT_EQ(kernel.backend(), Backend::interpreter);
  EXPECT_EQ(kernel.note(), "interpreted, as asked");
  EXPECT_TRUE(cached("").empty());
}

TEST_F(LoadTest, another_program_and_other_flags_are_other_entries) {
  load_cc();
  load(*staged("staged", 7.0).program, options(Backend::cc));
  Options o = options(Backend::cc);
  o.flags = {"-O2"};
  load(*model_.program, o);
  EXPECT_EQ(cached(".so").size(), 3u);
}

TEST_F(LoadTest, a_cut_entry_is_made_again) {
  load_cc();
  fs::resize_file(entry(), fs::file_size(entry()) / 2);
  expect_repaired("it does not fit its checksum");
}

TEST_F(LoadTest, an_empty_entry_is_made_again) {
  load_cc();
  fs::resize_file(entry(), 0);
  expect_repaired("it does not fit its checksum");
}

TEST_F(LoadTest, an_entry_with_flipped_bytes_is_made_again) {
  load_cc();
  std::string bytes = base::read_file(entry());
  bytes[bytes.size() / 3] ^= 0x40;
  base::write_file(entry(), bytes);
  expect_repaired("it does not fit its checksum");
}

TEST_F(LoadTest, an_entry_without_checksum_is_made_again) {
  load_cc();
  fs::remove(cached(".sha256").at(0));
  expect_repaired("No such file or directory");
}

// a library that fits its checksum but not this program
TEST_F(LoadTest, a_tampered_entry_is_made_again) {
  load_cc();
  gen::Emitted emitted = gen::emit_c(*model_.program);
  for (gen::File& file : emitted.files) {
    const std::string& hash = emitted.manifest.hash;
    for (std::size_t at = 0; (at = file.text.find(hash, at)) != std::string::npos;) {
      file.text.replace(at, 4, "beef");
    }
  }
  const std::string bytes = build_library(Compiler::find({}), emitted, 0);
  base::write_file(entry(), bytes);
  base::write_file(cached(".sha256").at(0),
                   base::sha256(bytes) + "  " + entry().filename().string() + "\n");
  expect_repaired("the kernels were not generated from this model: its sha256 is beef");
}

TEST_F(LoadTest, an_entry_that_is_no_library_is_made_again) {
  load_cc();
  base::write_file(entry(), "text");
  base::write_file(cached(".sha256").at(0),
                   base::sha256("text") + "  " + entry().filename().string() + "\n");
  expect_repaired("this is not a shared library");
}

// the permission bits of a folder do not bind root; a file in its place binds everybody
TEST_F(LoadTest, works_without_a_writable_cache_and_says_so) {
  base::write_file(folder() / "plain", "a file");
  Options o = options(Backend::cc);
  o.cache_dir = folder() / "plain" / "cache";
  const Kernel kernel = load(*model_.program, o);
  EXPECT_EQ(kernel.backend(), Backend::cc);
  EXPECT_THAT(kernel.note(),
              AllOf(HasSubstr("not kept: cannot open the folder '"), HasSubstr("Not a directory")));
  EXPECT_THAT(kernel.warning(), HasSubstr("compiled kernels are not kept"));
  expect_works(kernel);
}

TEST_F(LoadTest, reads_a_cache_it_cannot_write) {
  load_cc();
  fs::permissions(cache(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(load_cc().note(), StartsWith("loaded from '"));
  fs::permissions(cache(), fs::perms::owner_all);
}

TEST_F(LoadTest, works_without_any_cache_folder) {
  const char* home = std::getenv("HOME");
  const std::string home_before = home != nullptr ? home : "";
  ::unsetenv("HOME");
  Options o = options(Backend::cc);
  o.cache_dir.clear();
  const Kernel kernel = load(*model_.program, o);
  EXPECT_THAT(kernel.note(), HasSubstr("no cache folder is known; set KLINGEL_CACHE"));
  expect_works(kernel);
  if (home != nullptr) ::setenv("HOME", home_before.c_str(), 1);
}

TEST_F(LoadTest, the_environment_names_the_cache) {
  ::setenv("KLINGEL_CACHE", cache().c_str(), 1);
  Options o;
  o.backend = Backend::cc;
  load(*model_.program, o);
  EXPECT_EQ(cached(".so").size(), 1u);
  ::unsetenv("KLINGEL_CACHE");
}

TEST_F(LoadTest, two_processes_may_build_the_same_model_at_once) {
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      int failures = 1;
      try {
        const Kernel kernel = load_cc();
        failures = Evaluator(kernel).evaluate("known")[0][2] == 2.5 ? 0 : 2;
      } catch (...) {
      }
      ::_exit(failures);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(cached("").size(), 2u);  // one library, one checksum, no other file
  EXPECT_THAT(load_cc().note(), StartsWith("loaded from '"));
}

TEST_F(LoadTest, two_threads_may_build_the_same_model_at_once) {
  const auto build = [&] { expect_works(load(*staged().program, options(Backend::cc))); };
  std::thread first(build), second(build);
  first.join();
  second.join();
  EXPECT_EQ(cached("").size(), 2u);
  EXPECT_THAT(load_cc().note(), StartsWith("loaded from '"));
}

TEST_F(LoadTest, kernels_stay_usable_while_their_entry_is_replaced_or_removed) {
  const Kernel kernel = load_cc();
  base::write_file(entry(), std::string(fs::file_size(entry()), 'x'));
  expect_works(kernel);
  fs::remove_all(cache());
  expect_works(kernel);
}

TEST_F(LoadTest, a_program_without_functions_or_inputs_is_fine) {
  Model nothing("nothing");
  for (const Backend backend : every_backend()) {
    const Kernel kernel = load(*nothing.program, options(backend));
    EXPECT_EQ(kernel.abi().n_functions, 0u);
    EXPECT_EQ(kernel.abi().n_stages, 1u);
    EXPECT_EQ(message_of([&] { Evaluator(kernel).evaluate("f"); }),
              "'nothing' has no function 'f'");
  }
}

// the planted library has a checksum that fits; what betrays it is who can write it
TEST_F(LoadTest, a_cache_that_others_can_write_is_not_used_and_said) {
  load(*model_.program, options(Backend::cc));
  std::filesystem::permissions(cache(), std::filesystem::perms::all);
  const Kernel kernel = load(*model_.program, options(Backend::cc));
  EXPECT_THAT(kernel.note(), HasSubstr("compiled with"));
  EXPECT_THAT(kernel.warning(), HasSubstr("is not safe: others can write it"));
  expect_works(kernel);
  std::filesystem::permissions(cache(), std::filesystem::perms::owner_all);
  EXPECT_EQ(load(*model_.program, options(Backend::cc)).warning(), "");
}

}  // namespace
}  // namespace klingel::exec
