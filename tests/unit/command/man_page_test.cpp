// Manual pages: what roff would take for its own is escaped.
#include "command/man_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klingel::command {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(man_page, texts_reach_the_reader_unchanged) {
  std::string file;
  Command c(Group::simulate, "drive", "Drive a vehicle");
  c.about = ".csv files, a \\ and 'quotes'";
  c.option("--file-name", file, "'auto', or a name").value("NAME");
  const std::string page = man_page(c);
  EXPECT_THAT(page, StartsWith(".TH KLINGEL\\-DRIVE 1 \"\" \"klingel "));
  EXPECT_THAT(page, HasSubstr("\n\\&.csv files, a \\e and \\(aqquotes\\(aq\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-\\-file\\-name\\fR \\fINAME\\fR\n"
                              "\\&\\(aqauto\\(aq, or a name.\n"));
  EXPECT_THAT(page, HasSubstr("klingel drive [OPTIONS]"));
  EXPECT_THAT(page, Not(HasSubstr(".SH EXAMPLES")));
}

}  // namespace
}  // namespace klingel::command
