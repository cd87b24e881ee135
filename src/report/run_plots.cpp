#include "report/run_plots.hpp"

#include <vector>

#include "report/plot.hpp"

namespace klingel::report {
namespace {

struct Chart {
  const char* prefix;  // of the channels that are drawn together
  const char* title;
  const char* y_label;
  double scale;
};
constexpr Chart charts[] = {
    {"y_rel.", "lateral position of the wheelsets between the rails", "mm", 1e3},
    {"N.", "normal force on the tread", "kN", 1e-3},
    {"Nf.", "normal force on the flange", "kN", 1e-3},
    {"YQ.", "lateral over vertical force, Y/Q", "1", 1},
    {"body.roll", "roll of the body", "mrad", 1e3},
    {"speed", "speed", "m/s", 1},
};

}  // namespace

std::string run_plots(const record::Recording& recording, const std::string& title) {
  const std::span<const double> t = recording.column("t");
  std::vector<Plot> plots;
  for (const Chart& chart : charts) {
    Plot plot;
    plot.title = plots.empty() ? title + ": " + chart.title : chart.title;
    plot.x_label = "t, s";
    plot.y_label = chart.y_label;
    const std::string prefix = chart.prefix;
    for (std::size_t i = 0; i < recording.channels().size(); ++i) {
      const std::string& name = recording.channels()[i].name;
      if (!name.starts_with(prefix)) continue;
      Series series;
      series.label = name.substr(prefix.size());
      series.x.assign(t.begin(), t.end());
      for (const double y : recording.column(i)) series.y.push_back(chart.scale * y);
      plot.series.push_back(std::move(series));
    }
    if (!plot.series.empty()) plots.push_back(std::move(plot));
  }
  return svg(plots);
}

}  // namespace klingel::report
