#include "estimate/estimate_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "base/number.hpp"

namespace klingel::estimate {
namespace {

void write(base::Json& json, const char* key, const Consistency& c) {
  json.key(key).begin_object();
  json.key("steps").value(static_cast<std::int64_t>(c.count));
  json.key("mean").value(c.mean).key("expected").value(c.expected);
  json.key("low_95").value(c.low).key("high_95").value(c.high);
  json.key("inside_95").value(c.inside).end_object();
}

void write(base::Json& json, const RunResult& r) {
  const auto whole = [&](const char* key, std::uint64_t value) {
    json.key(key).value(static_cast<std::int64_t>(value));
  };
  json.begin_object();
  whole("run", r.run);
  json.key("failure").value(r.failure).key("t_end").value(r.t_end);
  whole("elements", r.elements), whole("sensors", r.sensors);
  json.key("errors").begin_array();
  for (const Errors& e : r.errors) {
    json.begin_object().key("name").value(e.name).key("unit").value(e.unit);
    whole("steps", e.count);
    json.key("truth_mean").value(e.truth_mean).key("truth_deviation").value(e.truth_deviation);
    json.key("mean_error").value(e.mean).key("rms_error").value(e.rms);
    json.key("largest_error").value(e.largest).key("sigma").value(e.sigma);
    json.key("inside_2_sigma").value(e.inside);
    if (!e.bands.empty()) {
      json.key("waves").begin_array();
      for (const WaveBand& band : e.bands) {
        json.begin_object().key("shortest").value(band.shortest).key("longest").value(band.longest);
        json.key("truth_rms").value(band.truth).key("error_rms").value(band.error).end_object();
      }
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
  write(json, "nis", r.nis);
  write(json, "nees", r.nees);
  whole("samples", r.samples), whole("missing", r.missing), whole("late", r.late);
  whole("outliers", r.outliers), whole("one_sided_columns", r.one_sided);
  whole("lost_points", r.lost_points);
  const auto time = [&](const char* key, const std::optional<double>& t) {
    json.key(key);
    t ? json.value(*t) : json.null();
  };
  time("false_alarm", r.false_alarm), time("alarm", r.alarm);
  json.key("step_us").begin_object().key("median").value(r.times.median);
  json.key("p99").value(r.times.p99).key("largest").value(r.times.largest).end_object();
  json.key("warnings").begin_array();
  for (const std::string& w : r.warnings) json.value(w);
  json.end_array().end_object();
}

}  // namespace

RunsSummary summary_of(const std::vector<RunResult>& runs) {
  std::vector<const RunResult*> good;
  for (const RunResult& r : runs)
    if (r.failure.empty()) good.push_back(&r);
  RunsSummary s;
  s.runs = good.size();
  if (good.empty()) return s;
  const auto range = [&](auto value) {
    std::vector<double> values;
    for (const RunResult* r : good)
      if (const double x = value(*r); std::isfinite(x)) values.push_back(x);
    if (values.empty()) return Range{};
    std::sort(values.begin(), values.end());
    return Range{values.front(), values[values.size() / 2], values.back()};
  };
  for (std::size_t i = 0; i < good.front()->errors.size(); ++i) {
    const Errors& first = good.front()->errors[i];
    if (first.count == 0) continue;
    RunsOf q;
    q.name = first.name, q.unit = first.unit, q.wave_bands = first.bands;
    q.rms = range([&](const RunResult& r) { return r.errors[i].rms; });
    q.dynamic = range([&](const RunResult& r) {
      const Errors& e = r.errors[i];
      return e.truth_deviation > 1e-4 * e.rms ? e.dynamic() : std::nan("");
    });
    for (const RunResult* r : good) {
      q.sigma += r->errors[i].sigma / static_cast<double>(good.size());
      q.inside += r->errors[i].inside / static_cast<double>(good.size());
    }
    for (std::size_t band = 0; band < first.bands.size(); ++band)
      q.waves.push_back(range([&](const RunResult& r) {
        const std::vector<WaveBand>& bands = r.errors[i].bands;
        // NaN: the truth has no such waves
        return bands.size() == first.bands.size() &&
                       bands[band].truth > 0.01 * r.errors[i].truth_deviation
                   ? bands[band].error / bands[band].truth
                   : std::nan("");
      }));
    s.quantities.push_back(std::move(q));
  }
  s.nis = range([](const RunResult& r) { return r.nis.mean; });
  s.nees = range([](const RunResult& r) { return r.nees.mean; });
  s.nis_expected = good.front()->nis.expected, s.nees_expected = good.front()->nees.expected;
  return s;
}

AlarmCount count_alarms(const Alarm& alarm, const std::vector<RunResult>& runs) {
  AlarmCount c;
  std::vector<double> times;
  for (const RunResult& r : runs) {
    if (!r.failure.empty()) continue;
    ++c.runs;
    c.false_alarms += r.false_alarm.has_value();
    if (r.alarm) times.push_back(*r.alarm - alarm.event);
  }
  c.detected = times.size();
  if (times.empty()) return c;
  std::sort(times.begin(), times.end());
  c.median = times[times.size() / 2], c.slowest = times.back();
  return c;
}

std::string estimate_json(const Estimate& file, const std::vector<RunResult>& runs) {
  base::Json json;
  json.begin_object().key("name").value(file.name).key("about").value(file.about);
  if (file.alarm) {
    const AlarmCount c = count_alarms(*file.alarm, runs);
    json.key("alarm").begin_object().key("name").value(file.alarm->name);
    json.key("runs").value(static_cast<std::int64_t>(c.runs));
    json.key("false_alarms").value(static_cast<std::int64_t>(c.false_alarms));
    json.key("detected").value(static_cast<std::int64_t>(c.detected));
    json.key("median_delay").value(c.median).key("longest_delay").value(c.slowest).end_object();
  }
  json.key("runs").begin_array();
  for (const RunResult& r : runs) write(json, r);
  json.end_array().end_object();
  return json.text();
}

std::string runs_csv(const std::vector<RunResult>& runs) {
  std::string text =
      "run,failed,t_end,false_alarm,alarm,nis,nis_expected,nees,nees_expected,outliers";
  if (!runs.empty())
    for (const Errors& e : runs.front().errors) text += ",rms_error." + e.name;
  text += "\n";
  for (const RunResult& r : runs) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}", r.run, r.failure.empty() ? 0 : 1, r.t_end,
                        r.false_alarm ? fmt::format("{}", *r.false_alarm) : "nan",
                        r.alarm ? fmt::format("{}", *r.alarm) : "nan", r.nis.mean, r.nis.expected,
                        r.nees.mean, r.nees.expected, r.outliers);
    for (const Errors& e : r.errors) text += fmt::format(",{}", e.rms);
    text += "\n";
  }
  return text;
}

}  // namespace klingel::estimate
