// The cache: what was stored is found unchanged, and what was changed since is not used.
#include "exec/cache.hpp"

#include <unistd.h>

#include "base/file.hpp"
#include "exec/process.hpp"
#include "tests/unit/exec/fixture.hpp"

namespace klingel::exec {
namespace {

class CacheTest : public ExecTest {
 protected:
  const std::string bytes_ = std::string("\0some bytes of a library", 24);
};

TEST_F(CacheTest, gives_back_what_was_stored) {
  const Cache c(cache());
  EXPECT_TRUE(c.find("model-1").bytes.empty());
  EXPECT_TRUE(c.find("model-1").damage.empty());
  c.store("model-1", bytes_);
  EXPECT_EQ(c.find("model-1").bytes, bytes_);
  EXPECT_TRUE(c.find("model-2").bytes.empty());
}

TEST_F(CacheTest, an_entry_is_a_library_and_a_checksum_for_sha256sum) {
  Cache(cache()).store("model-1", bytes_);
  EXPECT_EQ(cached("").size(), 2u);
  EXPECT_EQ(run({{"sha256sum", "-c", "model-1.so.sha256"}, cache()}).output, "model-1.so: OK\n");
}

TEST_F(CacheTest, what_does_not_fit_its_checksum_is_not_used) {
  const Cache c(cache());
  const auto damaged = [&](const std::string& bytes) {
    c.store("model-1", bytes_);
    base::write_file(c.path_of("model-1"), bytes);
    const Cache::Entry entry = c.find("model-1");
    return entry.bytes.empty() && entry.damage == "it does not fit its checksum";
  };
  EXPECT_TRUE(damaged(bytes_.substr(0, 10)));
  EXPECT_TRUE(damaged(bytes_ + "x"));
  EXPECT_TRUE(damaged(""));
  std::string flipped = bytes_;
  flipped[7] ^= 1;
  EXPECT_TRUE(damaged(flipped));
  EXPECT_FALSE(damaged(bytes_));
}

TEST_F(CacheTest, a_missing_checksum_is_damage) {
  const Cache c(cache());
  c.store("model-1", bytes_);
  std::filesystem::remove(cache() / "model-1.so.sha256");
  EXPECT_TRUE(c.find("model-1").bytes.empty());
  EXPECT_THAT(c.find("model-1").damage, testing::EndsWith("No such file or directory"));
}

TEST_F(CacheTest, a_checksum_of_another_entry_is_damage) {
  const Cache c(cache());
  c.store("model-1", bytes_);
  std::filesystem::copy(cache() / "model-1.so", cache() / "model-2.so");
  std::filesystem::copy(cache() / "model-1.so.sha256", cache() / "model-2.so.sha256");
  EXPECT_TRUE(c.find("model-2").bytes.empty());
}

TEST_F(CacheTest, a_folder_that_cannot_be_made_is_an_error) {
  base::write_file(folder() / "plain", "a file");
  const Cache c(folder() / "plain" / "cache");
  EXPECT_TRUE(c.find("model-1").bytes.empty());
  EXPECT_TRUE(c.find("model-1").damage.empty());
  EXPECT_THAT(message_of([&] { c.store("model-1", bytes_); }),
              testing::HasSubstr("cannot open the folder"));
}

TEST_F(CacheTest, no_folder_is_no_cache) {
  EXPECT_FALSE(Cache("").exists());
  EXPECT_TRUE(Cache("").find("model-1").bytes.empty());
}

TEST_F(CacheTest, the_folder_follows_the_environment) {
  const char* home = std::getenv("HOME");
  const std::string home_before = home != nullptr ? home : "";
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(default_cache_dir(), "/home/someone/.cache/klingel");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(default_cache_dir(), "/home/someone/.cache/klingel");
  ::setenv("XDG_CACHE_HOME", "/var/cache/someone", 1);
  EXPECT_EQ(default_cache_dir(), "/var/cache/someone/klingel");
  ::setenv("KLINGEL_CACHE", "/fast/disk", 1);
  EXPECT_EQ(default_cache_dir(), "/fast/disk");
  ::unsetenv("KLINGEL_CACHE");
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(default_cache_dir(), "");
  if (home != nullptr) ::setenv("HOME", home_before.c_str(), 1);
}

// loading runs code, so what others could have written is not loaded
TEST_F(CacheTest, what_others_can_write_is_not_used) {
  namespace fs = std::filesystem;
  const Cache c(cache());
  c.store("model-1", bytes_);
  EXPECT_EQ(fs::status(cache()).permissions(), fs::perms::owner_all);
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  EXPECT_EQ(fs::status(c.path_of("model-1")).permissions(), own);

  fs::permissions(c.path_of("model-1"), own | fs::perms::group_write);
  EXPECT_TRUE(c.find("model-1").bytes.empty());
  EXPECT_THAT(c.find("model-1").damage, testing::HasSubstr("others can write it"));
  fs::permissions(c.path_of("model-1"), own);
  EXPECT_EQ(c.find("model-1").bytes, bytes_);

  fs::permissions(cache(), fs::perms::owner_all | fs::perms::others_write);
  EXPECT_TRUE(c.find("model-1").bytes.empty());
  EXPECT_THAT(c.find("model-1").damage, testing::HasSubstr("others can write it"));
  EXPECT_THAT(message_of([&] { c.store("model-2", bytes_); }), testing::HasSubstr("is not safe"));
  fs::permissions(cache(), fs::perms::owner_all);
}

TEST_F(CacheTest, links_and_files_of_others_are_not_used) {
  namespace fs = std::filesystem;
  const Cache c(cache());
  c.store("model-1", bytes_);
  fs::rename(c.path_of("model-1"), folder() / "elsewhere.so");
  fs::create_symlink(folder() / "elsewhere.so", c.path_of("model-1"));
  EXPECT_TRUE(c.find("model-1").bytes.empty());
  EXPECT_FALSE(c.find("model-1").damage.empty());
  fs::remove(c.path_of("model-1"));
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to somebody else";
  c.store("model-1", bytes_);
  ASSERT_EQ(::chown(c.path_of("model-1").c_str(), 12345, 12345), 0);
  EXPECT_THAT(c.find("model-1").damage, testing::HasSubstr("belongs to another user"));
  ASSERT_EQ(::chown(cache().c_str(), 12345, 12345), 0);
  EXPECT_THAT(c.find("model-1").damage, testing::HasSubstr("belongs to another user"));
}

}  // namespace
}  // namespace klingel::exec
