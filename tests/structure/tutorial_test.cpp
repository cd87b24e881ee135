// docs/tutorial.md is true: every ```cpp block stands in the program of its step (white space
// aside), and the ```text blocks of a step are what that program prints, paragraph by paragraph.
// KLINGEL_UPDATE_GOLDEN=1 rewrites the ```text blocks; code is corrected by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/support/golden.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* page = KLINGEL_SOURCE_DIR "/docs/tutorial.md";
constexpr const char* programs = KLINGEL_BINARY_DIR "/examples/10_tutorial";

std::string source(int step) {
  return fmt::format("{}/examples/10_tutorial/step_{}.cpp", KLINGEL_SOURCE_DIR, step);
}

bool is_built() { return fs::exists(fmt::format("{}/step_1", programs)); }

// A fenced block with a language, below a heading "## Step <n>".
struct Block {
  int step;
  std::string language, text;
};

std::vector<Block> blocks_of(const std::string& markdown) {
  std::vector<Block> blocks;
  std::istringstream lines(markdown);
  int step = 0;
  bool inside = false, kept = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      kept = inside && line.size() > 3;
      if (kept) blocks.push_back({step, line.substr(3), ""});
    } else if (kept && inside) {
      blocks.back().text += line + "\n";
    } else if (line.starts_with("## Step ")) {
      step = std::stoi(line.substr(8));
    } else if (line.starts_with("## ")) {
      step = 0;
    }
  }
  return blocks;
}

std::vector<Block> blocks_of(const std::string& markdown, int step, const std::string& language) {
  std::vector<Block> found = blocks_of(markdown);
  std::erase_if(found, [&](const Block& b) { return b.step != step || b.language != language; });
  return found;
}

std::string without_white_space(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

// Blocks of code that do not stand in the program.
std::vector<std::string> not_in(const std::string& program, const std::vector<Block>& code) {
  std::vector<std::string> missing;
  for (const Block& b : code) {
    const std::string wanted = without_white_space(b.text);
    if (without_white_space(program).find(wanted) == std::string::npos) missing.push_back(b.text);
  }
  return missing;
}

// What empty lines separate.
std::vector<std::string> paragraphs(const std::string& output) {
  std::vector<std::string> found;
  std::istringstream lines(output);
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !open) found.emplace_back();
    open = !line.empty();
    if (open) found.back() += line + "\n";
  }
  return found;
}

int steps() {
  int n = 0;
  while (fs::exists(source(n + 1))) ++n;
  return n;
}

// Runs a step in a fresh folder with a fresh cache of kernels.
Shell run_step(int step, const std::string& environment = "") {
  const TemporaryFolder folder;
  return shell(fmt::format("KLINGEL_CACHE='{0}/cache' {1} '{2}/step_{3}' '{0}'",
                           folder.path().string(), environment, programs, step));
}

TEST(tutorial, every_block_of_code_stands_in_its_step) {
  const std::string text = base::read_file(page);
  ASSERT_EQ(steps(), 6);
  for (int step = 1; step <= steps(); ++step) {
    const std::vector<Block> code = blocks_of(text, step, "cpp");
    EXPECT_FALSE(code.empty()) << "step " << step;
    EXPECT_THAT(not_in(base::read_file(source(step)), code), IsEmpty()) << "step " << step;
  }
  for (const Block& b : blocks_of(text)) EXPECT_GT(b.step, 0) << b.text;
}

TEST(tutorial, shown_output_is_what_the_programs_print) {
  if (!is_built()) GTEST_SKIP() << "built without examples";
  std::string text = base::read_file(page);
  for (int step = 1; step <= steps(); ++step) {
    const Shell run = run_step(step);
    EXPECT_EQ(run.code, 0) << "step " << step << "\n" << run.out;
    const std::vector<Block> shown = blocks_of(text, step, "text");
    const std::vector<std::string> printed = paragraphs(run.out);
    ASSERT_EQ(shown.size(), printed.size()) << "step " << step << " prints\n" << run.out;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (shown[i].text == printed[i]) continue;
      const std::string fence = "```text\n", old = fence + shown[i].text;
      if (test::updates_golden())
        text.replace(text.find(old), old.size(), fence + printed[i]);
      else
        ADD_FAILURE() << "step " << step << "\n"
                      << test::unified_diff(shown[i].text, printed[i])
                      << "KLINGEL_UPDATE_GOLDEN=1 rewrites it";
    }
  }
  if (test::updates_golden()) base::write_file(page, text);
}

TEST(tutorial, the_interpreter_prints_the_same) {
  if (!is_built()) GTEST_SKIP() << "built without examples";
  for (const int step : {5, 6})
    EXPECT_EQ(run_step(step, "CC=none").out, run_step(step).out) << step;
}

TEST(tutorial, blocks_belong_to_the_step_above_them) {
  const std::vector<Block> blocks = blocks_of(
      "# T\n```\nno language\n```\n## Step 1: a\n```cpp\nx = 1;\n```\n```text\n1\n2\n```\n"
      "## Step 2: b\n```text\n3\n```\n## Where next\n```cpp\ny\n```\n");
  std::vector<std::string> seen;
  for (const Block& b : blocks) seen.push_back(fmt::format("{} {} {}", b.step, b.language, b.text));
  EXPECT_THAT(seen, ElementsAre("1 cpp x = 1;\n", "1 text 1\n2\n", "2 text 3\n", "0 cpp y\n"));
}

TEST(tutorial, code_that_differs_in_more_than_white_space_is_noticed) {
  EXPECT_THAT(not_in("int  x =\n 1;\n", {{1, "cpp", "int x = 1;\n"}}), IsEmpty());
  EXPECT_THAT(not_in("int x = 1;\n", {{1, "cpp", "int x = 2;\n"}}), ElementsAre("int x = 2;\n"));
}

TEST(tutorial, paragraphs_end_at_empty_lines) {
  EXPECT_THAT(paragraphs("\na\nb\n\n\nc\n"), ElementsAre("a\nb\n", "c\n"));
}

}  // namespace
}  // namespace klingel::structure
