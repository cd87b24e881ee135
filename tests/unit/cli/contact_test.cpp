// klingel contact and klingel conicity as the shell sees them: tables, CSV, pictures, and wrong
// arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "base/file.hpp"

namespace klingel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Outcome {
  int code;
  std::string out, err;
};

class ContactCommand : public testing::Test {
 protected:
  ContactCommand()
      : folder_(fs::path(testing::TempDir()) / ("klingel_contact_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ContactCommand() override { fs::remove_all(folder_); }

  Outcome klingel(const std::string& arguments) const {
    const std::string out = folder_ / "out", err = folder_ / "err";
    const std::string command =
        KLINGEL_BINARY_DIR "/klingel " + arguments + " >" + out + " 2>" + err + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, base::read_file(out),
            base::read_file(err)};
  }
  Outcome contact(const std::string& arguments) const {
    return klingel("contact --wheel S1002 --rail 60E1:1:40 " + arguments);
  }

  const fs::path folder_;
};

TEST_F(ContactCommand, csv_has_a_row_per_side_and_the_agreed_columns) {
  const Outcome o = contact("--y=-1:1:1 --csv");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out,
              StartsWith("y,yaw,side,wheel_u,rail_u,angle,rolling_radius,roll,lift,jump,second\n"
                         "-1,0,left,"));
  EXPECT_THAT(o.out, HasSubstr("\n0,0,left,3.2"));
  EXPECT_THAT(o.out, HasSubstr("\n1,0,right,"));
  EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 7);
  EXPECT_THAT(o.err, IsEmpty());
}

TEST_F(ContactCommand, a_range_may_begin_with_a_minus_without_an_equals_sign) {
  EXPECT_EQ(contact("--y -1:1:1 --csv").out, contact("--y=-1:1:1 --csv").out);
}

TEST_F(ContactCommand, table_tells_units_and_where_contacts_jump) {
  const Outcome o = contact("--y 0:1:0.5");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("flange backs 1360 mm"));
  EXPECT_THAT(o.out, HasSubstr("jumped at y = 0.22"));
}

TEST_F(ContactCommand, picture_is_written) {
  const std::string file = folder_ / "picture.svg";
  const Outcome o = contact("--y=-4:4:2 --svg " + file);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(base::read_file(file), HasSubstr("<svg"));
}

// Each wheel let down alone is where it is in a wheelset of its own kind.
TEST_F(ContactCommand, sides_may_have_different_profiles) {
  const std::string how = " --y=-2:2:2 --roll 0 --csv";
  const auto side = [](const std::string& csv, const std::string& name) {
    std::string rows;
    std::istringstream stream(csv);
    for (std::string line; std::getline(stream, line);)
      if (line.find("," + name + ",") != std::string::npos)
        rows += line.substr(0, line.rfind(",0.000000000,")) + "\n";  // up to the roll
    return rows;
  };
  const Outcome alike = contact(how), leaning = klingel("contact --wheel S1002 --rail 60E1" + how);
  const Outcome both = contact("--rail-right 60E1" + how);
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(side(both.out, "left"), side(alike.out, "left"));
  EXPECT_EQ(side(both.out, "right"), side(leaning.out, "right"));
  EXPECT_EQ(klingel("contact --wheel-left S1002 --wheel-right S1002 --rail-left 60E1:1:40 "
                    "--rail-right 60E1" +
                    how)
                .out,
            both.out);

  const std::string file = folder_ / "picture.svg";
  const Outcome table = contact("--wheel-right cone:0.05 --y=-2:2:2 --svg " + file);
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, StartsWith("left S1002 on "));
  EXPECT_THAT(table.out, HasSubstr(", right cone"));
  EXPECT_THAT(base::read_file(file), HasSubstr("contact points on the left side"));
  EXPECT_THAT(base::read_file(file), HasSubstr("contact points on the right side"));
  EXPECT_THAT(klingel("contact --wheel-left S1002 --rail 60E1 --y 0").err,
              HasSubstr("--wheel-right is missing"));
}

TEST_F(ContactCommand, wrong_ranges_are_explained) {
  const auto error = [&](const std::string& range) {
    const Outcome o = contact("--y=" + range);
    EXPECT_EQ(o.code, 2) << range;
    return o.err;
  };
  EXPECT_THAT(error("1:2"), HasSubstr("--y 1:2: 2 numbers where three are needed"));
  EXPECT_THAT(error("a:2:1"), HasSubstr("'a' is not a number"));
  EXPECT_THAT(error("1:2:0"), HasSubstr("the step is zero"));
  EXPECT_THAT(error("1:2:-1"), HasSubstr("leads away"));
  EXPECT_THAT(error("0:1:1e-9"), HasSubstr("more than 1000000"));
  EXPECT_THAT(error("1:2:"), HasSubstr("expected A:B:STEP"));
  EXPECT_THAT(error("300"), HasSubstr("does not touch its rail"));
}

TEST_F(ContactCommand, wrong_profiles_and_angles_are_explained) {
  const Outcome none = klingel("contact --wheel S1002 --y 0");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--rail is missing"));
  const Outcome swapped = klingel("contact --wheel 60E1 --rail S1002 --y 0");
  EXPECT_EQ(swapped.code, 2);
  EXPECT_THAT(swapped.err, HasSubstr("60E1"));
  EXPECT_THAT(contact("--y 0 --roll level").err, HasSubstr("expected 'auto'"));
  EXPECT_THAT(contact("--y 0 --yaw 2").err, HasSubstr("below 1 rad"));
  EXPECT_THAT(contact("--y 0 --inclination 1/40").err, HasSubstr("1:40"));
  EXPECT_THAT(contact("--y 0 --gauge 1000").err, HasSubstr("check flange-back distance and gauge"));
}

TEST_F(ContactCommand, conicity_of_a_line_of_delta_r_is_its_slope) {
  std::string values;
  for (int i = -80; i <= 80; ++i) values += std::to_string(0.01 * i) + "\n";
  base::write_file(folder_ / "delta_r.dat", values);
  const Outcome o = klingel("conicity --delta-r " + (folder_ / "delta_r.dat").string() +
                            " --base 1500 --radius 460 --amplitude 2:5:1 --csv");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, "amplitude,tan_gamma\n2,0.050000\n3,0.050000\n4,0.050000\n5,0.050000\n");
}

TEST_F(ContactCommand, conicity_of_profiles_and_its_errors) {
  const Outcome o = klingel("conicity --wheel S1002 --rail 60E1:1:40 --amplitude 3");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("0.17"));
  EXPECT_THAT(klingel("conicity --wheel S1002 --rail 60E1 --amplitude 0:3:1").err,
              HasSubstr("must be positive"));
  base::write_file(folder_ / "bad.dat", "1\n2\nthree\n");
  EXPECT_THAT(klingel("conicity --delta-r " + (folder_ / "bad.dat").string()).err,
              HasSubstr("bad.dat:3:1"));
  EXPECT_THAT(klingel("conicity --delta-r x --wheel S1002").err, HasSubstr("either --delta-r, or"));
  EXPECT_THAT(klingel("conicity --delta-r x --rail-left 60E1").err,
              HasSubstr("either --delta-r, or"));
}

// Cones of 0.02 and 0.03 differ in radius as two of 0.025, about another place than the middle: the
// points stay on the crown of the rails.
TEST_F(ContactCommand, conicity_of_different_sides_is_their_mean) {
  const Outcome o = klingel(
      "conicity --wheel-left cone:0.02 --wheel-right cone:0.03 --rail 60E1 --amplitude 2 --csv");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, "amplitude,tan_gamma\n2,0.025000\n");
}

}  // namespace
}  // namespace klingel
