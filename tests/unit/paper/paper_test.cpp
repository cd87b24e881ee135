// klingel paper: one page with every figure and table of the article, its data beside it, and one
// clear message where it cannot be written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/unit/cli/program.hpp"

namespace klingel::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// the labels of the article's figures and tables
constexpr const char* ids[] = {"fig_atomization",
                               "fig:on_the_way",
                               "fig:points_bases",
                               "fig:locomotive",
                               "fig:surfaces",
                               "fig:integration",
                               "fig1",
                               "fig2",
                               "fig3",
                               "fig:xzmainbody2",
                               "fig:hunting",
                               "fig:kalkerforces",
                               "fig:nriter",
                               "table:times",
                               "table:functions",
                               "text: stability",
                               "fig:expanded_bodies"};

TEST(paper, a_short_run_writes_every_part_and_its_data) {
  const Program program;
  const fs::path folder = fs::path(program.file("note.txt", "")).parent_path() / "new" / "paper";
  ::setenv("KLINGEL_NO_BROWSER", "1", 1);  // photographs are for the test of the page
  const Outcome outcome = program.run("paper --quick --out " + folder.string());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("wrote " + (folder / "index.html").string()));
  const std::string page = base::read_file(folder / "index.html");
  for (const char* id : ids)
    EXPECT_EQ(count(page, std::string("The article (") + id + ")"), 1u) << id;
  EXPECT_EQ(count(page, "class=\"verdict"), std::size(ids));
  // what counts as agreement is said for each
  EXPECT_EQ(count(page, "class=\"criterion\">Agrees if "), std::size(ids));
  // the article's rows of its table of times, with numbers beside them
  const std::string times = base::read_file(folder / "times.csv");
  EXPECT_EQ(count(times, "\n"), 10u);
  EXPECT_THAT(times, HasSubstr("total,256,"));
  EXPECT_EQ(count(page, "<svg "), count(page, "</svg>"));
  EXPECT_GE(count(page, "<svg "), 12u);

  // no network: the only addresses are the name of SVG and files beside the page, which exist
  // (the built page's script, which draws the locomotive, may name its own)
  const std::string own = page.substr(0, page.find("<script"));
  EXPECT_EQ(count(own, "http"), count(own, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(count(page, "class=\"picture\""), 2u);
  const std::regex link("href=\"(?!data:)([^#\"][^\"]*)\"");
  std::size_t links = 0;
  for (auto i = std::sregex_iterator(page.begin(), page.end(), link); i != std::sregex_iterator();
       ++i, ++links)
    EXPECT_TRUE(fs::exists(folder / (*i)[1].str())) << (*i)[1].str();
  EXPECT_GT(links, 20u);
  EXPECT_THAT(base::read_file(folder / "four_bar" / "four_bar.c"), HasSubstr("four_bar_M_qq"));
  // numbers of the model that the article prints or implies
  EXPECT_THAT(page, HasSubstr("It has 30 coordinates"));
  EXPECT_THAT(page, HasSubstr("102 × 102"));
  EXPECT_THAT(page, HasSubstr("38 × 38"));
  EXPECT_EQ(count(page, ">nan") + count(page, " nan ") + count(page, " inf "), 0u);
}

TEST(paper, a_folder_that_cannot_be_is_refused_before_the_work) {
  const Program program;
  const std::string file = program.file("note.txt", "mine");
  for (const std::string& out : {file, file + "/below"}) {
    const Outcome outcome = program.run("paper --out " + out);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "klingel: --out " + out + ": '" + file +
                               "' is not a folder; give a folder that exists or can be made\n");
  }
  EXPECT_EQ(base::read_file(file), "mine");
  EXPECT_THAT(program.run("paper --out ''").err, HasSubstr("--out: expected a value, found ''"));
}

}  // namespace
}  // namespace klingel::test
