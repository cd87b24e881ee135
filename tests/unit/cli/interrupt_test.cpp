// Ctrl-C ends a run cleanly: what was computed until then is written whole.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

TEST(interrupt, leaves_the_results_so_far_and_says_so) {
  const test::Program program;
  const std::string folder = std::filesystem::path(program.file("mark", "")).parent_path();
  // ten minutes at standstill, interrupted once it has had a second of processor time, much more
  // than it takes to begin, however busy the machine
  const std::string command =
      KLINGEL_BINARY_DIR
      "/klingel run feve3000_corrected --speed 0 --duration 600 --backend interpreter --csv --out "
      "'" +
      folder + "/results' >'" + folder +
      "/text' & p=$!; for i in $(seq 600); do sleep 0.1; "
      "[ $(cut -d' ' -f14 /proc/$p/stat) -ge $(getconf CLK_TCK) ] && break; done; "
      "for i in 1 2 3 4 5 6 7 8 9; do kill -INT $p || break; sleep 2; done 2>/dev/null; wait $p";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_THAT(base::read_file(folder + "/text"), HasSubstr("stopped on request"));
  const std::string summary = base::read_file(folder + "/results/summary.json");
  EXPECT_THAT(summary, HasSubstr("\"completed\": false"));
  EXPECT_THAT(summary, HasSubstr("\"end\": \"stopped\""));

  // rows are whole and every value is a number
  std::istringstream csv(base::read_file(folder + "/results/results.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_TRUE(line.starts_with("# units: ")) << line;
  std::getline(csv, line);
  const auto columns = std::count(line.begin(), line.end(), ',') + 1;
  EXPECT_TRUE(line.starts_with("t,")) << line;
  int rows = 0;
  for (; std::getline(csv, line); ++rows) {
    std::istringstream values(line);
    long found = 0;
    for (std::string text; std::getline(values, text, ','); ++found) {
      std::size_t used = 0;
      ASSERT_TRUE(std::isfinite(std::stod(text, &used))) << text;
      ASSERT_EQ(used, text.size()) << text;
    }
    ASSERT_EQ(found, columns) << line;
  }
  EXPECT_GE(rows, 2);
}

}  // namespace
}  // namespace klingel
