// The page of an experiment.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimate/chi_square.hpp"
#include "estimate/estimate_results.hpp"
#include "report/bars.hpp"
#include "report/markup.hpp"
#include "report/plot.hpp"

namespace klingel::estimate {
namespace {

using report::escaped;

constexpr std::string_view head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>)";
constexpr std::string_view style = R"(</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:860px;margin:2em auto;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:1em 0;font-size:14px}
td,th{padding:.25em .7em;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}
svg{max-width:100%;height:auto}.warn{color:#a33}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}td,th{border-color:#444}}
</style></head><body>
)";

std::vector<double> copy(std::span<const double> x) { return {x.begin(), x.end()}; }

std::string chart(const record::Recording& rows, const std::string& name, const std::string& unit) {
  const std::vector<double> t = copy(rows.column("t")), estimate = copy(rows.column(name)),
                            truth = copy(rows.column(name + ".true")),
                            sigma = copy(rows.column(name + ".sigma"));
  report::Plot plot;
  plot.title = name;
  plot.x_label = "time, s";
  plot.y_label = unit.empty() ? "" : unit == "1" ? "" : unit;
  plot.height = 260;
  std::vector<double> low(t.size()), high(t.size());
  for (std::size_t i = 0; i < t.size(); ++i)
    low[i] = estimate[i] - 2 * sigma[i], high[i] = estimate[i] + 2 * sigma[i];
  if (std::any_of(truth.begin(), truth.end(), [](double v) { return std::isfinite(v); }))
    plot.series.push_back({"truth", t, truth, report::Style::line});
  plot.series.push_back({"estimate", t, estimate, report::Style::line});
  plot.series.push_back({"2 sigma", t, low, report::Style::dashed});
  plot.series.push_back({"", t, high, report::Style::dashed});
  return report::svg(plot);
}

// Means over a window, with bounds for that many independent ones.
std::string consistency_chart(const record::Recording& rows, const std::string& name,
                              std::span<const double> freedom) {
  const std::span<const double> t = rows.column("t"), value = rows.column(name);
  constexpr std::size_t window = 50;
  report::Series mean{"mean of 50 rows over its degrees of freedom", {}, {}, report::Style::line};
  report::Series low{"95 %", {}, {}, report::Style::dashed},
      high{"", {}, {}, report::Style::dashed};
  for (std::size_t i = 0; i + window <= t.size(); i += window / 2) {
    double sum = 0, degrees = 0;
    for (std::size_t k = i; k < i + window; ++k) {
      if (!std::isfinite(value[k]) || !(freedom[k] > 0)) continue;
      sum += value[k], degrees += freedom[k];
    }
    if (!(degrees > 0)) continue;
    const double at = t[i + window / 2];
    for (report::Series* s : {&mean, &low, &high}) s->x.push_back(at);
    mean.y.push_back(sum / degrees);
    low.y.push_back(chi_square_quantile(0.025, degrees) / degrees);
    high.y.push_back(chi_square_quantile(0.975, degrees) / degrees);
  }
  if (mean.x.empty()) return {};
  report::Plot plot;
  plot.title = name == "nis" ? "NIS: innovations against what the filter expects"
                             : "NEES: errors against what the filter expects";
  plot.x_label = "time, s";
  plot.height = 240;
  plot.series = {std::move(mean), std::move(low), std::move(high)};
  return report::svg(plot);
}

std::string consistency_row(const char* name, const Consistency& c) {
  if (c.count == 0) return {};
  return fmt::format(
      "<tr><td>{}</td><td>{:.3g}</td><td>{:.3g}</td><td>{:.3g} to {:.3g}</td><td>{:.1f} "
      "%</td></tr>\n",
      name, c.mean, c.expected, c.low, c.high, 100 * c.inside);
}

std::string error_table(const RunResult& r) {
  std::string text =
      "<table><tr><th>quantity</th><th>truth, mean</th><th>deviation</th><th>error, rms</th>"
      "<th>mean</th><th>largest</th><th>sigma</th><th>within 2 sigma</th></tr>\n";
  for (const Errors& e : r.errors) {
    if (e.count == 0) {
      text +=
          fmt::format("<tr><td>{}</td><td colspan=7>truth not known</td></tr>\n", escaped(e.name));
      continue;
    }
    text += fmt::format(
        "<tr><td>{}{}</td><td>{:.4g}</td><td>{:.3g}</td><td>{:.3g}</td><td>{:.2g}</td><td>{:.3g}</"
        "td><td>{:.3g}</td><td>{:.1f} %</td></tr>\n",
        escaped(e.name), e.unit == "1" || e.unit == "SI" ? "" : ", " + escaped(e.unit),
        e.truth_mean, e.truth_deviation, e.rms, e.mean, e.largest, e.sigma, 100 * e.inside);
  }
  return text + "</table>\n";
}

std::string alarm_part(const Alarm& alarm, const std::vector<RunResult>& runs) {
  const AlarmCount c = count_alarms(alarm, runs);
  std::string text = fmt::format(
      "<h2>Alarm</h2><p>{}: {} of {} runs detected after the event at {:g} s{}; false alarms "
      "before it in {} runs.</p>\n",
      escaped(alarm.name), c.detected, c.runs, alarm.event,
      c.detected > 0
          ? fmt::format(", after {:.2f} s in the median and {:.2f} s at most", c.median, c.slowest)
          : "",
      c.false_alarms);
  if (c.detected < 2) return text;
  constexpr std::size_t cells = 12;
  report::Bars bars;
  bars.title = "Time until the alarm";
  bars.label = "runs";
  std::vector<std::size_t> counts(cells, 0);
  const double width = std::max(c.slowest, 1e-9) / cells;
  for (const RunResult& r : runs)
    if (r.failure.empty() && r.alarm)
      ++counts[std::min(cells - 1, static_cast<std::size_t>((*r.alarm - alarm.event) / width))];
  for (std::size_t i = 0; i < cells; ++i)
    bars.bars.push_back({fmt::format("{:.2f} to {:.2f} s", width * static_cast<double>(i),
                                     width * static_cast<double>(i + 1)),
                         static_cast<double>(counts[i])});
  return text + report::svg(bars) + "\n";
}

}  // namespace

std::string estimate_page(const Estimate& file, const std::vector<RunResult>& runs) {
  const RunResult& r = runs.front();
  std::string text = std::string(head) + escaped(file.name) + std::string(style);
  text += fmt::format("<h1>{}</h1>\n<p>{}</p>\n", escaped(file.name), escaped(file.about));
  text += fmt::format(
      "<p>{} elements are estimated from {} sensors, {} steps of the filter, {} run{}.</p>\n",
      r.elements, r.sensors, r.nis.count, runs.size(), runs.size() > 1 ? "s" : "");
  for (const RunResult& each : runs)
    if (!each.failure.empty())
      text += fmt::format("<p class=warn>run {} ended at {:.3f} s: {}</p>\n", each.run, each.t_end,
                          escaped(each.failure));
  for (const std::string& w : r.warnings) text += fmt::format("<p class=warn>{}</p>\n", escaped(w));
  if (file.alarm) text += alarm_part(*file.alarm, runs);
  text += fmt::format("<h2>Errors{}</h2>\n", runs.size() > 1 ? " of the first run" : "");
  text += error_table(r);
  text +=
      "<h2>Consistency</h2><table><tr><th></th><th>mean</th><th>expected</th><th>95 % of the "
      "mean</th><th>single ones within 95 %</th></tr>\n";
  text += consistency_row("NIS", r.nis) + consistency_row("NEES", r.nees) + "</table>\n";
  text += fmt::format(
      "<p>{} samples, {} missing, {} late, {} left out as outliers. A step of the filter took "
      "{:.0f} us in the median, {:.0f} us at 99 %, {:.0f} us at most.</p>\n",
      r.samples, r.missing, r.late, r.outliers, r.times.median, r.times.p99, r.times.largest);
  if (r.rows.rows() < 2) return text + "</body></html>\n";
  const std::span<const double> nis_freedom = r.rows.column("nis_freedom");
  text += consistency_chart(r.rows, "nis", nis_freedom);
  const std::vector<double> freedom(r.rows.rows(), r.nees.expected);
  text += consistency_chart(r.rows, "nees", freedom);
  text += "<h2>Estimates</h2>\n";
  for (const Errors& e : r.errors)
    text += chart(r.rows, e.name, e.unit == "SI" ? "" : e.unit) + "\n";
  return text + "</body></html>\n";
}

}  // namespace klingel::estimate
