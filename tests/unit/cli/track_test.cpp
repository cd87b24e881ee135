// klingel track as the shell sees it: the summary, tables, CSV and plots, and wrong arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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
  std::string out, err;
};

class TrackCommand : public testing::Test {
 protected:
  TrackCommand()
      : folder_(fs::path(testing::TempDir()) / ("klingel_track_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~TrackCommand() override { fs::remove_all(folder_); }

  Outcome track(const std::string& arguments) const {
    const std::string out = folder_ / "out", err = folder_ / "err";
    const std::string command =
        KLINGEL_BINARY_DIR "/klingel track " + arguments + " >" + out + " 2>" + err + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, base::read_file(out),
            base::read_file(err)};
  }

  fs::path folder_;
};

TEST_F(TrackCommand, summary_names_sections_radius_cant_and_irregularity) {
  const Outcome o = track("article");
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(o.out, AllOf(StartsWith("article: s from -50.00 m to 500.00 m, length 550.00 m\n"),
                           HasSubstr("double_transition"), HasSubstr("smallest radius  260.8 m"),
                           HasSubstr("largest cant     0.1000 rad"),
                           HasSubstr("up to 10.00 mm vertical, 1.00 mm lateral")));
  EXPECT_THAT(o.err, IsEmpty());
}

TEST_F(TrackCommand, csv_has_a_header_with_units_and_a_row_per_step) {
  const Outcome o = track("curve_300 --csv --from 100 --to 120 --step 10");
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(o.out, StartsWith("s_m,x_m,y_m,z_m,heading_rad,curvature_1/m,cant_rad,gradient,"
                                "rail_distance_m,left_vertical_m,left_lateral_m,right_vertical_m,"
                                "right_lateral_m\n100.0,"));
  EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 4);
  EXPECT_THAT(o.out, HasSubstr("\n120.0,"));
}

TEST_F(TrackCommand, table_follows_the_summary_when_a_part_is_asked_for) {
  const Outcome o = track("curve_300 --from 100 --to 120 --step 10");
  EXPECT_THAT(o.out, AllOf(HasSubstr("smallest radius"), HasSubstr("\n   110.00")));
}

TEST_F(TrackCommand, plots_are_written) {
  const std::string path = folder_ / "plots.svg";
  const Outcome o = track("article_flat --svg " + path);
  EXPECT_EQ(o.code, 0);
  const std::string svg = base::read_file(path);
  EXPECT_THAT(svg, AllOf(HasSubstr("<svg"), HasSubstr("article_flat: plan"), HasSubstr("curvature"),
                         HasSubstr("cant"), HasSubstr("right vertical")));
  // all of them are zero
  EXPECT_THAT(svg, testing::Not(HasSubstr("left lateral")));
}

TEST_F(TrackCommand, warnings_go_to_stderr_with_their_place) {
  const std::string path = folder_ / "t.toml";
  base::write_file(path,
                   "rail_distance = 1.5\n[[section]]\nkind = 'straight'\nlength = 10\n"
                   "[[section]]\nkind = 'arc'\nlength = 10\nradius = 200\n");
  const Outcome o = track(path);
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "klingel: warning: " + path +
                       ":5:1: section 2 (arc): curvature jumps from 0 to 0.005 1/m at s = 10 m; a "
                       "transition before it would avoid that\n");
}

TEST_F(TrackCommand, wrong_arguments_are_input_errors) {
  EXPECT_EQ(track("artcle").code, 2);
  EXPECT_THAT(track("artcle").err, HasSubstr("did you mean 'article'?"));
  EXPECT_THAT(track("article --step 0").err, HasSubstr("--step: expected a number above 0"));
  EXPECT_THAT(track("article --from 400 --to 300").err, HasSubstr("from -50 m to 500 m"));
  EXPECT_THAT(track("article --from -60").err, HasSubstr("is not a part of the track"));
  EXPECT_THAT(track("article --csv --step 1e-9").err, HasSubstr("larger --step"));
  EXPECT_EQ(track("").code, 2);
}

}  // namespace
}  // namespace klingel
