#include "study/study_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "record/hdf5.hpp"
#include "study/study_page.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PreparedStudy prepared() {
  exec::Options kernels;
  kernels.backend = exec::Backend::interpreter;
  return {parse_study("[study]\nrun = \"wheelset\"\nabout = \"Laws\"\n"
                      "[[vary]]\nname = \"law\"\nvalues = [\"she\", \"polach\", \"linear\"]\n"
                      "[[measure]]\nname = \"v\"\nformula = \"last(speed)\"\nmost = 10\n",
                      "s.toml"),
          kernels};
}

const std::vector<CaseResult> all = {
    {0, "completed", {9}, ""}, {1, "failed", {NAN}, "no tangent"}, {2, "completed", {11}, ""}};

TEST(study_results, the_screen_says_what_failed_and_what_is_beyond_limits) {
  const PreparedStudy p = prepared();
  EXPECT_EQ(results_text(p.study(), all),
            "case 1 failed: no tangent\nv: 2 of 3 cases are beyond the limit\n");
  EXPECT_EQ(results_text(p.study(), {all.data(), 1}), "v: 0 of 1 cases are beyond the limit\n");
}

TEST(study_results, hdf5_tells_names_and_failures) {
  const PreparedStudy p = prepared();
  const structure::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "cases.h5";
  write_results_hdf5(p, all, path);
  const record::Recording r = record::read_hdf5(path);
  EXPECT_THAT(r.column("failed"), ElementsAre(0, 1, 0));
  EXPECT_THAT(r.column("vary.law"), ElementsAre(0, 1, 2));
  ASSERT_EQ(r.channels()[2].name, "vary.law");
  EXPECT_EQ(r.channels()[2].about, "varied: 0 = she, 1 = polach, 2 = linear");
}

TEST(study_results, a_page_of_some_cases_says_so) {
  const PreparedStudy p = prepared();
  EXPECT_THAT(study_page(p, {all.data(), 2}, "s.toml"),
              HasSubstr("Laws. Not finished: 2 of 3 cases have run."));
  EXPECT_THAT(study_page(p, all, "s.toml"), testing::Not(HasSubstr("Not finished")));
}

}  // namespace
}  // namespace klingel::study
