#include "assess/track_sections.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::assess {
namespace {

// Steeper changes over 2 m are transitions: clothoids and ramps of railways are far above these.
constexpr double curvature_rate = 5e-7;  // 1/m^2
constexpr double cant_rate = 2e-5;       // rad/m
constexpr double look = 1;               // m, to each side

constexpr ZoneData zone_data[] = {
    {"straight", "straight and R > 2500 m", 2500, INFINITY, 250, 25},
    {"large", "large curves, 600 to 2500 m", 600, 2500, 100, 25},
    {"small", "small curves, 400 to 600 m", 400, 600, 100, 25},
    {"very_small", "very small curves, 250 to 400 m", 250, 400, 70, 25},
    {"beyond", "R < 250 m, no zone of the standard", 0, 250, 50, 0},
};

double mean(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

// Whether each row is in a transition, and how far it has come.
struct Rows {
  std::vector<double> way;
  std::vector<bool> changes;
};

Rows rows_of(const TrackCourse& c) {
  Rows r;
  const std::size_t n = c.s.size();
  r.way.resize(n);
  for (std::size_t i = 1; i < n; ++i) r.way[i] = r.way[i - 1] + std::abs(c.s[i] - c.s[i - 1]);
  r.changes.resize(n);
  for (std::size_t i = 0, low = 0, high = 0; i < n; ++i) {
    while (low < i && r.way[low + 1] <= r.way[i] - look) ++low;
    while (high + 1 < n && r.way[high] < r.way[i] + look) ++high;
    const double d = r.way[high] - r.way[low];
    if (!(d > 0)) continue;
    r.changes[i] = std::abs(c.curvature[high] - c.curvature[low]) > curvature_rate * d ||
                   std::abs(c.cant[high] - c.cant[low]) > cant_rate * d;
  }
  return r;
}

TrackSection section(const TrackCourse& c, Zone zone, std::size_t run, std::size_t begin,
                     std::size_t end, double length) {
  const auto part = [&](const std::vector<double>& x) {
    return mean(std::span(x).subspan(begin, end - begin));
  };
  TrackSection s{zone, run, begin, end, length, part(c.curvature), part(c.speed), 0};
  s.cant_deficiency = cant_deficiency(s.speed, s.curvature, part(c.cant));
  return s;
}

// Rows of a constant curve, without what is near its ends, into sections.
void add_sections(const TrackCourse& c, const Rows& rows, std::size_t run, std::size_t begin,
                  std::size_t end, bool after, bool before, std::vector<TrackSection>& to) {
  const double from = rows.way[begin] + (after ? near_transition : 0);
  const double until = rows.way[end - 1] - (before ? near_transition : 0);
  while (begin < end && rows.way[begin] < from) ++begin;
  while (end > begin && rows.way[end - 1] > until) --end;
  if (end - begin < 2) return;
  const Zone zone = zone_of(mean(std::span(c.curvature).subspan(begin, end - begin)));
  const double length = data(zone).length, whole = rows.way[end - 1] - rows.way[begin];
  // a piece that is too short for one section, but not much, is one
  const auto count = static_cast<std::size_t>(whole / length);
  if (count == 0) {
    if (whole >= length / 2) to.push_back(section(c, zone, run, begin, end, whole));
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double last = rows.way[begin] + length;
    std::size_t next = begin;
    while (next < end && rows.way[next] < last) ++next;
    to.push_back(section(c, zone, run, begin, next, length));
    begin = next;
    if (begin >= end) return;
  }
}

}  // namespace

const ZoneData& data(Zone zone) { return zone_data[static_cast<std::size_t>(zone)]; }

Zone zone_of(double curvature) {
  const double k = std::abs(curvature);
  for (const Zone zone : zones)
    if (k * data(zone).least_radius < 1) return zone;
  return Zone::beyond;
}

double cant_deficiency(double speed, double curvature, double cant) {
  // left curves have positive curvature and their right, outer rail high: a negative angle
  const double inwards = speed * speed * curvature + 9.81 * std::sin(cant);
  return 1500 * inwards / 9.81 * (curvature < 0 ? -1 : 1);
}

Cut cut(const TrackCourse& c, std::size_t run) {
  const std::size_t n = c.s.size();
  if (n < 10) base::fail("a recording of {} rows is empty or too short to judge", n);
  const Rows rows = rows_of(c);
  Cut result;
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i;
    while (end < n && rows.changes[end] == rows.changes[i]) ++end;
    if (rows.changes[i])
      result.transitions.push_back({i, end, c.curvature[i], c.curvature[end - 1]});
    else
      add_sections(c, rows, run, i, end, i > 0, end < n, result.sections);
    i = end;
  }
  return result;
}

}  // namespace klingel::assess
