// Libraries compiled elsewhere: loaded from a copy, checked, and refused with the reason.
#include "exec/library.hpp"

#include <fstream>

#include "base/file.hpp"
#include "exec/compile.hpp"
#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

using testing::HasSubstr;

class LibraryTest : public ExecTest {
 protected:
  // A library from one C file, whose table is written by hand.
  std::string compiled(const std::string& text) const {
    gen::Emitted emitted;
    emitted.manifest.model = "hand";
    emitted.sources = {"hand.c"};
    emitted.files = {{"hand.c", "#include \"abi.h\"\n" + text},
                     {"abi.h", base::read_file(KLINGEL_SOURCE_DIR "/src/kernel/abi.h")}};
    return build_library(Compiler::find({}), emitted, 0);
  }
  std::string compiled(const gen::Program& program) const {
    return build_library(Compiler::find({}), gen::emit_c(program), 0);
  }

  std::filesystem::path path() const { return folder() / "kernels.so"; }
};

TEST_F(LibraryTest, is_opened_by_path_and_model) {
  base::write_file(path(), compiled(*staged().program));
  const Kernel kernel = open_library(path(), "staged");
  EXPECT_EQ(kernel.backend(), Backend::cc);
  EXPECT_EQ(kernel.note(), "loaded from '" + path().string() + "'");
  EXPECT_EQ(Evaluator(kernel).evaluate("known")[0][2], 2.5);
}

TEST_F(LibraryTest, a_replaced_file_is_never_taken_for_the_old_one) {
  // the same path and the same inode: what the system's loader goes by
  const auto overwrite = [&](const std::string& bytes) { std::ofstream(path()) << bytes; };
  overwrite(compiled(*staged("staged", 1.0).program));
  Evaluator first(open_library(path(), "staged"));
  overwrite(compiled(*staged("staged", 2.0).program));
  Evaluator second(open_library(path(), "staged"));
  EXPECT_EQ(first.evaluate("known")[0][2], 1.0);
  EXPECT_EQ(second.evaluate("known")[0][2], 2.0);
}

TEST_F(LibraryTest, an_old_abi_is_refused_before_anything_else_is_read) {
  const std::string bytes = compiled(
      "static const uint32_t old[] = {0, 7, 7, 7};\n"
      "const klingel_kernel *hand_kernel(void) { return (const klingel_kernel *)old; }\n");
  EXPECT_EQ(message_of([&] { load_table(bytes, "hand", "hand.so"); }),
            "hand.so: the kernels were made for ABI 0, this program needs ABI 2; generate them "
            "again");
}

TEST_F(LibraryTest, a_library_without_kernels_of_the_model_is_refused) {
  const std::string bytes = compiled("int unrelated(void) { return 1; }\n");
  EXPECT_EQ(message_of([&] { load_table(bytes, "hand", "hand.so"); }),
            "hand.so: the library has no function 'hand_kernel'; it holds no kernels of the model "
            "'hand'");
  EXPECT_EQ(message_of([&] {
              const std::string null =
                  compiled("const klingel_kernel *hand_kernel(void) { return 0; }\n");
              load_table(null, "hand", "hand.so");
            }),
            "hand.so: there is no kernel table");
}

TEST_F(LibraryTest, a_table_of_another_model_is_refused) {
  const std::string bytes = compiled(
      "static const klingel_kernel k = {KLINGEL_ABI, 1, \"other\", \"\", 0, 0, 0, 0, 0, 0, 0};\n"
      "const klingel_kernel *hand_kernel(void) { return &k; }\n");
  EXPECT_EQ(message_of([&] { load_table(bytes, "hand", "hand.so"); }),
            "hand.so: these are kernels of the model 'other', expected 'hand'");
}

TEST_F(LibraryTest, a_cut_file_is_refused_and_does_not_crash) {
  const std::string bytes = compiled(*staged().program);
  int refused = 0;
  for (std::size_t size = 0; size < bytes.size(); size += bytes.size() / 40) {
    const std::string message =
        message_of([&] { load_table(bytes.substr(0, size), "staged", "cut.so"); });
    // only section headers stand at the very end, which nobody needs to run it
    if (message != "no error") ++refused;
    if (size < bytes.size() / 2) {
      EXPECT_THAT(message, HasSubstr("cut.so: this is not a shared library")) << size;
    }
  }
  EXPECT_GE(refused, 20);
}

TEST_F(LibraryTest, other_files_are_refused) {
  base::write_file(path(), "#!/bin/sh\necho this is not a library, whatever its name may be\n");
  EXPECT_EQ(message_of([&] { open_library(path(), "staged"); }),
            path().string() +
                ": this is not a shared library of this machine, or a part of it is missing");
  EXPECT_THAT(message_of([&] { open_library(folder() / "absent.so", "staged"); }),
              HasSubstr("No such file or directory"));
}

TEST_F(LibraryTest, wrong_sizes_are_refused_by_the_kernel) {
  base::write_file(path(), compiled(*staged().program));
  const Kernel kernel = open_library(path(), "staged");
  kernel.expect_input("q", 2);
  kernel.expect_output("M_qq", "M", 2, 2);
  EXPECT_EQ(message_of([&] { kernel.expect_input("q", 3); }),
            "input 'q' of 'staged' has 2 elements, expected 3");
  EXPECT_EQ(message_of([&] { kernel.expect_output("M_qq", "M", 3, 3); }),
            "output 'M' of function 'M_qq' of 'staged' is 2 x 2, expected 3 x 3");
}

}  // namespace
}  // namespace klingel::exec
