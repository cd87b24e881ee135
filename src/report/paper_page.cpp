#include "report/paper_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/markup.hpp"
#include "report/paper_picture.hpp"

namespace klingel::report {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --line: #8885; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76em; margin: 0 auto; padding: 1em 1.5em; }
h1 { font-size: 1.7em; margin-bottom: 0.2em; }
section { border-top: 1px solid var(--line); padding: 0.5em 0 1.5em; }
h2 { font-size: 1.25em; margin: 0.6em 0; }
.two { display: grid; grid-template-columns: minmax(14em, 1fr) minmax(0, 2.6fr); gap: 1.5em; }
h3 { font-size: 0.8em; text-transform: uppercase; letter-spacing: 0.06em; opacity: 0.7; margin: 0; }
.ours { overflow: auto; max-height: 60em; }
svg { max-width: 100%; height: auto; }
pre { font-size: 12px; line-height: 1.35; background: var(--soft); padding: 0.8em; overflow: auto;
  max-height: 34em; margin: 0.4em 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: 0.15em 0.9em 0.15em 0; border-bottom: 1px solid var(--line); text-align: right; }
td.words, th.words { text-align: left; }
.verdict { background: var(--soft); padding: 0.5em 0.8em; border-left: 5px solid #888; }
.agrees { border-color: #009e73; } .differs { border-color: #d55e00; }
.criterion, .files { font-size: 0.85em; opacity: 0.85; margin: 0.4em 0; }
nav ol { columns: 3 18em; padding-left: 1.6em; margin: 0.6em 0; }
nav .mark { display: inline-block; width: 0.75em; height: 0.75em; border-radius: 50%;
  background: #888; margin-left: 0.5em; }
nav .mark.agrees { background: #009e73; } nav .mark.differs { background: #d55e00; }
@media (max-width: 60em) { .two { grid-template-columns: 1fr; } }
@media print { .ours, pre { overflow: visible; max-height: none; } section { break-inside: avoid; } }
)";

std::string_view word(Agreement a) {
  switch (a) {
    case Agreement::agrees:
      return "agrees";
    case Agreement::differs:
      return "differs";
    case Agreement::open:
      break;
  }
  return "not comparable";
}

std::string_view kind(Agreement a) { return a == Agreement::open ? "open" : word(a); }

// an address inside the page: letters, digits and dashes
std::string anchor(std::string_view id) {
  std::string out;
  for (const char c : id) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return out;
}

std::string section(const PaperPart& p) {
  std::string files;
  for (const std::string& f : p.files)
    files += fmt::format("{}<a href=\"{}\">{}</a>", files.empty() ? "Data: " : ", ", escaped(f),
                         escaped(f));
  const std::string why = p.criterion + (p.criterion.empty() || p.note.empty() ? "" : " ") + p.note;
  return fmt::format(
      "<section id=\"{}\"><h2>{}</h2>\n<div class=\"two\"><div><h3>The article ({})</h3><p>{}</p>"
      "</div>\n<div class=\"ours\"><h3>Klingel</h3>\n{}</div></div>\n<p class=\"verdict "
      "{}\"><b>{}.</b> {}</p>\n{}<p class=\"files\">{}</p></section>\n",
      anchor(p.id), escaped(p.title), escaped(p.id), escaped(p.article), p.ours, kind(p.agreement),
      word(p.agreement), escaped(p.verdict),
      why.empty() ? "" : "<p class=\"criterion\">" + escaped(why) + "</p>\n", files);
}

}  // namespace

std::string markup(const PaperTable& table) {
  // a column is words if one of its cells begins with a letter
  const auto is_words = [&](std::size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [column](const auto& cells) {
      return column < cells.size() && !cells[column].empty() &&
             std::isalpha(static_cast<unsigned char>(cells[column][0]));
    });
  };
  const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
    std::string out = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      out += fmt::format("<{0}{1}>{2}</{0}>", tag, is_words(i) ? " class=\"words\"" : "",
                         escaped(cells[i]));
    return out + "</tr>\n";
  };
  std::string out = "<table>\n" + row(table.head, "th");
  for (const std::vector<std::string>& r : table.rows) out += row(r, "td");
  return out + "</table>\n";
}

std::string listing(std::string_view text) { return "<pre>" + escaped(text) + "</pre>\n"; }

std::string paper_page(std::span<const PaperPart> parts, const std::string& words,
                       std::string_view tail) {
  std::string links, body;
  const auto count = [&](Agreement a) {
    return std::count_if(parts.begin(), parts.end(),
                         [a](const PaperPart& p) { return p.agreement == a; });
  };
  for (const PaperPart& p : parts) {
    links += fmt::format(
        "<li><a href=\"#{}\">{}</a><span class=\"mark {}\" role=\"img\" aria-label=\"{}\" "
        "title=\"{}\"></span></li>\n",
        anchor(p.id), escaped(p.title), kind(p.agreement), word(p.agreement), word(p.agreement));
    body += section(p);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" "
      "href=\"data:,\"><title>The "
      "article, reproduced</title>\n<style>{}{}</style></head>\n<body><h1>The article, "
      "reproduced</h1>\n<p>{}</p>\n<p>{} parts agree, {} differ, {} cannot be compared. "
      "Every verdict is computed from the numbers of this run; the criterion of agreement is below "
      "it, with the reason.</p>\n<nav aria-label=\"parts\"><ol>{}</ol></nav>\n{}{}"
      "</body></html>\n",
      style, picture_style(), escaped(words), count(Agreement::agrees), count(Agreement::differs),
      count(Agreement::open), links, body, tail);
}

}  // namespace klingel::report
