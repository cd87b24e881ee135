// A page holds its recording and nothing of it can run; recordings that are damaged, foreign or
// from tomorrow are refused with a reason.
#include "report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_reader.hpp"
#include "report/page_recording.hpp"
#include "report/paper_page.hpp"
#include "report/paper_picture.hpp"
#include "report/paper_stages.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::report {
namespace {

using testing::HasSubstr;
using testing::Not;

const record::Recording& hostile() {
  static const record::Recording recording(
      {{"t", "s", "time"}, {"N.<script>alert(1)<script>", "N", "</script><script>alert(2)"}},
      {{0, 1, 2}, {3, 4, 5}}, {});
  return recording;
}

using test::error_of;

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path file(const std::string& text) const {
    base::write_file(path_ / "recording.json", text);
    return path_ / "recording.json";
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("klingel_page_" + std::to_string(::getpid()));
};

TEST(page, nothing_in_a_recording_can_end_its_script) {
  const std::string summary = R"({"vehicle": "</script><b onload=x>&amp;", "warnings": ["<!--"]})";
  const std::string json = page_recording(hostile(), summary);
  const std::string html = page("<html><!--recording--></html>", json);
  const std::size_t begin = html.find('>', html.find("id=\"recording\"")) + 1;
  const std::size_t end = html.find("</script>");
  const std::string inside = html.substr(begin, end - begin);
  EXPECT_THAT(inside, Not(HasSubstr("<")));
  EXPECT_EQ(html.substr(end), "</script></html>");
  // and it still says the same
  const base::JsonValue back = base::parse_json(inside, "page");
  EXPECT_EQ(back.find("summary")->find("vehicle")->text, "</script><b onload=x>&amp;");
  EXPECT_EQ(back.find("channels")->items[1].find("name")->text, hostile().channels()[1].name);
}

TEST(page, the_plain_page_escapes_names) {
  const std::string html = plain_page(hostile(), "<script>alert(1)</script>");
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("without npm"));
  EXPECT_THAT(html, HasSubstr("<svg"));
}

TEST(page, the_built_page_has_one_place_for_a_recording) {
  const std::string_view html = page_template();
  if (html.empty()) GTEST_SKIP() << "built without npm";
  const std::size_t at = html.find(page_marker);
  ASSERT_NE(at, std::string_view::npos);
  EXPECT_EQ(html.find(page_marker, at + 1), std::string_view::npos);
  // no network: scripts and styles are inside
  EXPECT_EQ(html.find("<script src"), std::string_view::npos);
  EXPECT_EQ(html.find("<link rel=\"stylesheet"), std::string_view::npos);
}

TEST(paper, a_vehicle_in_a_page_is_data_and_the_script_of_the_built_page) {
  record::Scene scene;
  scene.vehicle = "</script><script>alert(1)";
  scene.frames = {"ground"};
  record::Solid solid;
  solid.name = "rear.</script>";
  scene.solids = {solid};
  const std::array<double, 7> place = {0, 0, 0, 1, 0, 0, 0};
  const record::Triple shift = {0, 0, 2};
  const VehiclePicture picture{scene, {&place, 1}, {&shift, 1}};
  EXPECT_EQ(picture_script("", picture), "") << "a program built without npm";

  const std::string out =
      picture_script("<body><!--recording--><script>draw()</script></body>", picture);
  const std::size_t begin = out.find('>') + 1, end = out.find("</script>");
  EXPECT_EQ(out.substr(end), "</script><script>draw()</script>");
  const base::JsonValue v = base::parse_json(out.substr(begin, end - begin), "page");
  EXPECT_EQ(v.find("scene")->find("vehicle")->text, scene.vehicle);
  EXPECT_EQ(v.find("pictures")->find("shifts")->items[0].items[2].number, 2);
  EXPECT_EQ(v.find("motion")->find("frames")->items.size(), 1u);

  const std::string figure = picture_figure("\"><script>", true, "<svg></svg>");
  EXPECT_THAT(figure, HasSubstr("<svg></svg>"));
  EXPECT_THAT(figure, Not(HasSubstr("<script")));
}

TEST(paper, tables_have_words_on_the_left_and_what_agreement_is_below) {
  const PaperTable table{{"task", "µs", "why"}, {{"a <b>", "1.5", "as before"}}};
  EXPECT_EQ(
      markup(table),
      "<table>\n<tr><th class=\"words\">task</th><th>µs</th><th class=\"words\">why</th></tr>\n"
      "<tr><td class=\"words\">a &lt;b&gt;</td><td>1.5</td><td class=\"words\">as "
      "before</td></tr>\n</table>\n");
  PaperPart part;
  part.id = "fig:x", part.title = "X", part.verdict = "Same.", part.criterion = "Agrees if <1 %.";
  part.agreement = Agreement::agrees;
  const std::string page = paper_page({&part, 1}, "words", "<!--tail-->");
  EXPECT_THAT(page, HasSubstr("<b>agrees.</b> Same."));
  EXPECT_THAT(page, HasSubstr("Agrees if &lt;1 %."));
  EXPECT_THAT(page, HasSubstr("<!--tail--></body>"));
}

TEST(paper, boxes_wrap_their_lines) {
  const DrawnColumn column{"title",
                           {{"a", "", {"one two three four five six seven"}}, {"b", "", {}}}};
  const std::string svg = boxes_svg({&column, 1}, 150);
  EXPECT_THAT(svg, HasSubstr(">one two"));
  EXPECT_THAT(svg, Not(HasSubstr("one two three four five six seven")));
  EXPECT_THAT(svg, HasSubstr("seven</text>"));
}

TEST(page_recording, events_are_grouped) {
  std::string events;
  for (int i = 0; i < 1000; ++i)
    events += std::string(i > 0 ? "," : "") + R"({"kind":"jump","wheel":"a.left","t":)" +
              std::to_string(i) + "}";
  const base::JsonValue v = base::parse_json(
      page_recording(hostile(), R"({"steps": 3, "events": [)" + events + "]}"), "page");
  EXPECT_EQ(v.find("summary")->find("events"), nullptr);
  ASSERT_EQ(v.find("events")->items.size(), 1u);
  const base::JsonValue& group = v.find("events")->items[0];
  EXPECT_EQ(group.find("count")->number, 1000);
  EXPECT_EQ(group.find("last")->number, 999);
  EXPECT_LE(group.find("times")->items.size(), 200u);
}

TEST(page_recording, channels_come_back) {
  const std::string json = page_recording(hostile(), "");
  const record::Recording back = channels_of_page(json, "recording.json");
  EXPECT_EQ(back.rows(), 3u);
  EXPECT_DOUBLE_EQ(back.column("t")[2], 2);
  EXPECT_EQ(back.channels()[1].unit, "N");
}

TEST(page_recording, long_ones_are_thinned_and_keep_their_end) {
  const base::JsonValue v =
      base::parse_json(page_recording(hostile(), "", nullptr, nullptr, 2), "page");
  EXPECT_EQ(v.find("rows")->number, 2);
  const record::Recording back =
      channels_of_page(page_recording(hostile(), "", nullptr, nullptr, 2), "page");
  EXPECT_DOUBLE_EQ(back.column("t")[1], 2);
}

TEST(page_recording, wrong_files_are_refused_with_a_reason) {
  const Folder folder;
  const auto refusal = [&](const std::string& text) {
    const std::filesystem::path path = folder.file(text);
    return error_of([&] { read_page_recording(path); });
  };
  const std::string good = page_recording(hostile(), "");
  EXPECT_EQ(refusal(good), "no error");
  EXPECT_THAT(refusal(good.substr(0, good.size() / 2)), HasSubstr("recording.json:"));
  EXPECT_THAT(refusal("{}"), HasSubstr("not a recording for the page"));
  EXPECT_THAT(refusal("[1, 2]"), HasSubstr("not a recording for the page"));
  EXPECT_THAT(refusal(R"({"format": "klingel page", "version": 99})"), HasSubstr("version 99"));
  EXPECT_THAT(refusal(R"({"format": "klingel page", "version": 1, "channels": []})"),
              HasSubstr("no channels"));
  EXPECT_THAT(error_of([] { read_page_recording("/nowhere/recording.json"); }),
              HasSubstr("/nowhere/recording.json"));
}

}  // namespace
}  // namespace klingel::report
