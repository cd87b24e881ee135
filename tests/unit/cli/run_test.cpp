// klingel run: its five ends and their exit codes, its folder and its files.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/json_reader.hpp"
#include "record/hdf5.hpp"
#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::Program;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

base::JsonValue summary(const fs::path& folder) {
  return base::parse_json(base::read_file(folder / "summary.json"), "summary.json");
}

std::string folder_of(const Program& program) {
  return fs::path(program.file("mark", "")).parent_path().string();
}

TEST(run_ends, each_has_its_name_and_code) {
  const Program program;
  const std::string out = folder_of(program) + "/";
  const auto check = [&](const std::string& arguments, const char* name, const char* end,
                         int code) {
    const Outcome o = program.run("run " + arguments + " --out " + out + name);
    EXPECT_EQ(o.code, code) << arguments << "\n" << o.out << o.err;
    EXPECT_THAT(o.out, StartsWith(std::string(end) + ": ")) << arguments;
    EXPECT_EQ(summary(out + name)["end"].text, end) << arguments;
    const std::string state = out + name + "/failed.state";
    EXPECT_EQ(fs::exists(state), end == std::string("failed") || end == std::string("derailed"));
    EXPECT_FALSE(fs::exists(out + name + "/rows.journal")) << arguments;
    return o;
  };
  check("wheelset --duration 0.5", "a", "completed", 0);
  check("wheelset --speed 60 --track straight --duration 60", "b", "end of track", 0);
  check("article_feve3000", "c", "derailed", 0);
  // numbers that blow up are no derailment
  for (const char* wrong : {"coach_300m --set m_body=1e-9", "coach_300m --step 1",
                            "coach_300m --step 0.05", "feve3000_corrected --set c_primary=1e12"}) {
    const Outcome o = check(wrong, "d", "failed", 3);
    EXPECT_THAT(o.out, HasSubstr("t = ")) << wrong;
    fs::remove_all(out + "d");
  }
}

TEST(run_ends, every_scheme_keeps_a_balance_of_energy) {
  const Program program;
  const std::string out = folder_of(program) + "/results";
  const auto error = [&](const std::string& what) {
    const Outcome o = program.run("run " + what + " --force --out " + out);
    EXPECT_EQ(o.code, 0) << o.out << o.err;
    EXPECT_THAT(o.out, HasSubstr("J exchanged")) << what;
    const base::JsonValue energy = summary(out)["energy"];
    EXPECT_GT(energy["exchanged_J"].number, 1) << what;
    EXPECT_LT(energy["creep_J"].number, 0) << what;
    return std::abs(energy["relative_error"].number);
  };
  for (const char* scheme : {"imex", "trapezoidal", "reference"}) {
    SCOPED_TRACE(scheme);
    const std::string by = std::string(" --integrator ") + scheme;
    EXPECT_LT(error("wheelset --track random_straight --duration 0.5" + by), 0.01);
    EXPECT_LT(error("feve3000_corrected --duration 0.1" + by), 0.01);
  }
}

TEST(run_ends, a_signal_ends_it_with_the_code_of_shells) {
  const Program program;
  for (const auto& [signal, code] : {std::pair("INT", 130), std::pair("TERM", 143)}) {
    const int status = std::system(fmt::format(KLINGEL_BINARY_DIR
                                               "/klingel run wheelset --speed 0 --duration 1e5 "
                                               ">/dev/null & p=$!; sleep 1; kill -{} $p; wait $p",
                                               signal)
                                       .c_str());
    EXPECT_EQ(WEXITSTATUS(status), code) << signal;
  }
}

// the assessment as text
std::string assessment(const fs::path& folder) {
  const std::string text = base::read_file(folder / "summary.json");
  const std::size_t begin = text.find("\"assessment\""), end = text.find("\"warnings\"");
  return begin < end ? text.substr(begin, end - begin) : "";
}

TEST(run_assessment, does_not_depend_on_the_interval_of_rows) {
  const Program program;
  const std::string out = folder_of(program) + "/";
  std::vector<std::string> found;
  for (const char* interval : {"0.001", "0.01", "0.05"}) {
    const Outcome o =
        program.run(std::string("run manchester1 --track random_straight --speed 30 ") +
                    "--duration 4 --interval " + interval + " --out " + out + interval);
    ASSERT_EQ(o.code, 0) << o.err;
    found.push_back(assessment(out + interval));
  }
  EXPECT_THAT(found[0], HasSubstr("\"instability_rms_N\": {"));
  EXPECT_TRUE(found[0] == found[1]);
  EXPECT_TRUE(found[0] == found[2]);
}

TEST(run_assessment, an_accelerometer_feels_weight_in_a_canted_curve) {
  const Program program;
  const std::string out = folder_of(program) + "/r";
  // slow in a curve with cant: the body leans, the floor slopes, there is little centrifugal force
  ASSERT_EQ(program.run("run coach_300m --speed 5 --duration 20 --interval 0.1 --out " + out).code,
            0);
  const double y =
      summary(out)["assessment"]["accelerations"]["front"]["lateral_6Hz_m_s2"]["value"].number;
  // 0.1 m or so of cant over 1.5 m are 0.65 m/s2; 25/300 m/s2 of the curve act against it
  EXPECT_GT(std::abs(y), 0.3);
}

TEST(run_folder, what_cannot_be_used_is_said_before_the_run) {
  const Program program;
  const std::string out = folder_of(program) + "/";
  // an hour of simulation would not end in the time of a test
  const std::string slow = "run wheelset --speed 0 --duration 1e6 --out ";
  const Outcome blocked = program.run(slow + program.file("file", "") + "/results");
  EXPECT_EQ(blocked.code, 2);
  EXPECT_THAT(blocked.err, HasSubstr("--out"));
  EXPECT_EQ(program.run(slow + "/proc/none").code, 2);
  ASSERT_EQ(program.run("run wheelset --duration 0.1 --out " + out + "r --csv").code, 0);
  const std::string before = base::read_file(out + "r/results.csv");
  const Outcome again = program.run(slow + out + "r");
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("add --force"));
  EXPECT_EQ(base::read_file(out + "r/results.csv"), before);
  // replaced as a whole: the old CSV is gone
  ASSERT_EQ(program.run("run wheelset --duration 0.2 --out " + out + "r --force").code, 0);
  EXPECT_FALSE(fs::exists(out + "r/results.csv"));
  EXPECT_NEAR(summary(out + "r")["t_end"].number, 0.2, 1e-9);
  // an error in the input leaves no folder
  EXPECT_EQ(program.run("run wheelset --set nonsense=1 --out " + out + "x").code, 2);
  EXPECT_FALSE(fs::exists(out + "x"));
  // an existing empty folder is fine
  fs::create_directories(out + "empty");
  EXPECT_EQ(program.run("run wheelset --duration 0.1 --out " + out + "empty").code, 0);
}

TEST(run_files, the_table_is_printed_when_there_is_no_room) {
  const Program program;
  const std::string out = folder_of(program) + "/r";
  const int status =
      std::system(("ulimit -f 300; " KLINGEL_BINARY_DIR
                   "/klingel run coach_300m --interval 0.001 --duration 3 --csv --out " +
                   out + " >" + out + ".txt 2>" + out + ".err")
                      .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(base::read_file(out + ".txt"), StartsWith("completed: 3 s"));
  EXPECT_THAT(base::read_file(out + ".txt"), HasSubstr("front.front.right"));
  EXPECT_THAT(base::read_file(out + ".err"), HasSubstr("rows.journal"));
  EXPECT_TRUE(fs::exists(out + "/summary.json"));
  // nothing half-done but the journal, whose whole rows can be read
  for (const auto& entry : fs::directory_iterator(out))
    EXPECT_THAT((std::vector<std::string>{"summary.json", "rows.journal"}),
                testing::Contains(entry.path().filename().string()));
  EXPECT_EQ(program.run("report " + out + " --hdf5").code, 0);
  EXPECT_GT(record::read_hdf5(out + "/results.h5").rows(), 10u);
}

TEST(run_state, a_saved_run_goes_on_bit_for_bit) {
  const Program program;
  const std::string out = folder_of(program) + "/", what = "run coach_300m ";
  ASSERT_EQ(
      program.run(what + "--speed 20 --duration 2 --save-every 0.5 --out " + out + "whole").code,
      0);
  ASSERT_TRUE(fs::exists(out + "whole/at_2.0000s.state"));
  const Outcome o = program.run(what + "--duration 1 --save-every 0.5 --state " + out +
                                "whole/at_1.0000s.state --out " + out + "rest");
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* name : {"/at_1.5000s.state", "/at_2.0000s.state"})
    EXPECT_TRUE(base::read_file(out + "whole" + name) == base::read_file(out + "rest" + name))
        << name;
}

}  // namespace
}  // namespace klingel
