#include "report/assessment_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/markup.hpp"
#include "report/plot.hpp"

namespace klingel::report {
namespace {

using assess::Judged;

constexpr std::string_view page_style =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b1f24;background:#fff}"
    "table{border-collapse:collapse;margin:1rem 0;width:100%}"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid #d8dde3;text-align:right}"
    "th:first-child,td:first-child,td.w,th.w{text-align:left}"
    "tr.over td{background:#fbe3df}tr.zone td{background:#eef1f5;font-weight:600;text-align:left}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.note{color:#57606a}"
    "@media(prefers-color-scheme:dark){body{background:#14171a;color:#dfe3e8}"
    "th,td{border-color:#3a4047}tr.zone td{background:#22272c}tr.over td{background:#5a2a24}"
    ".note{color:#9aa4ae}}";

std::string table_cell(const std::string& text, bool words = false) {
  return fmt::format("<td{}>{}</td>", words ? " class=w" : "", escaped(text));
}

std::string table_head(const std::vector<std::string>& names, std::size_t words) {
  std::string row = "<tr>";
  for (std::size_t i = 0; i < names.size(); ++i)
    row += fmt::format("<th{}>{}</th>", i < words ? " class=w" : "", escaped(names[i]));
  return row + "</tr>";
}

std::string judged_value(const Judged& j, double v) {
  return fmt::format("{:.3g}", j.quantity->scale * v);
}

std::string main_table(const assess::ZoneAssessment& zones) {
  std::string t = "<table>" + table_head({"quantity", "worst at", "unit", "sections", "mean", "s",
                                          "largest", "estimated", "limit", "margin"},
                                         2);
  const assess::ZoneData* last = nullptr;
  for (const Judged* j : assess::worst(zones)) {
    const assess::ZoneData& zone = data(j->zone);
    if (&zone != last)
      t += fmt::format("<tr class=zone><td colspan=10>{}</td></tr>", escaped(zone.name));
    last = &zone;
    const std::optional<double> margin = j->margin();
    t += margin && *margin < 0 ? "<tr class=over>" : "<tr>";
    t += table_cell(std::string(j->quantity->name), true) + table_cell(j->of, true) +
         table_cell(std::string(j->quantity->unit)) + table_cell(fmt::format("{}", j->one.n)) +
         table_cell(judged_value(*j, j->one.mean)) +
         table_cell(j->one.n > 1 ? judged_value(*j, j->one.deviation) : "-") +
         table_cell(judged_value(*j, j->one.largest)) +
         table_cell(j->two || j->one.estimated ? judged_value(*j, j->compared()) : "-") +
         table_cell(j->limit ? judged_value(*j, *j->limit) : "-") +
         table_cell(margin ? fmt::format("{:.0f} %", 100 * *margin) : "-");
    t += "</tr>";
  }
  return t + "</table>";
}

std::string sections_table(const AssessmentPage& page) {
  std::string t = "<table>" + table_head({"recording", "zone", "length, m", "radius, m",
                                          "speed, m/s", "cant deficiency, mm"},
                                         2);
  for (const assess::TrackSection& s : page.zones.sections)
    t += "<tr>" + table_cell(page.runs[s.run], true) +
         table_cell(std::string(data(s.zone).key), true) +
         table_cell(fmt::format("{:.0f}", s.length)) +
         table_cell(std::abs(s.curvature) > 1e-7 ? fmt::format("{:.0f}", 1 / s.curvature)
                                                 : "straight") +
         table_cell(fmt::format("{:.1f}", s.speed)) +
         table_cell(fmt::format("{:.0f}", s.cant_deficiency)) + "</tr>";
  return t + "</table>";
}

std::string comfort_table(const AssessmentPage& page) {
  std::string t = "<table>" + table_head({"recording", "floor", "s", "N_MV", "N_VA", "N_VD",
                                          "C_Cy, m/s2", "C_Cz, m/s2", "Wz lateral", "Wz vertical"},
                                         2);
  for (std::size_t i = 0; i < page.comfort.size(); ++i) {
    const assess::Comfort& c = page.comfort[i];
    t += "<tr>" + table_cell(page.comfort_runs[i], true) + table_cell(c.name, true) +
         table_cell(fmt::format("{:.0f}", c.seconds));
    for (const double v : {c.N_MV, c.N_VA, c.N_VD, c.continuous_y, c.continuous_z, c.Wz_y, c.Wz_z})
      t += table_cell(fmt::format("{:.3g}", v));
    t += "</tr>";
  }
  t += "</table>";
  if (page.transitions.empty()) return t;
  t += "<table>" + table_head({"transition", "floor", "at, s", "to radius, m", "y 1 s, m/s2",
                               "jerk, m/s3", "roll, deg/s", "P_CT standing, %", "P_CT seated, %"},
                              2);
  for (const assess::TransitionComfort& p : page.transitions) {
    t += "<tr>" + table_cell(p.run, true) + table_cell(p.point, true) +
         table_cell(fmt::format("{:.1f}", p.t)) + table_cell(fmt::format("{:.0f}", 1 / p.to));
    for (const double v : {p.y, p.jerk, p.roll, p.standing, p.seated})
      t += table_cell(fmt::format("{:.3g}", v));
    t += "</tr>";
  }
  return t + "</table>";
}

// Values of all sections over the cant deficiency, where there are some.
std::string regression_charts(const AssessmentPage& page) {
  std::string list;
  for (const Judged* j : assess::worst(page.zones)) {
    if (!j->two || j->values.size() < 3) continue;
    Plot plot;
    plot.title = fmt::format("{}, {}, {}", data(j->zone).name, j->quantity->name, j->of);
    plot.x_label = "cant deficiency, mm";
    plot.y_label = std::string(j->quantity->unit);
    Series points{"sections", {}, {}, Style::points}, line{"regression", {}, {}, Style::line};
    for (const assess::TrackSection& s : page.zones.sections)
      if (s.zone == j->zone) points.x.push_back(s.cant_deficiency);
    for (const double v : j->values) points.y.push_back(j->quantity->scale * v);
    if (points.x.size() != points.y.size()) continue;
    for (const double x : points.x) {
      line.x.push_back(x);
      line.y.push_back(j->quantity->scale * (j->two->a + j->two->b * x));
    }
    plot.series = {points, line};
    plot.height = 260;
    list += svg(plot);
  }
  return list;
}

}  // namespace

std::vector<std::string> not_done() {
  return {
      "The text of the standards was not at hand: zones, filters, k and limits are from general "
      "knowledge of them (edition 2005 with test zones by radius). Check them before you sign.",
      "The standard asks for at least 25 sections in each zone, kilometres of track of a stated "
      "quality, worn and new profiles, dry rails, empty and loaded vehicles: what was run is what "
      "is judged.",
      "Sections are not sorted by the quality of the track, and speed is not compared with the "
      "admissible one.",
      "Multiple regression over speed, curvature and track quality (edition 2016) is not there; "
      "one variable, or two with the cant deficiency, are.",
      "Instability by the acceleration of bogie frames (simplified method), forces H of axle "
      "boxes, and the rules for overriding a limit are not there.",
      "The quasi-static tests (twist, sway, rotation of bogies) are not part of this command.",
      "Comfort of the complete method uses the floor in place of the seat, and EN 12299 asks for "
      "five minutes of each kind of track.",
      "P_CT needs the lateral acceleration of the whole vehicle to be constant before; sharp "
      "events (P_DE) are not there.",
  };
}

std::string assessment_page(const AssessmentPage& page) {
  std::string html = fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width\"><title>Assessment of {0}</title><style>{1}</style><h1>"
      "Assessment of {0}</h1><p>{2} recording{3}, {4} sections. In the style of EN 14363 and EN "
      "12299; what is missing is listed at the end.</p>",
      escaped(page.vehicle), page_style, page.runs.size(), page.runs.size() == 1 ? "" : "s",
      page.zones.sections.size());
  html += "<h2>Limits and margins</h2>" + main_table(page.zones);
  html +=
      "<p class=note>Of each quantity the wheelset or point of the floor with the least margin. "
      "Estimated is mean + k s, or of a regression over the cant deficiency where one was given; "
      "with one section there is no estimate, and its value is compared.</p>";
  html += regression_charts(page);
  if (!page.comfort.empty())
    html += "<h2>Comfort</h2>" + comfort_table(page);
  else
    html +=
        "<h2>Comfort</h2><p>There are no accelerations of the floor in the recordings: "
        "recording.json has them.</p>";
  html += "<h2>Sections</h2>" + sections_table(page);
  html += "<h2>Definitions</h2><table>" +
          table_head({"quantity", "definition", "group", "k", "source"}, 3);
  for (const assess::Quantity& q : assess::quantities())
    html += "<tr>" + table_cell(std::string(q.name), true) +
            table_cell(std::string(q.definition), true) +
            table_cell(std::string(assess::name(q.group)), true) +
            table_cell(fmt::format("{:g}", q.k)) + table_cell(std::string(q.source)) + "</tr>";
  html += "</table><h2>What is not done</h2><ul>";
  for (const std::string& line : not_done()) html += "<li>" + escaped(line) + "</li>";
  return html + "</ul></html>\n";
}

}  // namespace klingel::report
