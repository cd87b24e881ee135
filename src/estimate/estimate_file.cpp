#include "estimate/estimate_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/file.hpp"
#include "base/lookup.hpp"
#include "vehicle/document.hpp"

namespace klingel::estimate {
namespace {

constexpr base::DataKind estimates{"estimates", "estimate", ""};

using vehicle::Table;
using vehicle::Value;

double not_negative(Table& t, const char* key, double fallback) {
  const double value = t.number(key, fallback);
  if (value < 0) t.fail(key, fmt::format("{} is below zero", value));
  return value;
}

double share(Table& t, const char* key) {
  const double value = not_negative(t, key, 0);
  if (value >= 1) t.fail(key, fmt::format("expected a share from 0 to 1, found {}", value));
  return value;
}

study::ScenarioChanges changes_of(Table& t) {
  study::ScenarioChanges c;
  c.track = t.text("track", "");
  c.law = t.text("law", "");
  c.speed = t.optional_number("speed");
  c.position = t.optional_number("position");
  c.step = t.optional_number("step");
  c.duration = t.optional_number("duration");
  c.friction = t.optional_number("friction");
  if (std::optional<Table> parameters = t.table("parameters")) {
    for (const std::string& name : parameters->keys()) {
      const Value* value = parameters->find(name);
      std::string text = value->text;
      if (value->kind == Value::Kind::number) text = fmt::format("{}", value->number);
      if (text.empty()) parameters->fail(name, "expected a number or a formula");
      c.parameters.push_back({name, text});
    }
  }
  return c;
}

kalman::Setup::State state_of(Table& t) {
  kalman::Setup::State s;
  s.pattern = t.text("names");
  t.call("state '" + s.pattern + "'");
  s.sigma = t.positive("sigma");
  s.noise = not_negative(t, "noise", 0);
  t.refuse_unknown();
  return s;
}

void read_walk(Table& t, Estimate& e) {
  kalman::Setup::Walk w;
  w.name = t.text("name");
  t.call("parameter '" + w.name + "'");
  if (!w.name.starts_with("p.") && !w.name.starts_with("friction.") && !w.name.starts_with("u."))
    t.fail("name", fmt::format("expected p.NAME for a parameter of the vehicle, friction.all, "
                               "friction.WHEEL or u.NAME, found '{}'",
                               w.name));
  w.sigma = t.positive("sigma");
  w.noise = not_negative(t, "noise", 0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  w.least = t.has("least") ? t.number("least") : -infinity;
  w.most = t.has("most") ? t.number("most") : infinity;
  if (!(w.least < w.most)) t.fail("most", "must be larger than least");
  if (const std::optional<double> start = t.optional_number("start"))
    e.start.emplace_back(w.name, *start);
  t.refuse_unknown();
  e.setup.walks.push_back(w);
}

kalman::Setup::Irregularity irregularity_of(Table& t) {
  kalman::Setup::Irregularity i;
  const std::vector<std::string> channels = {"lateral", "vertical", "cross_level"};
  t.text("channel");
  const std::string channel = t.word("channel", channels, "");
  t.call("irregularity '" + channel + "'");
  i.part = static_cast<std::size_t>(std::find(channels.begin(), channels.end(), channel) -
                                    channels.begin());
  const std::vector<std::string> spectra = {"erri_low", "erri_high"};
  t.text("spectrum");
  const bool low = t.word("spectrum", spectra, "") == "erri_low";
  constexpr std::array of = {track::SpectrumOf::lateral, track::SpectrumOf::vertical,
                             track::SpectrumOf::cross_level};
  i.spectrum = track::erri_b176(
      low ? track::TrackQuality::low_disturbance : track::TrackQuality::high_disturbance,
      of[i.part]);
  const double scale = t.positive("scale", 1);
  i.spectrum.A *= scale * scale;
  i.wheelsets = t.text("wheelsets", "*");
  i.shortest = t.positive("shortest", i.shortest);
  i.longest = t.positive("longest", i.longest);
  if (!(i.shortest < i.longest)) t.fail("longest", "must be larger than shortest");
  i.reach = not_negative(t, "reach", i.reach);
  i.start = t.positive("start", i.start);
  t.refuse_unknown();
  return i;
}

void read_sensor(Table& t, Estimate& e) {
  std::vector<std::string> channels = t.texts("channels");
  if (t.has("channel")) channels.push_back(t.text("channel"));
  if (channels.empty()) t.fail("channel", "expected channel = \"...\" or channels = [...]");
  t.call("sensor '" + channels.front() + "'");
  SensorReality s;
  s.place = t.place(t.has("channel") ? "channel" : "channels");
  const double sigma = t.positive("sigma");
  s.noise = not_negative(t, "noise", sigma);
  s.bias = t.number("bias", 0);
  s.rate = not_negative(t, "rate", 0);
  s.delay = not_negative(t, "delay", 0);
  s.missing = share(t, "missing");
  s.outliers = share(t, "outliers");
  s.outlier_size = t.positive("outlier_size", 20);
  t.refuse_unknown();
  for (const std::string& channel : channels) {
    e.setup.sensors.push_back({channel, sigma});
    e.sensors.push_back(s);
    e.sensors.back().channel = channel;
  }
}

Change change_of(Table& t) {
  Change c;
  c.name = t.text("name");
  c.place = t.place("name");
  t.call("change '" + c.name + "'");
  c.t = not_negative(t, "t", 0);
  c.value = t.number("value");
  c.over = not_negative(t, "over", 0);
  t.refuse_unknown();
  return c;
}

Reality reality_of(Table& t, const std::filesystem::path& folder) {
  Reality r;
  t.call("truth");
  r.recording = t.text("recording", "");
  if (!r.recording.empty() && std::filesystem::path(r.recording).is_relative())
    r.recording = (folder / r.recording).string();
  r.run = t.text("run", "");
  r.changes = changes_of(t);
  r.track_seed = t.integer("track_seed", 0);
  for (Table& change : t.tables("change")) r.events.push_back(change_of(change));
  if (!r.recording.empty() && (!r.run.empty() || !r.events.empty()))
    t.fail("recording", "a recording and a twin exclude each other");
  t.refuse_unknown();
  return r;
}

Alarm alarm_of(Table& t) {
  Alarm a;
  t.call("alarm");
  a.name = t.text("name");
  a.place = t.place("name");
  a.below = t.optional_number("below");
  a.above = t.optional_number("above");
  if (a.below.has_value() == a.above.has_value())
    t.fail("name", "expected either below = ... or above = ...");
  a.sigmas = not_negative(t, "sigmas", 2);
  a.hold = not_negative(t, "hold", 0);
  a.event = not_negative(t, "event", 0);
  t.refuse_unknown();
  return a;
}

void read_filter(Table& t, Estimate& e) {
  t.call("filter");
  const std::vector<std::string> methods = {"extended", "unscented"};
  e.setup.filter.method = t.word("method", methods, "extended") == "extended"
                              ? kalman::Method::extended
                              : kalman::Method::unscented;
  e.setup.filter.gate = not_negative(t, "gate", 5);
  const auto whole = [&](const char* key) {
    const std::int64_t value = t.integer(key, 0);
    if (value < 0) t.fail(key, fmt::format("{} is below zero", value));
    return static_cast<std::size_t>(value);
  };
  e.setup.columns = whole("columns");
  e.setup.filter.most_outliers = whole("most_outliers");
  t.refuse_unknown();
}

}  // namespace

Estimate parse_estimate(std::string_view text, const std::string& file) {
  const vehicle::Document document = vehicle::Document::parse(text, file);
  Table root = document.root();
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  Estimate e;
  e.file = file;
  e.text = text;
  Table head = root.required_table("estimate");
  head.call("estimate");
  e.name = head.text("name");
  if (e.name.empty() || e.name.find_first_of("/\\ \t\n,\"") != std::string::npos)
    head.fail("name", fmt::format("'{}' cannot be a name: letters, digits and '_'", e.name));
  e.about = head.text("about", "");
  e.run = head.text("run");
  e.changes = changes_of(head);
  const std::int64_t seed = head.integer("seed", 1), runs = head.integer("runs", 1);
  if (seed < 0) head.fail("seed", "a seed is a whole number from 0");
  if (runs < 1 || runs > 100'000) head.fail("runs", "must be from 1 to 100000");
  e.seed = static_cast<std::uint64_t>(seed), e.runs = static_cast<std::size_t>(runs);
  e.settle = not_negative(head, "settle", 1);
  e.interval = head.positive("interval", 0.01);
  e.setup.outputs = head.texts("outputs");
  e.setup.without = head.texts("without");
  head.refuse_unknown();
  for (Table& t : root.tables("state")) e.setup.states.push_back(state_of(t));
  for (Table& t : root.tables("parameter")) read_walk(t, e);
  for (Table& t : root.tables("irregularity")) e.setup.irregularities.push_back(irregularity_of(t));
  for (Table& t : root.tables("sensor")) read_sensor(t, e);
  if (std::optional<Table> t = root.table("filter")) read_filter(*t, e);
  if (std::optional<Table> t = root.table("truth")) e.reality = reality_of(*t, folder);
  if (std::optional<Table> t = root.table("alarm")) {
    e.alarm = alarm_of(*t);
    const bool known = std::any_of(e.setup.walks.begin(), e.setup.walks.end(),
                                   [&](const auto& w) { return w.name == e.alarm->name; });
    if (!known)
      base::fail_at(e.alarm->place, "the alarm is of '{}', which is no [[parameter]] of the file",
                    e.alarm->name);
  }
  root.refuse_unknown();
  if (e.setup.states.empty())
    head.fail("name", "no [[state]] is estimated; add one, such as names = \"*\"");
  if (e.setup.sensors.empty()) head.fail("name", "there is no [[sensor]]");
  if (!e.reality.recording.empty() && e.runs > 1)
    head.fail("runs", "a recording is one run; several need a twin");
  return e;
}

bool names_estimate(const std::string& name) {
  const std::filesystem::path path = base::look_up(estimates, name, {});
  if (path.empty()) return false;
  if (path.extension() != ".toml") return false;
  return vehicle::Document::load(path).root().has("estimate");
}

Estimate load_estimate(const std::string& name) {
  const std::filesystem::path path = base::find_file(estimates, name);
  return parse_estimate(base::read_file(path), path.string());
}

}  // namespace klingel::estimate
