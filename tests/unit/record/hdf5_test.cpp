// HDF5 files give back what was written; what is damaged, foreign or missing is a clear Error.
#include "record/hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/file.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::record {
namespace {

using test::error_of;

using testing::HasSubstr;

// a fresh folder for each test
std::filesystem::path folder() {
  const std::filesystem::path path = testing::TempDir() + "klingel_hdf5_" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

Recording example(std::size_t rows) {
  Recording r({{"t", "s", "time"}, {"z", "m", "µm would be better"}, {"N.a.b", "N", ""}}, rows + 5);
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    r.add(std::vector<double>{t, std::sin(t) / 3, i == 3 ? NAN : -t});
  }
  r.notes = {{"scenario", "curve"}, {"vehicle", "feve"}};
  return r;
}

TEST(hdf5, what_was_written_is_read_back_bit_for_bit) {
  for (const std::size_t rows : {0u, 1u, 2000u}) {
    const std::filesystem::path path = folder() / "deep" / "results.h5";
    const Recording written = example(rows);
    write_hdf5(written, path);
    const Recording read = read_hdf5(path);
    ASSERT_EQ(read.channels().size(), 3u);
    EXPECT_EQ(read.rows(), rows);
    EXPECT_EQ(read.notes, written.notes);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(read.channels()[i].name, written.channels()[i].name);
      EXPECT_EQ(read.channels()[i].unit, written.channels()[i].unit);
      EXPECT_EQ(read.channels()[i].about, written.channels()[i].about);
      for (std::size_t k = 0; k < rows; ++k) {
        const double a = read.column(i)[k], b = written.column(i)[k];
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
      }
    }
  }
}

// the readers of others: every channel is a data set, its unit an attribute
TEST(hdf5, python_reads_channels_and_units) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    if (std::system((std::string(candidate) + " -c 'import h5py' 2>/dev/null").c_str()) == 0)
      python = candidate;
  }
  if (python.empty())
    GTEST_SKIP() << "NOT TESTED: no python3 with h5py here (Debian: apt-get install python3-h5py)";
  const std::filesystem::path path = folder() / "results.h5";
  write_hdf5(example(4), path);
  base::write_file(path.parent_path() / "read.py",
                   "import h5py, math, sys\n"
                   "f = h5py.File(sys.argv[1], 'r')\n"
                   "sets = {}\n"
                   "f.visititems(lambda n, o: sets.update({n: o}) if isinstance(o, h5py.Dataset) "
                   "else None)\n"
                   "t = [o for n, o in sets.items() if n.split('/')[-1] == 't'][0]\n"
                   "n = [o for n, o in sets.items() if n.endswith('N.a.b')][0]\n"
                   "assert list(t[:]) == [0.01 * i for i in range(4)], list(t[:])\n"
                   "assert math.isnan(n[3]) and n[2] == -0.02\n"
                   "unit = n.attrs['unit']\n"
                   "assert (unit.decode() if isinstance(unit, bytes) else unit) == 'N', unit\n");
  const std::string command =
      python + " '" + (path.parent_path() / "read.py").string() + "' '" + path.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(hdf5, a_file_is_replaced_whole_and_nothing_else_is_left) {
  const std::filesystem::path dir = folder();
  write_hdf5(example(2), dir / "r.h5");
  write_hdf5(example(7), dir / "r.h5");
  EXPECT_EQ(read_hdf5(dir / "r.h5").rows(), 7u);
  const auto files = std::filesystem::directory_iterator(dir);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  EXPECT_THAT(error_of([&] { write_hdf5(example(2), dir / "r.h5" / "below_a_file.h5"); }),
              HasSubstr("cannot write"));
  std::filesystem::create_directory(dir / "taken");
  EXPECT_THAT(error_of([&] { write_hdf5(example(2), dir / "taken"); }), HasSubstr("cannot write"));
  EXPECT_FALSE(std::filesystem::exists(dir / "taken.part"));
}

TEST(hdf5, missing_foreign_and_cut_files_are_told_apart) {
  const std::filesystem::path dir = folder();
  EXPECT_THAT(error_of([&] { read_hdf5(dir / "none.h5"); }), HasSubstr("none.h5: no such file"));
  base::write_file(dir / "text.h5", "t,x\n0,1\n");
  EXPECT_THAT(error_of([&] { read_hdf5(dir / "text.h5"); }), HasSubstr("not an HDF5 file"));
  write_hdf5(example(1000), dir / "r.h5");
  const std::string bytes = base::read_file(dir / "r.h5");
  base::write_file(dir / "cut.h5", bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(error_of([&] { read_hdf5(dir / "cut.h5"); }),
              HasSubstr("cut.h5: cannot read this HDF5 file: truncated file"));
}

TEST(hdf5, a_damaged_file_is_an_error_or_still_a_recording_but_never_a_crash) {
  const std::filesystem::path dir = folder();
  write_hdf5(example(20), dir / "r.h5");
  const std::string bytes = base::read_file(dir / "r.h5");
  int errors = 0;
  // a byte turned over at every so many places
  for (std::size_t i = 0; i < bytes.size(); i += 23) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(~damaged[i]);
    base::write_file(dir / "d.h5", damaged);
    const std::string text = error_of([&] { read_hdf5(dir / "d.h5"); });
    if (text == "no error") continue;
    ++errors;
    EXPECT_THAT(text, HasSubstr("d.h5"));
  }
  // what is not noticed is unused space; numbers, names and structure have checksums
  EXPECT_GT(errors, 40);
}

}  // namespace
}  // namespace klingel::record
