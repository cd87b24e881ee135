// Subject: profile/profile_file and its readers. Claims: every format gives the profile in our
// coordinates, files written are read back as the same profile, and a broken file is refused with
// its place and what would help.
#include "profile/profile_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "profile/millimetre.hpp"
#include "profile/named_profile.hpp"
#include "profile/standard_profiles.hpp"

namespace klingel::profile {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::ThrowsMessage;

// A wheel with flange as lines "y z" in mm, z down, y outwards.
std::string wheel_lines(double sign_y = 1, double sign_z = 1, const char* between = ",") {
  std::string text;
  for (double y = -60; y <= 60; y += 1) {
    text += fmt::format("{}{}{}\n", sign_y * y, between, sign_z * s1002_z(y * mm) / mm);
  }
  return text;
}

FittedProfile read(const std::string& text, const std::string& file = "worn.csv",
                   ReadOptions options = {}) {
  return read_profile_text(text, file, format_of(file, text), options);
}

// Reading the text fails with a message that begins with the place and holds the words.
void expect_refused(const std::string& text, const char* place, const char* words,
                    const std::string& file = "worn.csv") {
  EXPECT_THAT([&] { read(text, file); },
              ThrowsMessage<base::Error>(AllOf(StartsWith(place), HasSubstr(words))));
}

std::string simpack(const std::string& keys, const std::string& points, int type = 1) {
  return fmt::format(
      "! a comment\n header.begin\n version = 1 ! flag\n type = {}\n header.end\n spline.begin\n"
      "{}\n point.begin\n{} point.end\n spline.end\n",
      type, keys, points);
}

const char* const in_mm = " units.len.f = +1.000E+03 ! 7";

void expect_s1002(const Profile& p) {
  EXPECT_EQ(p.kind, ProfileKind::wheel);
  for (double y = -60; y <= 60; y += 1) {
    // fmt writes the shortest exact text, so only the units round
    EXPECT_NEAR(p.z.value(y * mm), s1002_z(y * mm), 1e-15) << y;
  }
}

TEST(table, without_header_is_mm_outward_and_down) {
  ReadOptions options;
  options.kind = ProfileKind::wheel;
  const FittedProfile p = read(wheel_lines(), "worn.csv", options);
  expect_s1002(p.profile);
  EXPECT_EQ(p.profile.name, "worn");
  EXPECT_EQ(p.profile.flange_back, -0.070);
  EXPECT_EQ(p.points.size(), 121u);
  EXPECT_THAT(p.notes, IsEmpty());
}

TEST(table, the_header_says_what_the_columns_mean) {
  expect_s1002(read("# kind = wheel\n# z = up\n" + wheel_lines(1, -1)).profile);
  expect_s1002(read("# kind = wheel\n# y = inward\n" + wheel_lines(-1, 1)).profile);
  expect_s1002(read("# kind = wheel\ny (mm);z (mm)\n" + wheel_lines(1, 1, ";")).profile);
  expect_s1002(
      read("# kind = wheel\r\n# measured on a Monday\r\n" + wheel_lines(1, 1, "\t")).profile);
  expect_s1002(read("\xEF\xBB\xBF# kind = wheel\n\n" + wheel_lines(1, 1, "   ")).profile);
  const Profile m = read("# kind = wheel\n# unit = m\n# flange_back = -0.0687\n# name = mine\n" +
                         profile_text(s1002(), ProfileFormat::table))
                        .profile;
  EXPECT_EQ(m.name, "S1002");  // the later line, of the written file, wins
  EXPECT_EQ(m.flange_back, -0.070);
}

TEST(table, a_dat_file_has_z_up) {
  ReadOptions options;
  options.kind = ProfileKind::wheel;
  expect_s1002(read(wheel_lines(1, -1, " "), "worn.dat", options).profile);
}

TEST(table, options_fill_in_what_the_header_leaves_out) {
  ReadOptions options;
  options.kind = ProfileKind::wheel;
  options.z_up = true;
  options.y_inward = true;
  expect_s1002(read(wheel_lines(-1, -1), "worn.csv", options).profile);
}

TEST(table, broken_files_are_refused_with_their_place) {
  const std::string kind = "# kind = wheel\n";
  expect_refused("# kind = weel\n" + wheel_lines(), "worn.csv:1:10:", "'wheel' or 'rail'");
  expect_refused("# kimd = wheel\n" + wheel_lines(), "worn.csv:1:3:", "did you mean 'kind'");
  expect_refused("# unit = cm\n" + wheel_lines(), "worn.csv:1:10:", "'mm', 'm' or 'inch'");
  expect_refused("# z = \n" + wheel_lines(), "worn.csv:1", "no value");
  expect_refused(wheel_lines(), "worn.csv:", "add '# kind = wheel'");
  expect_refused(kind + wheel_lines() + "61,abc\n", "worn.csv:123:4:", "z must be a number");
  expect_refused(kind + wheel_lines() + "61,nan\n", "worn.csv:123:4:", "finite");
  expect_refused(kind + wheel_lines() + "61,1e999\n", "worn.csv:123:4:", "finite");
  expect_refused(kind + wheel_lines() + "61\n", "worn.csv:123:", "found 1 column");
  expect_refused(kind + wheel_lines() + "61,2,3\n", "worn.csv:123:6:", "found 3 columns");
  expect_refused(kind + wheel_lines() + "61,\n", "worn.csv:123:4:", "z is missing");
  expect_refused(kind + "-1,5;2,5\n", "worn.csv:2:3:", "decimal points");
  expect_refused(kind, "worn.csv:", "no points");
  expect_refused("", "worn.csv:", "no points");
  expect_refused(kind + wheel_lines() + "# z = up\n", "worn.csv:123:7:", "above the points");
}

TEST(simpack_file, keys_are_applied_in_the_order_of_their_numbers) {
  // shift before rotation before bounds before mirror before inversion before units: a rectangle's
  // corners would end elsewhere in any other order
  const std::string keys = std::string(in_mm) +
                           "\n shift.y = 2\n shift.z = -1\n rotate = 90\n units.ang.f = "
                           "57.29577951308232\n bound.y.min = -50\n bound.y.max = 200\n mirror.y = "
                           "1\n mirror.z = 1\n inversion = 1\n point.dist.min = 0.5";
  // wanted: our S1002 at y; undo the steps by hand. After shift and a quarter turn (y, z) becomes
  // (-(z - 1), y + 2), mirrored (z - 1, -(y + 2)): so z_file = y + 1 and y_file = -z - 2
  std::string points;
  for (double y = -60; y <= 60; y += 1) {
    points += fmt::format("{} {}\n", -s1002_z(y * mm) / mm - 2, y + 1);
    // within point.dist.min of the one before: dropped in the first step
    points += fmt::format("{} {}\n", -s1002_z(y * mm) / mm - 2.2, y + 1);
  }
  const FittedProfile p = read(simpack(keys, points), "w.prw");
  // bounds act on y before mirroring: -50 there is +50 here
  EXPECT_NEAR(p.profile.z.begin(), -60 * mm, 1e-15);
  EXPECT_NEAR(p.profile.z.end(), 50 * mm, 1e-12);
  for (double y = -60; y <= 50; y += 1) {
    EXPECT_NEAR(p.profile.z.value(y * mm), s1002_z(y * mm), 1e-12) << y;
  }
}

TEST(simpack_file, comments_quotes_and_unknown_keys_do_not_disturb) {
  const std::string keys = std::string(in_mm) +
                           "\n comment = 'with ! and = inside' ! remark\n file.mtime = 0\n"
                           " colour = 3\n! mirror.z = 1\n bound.z.min = 1\n bound.z.max = 0";
  const FittedProfile p = read(simpack(keys, "!99 99\n" + wheel_lines(1, 1, "\t")), "w.prw");
  expect_s1002(p.profile);
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_THAT(p.notes[0], HasSubstr("'colour' is not known"));
}

TEST(simpack_file, broken_files_are_refused_with_their_place) {
  const std::string w = wheel_lines(1, 1, " ");
  expect_refused(simpack(in_mm, w, 2), "w.prw:4:9:", "0 (rail) or 1 (wheel)", "w.prw");
  expect_refused(simpack(" mirror.y = 2", w), "w.prw:7:13:", "mirror.y must be 0 or 1", "w.prw");
  expect_refused(simpack(" units.len.f = 0", w), "w.prw:7:16:", "must be positive", "w.prw");
  expect_refused(simpack(" units.len.f = x", w), "w.prw:7:16:", "must be a number", "w.prw");
  expect_refused(simpack(" units.len.f 1000", w), "w.prw:7:2:", "expected 'key = value'", "w.prw");
  expect_refused(simpack(" units.len.f =", w), "w.prw:7", "is missing", "w.prw");
  expect_refused(simpack(in_mm, "1 2 3 4\n"), "w.prw:9:", "found 4 columns", "w.prw");
  expect_refused(simpack(in_mm, "1 2 -1\n" + w), "w.prw:9:", "weight", "w.prw");
  expect_refused(simpack(in_mm, ""), "w.prw:", "at least 5 points, found 0", "w.prw");
  expect_refused("spline.begin\npoint.begin\n1 2\n", "w.prw:3:", "'point.end' is missing", "w.prw");
  expect_refused("splime.begin\n", "w.prw:1:1:", "did you mean 'spline'", "w.prw");
  expect_refused("point.begin\n", "w.prw:1:1:", "does not belong here", "w.prw");
  expect_refused("hello\n", "w.prw:1:1:", "is outside of", "w.prw");
  expect_refused("", "w.prw:", "'point.begin' is missing", "w.prw");
}

TEST(simpack_file, forgotten_units_are_noticed) {
  expect_refused(simpack("", wheel_lines(1, 1, " ")), "w.prw:", "is 120 m wide", "w.prw");
}

TEST(pieces_file, the_locomotives_wheel_is_exact) {
  const Profile p = profile("feve_wheel");
  ASSERT_EQ(p.z.pieces().size(), 18u);
  // the authors' numbers f(u), typed in: begin, a, b, c, d of some pieces of their left wheel
  const double typed[][6] = {
      {0, -0.068, -20623.01023275065, 485.05169589359, -4.10973466225, -0.5153},
      {7, -0.035, 15452.256154581621, -232.36943386746, 1.25235676547, -0.50376716},
      {11, 0, 64.56790834618, -0.02379249587, 0.00893613412, -0.5},
      {17, 0.06, -23.99502684842, -0.51087688145, 0.09555773387, -0.49569336}};
  for (const auto& t : typed) {
    const spline::CubicPiece& piece = p.z.pieces()[static_cast<std::size_t>(t[0])];
    EXPECT_EQ(piece.u_bp, t[1]);
    for (double x = 0; x < 0.01; x += 0.001) {
      const double f = ((t[2] * x + t[3]) * x + t[4]) * x + t[5];
      // the radius r0 + z is their -f, to round-off
      EXPECT_NEAR(0.5 + piece.value(t[1] + x), -f, 2e-16) << t[0];
    }
  }
  const spline::CubicSpline left = wheel_function(p, Side::left, 0.5);
  const spline::CubicSpline right = wheel_function(p, Side::right, 0.5);
  // a piece of the authors' right wheel, which is the mirror image
  const double x = 0.0123 - 0.01;
  const double f = ((0.28554503181 * x - 1.81807477102) * x - 0.02735480679) * x - 0.50015155;
  EXPECT_NEAR(right.value(0.0123), -f, 1e-13);
  EXPECT_EQ(left.value(-0.0123), right.value(0.0123));
}

TEST(pieces_file, the_locomotives_rail_is_exact) {
  const Profile p = profile("feve_rail");
  ASSERT_EQ(p.z.pieces().size(), 14u);
  const spline::CubicSpline f = rail_function(p, Side::left);
  EXPECT_EQ(f.value(0), 0.159);
  const double x = 0.002;
  EXPECT_NEAR(f.value(0.012),
              ((-188.203197631013 * x - 3.993317098448) * x - 0.039988334567) * x + 0.1588333,
              1e-16);
  EXPECT_NEAR(f.value(-0.012), f.value(0.012), 1e-14);
}

TEST(pieces_file, broken_files_are_refused_with_their_place) {
  const std::string kind = "# kind = rail\n";
  const auto refused = [](const std::string& text, const char* place, const char* words) {
    expect_refused(text, place, words, "r.pieces");
  };
  refused(kind + "0,1,2\n", "r.pieces:2:", "found 3");
  refused(kind + "0,0,0,0,0,0\n", "r.pieces:2:3:", "must end after");
  refused(kind + "0,0.01,0,0,0,0\n0.02,0.03,0,0,0,0\n", "r.pieces:3:1:", "must begin where");
  refused(kind + "0,0.01,0,0,0,0\n0.01,0.03,0,0,0,1e-5\n", "r.pieces:3:17:", "z jumps by 1e-05 m");
  refused(kind + "0,0.01,inf,0,0,0\n", "r.pieces:2:8:", "finite");
  refused(kind + "begin,end,a,b,c,d\n", "r.pieces:", "no pieces");
  refused(kind + "0,10,0,0,0,0\n", "r.pieces:", "10 m wide");
  refused("0,0.03,0,0,0,0\n", "r.pieces:", "'# kind = rail'");
}

class RoundTrip : public testing::TestWithParam<ProfileFormat> {};

TEST_P(RoundTrip, a_written_profile_is_read_as_the_same) {
  // splines made from points: not-a-knot ends, as the readers make them
  ReadOptions options;
  options.kind = ProfileKind::wheel;
  const Profile wheel = read(wheel_lines(), "worn.csv", options).profile;
  const std::string text = profile_text(wheel, GetParam());
  const FittedProfile again = read_profile_text(text, "again", GetParam());
  EXPECT_EQ(again.profile.kind, ProfileKind::wheel);
  ASSERT_EQ(again.profile.z.knots().size(), wheel.z.knots().size());
  for (std::size_t i = 0; i < wheel.z.knots().size(); ++i) {
    EXPECT_EQ(again.profile.z.knots()[i], wheel.z.knots()[i]);
  }
  for (double y = -60 * mm; y <= 60 * mm; y += 0.1 * mm) {
    EXPECT_EQ(again.profile.z.value(y), wheel.z.value(y)) << y;
  }
  // and once more: the same text, except for the name
  Profile named = again.profile;
  named.name = wheel.name;
  EXPECT_EQ(profile_text(named, GetParam()), text);
}

TEST_P(RoundTrip, the_built_in_ones_keep_their_points) {
  for (const char* name : {"S1002", "60E1:1:40"}) {
    const Profile p = profile(name);
    const FittedProfile again = read_profile_text(profile_text(p, GetParam()), "x", GetParam());
    EXPECT_THAT(again.notes, IsEmpty()) << name;
    ASSERT_EQ(again.profile.z.knots().size() >= p.z.knots().size(), true) << name;
    for (const double y : p.z.knots()) {
      EXPECT_NEAR(again.profile.z.value(y), p.z.value(y), 1e-15) << name;
    }
    // only the ends of a spline through points know less than the built-in one
    for (double y = p.z.begin(); y < p.z.end(); y += 0.05 * mm) {
      EXPECT_NEAR(again.profile.z.value(y), p.z.value(y), 1e-6) << name << y;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(formats, RoundTrip,
                         testing::Values(ProfileFormat::table, ProfileFormat::simpack,
                                         ProfileFormat::pieces));

TEST(profile_file, files_are_written_and_read_by_their_extension) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("klingel_profile_" + std::to_string(::getpid()));
  for (const char* name : {"a.csv", "a.prw", "a.pieces"}) {
    write_profile(s1002(), folder / name);
    EXPECT_NEAR(read_profile(folder / name).z.value(0.01), s1002_z(0.01), 1e-7);
    // as an argument of a command
    EXPECT_EQ(profile((folder / name).string(), ProfileKind::wheel).kind, ProfileKind::wheel);
  }
  std::filesystem::remove_all(folder);
  EXPECT_THAT([&] { read_profile(folder / "a.csv"); },
              ThrowsMessage<base::Error>(HasSubstr("cannot read")));
}

TEST(profile_file, the_reference_wheels_of_en_15302_are_read) {
  const char* from = std::getenv("KLINGEL_REFERENCE_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(from ? from : KLINGEL_SOURCE_DIR "/../shared/data") / "en15302";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "NOT READ: the reference profiles of EN 15302 are not in " << folder
                 << "; set KLINGEL_REFERENCE_DATA";
  }
  ReadOptions wheel, rail;
  wheel.kind = ProfileKind::wheel;
  rail.kind = ProfileKind::rail;
  for (const char* name : {"RUIC519A.dat", "RUIC519B.dat", "RUIC519H.dat", "RUIC519I.dat"}) {
    const FittedProfile p = read_profile_with_notes(folder / name, wheel);
    EXPECT_EQ(p.points.size(), 1001u) << name;
    EXPECT_NEAR(p.profile.z.value(0), 0, 1e-7) << name;
    EXPECT_NEAR(p.profile.z.value(-55 * mm), 28 * mm, 1e-6) << name;
  }
  const FittedProfile r = read_profile_with_notes(folder / "SUIC519A.dat", rail);
  EXPECT_EQ(r.points.size(), 1001u);
  EXPECT_NEAR(r.profile.z.begin(), -32.5 * mm, 1e-15);
}

TEST(profile_file, a_name_holds_nothing_that_a_terminal_would_obey) {
  EXPECT_EQ(read("# name = worn\x1b[31m\n# kind = wheel\n" + wheel_lines()).profile.name,
            "worn\\x1b[31m");
}

// S1002 as an instrument could have written it: turned, and from the flange back.
std::string miniprof(double x_sign, double y_sign, double from) {
  const Profile wheel = s1002();
  std::string text = "ProgramName=MiniProf\nColumnDef=X,Y,A,C,N\nXYPoints=120\n\n";
  for (double y = -0.060; y < 0.055; y += 1e-3)
    text += fmt::format("{:.4f}\t{:.4f}\t0.0\t0.0\t1\n", x_sign * (1000 * y + from),
                        y_sign * 1000 * wheel.z.value(y));
  return text;
}

TEST(profile_file, miniprof_wheels_are_turned_by_their_shape) {
  const Profile wheel = s1002();
  for (const double x_sign : {-1.0, 1.0})
    for (const double y_sign : {-1.0, 1.0})
      for (const double from : {0.0, 70.0}) {
        const FittedProfile read =
            read_profile_text(miniprof(x_sign, y_sign, from), "worn.whl", ProfileFormat::miniprof);
        for (const double y : {-0.04, -0.02, 0.0, 0.03})
          EXPECT_NEAR(read.profile.z.value(y), wheel.z.value(y), 2e-5)
              << x_sign << " " << y_sign << " " << from << " " << y;
        ASSERT_FALSE(read.notes.empty());
        EXPECT_THAT(read.notes[0], HasSubstr("MiniProf: X = 0 is taken for the"));
      }
  EXPECT_EQ(format_of("a.ban"), ProfileFormat::miniprof);
  EXPECT_EQ(format_of("a.txt", "ColumnDef=X,Y\n\n1 2\n"), ProfileFormat::miniprof);
}

TEST(profile_file, smoothing_says_what_it_changed) {
  std::string text = "# kind = wheel\n";
  for (int i = 0; i <= 100; ++i)
    text += fmt::format("{},{:.4f}\n", i - 50, -0.025 * (i - 50) + (i % 2 == 0 ? 0.004 : -0.004));
  ReadOptions options;
  options.fit.smooth = 4e-6;
  const FittedProfile read = read_profile_text(text, "rough.csv", ProfileFormat::table, options);
  ASSERT_FALSE(read.notes.empty());
  EXPECT_THAT(read.notes.back(), HasSubstr("smoothing moved points by 0.00"));
  EXPECT_THAT(read.notes.back(), HasSubstr("before"));
}

}  // namespace
}  // namespace klingel::profile
