// Packed columns come back within their promise, CSV comes back exactly, and damage is an error.
#include "record/packed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/file.hpp"
#include "record/csv.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::record {
namespace {

using test::error_of;

using testing::HasSubstr;

TEST(packed, base64_has_the_letters_of_the_standard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(packed, a_vehicle_along_a_track_keeps_hundredths_of_a_millimetre) {
  std::vector<double> x;
  for (int i = 0; i < 1801; ++i) x.push_back(0.237 * i + 0.5 * std::sin(0.01 * i));
  const std::vector<double> back = unpacked(packed(x), x.size());
  ASSERT_EQ(back.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[i], x[i], 1e-5);
}

TEST(packed, numbers_at_the_ends_of_doubles_stay_in_range) {
  // conversions that a float or an integer cannot hold would be undefined
  constexpr double most = std::numeric_limits<double>::max();
  for (const std::vector<double>& v : {std::vector<double>{most, -most, most},
                                       {-most, 0, most},
                                       {1e308, -1e308, 1e-308, 5e-324},
                                       {most, most, 0},
                                       {5e-324, 0, 1e-320},
                                       {0, 1e300, NAN, -INFINITY},
                                       {NAN, most, 0},
                                       {NAN, NAN, most, -1, 0}}) {
    const std::vector<double> back = unpacked(packed(v), v.size());
    ASSERT_EQ(back.size(), v.size());
    for (std::size_t i = 0; i < v.size(); ++i)
      EXPECT_EQ(std::isfinite(v[i]), std::isfinite(back[i])) << v[i];
  }
  EXPECT_EQ(packed_floats(std::vector{1e300}),
            packed_floats(std::vector{double{std::numeric_limits<float>::max()}}));
}

TEST(packed, straight_lines_are_exact_and_short) {
  std::vector<double> t;
  for (int i = 0; i < 1280; ++i) t.push_back(i / 100.0);
  const std::string text = packed(t);
  EXPECT_LE(text.size(), 10u * 28);  // 20 bytes per block
  const std::vector<double> back = unpacked(text, t.size());
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(back[i], t[i], 1e-14);
}

TEST(packed, odd_values_survive) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> odd = {NAN, 1, inf, -3, 1e300, -1e300, 5e-324, -inf};
  const std::vector<double> back = unpacked(packed(odd), odd.size());
  for (const std::size_t i : {0, 2, 7}) EXPECT_TRUE(std::isnan(back[i])) << i;
  EXPECT_NEAR(back[4] / 1e300, 1, 1);  // no claim but that it is finite and about there
  EXPECT_TRUE(unpacked(packed({}), 0).empty());
  EXPECT_TRUE(std::isnan(unpacked(packed(std::vector<double>{NAN}), 1)[0]));
  EXPECT_EQ(unpacked(packed(std::vector<double>{7}), 1)[0], 7);
}

TEST(packed, damage_is_an_error) {
  const std::string text = packed(std::vector<double>{1, 2, 4});
  EXPECT_THAT(error_of([&] { unpacked(text.substr(0, 8), 3); }), HasSubstr("end too early"));
  EXPECT_THAT(error_of([&] { unpacked(text, 2); }), HasSubstr("after their end"));
  EXPECT_THAT(error_of([&] { unpacked("<script>", 1); }), HasSubstr("not base64"));
}

TEST(csv, what_was_written_is_read_back) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("klingel_csv_" + std::to_string(::getpid()) + ".csv");
  const Recording recording({{"t", "s", ""}, {"N.axle.left", "N", ""}, {"mine", "", ""}},
                            {{0, 0.1}, {1.0 / 3, -2e-300}, {NAN, 5}}, {});
  write_csv(recording, path);
  const Recording back = read_csv(path);
  EXPECT_EQ(back.rows(), 2u);
  EXPECT_EQ(back.column("N.axle.left")[0], 1.0 / 3);
  EXPECT_EQ(back.column("N.axle.left")[1], -2e-300);
  EXPECT_TRUE(std::isnan(back.column("mine")[0]));
  EXPECT_EQ(back.channels()[1].unit, "N");
  EXPECT_EQ(back.channels()[2].unit, "");

  base::write_file(path, "t,x\n0,1\n1\n");
  EXPECT_THAT(error_of([&] { read_csv(path); }), HasSubstr(":3: 1 values, expected 2"));
  base::write_file(path, "t,x\n0,fast\n");
  EXPECT_THAT(error_of([&] { read_csv(path); }), HasSubstr("'fast' is not a number"));
  base::write_file(path, "t\n0,1\n");
  EXPECT_THAT(error_of([&] { read_csv(path); }), HasSubstr("more values than channels"));
  base::write_file(path, "");
  EXPECT_THAT(error_of([&] { read_csv(path); }), HasSubstr("empty"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace klingel::record
