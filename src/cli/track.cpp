// klingel track: what a track file describes, as a summary, a table, CSV or plots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/number.hpp"
#include "cli/command.hpp"
#include "report/plot.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::cli {
namespace {

using track::RailDeviation;
using track::Track;
using track::TrackFrame;

// more rows than this are a mistake in the step
constexpr double most_rows = 1e6;

struct TrackArguments {
  std::string track, svg;
  std::optional<double> from, to, step;
  bool csv = false;
};

struct Row {
  double s;
  TrackFrame frame;
  RailDeviation deviation;
};

std::vector<Row> rows_of(const Track& track, const TrackArguments& a, double step) {
  const double from = a.from.value_or(track.begin()), to = a.to.value_or(track.end());
  if (!(from >= track.begin() && to <= track.end() && from <= to)) {
    base::fail("--from {} --to {} is not a part of the track, which goes from {} m to {} m", from,
               to, track.begin(), track.end());
  }
  if (!((to - from) / step < most_rows)) {
    base::fail("{:.3g} rows are too many; use a larger --step", (to - from) / step);
  }
  std::vector<Row> rows;
  for (double i = 0;; ++i) {
    // counting instead of adding, so that rounding does not pile up
    const double s = from + i * step;
    if (s > to + 1e-9 * step) break;
    rows.push_back({s, track.frame(s), track.deviation(s)});
  }
  return rows;
}

std::string radius(double curvature) {
  return curvature == 0 ? "-" : fmt::format("{:.1f}", 1 / curvature);
}

void print_sections(const Track& track) {
  if (track.sections.empty()) {
    fmt::print("\nrails given by {} points\n", track.centre.x.knots().size());
    return;
  }
  fmt::print("\n{:>4}  {:<18}{:>10}{:>10}{:>10}{:>22}{:>22}\n", "", "section", "from m", "to m",
             "length m", "radius m, begin end", "cant mrad, begin end");
  for (std::size_t i = 0; i < track.sections.size(); ++i) {
    const track::ResolvedSection& r = track.sections[i];
    fmt::print("{:>4}  {:<18}{:>10.2f}{:>10.2f}{:>10.2f}{:>12}{:>10}{:>12.2f}{:>10.2f}\n", i + 1,
               track::text(r.section.kind), r.begin, r.end, r.section.length,
               radius(r.curvature.begin), radius(r.curvature.end), 1e3 * r.cant.begin,
               1e3 * r.cant.end);
  }
}

// The largest of a quantity over the knots, and where it is.
template <typename F>
std::pair<double, double> largest(const Track& track, F quantity) {
  std::pair<double, double> best{-1, 0};
  for (const double s : track.centre.x.knots()) {
    if (const double value = quantity(s); value > best.first) best = {value, s};
  }
  return best;
}

void print_summary(const Track& track) {
  fmt::print("{}: s from {:.2f} m to {:.2f} m, length {:.2f} m\n", track.name, track.begin(),
             track.end(), track.end() - track.begin());
  print_sections(track);
  const auto curvature =
      largest(track, [&](double s) { return std::abs(track.frame(s).curvature); });
  const auto cant = largest(track, [&](double s) { return std::abs(track.frame(s).cant); });
  const auto vertical = largest(track, [&](double s) {
    const RailDeviation d = track.deviation(s);
    return std::max(std::abs(d.left_vertical), std::abs(d.right_vertical));
  });
  const auto lateral = largest(track, [&](double s) {
    const RailDeviation d = track.deviation(s);
    return std::max(std::abs(d.left_lateral), std::abs(d.right_lateral));
  });
  fmt::print("\n");
  if (curvature.first > 1e-9) {
    fmt::print("smallest radius  {:.1f} m at s = {:.2f} m\n", 1 / curvature.first,
               curvature.second);
  } else {
    fmt::print("smallest radius  none: straight\n");
  }
  if (cant.first > 1e-9) {
    const double apart = track.frame(cant.second).rail_distance;
    fmt::print(
        "largest cant     {:.4f} rad at s = {:.2f} m, {:.1f} mm between rails {:.4f} m apart\n",
        cant.first, cant.second, 1e3 * std::sin(cant.first) * apart, apart);
  } else {
    fmt::print("largest cant     none\n");
  }
  if (vertical.first > 0 || lateral.first > 0) {
    fmt::print("irregularity     up to {:.2f} mm vertical, {:.2f} mm lateral\n",
               1e3 * vertical.first, 1e3 * lateral.first);
  } else {
    fmt::print("irregularity     none\n");
  }
  for (const std::string& note : track.notes) fmt::print("measured         {}\n", note);
  if (track.gauge) fmt::print("gauge            {:.1f} mm\n", 1e3 * *track.gauge);
  fmt::print("splines          {} knots per rail\n", track.left.x.knots().size());
}

void print_csv(const std::vector<Row>& rows) {
  fmt::print(
      "s_m,x_m,y_m,z_m,heading_rad,curvature_1/m,cant_rad,gradient,rail_distance_m,"
      "left_vertical_m,left_lateral_m,right_vertical_m,right_lateral_m\n");
  for (const Row& r : rows) {
    const TrackFrame& f = r.frame;
    std::string line;
    for (const double v :
         {r.s, f.origin.x, f.origin.y, f.origin.z, f.heading, f.curvature, f.cant, f.gradient,
          f.rail_distance, r.deviation.left_vertical, r.deviation.left_lateral,
          r.deviation.right_vertical, r.deviation.right_lateral}) {
      line += (line.empty() ? "" : ",") + base::shortest(v);
    }
    fmt::print("{}\n", line);
  }
}

void print_table(const std::vector<Row>& rows) {
  fmt::print("\n{:>9}{:>11}{:>11}{:>9}{:>11}{:>11}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "s m",
             "x m", "y m", "z m", "heading", "curvature", "cant", "rails m", "left ver", "left lat",
             "right ver", "right lat");
  fmt::print("{:>9}{:>11}{:>11}{:>9}{:>11}{:>11}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "", "",
             "", "rad", "1/km", "mrad", "apart", "mm", "mm", "mm", "mm");
  for (const Row& r : rows) {
    const TrackFrame& f = r.frame;
    const RailDeviation& d = r.deviation;
    fmt::print(
        "{:>9.2f}{:>11.4f}{:>11.4f}{:>9.4f}{:>11.6f}{:>11.5f}{:>10.4f}{:>10.5f}{:>10.3f}{:>10.3f}"
        "{:>10.3f}{:>10.3f}\n",
        r.s, f.origin.x, f.origin.y, f.origin.z, f.heading, 1e3 * f.curvature, 1e3 * f.cant,
        f.rail_distance, 1e3 * d.left_vertical, 1e3 * d.left_lateral, 1e3 * d.right_vertical,
        1e3 * d.right_lateral);
  }
}

std::string plots(const Track& track, const std::vector<Row>& rows) {
  const auto series = [&](const char* label, auto x, auto y) {
    report::Series s;
    s.label = label;
    for (const Row& r : rows) s.x.push_back(x(r)), s.y.push_back(y(r));
    return s;
  };
  const auto along = [](const Row& r) { return r.s; };
  std::vector<report::Plot> all(4);
  all[0].title = track.name + ": plan";
  all[0].x_label = "x (m)", all[0].y_label = "y (m)";
  all[0].equal_axes = true;
  all[0].series = {series(
      "", [](const Row& r) { return r.frame.origin.x; },
      [](const Row& r) { return r.frame.origin.y; })};
  all[1].title = "curvature", all[1].y_label = "curvature (1/km)";
  all[1].series = {series("", along, [](const Row& r) { return 1e3 * r.frame.curvature; })};
  all[2].title = "cant, positive: left rail high", all[2].y_label = "cant (mrad)";
  all[2].series = {series("", along, [](const Row& r) { return 1e3 * r.frame.cant; })};
  all[3].title = "irregularities", all[3].y_label = "deviation (mm)";
  all[3].series = {
      series("left vertical", along, [](const Row& r) { return 1e3 * r.deviation.left_vertical; }),
      series("right vertical", along,
             [](const Row& r) { return 1e3 * r.deviation.right_vertical; }),
      series("left lateral", along, [](const Row& r) { return 1e3 * r.deviation.left_lateral; }),
      series("right lateral", along, [](const Row& r) { return 1e3 * r.deviation.right_lateral; })};
  // lines that are zero everywhere are left out
  std::erase_if(all[3].series, [](const report::Series& s) {
    return std::all_of(s.y.begin(), s.y.end(), [](double v) { return v == 0; });
  });
  for (std::size_t i = 1; i < 4; ++i) all[i].x_label = "s (m)";
  return report::svg(all);
}

ExitCode run(const TrackArguments& a) {
  const Track track = vehicle::load_track(a.track);
  // tables for readers have a hundred rows; CSV and plots use the points of the track
  const double length = track.end() - track.begin();
  const double knots = static_cast<double>(track.centre.x.knots().size() - 1);
  const bool wants_table = a.from || a.to || a.step;
  const bool wants_knots = a.csv || !a.svg.empty();
  const double step = a.step.value_or(wants_knots ? length / knots : length / 100);
  const std::vector<Row> rows = rows_of(track, a, step);
  if (!a.svg.empty()) base::write_file(a.svg, plots(track, rows));
  if (a.csv) {
    print_csv(rows);
  } else {
    print_summary(track);
    if (wants_table) print_table(rows);
  }
  for (const std::string& w : track.warnings) fmt::print(stderr, "klingel: warning: {}\n", w);
  return ExitCode::fine;
}

}  // namespace

Command track_command() {
  const auto a = std::make_shared<TrackArguments>();
  Command c{Group::wheel_and_rail, "track", "Show what a track file describes"};
  c.examples = {"klingel track curve_300",
                "klingel track article --csv --from 0 --to 100 --step 1"};
  c.option("track", a->track, "Shipped track or a track file").names(Names::track).required();
  c.option("--from", a->from, "Where the rows begin, along the track").unit("m");
  c.option("--to", a->to, "Where the rows end").unit("m");
  c.option("--step", a->step, "Distance between rows").unit("m").above(0).at_most(1e6);
  c.option("--csv", a->csv, "Print rows as CSV instead of the summary");
  c.option("--svg", a->svg, "Draw plan, curvature, cant and irregularities into this file")
      .written();
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
