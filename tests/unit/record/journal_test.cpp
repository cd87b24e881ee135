// Rows in a file that only grows: what was written comes back, whatever the end of the file.
#include "record/journal.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/file.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"
#include "record/run_folder.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::record {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using testing::HasSubstr;

const std::vector<Channel> channels = {{"t", "s", "time"}, {"N.a", "N", "a \"force\""}};

int open_new(const fs::path& path) {
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

TEST(journal, gives_back_its_rows) {
  const structure::TemporaryFolder folder;
  const fs::path path = folder.path() / "rows";
  constexpr int rows = 200'000;  // more than a block
  {
    JournalWriter writer(open_new(path), path, channels);
    for (int i = 0; i < rows; ++i) writer.add(std::array{0.001 * i, -2.0 * i});
  }
  const Journal journal(path);
  ASSERT_EQ(journal.rows(), rows);
  EXPECT_EQ(journal.channels()[1].about, "a \"force\"");
  std::size_t next = 0;
  journal.blocks(std::vector<std::size_t>{1, 0}, [&](std::size_t first, auto columns) {
    ASSERT_EQ(first, next);
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      ASSERT_EQ(columns[0][i], -2.0 * static_cast<double>(first + i));
      ASSERT_EQ(columns[1][i], 0.001 * static_cast<double>(first + i));
    }
    next += columns[0].size();
  });
  EXPECT_EQ(next, rows);
}

TEST(journal, a_row_that_is_not_whole_is_left_out) {
  const structure::TemporaryFolder folder;
  const fs::path path = folder.path() / "rows";
  {
    JournalWriter writer(open_new(path), path, channels);
    for (int i = 0; i < 10; ++i) writer.add(std::array{1.0 * i, 0.0});
  }
  fs::resize_file(path, fs::file_size(path) - 3);
  EXPECT_EQ(Journal(path).rows(), 9u);
}

TEST(journal, what_is_none_is_refused) {
  const structure::TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    base::write_file(folder.path() / "x", text);
    return error_of([&] { Journal(folder.path() / "x"); });
  };
  EXPECT_THAT(refused(""), HasSubstr("not a journal"));
  EXPECT_THAT(refused("klingel journal 1\n"), HasSubstr("not a journal"));
  EXPECT_THAT(refused("klingel journal 1\n999999\n[]"), HasSubstr("head is not whole"));
  EXPECT_THAT(refused("klingel journal 1\n2\n[]"), HasSubstr("no channels"));
  EXPECT_THAT(refused("klingel journal 1\n3\n[7]"), HasSubstr("not described"));
  EXPECT_THAT(error_of([&] { Journal(folder.path()); }), HasSubstr("not a plain file"));
}

TEST(journal, csv_and_hdf5_are_those_of_the_recording) {
  const structure::TemporaryFolder folder;
  Recording recording(channels, 100'000);
  const fs::path path = folder.path() / "rows";
  {
    JournalWriter writer(open_new(path), path, channels);
    for (int i = 0; i < 100'000; ++i) {
      const std::array row{0.1 * i, 1.0 / (i + 1)};
      writer.add(row);
      recording.add(row);
    }
  }
  const Journal journal(path);
  write_csv(journal, all_channels(journal), folder.path() / "a.csv");
  EXPECT_TRUE(base::read_file(folder.path() / "a.csv") == csv(recording));
  write_hdf5(journal, std::vector<std::size_t>{1}, {}, folder.path() / "a.h5");
  const Recording back = read_hdf5(folder.path() / "a.h5");
  ASSERT_EQ(back.channels().size(), 1u);
  EXPECT_TRUE(std::ranges::equal(back.column("N.a"), recording.column("N.a")));
}

TEST(journal, a_full_disk_is_a_problem_and_not_the_end) {
  const structure::TemporaryFolder folder;
  const fs::path path = folder.path() / "rows";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    JournalWriter writer(open_new(path), path, channels);
    rlimit small = before;
    small.rlim_cur = 100'000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 100'000; ++i) writer.add(std::array{1.0 * i, 0.0});
    writer.flush();
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(writer.problem(), HasSubstr("cannot write"));
  }
  std::signal(SIGXFSZ, handler);
  const std::size_t rows = Journal(path).rows();
  EXPECT_GT(rows, 5000u);
  EXPECT_LT(rows, 7000u);
}

TEST(table, thinning_keeps_both_ends) {
  Recording recording(channels, 1001);
  for (int i = 0; i <= 1000; ++i) recording.add(std::array{1.0 * i, 0.0});
  for (const std::size_t most : {2u, 7u, 100u, 1000u, 1001u, 5000u}) {
    const Recording less = thinned(RecordingTable(recording), most);
    EXPECT_LE(less.rows(), most);
    EXPECT_GE(2 * less.rows() + 2, std::min<std::size_t>(most, 1001));
    EXPECT_EQ(less.column("t").front(), 0);
    EXPECT_EQ(less.column("t").back(), 1000);
  }
}

TEST(run_folder, new_and_empty_ones_are_taken) {
  const structure::TemporaryFolder folder;
  fs::create_directories(folder.path() / "empty");
  for (const char* name : {"empty", "new/one"}) {
    RunFolder run(folder.path() / name, false);
    run.begin(channels);
  }
  EXPECT_TRUE(fs::exists(folder.path() / "new/one" / journal_name));
}

TEST(run_folder, one_that_was_not_begun_leaves_nothing) {
  const structure::TemporaryFolder folder;
  { const RunFolder run(folder.path() / "new/one", false); }
  EXPECT_FALSE(fs::exists(folder.path() / "new"));
}

TEST(run_folder, a_second_run_is_refused_or_replaces_all) {
  const structure::TemporaryFolder folder;
  const fs::path results = folder.path() / "results";
  for (const char* name :
       {"summary.json", "results.csv", "at_2.0000s.state", "results.h5.0123456789abcdef.tmp"})
    base::write_file(results / name, "old");
  EXPECT_THAT(error_of([&] { RunFolder(results, false); }), HasSubstr("--force"));
  EXPECT_TRUE(fs::exists(results / "results.csv"));
  RunFolder run(results, true);
  run.begin(channels);
  int files = 0;
  for (const auto& entry : fs::directory_iterator(results)) {
    EXPECT_EQ(entry.path().filename(), journal_name);
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST(run_folder, files_of_others_are_never_removed) {
  const structure::TemporaryFolder folder;
  base::write_file(folder.path() / "thesis.txt", "mine");
  for (const bool force : {false, true}) {
    RunFolder run(folder.path(), force);
    run.begin(channels);
  }
  EXPECT_EQ(base::read_file(folder.path() / "thesis.txt"), "mine");
}

TEST(run_folder, two_runs_at_once_do_not_mix) {
  const structure::TemporaryFolder folder;
  RunFolder first(folder.path() / "r", false);
  EXPECT_THAT(error_of([&] { RunFolder(folder.path() / "r", false); }), HasSubstr("another run"));
  EXPECT_THAT(error_of([&] { RunFolder(folder.path() / "r", true); }),
              HasSubstr("is writing there now"));
  first.begin(channels);
  EXPECT_THAT(error_of([&] { RunFolder(folder.path() / "r", true); }),
              HasSubstr("is writing there now"));
}

TEST(run_folder, links_are_not_followed) {
  const structure::TemporaryFolder folder;
  base::write_file(folder.path() / "victim", "precious");
  fs::create_directories(folder.path() / "r");
  fs::create_symlink(folder.path() / "victim", folder.path() / "r" / journal_name);
  EXPECT_NE(error_of([&] { RunFolder(folder.path() / "r", false); }), "no error");
  RunFolder run(folder.path() / "r", true);  // the link goes, not what it leads to
  run.begin(channels);
  EXPECT_EQ(base::read_file(folder.path() / "victim"), "precious");
}

}  // namespace
}  // namespace klingel::record
