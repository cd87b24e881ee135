#include "report/paper_picture.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "record/packed.hpp"
#include "report/markup.hpp"
#include "report/page.hpp"
#include "report/page_recording.hpp"
#include "report/paper_solids.hpp"

namespace klingel::report {
namespace {

// A recording of one row, as the page reads it, with shifts and colours.
std::string data(const VehiclePicture& p) {
  base::Json json;
  json.begin_object().key("format").value("klingel page").key("version").value(page_version);
  json.key("summary").begin_object().end_object().key("events").begin_array().end_array();
  json.key("rows").value(1).key("channels").begin_array().begin_object();
  const double zero = 0;
  json.key("name").value("t").key("unit").value("s").key("about").value("time");
  json.key("data").value(record::packed({&zero, 1})).end_object().end_array();
  json.key("scene");
  record::write(json, p.scene);
  record::SceneMotion motion;
  for (const std::array<double, 7>& place : p.places) {
    auto& columns = motion.frames.emplace_back();
    for (std::size_t k = 0; k < place.size(); ++k) columns[k] = {place[k]};
  }
  motion.wheels.resize(p.scene.wheels.size(), {{{0}, {0}, {0}}});
  json.key("motion");
  record::write(json, motion);
  json.key("pictures").begin_object().key("shifts").begin_array();
  for (const record::Triple& s : p.shifts) {
    json.begin_array(true);
    for (const double x : s) json.value(x);
    json.end_array();
  }
  json.end_array().key("colours").begin_object();
  for (const auto& [kind, colour] : kind_colours(p.scene)) json.key(kind).value(colour);
  json.end_object().end_object().end_object();
  return json.text();
}

constexpr std::string_view figure_style = R"(
.picture { margin: 0 0 0.8em; }
.picture .frame { position: relative; height: 27em; background: #dfe8ef; border-radius: 6px;
  overflow: hidden; }
.picture canvas { display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; }
.picture.live .still { display: none; }
.picture img { max-width: 100%; border-radius: 6px; }
.picture .legend { display: inline-flex; flex-wrap: wrap; gap: 0 1.2em; font-size: 0.85em; }
.picture .legend i { display: inline-block; width: 0.9em; height: 0.9em; margin-right: 0.4em;
  vertical-align: -0.1em; }
.picture label { float: right; font-size: 0.85em; }
.picture .note { font-size: 0.85em; opacity: 0.8; margin: 0.2em 0; }
.alone { margin: 0; max-width: none; padding: 0; }
.alone .picture { margin: 0; }
.alone .picture .frame { height: 100vh; border-radius: 0; }
.alone .picture > :not(.frame) { display: none; }
@media print { .picture label { display: none; } }
)";

}  // namespace

std::string_view picture_style() { return figure_style; }

std::string picture_figure(std::string_view words, bool apart, std::string_view still) {
  return fmt::format(
      "<figure class=\"picture\"{} data-words=\"{}\"><div class=\"still\">{}<p class=\"note\">A "
      "Still picture: this page contains no script for the 3D picture, or the browser does not run "
      "it.</p></div></figure>\n",
      apart ? " data-apart=\"1\"" : "", escaped(words), still);
}

std::string picture_script(std::string_view built_page, const VehiclePicture& picture) {
  if (built_page.empty()) return "";
  return data_element("recording", data(picture)) + std::string(page_scripts(built_page));
}

std::string picture_page(std::string_view built_page, const VehiclePicture& picture, bool apart) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>picture</title>"
      "<style>{}</style></head><body class=\"alone\">{}{}</body></html>\n",
      figure_style, picture_figure("the vehicle", apart, ""), picture_script(built_page, picture));
}

}  // namespace klingel::report
