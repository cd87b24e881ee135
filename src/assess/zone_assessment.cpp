#include "assess/zone_assessment.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assess/filter.hpp"
#include "assess/sliding_mean.hpp"
#include "base/error.hpp"

namespace klingel::assess {
namespace {

using Column = std::vector<double>;

Column filtered(const Column& x, Filter filter) {
  Column y;
  y.reserve(x.size());
  for (const double v : x) y.push_back(filter.add(v));
  return y;
}

// Means over a window of distance, each at the row at which its window ends.
Column sliding(const TrackCourse& c, const Column& x, double window, std::size_t cells) {
  Column y(x.size(), std::nan(""));
  SlidingMean mean(window, cells);
  double last = std::nan("");
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean.add(c.t[i], i > 0 ? c.s[i] - c.s[i - 1] : 0, x[i], [&](double m, double) { last = m; });
    y[i] = last;
  }
  return y;
}

Column sum(const Column& a, const Column& b) {
  Column y(a);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += b[i];
  return y;
}

Column quotient(const Column& Y, const Column& Q, double sign) {
  constexpr double least = 1e3;  // N, as force_assessor.hpp
  Column y(Y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = Q[i] < least ? std::nan("") : sign * Y[i] / Q[i];
  return y;
}

// rms over 100 m of the band that has the largest.
Column instability(const TrackCourse& c, const Column& sum_Y) {
  Column most(sum_Y.size(), std::nan(""));
  for (double f0 = 3; f0 <= 12; ++f0) {
    Column x = filtered(sum_Y, band_pass(f0 - 2, f0 + 2, c.interval));
    for (double& v : x) v *= v;
    const Column mean = sliding(c, x, 100, 100);
    for (std::size_t i = 0; i < most.size(); ++i)
      if (std::isfinite(mean[i]) && !(std::sqrt(mean[i]) <= most[i])) most[i] = std::sqrt(mean[i]);
  }
  return most;
}

// Signals of a quantity: one that is always looked at, or one for each side of the track.
struct Sides {
  Column left, right;  // right may be empty: then the first is looked at
};

Sides signals(const Quantity& q, const RunSignals& run, std::size_t index) {
  const TrackCourse& c = run.course;
  const auto low = [&](const Column& x, double f) { return filtered(x, low_pass(f, c.interval)); };
  const auto band = [&](const Column& x, double a, double b) {
    return filtered(x, band_pass(a, b, c.interval));
  };
  if (q.of_wheelset) {
    const WheelsetSignal& w = run.wheelsets[index];
    if (q.key == "sum_Y") return {sliding(c, low(sum(w.left.Y, w.right.Y), 20), 2, 20), {}};
    if (q.key == "instability") return {instability(c, sum(w.left.Y, w.right.Y)), {}};
    if (q.key == "Q" || q.key == "Q_qst") return {low(w.left.Q, 20), low(w.right.Q, 20)};
    if (q.key == "Y_qst") return {low(w.left.Y, 20), low(w.right.Y, 20)};
    // Y/Q: towards the middle of the track is to the right for a left wheel
    const auto YQ = [&](const WheelSignal& wheel, double sign) {
      return sliding(c, quotient(low(wheel.Y, 20), low(wheel.Q, 20), sign), 2, 20);
    };
    return {YQ(w.left, -1), YQ(w.right, 1)};
  }
  const FloorSignal& f = run.floor[index];
  if (q.key == "y_safety" || q.key == "y_qst") return {low(f.a[1], 6), {}};
  if (q.key == "z_safety") return {band(f.a[2], 0.4, 4), {}};
  if (q.key == "y_ride" || q.key == "y_rms") return {band(f.a[1], 0.4, 10), {}};
  return {band(f.a[2], 0.4, 10), {}};
}

double read(Reading reading, const Column& signal, const TrackSection& s) {
  Column x;
  for (std::size_t i = s.begin; i < s.end; ++i)
    if (std::isfinite(signal[i])) x.push_back(signal[i]);
  if (x.empty()) return std::nan("");
  switch (reading) {
    case Reading::extreme:
      return std::max(std::abs(percentile(x, 0.0015)), std::abs(percentile(x, 0.9985)));
    case Reading::upper:
      return percentile(x, 0.9985);
    case Reading::median:
      return std::abs(percentile(x, 0.5));
    case Reading::largest:
      return *std::max_element(x.begin(), x.end());
    default: {
      double squares = 0;
      for (const double v : x) squares += v * v;
      return std::sqrt(squares / static_cast<double>(x.size()));
    }
  }
}

double read(const Quantity& q, const Sides& of, const TrackSection& s) {
  if (of.right.empty()) return read(q.reading, of.left, s);
  // in curves the outer wheel: the right one in a left curve
  if (s.zone != Zone::straight) return read(q.reading, s.curvature > 0 ? of.right : of.left, s);
  return std::max(read(q.reading, of.left, s), read(q.reading, of.right, s));
}

void check(const std::vector<RunSignals>& runs) {
  if (runs.empty()) base::fail("there is nothing to judge: no recording was given");
  const auto names = [](const RunSignals& run) {
    std::vector<std::string> list;
    for (const WheelsetSignal& w : run.wheelsets) list.push_back(w.name);
    return list;
  };
  for (const RunSignals& run : runs) {
    if (run.vehicle != runs[0].vehicle || names(run) != names(runs[0]))
      base::fail("'{}' is a recording of the vehicle '{}' and '{}' of '{}': judge them one by one",
                 runs[0].name, runs[0].vehicle, run.name, run.vehicle);
  }
}

LimitOf limit_of(const RunSignals& run, const Quantity& q, std::size_t index,
                 const std::vector<const TrackSection*>& sections, const AssessOptions& options) {
  LimitOf of;
  of.freight = options.freight;
  if (q.of_wheelset) {
    const WheelsetSignal& w = run.wheelsets[index];
    of.P0 = w.left.Q0.value_or(0) + w.right.Q0.value_or(0);
    of.Q0 = of.P0 / 2;
  }
  double curvature = 0;
  for (const TrackSection* s : sections) curvature += std::abs(s->curvature);
  of.radius = static_cast<double>(sections.size()) / curvature;
  return of;
}

}  // namespace

double Judged::compared() const {
  if (two) return two->estimated;
  return one.estimated.value_or(one.largest);
}

std::optional<double> Judged::margin() const {
  if (!limit || *limit == 0) return {};
  return 1 - compared() / *limit;
}

ZoneAssessment assess_zones(const std::vector<RunSignals>& runs, const AssessOptions& options) {
  check(runs);
  ZoneAssessment result;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const TrackSection& s : cut(runs[r].course, r).sections) result.sections.push_back(s);
  std::map<Zone, std::vector<const TrackSection*>> by_zone;
  for (const TrackSection& s : result.sections) by_zone[s.zone].push_back(&s);

  for (const Quantity& q : quantities()) {
    std::size_t count = q.of_wheelset ? runs[0].wheelsets.size() : runs[0].floor.size();
    for (const RunSignals& run : runs)
      if (!q.of_wheelset) count = std::min(count, run.floor.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Sides> of;
      for (const RunSignals& run : runs) of.push_back(signals(q, run, i));
      for (const auto& [zone, sections] : by_zone) {
        if (q.in_curves_only && zone == Zone::straight) continue;
        Judged j;
        j.quantity = &q, j.zone = zone;
        j.of = q.of_wheelset ? runs[0].wheelsets[i].name : runs[0].floor[i].name;
        std::vector<double> deficiencies;
        for (const TrackSection* s : sections) {
          const double value = read(q, of[s->run], *s);
          if (!std::isfinite(value)) continue;
          j.values.push_back(value);
          deficiencies.push_back(s->cant_deficiency);
        }
        if (j.values.empty()) continue;
        j.one = one_dimensional(j.values, q.k);
        // a criterion that must hold everywhere has no statistics
        if (q.reading == Reading::largest) j.one.estimated.reset();
        if (options.cant_deficiency && zone != Zone::straight && q.reading != Reading::largest)
          j.two = two_dimensional(deficiencies, j.values, *options.cant_deficiency, q.confidence);
        j.limit = limit(q, zone, limit_of(runs[0], q, i, sections, options));
        result.judged.push_back(std::move(j));
      }
    }
  }
  std::stable_sort(result.judged.begin(), result.judged.end(),
                   [](const Judged& a, const Judged& b) { return a.zone < b.zone; });
  return result;
}

std::vector<const Judged*> worst(const ZoneAssessment& assessment) {
  std::vector<const Judged*> list;
  const auto size = [](const Judged& j) { return -j.margin().value_or(-j.compared()); };
  for (const Judged& j : assessment.judged) {
    const auto same = std::find_if(list.begin(), list.end(), [&](const Judged* other) {
      return other->quantity == j.quantity && other->zone == j.zone;
    });
    if (same == list.end())
      list.push_back(&j);
    else if (size(j) > size(**same))
      *same = &j;
  }
  return list;
}

}  // namespace klingel::assess
