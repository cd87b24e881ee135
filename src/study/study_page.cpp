#include "study/study_page.hpp"

#include <algorithm>
#include <map>

#include "base/json.hpp"
#include "base/number.hpp"
#include "study/page_template.hpp"
#include "study/variation_names.hpp"

namespace klingel::study {
namespace {

constexpr std::string_view data_mark = "KLINGEL_STUDY_DATA_HERE";
// browsers draw so many in a second
constexpr std::size_t most_on_a_page = 20'000;
constexpr std::string_view not_served = "\"served\": false";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  if (at != std::string::npos) text.replace(at, what.size(), by);
  return text;
}

// data must not end the element they are in
std::string safe_in_html(const std::string& json) {
  std::string text;
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

const char* role_name(PageColumn::Role role) {
  using Role = PageColumn::Role;
  return role == Role::vary      ? "vary"
         : role == Role::measure ? "measure"
         : role == Role::word    ? "word"
                                 : "other";
}

void write(base::Json& json, const PageColumn& c) {
  json.begin_object().key("name").value(c.name).key("about").value(c.about);
  json.key("role").value(role_name(c.role));
  if (c.least) json.key("limit_least").value(*c.least);
  if (c.most) json.key("limit_most").value(*c.most);
  json.key("values").begin_array(true);
  for (const double x : c.numbers) json.value(x);
  for (const std::string& t : c.texts) t.empty() ? json.null() : json.value(t);
  json.end_array().end_object();
}

std::string about(const Measure& m) {
  switch (m.kind) {
    case Measure::Kind::summary:
      return "summary.json: " + m.text;
    case Measure::Kind::modes:
      return "small motions: " + m.text;
    case Measure::Kind::curve:
      return "steady curve: " + m.text;
    case Measure::Kind::conicity:
      return fmt::format("equivalent conicity at {:g} mm", 1e3 * m.amplitude);
    default:
      return m.text;
  }
}

// The commands that answer what a case without a run was asked.
std::string analysis(const PreparedStudy& p, std::size_t which, const std::string& file) {
  const Study& s = p.study();
  const std::string scenario = fmt::format("'{}#{}'", file, which);
  bool modes = false, critical = false, curve = false;
  for (const Measure& m : s.measures) {
    modes = modes || m.kind == Measure::Kind::modes;
    critical = critical || m.text.starts_with("critical");
    curve = curve || m.kind == Measure::Kind::curve;
  }
  std::vector<std::string> commands;
  if (modes)
    commands.push_back(fmt::format("klingel modes {}{}", scenario, critical ? " --critical" : ""));
  if (curve) {
    std::map<std::string, double> values;
    if (s.curve.radius) values["curve.radius"] = *s.curve.radius;
    if (s.curve.speed) values["curve.speed"] = *s.curve.speed;
    values["curve.cant_deficiency"] = s.curve.cant_deficiency;
    for (std::size_t i = 0; i < s.variations.size(); ++i)
      if (is_of_curve(s.variations[i].name) && p.values().varies(which, i))
        values[s.variations[i].name] = p.values().number(which, i);
    std::string command = fmt::format("klingel curving {} --radius {}", scenario,
                                      base::shortest(values["curve.radius"]));
    if (values.contains("curve.speed"))
      command += " --speed " + base::shortest(values["curve.speed"]);
    command += fmt::format(" --cant-deficiency {:g}", 1e3 * values["curve.cant_deficiency"]);
    commands.push_back(std::move(command));
  }
  return fmt::format("{}", fmt::join(commands, " && "));
}

}  // namespace

std::string page_of(const PageData& d) {
  base::Json json;
  json.begin_object().key("name").value(d.name).key("about").value(d.about);
  json.key("failed").value(d.failed).key("served").value(d.served);
  if (!d.command.empty()) json.key("command").value(d.command);
  if (!d.analyses.empty()) {
    json.key("analyses").begin_array();
    for (const std::string& command : d.analyses) json.value(command);
    json.end_array();
  }
  json.key("start").begin_object().key("x").value(d.x).key("y").value(d.y).end_object();
  json.key("columns").begin_array();
  for (const PageColumn& c : d.columns) write(json, c);
  json.end_array().key("messages").begin_array();
  for (const std::string& m : d.messages) json.value(m);
  json.end_array().end_object();
  return replaced(study_page_template, data_mark, safe_in_html(json.text()));
}

std::string study_page(const PreparedStudy& p, std::span<const CaseResult> all,
                       const std::string& file) {
  const Study& s = p.study();
  PageData d;
  d.name = s.name;
  d.about = s.about;
  const auto add = [&d](const std::string& sentence) {
    d.about += (d.about.empty() ? "" : d.about.ends_with('.') ? " " : ". ") + sentence;
  };
  if (all.size() < p.values().cases())
    add(fmt::format("Not finished: {} of {} cases have run.", all.size(), p.values().cases()));
  const std::size_t every = (all.size() + most_on_a_page - 1) / most_on_a_page;
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < all.size(); i += every) results.push_back(all[i]);
  if (every > 1)
    add(fmt::format("These are {} of {} cases, one of {}; cases.csv has all of them.",
                    results.size(), all.size(), every));
  if (s.needs_run())
    d.command = fmt::format("klingel run '{}#{{}}' --out case_{{}} --report --csv", file);
  else
    for (const CaseResult& r : results) d.analyses.push_back(analysis(p, r.number, file));
  using Role = PageColumn::Role;
  PageColumn number{"case", "number of the case", Role::other, {}, {}, {}, {}};
  PageColumn end{"end", "how it ended", Role::word, {}, {}, {}, {}};
  for (const CaseResult& r : results) {
    number.numbers.push_back(static_cast<double>(r.number));
    end.texts.push_back(r.end);
    d.messages.push_back(r.message);
    d.failed += r.failed() ? 1 : 0;
  }
  d.columns.push_back(std::move(number));
  for (std::size_t i = 0; i < s.variations.size(); ++i) {
    PageColumn c{s.variations[i].name, "varied", Role::vary, {}, {}, {}, {}};
    for (const CaseResult& r : results) {
      if (s.variations[i].kind == Variation::Kind::texts)
        c.texts.push_back(p.values().text(r.number, i));
      else
        c.numbers.push_back(p.values().number(r.number, i));
    }
    d.columns.push_back(std::move(c));
  }
  for (std::size_t k = 0; k < s.measures.size(); ++k) {
    const Measure& m = s.measures[k];
    PageColumn c{m.name, about(m), Role::measure, {}, {}, m.least, m.most};
    for (const CaseResult& r : results) c.numbers.push_back(r.measures[k]);
    d.columns.push_back(std::move(c));
  }
  d.columns.push_back(std::move(end));
  return page_of(d);
}

std::string served_page(std::string page) {
  return replaced(std::move(page), not_served, "\"served\": true");
}

}  // namespace klingel::study
