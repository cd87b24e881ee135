#include "study/study_progress.hpp"

#include <gtest/gtest.h>

namespace klingel::study {
namespace {

TEST(study_progress, a_line_has_a_bar_a_rate_and_the_time_left) {
  EXPECT_EQ(cases_line(135, 300, 12.345, 75),
            "[=========>           ]  45 %  135 of 300 cases, 12.3 per second, 14 s left");
  EXPECT_EQ(cases_line(300, 300, 12.345, 60),
            "[=================] 100 %  300 of 300 cases, 12.3 per second");
  EXPECT_EQ(cases_line(4, 300, 0, 40), "[>               ]   1 %  4 of 300 cases");
  EXPECT_EQ(cases_line(1000, 1000000, 2, 200).size(), 87u);
  EXPECT_NE(cases_line(1000, 1000000, 2, 200).find("139 h left"), std::string::npos);
}

}  // namespace
}  // namespace klingel::study
