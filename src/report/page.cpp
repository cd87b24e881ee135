#include "report/page.hpp"

#include "base/assert.hpp"
#include "report/markup.hpp"
#include "report/run_plots.hpp"

namespace klingel::report {
namespace {

// In JSON these letters occur only inside strings, where they may be written by number: "</script>"
// and "<!--" cannot appear. The two line separators would end lines in old readers of JavaScript.
std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size() + 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else if (json.substr(i, 3) == "\xe2\x80\xa8" || json.substr(i, 3) == "\xe2\x80\xa9") {
      out += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string data_element(std::string_view id, std::string_view json) {
  return "<script type=\"application/json\" id=\"" + escaped(id) + "\">" + script_safe(json) +
         "</script>";
}

std::string_view page_scripts(std::string_view html) {
  const std::size_t at = html.find(page_marker), end = html.rfind("</body>");
  KLINGEL_ASSERT(at != std::string_view::npos && end != std::string_view::npos);
  return html.substr(at + page_marker.size(), end - at - page_marker.size());
}

std::string page(std::string_view html, std::string_view json, std::string_view live) {
  const std::size_t at = html.find(page_marker);
  KLINGEL_ASSERT(at != std::string_view::npos);
  std::string out(html.substr(0, at));
  out += data_element("recording", json);
  if (!live.empty()) out += data_element("live", live);
  out += html.substr(at + page_marker.size());
  return out;
}

std::string plain_page(const record::Recording& recording, const std::string& title) {
  const std::string safe = escaped(title);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + safe +
         "</title>\n<style>body{font:16px sans-serif;max-width:60em;margin:2em auto;"
         "padding:0 1em}</style></head>\n<body><h1>" +
         safe +
         "</h1>\n<p>This is the plain report: the program was built without npm, so the page with "
         "animation and interactive plots is not in it. Build it again with nodejs and npm "
         "installed and a network: <code>./run build</code>.</p>\n" +
         run_plots(recording, title) + "</body></html>\n";
}

}  // namespace klingel::report
