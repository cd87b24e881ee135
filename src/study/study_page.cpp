#include "study/study_page.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "study/page_template.hpp"

namespace klingel::study {
namespace {

constexpr std::string_view data_mark = "KLINGEL_STUDY_DATA_HERE";
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

}  // namespace

std::string page_of(const PageData& d) {
  base::Json json;
  json.begin_object().key("name").value(d.name).key("about").value(d.about);
  json.key("failed").value(d.failed).key("served").value(d.served);
  if (!d.command.empty()) json.key("commands").value(d.command);
  json.key("start").begin_object().key("x").value(d.x).key("y").value(d.y).end_object();
  json.key("columns").begin_array();
  for (const PageColumn& c : d.columns) write(json, c);
  json.end_array().key("messages").begin_array();
  for (const std::string& m : d.messages) json.value(m);
  json.end_array().end_object();
  return replaced(study_page_template, data_mark, safe_in_html(json.text()));
}

std::string study_page(const PreparedStudy& p, std::span<const CaseResult> results,
                       const std::string& file) {
  const Study& s = p.study();
  PageData d;
  d.name = s.name;
  d.about = s.about;
  d.command = fmt::format("klingel run '{}#{{}}' --out case_{{}} --report --csv", file);
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
