// klingel report: what it makes of folders, and what it says of wrong ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

TEST(report, a_folder_with_csv_becomes_a_page) {
  const Program program;
  const std::string folder = folder_of(program.file("run/results.csv", "t,N.a.left\n0,1\n1,2\n"));
  const Outcome outcome = program.run("report " + folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("wrote " + folder + "/report.html"));
  EXPECT_THAT(base::read_file(folder + "/report.html"), HasSubstr("</html>"));
}

TEST(report, wrong_folders_are_refused_with_a_reason) {
  const Program program;
  EXPECT_THAT(program.run("report /nowhere").err, HasSubstr("there is no folder '/nowhere'"));
  const std::string file = program.file("empty/note.txt", "");
  EXPECT_THAT(program.run("report " + folder_of(file)).err, HasSubstr("contains no recording"));
  EXPECT_THAT(program.run("report " + file).err, HasSubstr("is not a folder"));
  EXPECT_THAT(program.run("report").err, HasSubstr("folder"));

  const std::string cut = program.file("cut/recording.json", "{\"format\": \"klingel page\", ");
  const Outcome damaged = program.run("report " + folder_of(cut));
  EXPECT_EQ(damaged.code, 2);
  EXPECT_THAT(damaged.err, HasSubstr("recording.json:1:"));
  const std::string text = program.file("text/results.csv", "t,x\n0,fast\n");
  EXPECT_THAT(program.run("report " + folder_of(text)).err, HasSubstr("results.csv:2"));
  const std::string h5 = program.file("h5/results.h5", "not HDF5");
  EXPECT_EQ(program.run("report " + folder_of(h5)).code, 2);
}

TEST(report, a_run_leaves_a_page_its_recording_and_an_assessment) {
  const Program program;
  const std::string folder = folder_of(program.file("note", "")) + "/run";
  const Outcome run = program.run(
      "run wheelset --duration 0.5 --backend interpreter --csv --report --out " + folder);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("/report.html"));
  const std::string page = base::read_file(folder + "/report.html");
  const std::string summary = base::read_file(folder + "/summary.json");
  for (const char* key : {"\"YQ_2m\"", "\"unloading\"", "\"sum_Y_2m_N\"", "\"T_gamma_N\"",
                          "\"Wz_y\"", "\"N_MV\"", "\"nadal_limit\"", "\"step_wall_histogram\""})
    EXPECT_THAT(summary, HasSubstr(key));
  // files keep the channels that were asked for, the page has all
  EXPECT_THAT(base::read_file(folder + "/results.csv"), Not(HasSubstr("xi_x.")));
  EXPECT_THAT(base::read_file(folder + "/recording.json"), HasSubstr("\"xi_x.wheelset.left\""));

  // and the page can be made again
  std::filesystem::remove(folder + "/report.html");
  EXPECT_EQ(program.run("report " + folder).code, 0);
  EXPECT_EQ(base::read_file(folder + "/report.html"), page);
}

TEST(report, a_run_without_a_folder_cannot_have_one) {
  const Program program;
  EXPECT_THAT(program.run("run wheelset --report").err, HasSubstr("add --out DIR"));
}

}  // namespace
}  // namespace klingel::test
