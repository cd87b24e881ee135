#include "report/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "report/axis.hpp"
#include "report/markup.hpp"

namespace klingel::report {

std::string svg(const Bars& chart) {
  constexpr double top = 44, row = 22, bottom = 52, right = 30;
  double low = 0, high = 0, names = 60;
  for (const Bar& b : chart.bars) {
    if (!std::isfinite(b.value)) base::fail("the bar '{}' has no finite value", b.name);
    low = std::min(low, b.value), high = std::max(high, b.value);
    names = std::max(names, text_width(b.name) + 20);
  }
  const double end = top + row * static_cast<double>(chart.bars.size());
  const Axis x = make_axis(low, high, names, chart.width - right, 7, true);
  std::string out =
      fmt::format("<text x=\"{:.1f}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
                  16.0, escaped(chart.title));
  for (const double tick : x.ticks()) {
    out += fmt::format(
        "<path d=\"M{0:.2f} {1:.1f}V{2:.1f}\" stroke=\"{3}\" stroke-width=\"1\"/>\n"
        "<text x=\"{0:.2f}\" y=\"{4:.1f}\" text-anchor=\"middle\">{5}</text>\n",
        x.pixel(tick), top, end, tick == 0 ? "#444444" : "#dddddd", end + 18, x.label(tick));
  }
  double y = top;
  for (const Bar& b : chart.bars) {
    const double from = x.pixel(std::min(0.0, b.value)), to = x.pixel(std::max(0.0, b.value));
    out += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n"
        "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"14\" fill=\"{}\"/>\n",
        names - 8, y + 15, escaped(b.name), from, y + 4, to - from,
        b.value < 0 ? "#d55e00" : "#0072b2");
    y += row;
  }
  const std::string factor = x.factor();
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}{}</text>\n",
                     (names + chart.width - right) / 2, end + 40, escaped(chart.label),
                     factor.empty() ? "" : " " + factor);
  return svg_document(chart.width, end + bottom, out);
}

}  // namespace klingel::report
