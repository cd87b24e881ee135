// Files: what was written is read back, and a failed write leaves neither a new file nor a
// changed one nor a temporary one.
#include "base/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/error.hpp"

namespace klingel::base {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  File() : folder_(fs::path(testing::TempDir()) / ("klingel_file_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~File() override { fs::remove_all(folder_); }

  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(File, bytes_come_back_unchanged) {
  std::string bytes(300000, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  write_file(folder_ / "bytes", bytes);
  EXPECT_EQ(read_file(folder_ / "bytes"), bytes);
  write_file(folder_ / "bytes", "");
  EXPECT_EQ(read_file(folder_ / "bytes"), "");
}

TEST_F(File, missing_folders_are_made) {
  write_file(folder_ / "a" / "b" / "c.txt", "text");
  EXPECT_EQ(read_file(folder_ / "a" / "b" / "c.txt"), "text");
}

TEST_F(File, nothing_but_the_file_is_left_behind) {
  write_file(folder_ / "a.txt", "one");
  write_file(folder_ / "a.txt", "two");
  EXPECT_EQ(read_file(folder_ / "a.txt"), "two");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, a_missing_file_is_named_with_the_reason) {
  const fs::path path = folder_ / "absent.toml";
  EXPECT_EQ(message_of([&] { read_file(path); }),
            "cannot read '" + path.string() + "': No such file or directory");
}

TEST_F(File, a_folder_is_not_a_file) {
  EXPECT_EQ(message_of([&] { read_file(folder_); }),
            "cannot read '" + folder_.string() + "': Is a directory");
}

TEST_F(File, a_failed_write_leaves_no_temporary_file) {
  // a folder that is not empty cannot be replaced by a file: the rename fails, after writing
  fs::create_directories(folder_ / "taken" / "inside");
  EXPECT_THAT(message_of([&] { write_file(folder_ / "taken", "text"); }),
              testing::StartsWith("cannot write '" + (folder_ / "taken").string() + "': "));
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(fs::is_directory(folder_ / "taken"));
}

TEST_F(File, a_file_in_the_place_of_a_folder_is_an_error) {
  write_file(folder_ / "plain", "text");
  EXPECT_THAT(message_of([&] { write_file(folder_ / "plain" / "inner", "text"); }),
              testing::StartsWith("cannot write '"));
  EXPECT_EQ(read_file(folder_ / "plain"), "text");
}

TEST_F(File, a_new_file_has_the_mode_of_any_new_file) {
  write_file(folder_ / "ours", "text");
  std::ofstream(folder_ / "other") << "text";
  EXPECT_EQ(fs::status(folder_ / "ours").permissions(),
            fs::status(folder_ / "other").permissions());
}

TEST_F(File, readers_see_whole_files_while_two_threads_write) {
  const std::string a(100000, 'a'), b(100000, 'b');
  write_file(folder_ / "shared", a);
  const auto write_often = [&](const std::string& text) {
    for (int i = 0; i < 100; ++i) write_file(folder_ / "shared", text);
  };
  std::thread first([&] { write_often(a); }), second([&] { write_often(b); });
  for (int i = 0; i < 100; ++i) {
    const std::string text = read_file(folder_ / "shared");
    EXPECT_TRUE(text == a || text == b);
  }
  first.join();
  second.join();
  EXPECT_EQ(entries(), 1u);
}

// opening a pipe waits for a writer, and a device never ends
TEST_F(File, only_regular_files_are_read) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(message_of([&] { read_file(folder_ / "pipe"); }),
              testing::HasSubstr("pipe': it is a device or a pipe, not a file"));
  EXPECT_THAT(message_of([] { read_file("/dev/zero"); }), testing::HasSubstr("is a device"));
  EXPECT_THAT(message_of([&] { read_file(folder_); }), testing::HasSubstr("directory"));
}

TEST_F(File, a_file_that_is_too_large_is_not_read_to_its_end) {
  write_file(folder_ / "large", std::string(3 << 20, 'x'));
  EXPECT_EQ(read_file(folder_ / "large", 3 << 20).size(), 3u << 20);
  EXPECT_THAT(message_of([&] { read_file(folder_ / "large", 2 << 20); }),
              testing::HasSubstr("it is larger than 2 MB"));
}

}  // namespace
}  // namespace klingel::base
