// klingel profile as the shell sees it: what it prints, writes and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.hpp"

namespace klingel {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

class ProfileCommand : public testing::Test {
 protected:
  ProfileCommand()
      : folder_(fs::path(testing::TempDir()) / ("klingel_profile_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ProfileCommand() override { fs::remove_all(folder_); }

  Outcome klingel(const std::string& arguments) const {
    const std::string out = folder_ / "out", err = folder_ / "err";
    const std::string command = KLINGEL_BINARY_DIR "/klingel profile " + arguments + " >" + out +
                                " 2>" + err + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, base::read_file(out),
            base::read_file(err)};
  }

  std::string path(const char* name) const { return folder_ / name; }

  fs::path folder_;
};

TEST_F(ProfileCommand, measures_and_curvature_are_printed) {
  const Outcome wheel = klingel("S1002");
  EXPECT_EQ(wheel.code, 0);
  EXPECT_THAT(wheel.err, IsEmpty());
  EXPECT_THAT(wheel.out, StartsWith("S1002: profile of a wheel"));
  EXPECT_THAT(wheel.out, AllOf(HasSubstr("height 28.00 mm"), HasSubstr("thickness 32.50 mm"),
                               HasSubstr("distinct extrema of curvature: 2")));
  EXPECT_THAT(klingel("60E1 --inclination 1:40").out, HasSubstr("60E1:1:40: profile of a rail"));
  EXPECT_THAT(klingel("arc:0.3 --kind wheel").out, HasSubstr("profile of a wheel"));
}

TEST_F(ProfileCommand, csv_has_one_line_per_tenth_of_a_millimetre) {
  const Outcome outcome = klingel("cone:0.05 --csv");
  EXPECT_THAT(outcome.out, StartsWith("y [m],z [m],angle [rad],curvature [1/m]\n-0.06,0.003,"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1202);
}

TEST_F(ProfileCommand, files_are_written_and_read_again) {
  for (const char* name : {"a.csv", "a.prw", "a.pieces"}) {
    EXPECT_EQ(klingel("S1002 --write " + path(name)).code, 0);
    EXPECT_THAT(klingel(path(name)).out, HasSubstr("thickness 32.50 mm")) << name;
  }
  EXPECT_EQ(klingel("feve_rail --svg " + path("rail.svg")).code, 0);
  EXPECT_THAT(base::read_file(path("rail.svg")), AllOf(HasSubstr("<svg"), HasSubstr("curvature")));
}

TEST_F(ProfileCommand, smoothing_and_notes_are_shown) {
  std::string text = "# kind = wheel\n";
  for (int i = -50; i <= 50; ++i) {
    text += std::to_string(i) + "," + (i % 2 == 0 ? "0.01" : "-0.01") + "\n";
  }
  base::write_file(path("rough.csv"), text);
  EXPECT_THAT(klingel(path("rough.csv")).out, HasSubstr("distinct extrema of curvature: 97"));
  EXPECT_THAT(klingel(path("rough.csv") + " --smooth 0.01").out,
              HasSubstr("distinct extrema of curvature: 0"));
}

TEST_F(ProfileCommand, wrong_input_is_refused_with_help) {
  const Outcome unknown = klingel("S102");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.out, IsEmpty());
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'S1002'"));
  EXPECT_THAT(klingel("").err, HasSubstr("name is required"));
  EXPECT_THAT(klingel("60E1 --kind wheel").err, HasSubstr("expected a wheel"));
  EXPECT_THAT(klingel("60E1 --kind wagon").err, HasSubstr("wheel"));
  EXPECT_THAT(klingel("60E1 --inclination 40").err, HasSubstr("like 1:40"));
  EXPECT_THAT(klingel("60E1 --svg /dev/null/x.svg").err, HasSubstr("cannot write"));
  base::write_file(path("up.csv"), "# kind = rail\n-20,-2\n-10,-.5\n0,0\n10,-.5\n20,-2\n");
  const Outcome up = klingel(path("up.csv"));
  EXPECT_EQ(up.code, 2);
  EXPECT_THAT(up.err, AllOf(HasSubstr("up.csv:2: the rail is upside down"), HasSubstr("# z = up")));
  EXPECT_EQ(klingel(path("up.csv") + " --z up").code, 0);
}

}  // namespace
}  // namespace klingel
