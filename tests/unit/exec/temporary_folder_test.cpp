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

// a killed process cannot clean up, so the next one does; what is in use stays
TEST_F(TemporaryFolderTest, what_killed_processes_left_is_removed) {
  const fs::path left = fs::temp_directory_path() / "klingel-kernels-killed";
  const fs::path others = fs::temp_directory_path() / "klingel-results";
  const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const TemporaryFolder used;
  for (const fs::path& folder : {left, others}) {
    base::write_file(folder / "kernels.c", "int x;");
    fs::last_write_time(folder, hour_ago);
  }
  fs::last_write_time(used.path(), hour_ago);
  const TemporaryFolder next;
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(used.path()));
  EXPECT_TRUE(fs::exists(others)) << "not ours";
  fs::create_directories(left);
  const TemporaryFolder last;
  EXPECT_TRUE(fs::exists(left)) << "it is young: its maker may be about to lock it";
  fs::remove_all(left);
  fs::remove_all(others);
}

}  // namespace
}  // namespace klingel::exec
