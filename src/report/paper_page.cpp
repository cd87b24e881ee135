#include "report/paper_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/markup.hpp"

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
.wide svg { max-width: none; }
pre { font-size: 12px; line-height: 1.35; background: var(--soft); padding: 0.8em; overflow: auto;
  max-height: 34em; margin: 0.4em 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: 0.15em 0.9em 0.15em 0; border-bottom: 1px solid var(--line); text-align: right; }
td:first-child, th:first-child { text-align: left; }
.verdict { background: var(--soft); padding: 0.5em 0.8em; border-left: 5px solid #888; }
.agrees { border-color: #009e73; } .differs { border-color: #d55e00; }
.files { font-size: 0.85em; opacity: 0.85; }
nav a { margin-right: 0.9em; white-space: nowrap; }
@media (max-width: 60em) { .two { grid-template-columns: 1fr; } }
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
  return fmt::format(
      "<section id=\"{}\"><h2>{}</h2>\n<div class=\"two\"><div><h3>The article ({})</h3><p>{}</p>"
      "</div>\n<div class=\"ours\"><h3>Klingel</h3>\n{}</div></div>\n<p class=\"verdict "
      "{}\"><b>{}.</b> {}</p>\n<p class=\"files\">{}</p></section>\n",
      anchor(p.id), escaped(p.title), escaped(p.id), escaped(p.article), p.ours, kind(p.agreement),
      word(p.agreement), escaped(p.verdict), files);
}

}  // namespace

std::string markup(const PaperTable& table) {
  const auto row = [](const std::vector<std::string>& cells, const char* tag) {
    std::string out = "<tr>";
    for (const std::string& c : cells) out += fmt::format("<{0}>{1}</{0}>", tag, escaped(c));
    return out + "</tr>\n";
  };
  std::string out = "<table>\n" + row(table.head, "th");
  for (const std::vector<std::string>& r : table.rows) out += row(r, "td");
  return out + "</table>\n";
}

std::string listing(std::string_view text) { return "<pre>" + escaped(text) + "</pre>\n"; }

std::string paper_page(std::span<const PaperPart> parts, const std::string& words) {
  std::string links, body;
  const auto count = [&](Agreement a) {
    return std::count_if(parts.begin(), parts.end(),
                         [a](const PaperPart& p) { return p.agreement == a; });
  };
  for (const PaperPart& p : parts) {
    links += fmt::format("<a href=\"#{}\">{}</a> ", anchor(p.id), escaped(p.title));
    body += section(p);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\"><title>The article, reproduced</title>\n"
      "<style>{}</style></head>\n<body><h1>The article, reproduced</h1>\n<p>{}</p>\n<p>{} parts "
      "agree, {} differ, {} have nothing to compare with; every sentence below is made from the "
      "numbers of this computation.</p>\n<nav>{}</nav>\n{}</body></html>\n",
      style, escaped(words), count(Agreement::agrees), count(Agreement::differs),
      count(Agreement::open), links, body);
}

}  // namespace klingel::report
