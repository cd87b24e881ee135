// MAT files: read back here by the format's own rules, bytes by bytes.
#include "record/mat.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>

#include "base/file.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::record {
namespace {

struct Matrix {
  std::uint32_t kind = 0, rows = 0, columns = 0;
  std::string bytes;
};

// All matrices of a file, by name.
std::map<std::string, Matrix> read(const std::string& file) {
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, file.data() + at, 4);
    return value;
  };
  std::map<std::string, Matrix> all;
  for (std::size_t at = 128; at < file.size();) {
    EXPECT_EQ(word(at), 14u);
    const std::size_t end = at + 8 + word(at + 4);
    EXPECT_LE(end, file.size());
    std::size_t p = at + 8;
    Matrix m;
    EXPECT_EQ(word(p), 6u);  // flags
    m.kind = word(p + 8) & 255;
    p += 16;
    EXPECT_EQ(word(p), 5u);  // dimensions
    m.rows = word(p + 8), m.columns = word(p + 12);
    p += 16;
    EXPECT_EQ(word(p), 1u);  // name
    const std::string name = file.substr(p + 8, word(p + 4));
    p += 8 + (word(p + 4) + 7) / 8 * 8;
    m.bytes = file.substr(p + 8, word(p + 4));
    all[name] = m;
    at = end;
  }
  return all;
}

TEST(mat, columns_come_back_with_names_and_units) {
  const structure::TemporaryFolder folder;
  const std::vector<double> t = {0, 0.1, 0.2},
                            N = {1e5, -3.25, std::numeric_limits<double>::quiet_NaN()};
  const Recording recording({{"t", "s", "time"}, {"N.rear.left", "N", "force"}}, {t, N}, {});
  const RecordingTable table(recording);
  write_mat(table, all_channels(table), folder.path() / "r.mat");
  const std::string file = base::read_file(folder.path() / "r.mat");
  EXPECT_EQ(file.substr(0, 10), "MATLAB 5.0");
  EXPECT_EQ(file.substr(124, 4), std::string("\x00\x01IM", 4));
  const std::map<std::string, Matrix> all = read(file);
  ASSERT_TRUE(all.contains("t"));
  ASSERT_TRUE(all.contains("N_rear_left"));
  const Matrix& m = all.at("N_rear_left");
  EXPECT_EQ(m.kind, 6u);
  EXPECT_EQ(m.rows, 3u);
  EXPECT_EQ(m.columns, 1u);
  ASSERT_EQ(m.bytes.size(), 24u);
  EXPECT_EQ(std::memcmp(m.bytes.data(), N.data(), 24), 0);
  const Matrix& names = all.at("klingel_names");
  EXPECT_EQ(names.kind, 4u);
  EXPECT_EQ(names.rows, 2u);
  EXPECT_EQ(names.columns, 11u);
  EXPECT_EQ(names.bytes[0], 't');
  EXPECT_EQ(names.bytes[2], 'N');
}

TEST(mat, names_are_legal_and_different) {
  const std::vector<std::string> names = {"a.b", "a_b", "1x", std::string(80, 'q'),
                                          std::string(81, 'q')};
  const std::vector<std::string> legal = matlab_names(names);
  EXPECT_EQ(legal[0], "a_b");
  EXPECT_EQ(legal[1], "a_b_2");
  EXPECT_EQ(legal[2], "c1x");
  EXPECT_EQ(legal[3], std::string(63, 'q'));
  EXPECT_EQ(legal[4].size(), 63u);
  EXPECT_NE(legal[3], legal[4]);
}

}  // namespace
}  // namespace klingel::record
