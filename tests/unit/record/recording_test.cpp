// A recording holds its columns, refuses impossible names, and becomes CSV that reads back exactly.
#include "record/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>

#include "base/file.hpp"
#include "record/csv.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::record {
namespace {

using test::error_of;

using testing::ElementsAre;

#ifdef __SANITIZE_ADDRESS__
constexpr double slowdown = 10;  // of instrumented code
#else
constexpr double slowdown = 1;
#endif

TEST(recording, keeps_columns_and_refuses_rows_beyond_its_room) {
  Recording r({{"t", "s", "time"}, {"N.a", "N", "force"}}, 2);
  EXPECT_TRUE(r.add(std::vector<double>{0, 10}));
  EXPECT_THAT(r.column("N.a"), ElementsAre(10));
  EXPECT_TRUE(r.add(std::vector<double>{1, 20}));
  EXPECT_FALSE(r.add(std::vector<double>{2, 30}));
  EXPECT_EQ(r.rows(), 2u);
  EXPECT_THAT(r.column("t"), ElementsAre(0, 1));
  EXPECT_EQ(error_of([&] { r.column("N.b"); }),
            "the recording has no channel 'N.b'; did you mean 'N.a'?");
}

TEST(recording, names_that_files_cannot_hold_are_errors) {
  for (const char* name : {"", ".", "a/b", "a,b", "a\"b", "a\nb"}) {
    EXPECT_NE(error_of([&] { Recording({{name, "", ""}}, 1); }), "no error") << name;
  }
  EXPECT_EQ(error_of([&] {
              Recording({{"a", "", ""}, {"a", "", ""}}, 1);
            }),
            "there are two channels 'a'");
}

TEST(csv, has_units_names_and_exact_numbers) {
  Recording r({{"t", "s", ""}, {"x", "m", ""}}, 3);
  r.add(std::vector<double>{0, 0.1 + 0.2});
  r.add(std::vector<double>{0.01, -std::numeric_limits<double>::denorm_min()});
  r.add(std::vector<double>{1e300, NAN});
  EXPECT_EQ(csv(r), "# units: s,m\nt,x\n0,0.30000000000000004\n0.01,-5e-324\n1e+300,nan\n");
  const std::string path = testing::TempDir() + "klingel_csv/new/results.csv";
  write_csv(r, path);
  EXPECT_EQ(base::read_file(path), csv(r));
}

TEST(csv, is_written_fast_enough_not_to_be_noticed) {
  std::vector<Channel> channels;
  for (int i = 0; i < 100; ++i) channels.push_back({"c" + std::to_string(i), "", ""});
  Recording r(channels, 1801);
  std::vector<double> row(100);
  for (int i = 0; i < 1801; ++i) {
    for (int k = 0; k < 100; ++k) row[k] = std::sin(i + 0.1 * k) * std::pow(10, k % 7);
    r.add(row);
  }
  // time of this program alone: on a busy machine the clock on the wall says little
  const std::clock_t start = std::clock();
  const std::size_t size = csv(r).size();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(size, 1'800'000u);
  EXPECT_LT(seconds, 0.1 * slowdown) << "measured 10 to 17 ms";
}

}  // namespace
}  // namespace klingel::record
