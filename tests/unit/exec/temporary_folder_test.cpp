// Temporary folders: private, fresh, and gone with everything in them.
#include "exec/temporary_folder.hpp"

#include "base/file.hpp"
#include "tests/unit/exec/fixture.hpp"

namespace klingel::exec {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public ExecTest {};

TEST_F(TemporaryFolderTest, disappears_with_everything_in_it) {
  fs::path path;
  {
    const TemporaryFolder temporary, other;
    path = temporary.path();
    EXPECT_NE(path, other.path());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    base::write_file(path / "a" / "b" / "file", "text");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, needs_a_folder_to_be_in) {
  const std::string before = std::getenv("TMPDIR");
  ::setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_THAT(message_of([] { TemporaryFolder(); }),
              testing::HasSubstr("there is no folder for temporary files"));
  ::setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
}  // namespace klingel::exec
