#include "record/summary.hpp"

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/version.hpp"

namespace klingel::record {
namespace {

using base::Json;

// wheel -> value
void by_wheel(Json& json, const char* key, const RunSummary& s, double WheelSummary::*value) {
  json.key(key).begin_object();
  for (const WheelSummary& w : s.wheels) json.key(w.name).value(w.*value);
  json.end_object();
}

void histogram(Json& json, const char* key, const std::vector<std::int64_t>& counts) {
  json.key(key).begin_array(true);
  for (const std::int64_t n : counts) json.value(n);
  json.end_array();
}

void step_histogram(Json& json, const RunSummary& s) {
  json.key("step_wall_histogram").begin_object().key("upper_us").begin_array(true);
  for (const StepTimes::Bar& bar : s.step_bars) json.value(1e6 * bar.upper);
  json.end_array().key("count").begin_array(true);
  for (const StepTimes::Bar& bar : s.step_bars) json.value(bar.count);
  json.end_array().end_object();
}

void events(Json& json, const RunSummary& s) {
  json.key("events").begin_array();
  for (const step::Event& e : s.events) {
    json.begin_object();
    json.key("kind").value(step::name(e.kind));
    json.key("wheel").value(e.wheel < s.wheels.size() ? s.wheels[e.wheel].name : "");
    json.key("t").value(e.t).key("step").value(e.step);
    json.key("value").value(e.value).key("unit").value(unit(e.kind));
    json.end_object();
  }
  json.end_array();
  json.key("events_left_out").value(s.events_left_out);
}

void energy(Json& json, const RunSummary& s) {
  json.key("energy");
  if (!s.has_balance) {
    json.null();
    return;
  }
  const step::EnergyBalance& b = s.energy;
  json.begin_object();
  json.key("start_J").value(b.start).key("kinetic_J").value(b.kinetic);
  json.key("potential_J").value(b.potential).key("contacts_J").value(b.contacts);
  json.key("inputs_J").value(b.inputs).key("dampers_J").value(b.dampers);
  json.key("creep_J").value(b.creep).key("normal_J").value(b.normal);
  json.key("impacts_J").value(b.impacts);
  if (b.track != 0) json.key("track_J").value(b.track);
  json.key("normal_gain_J").value(b.normal_gain()).key("exchanged_J").value(b.exchanged);
  json.key("error_J").value(b.error());
  json.key("relative_error").value(b.exchanged > 0 ? b.error() / b.exchanged : 0.0);
  json.end_object();
}

}  // namespace

std::string_view name(RunEnd end) {
  switch (end) {
    case RunEnd::completed:
      return "completed";
    case RunEnd::end_of_track:
      return "end of track";
    case RunEnd::derailed:
      return "derailed";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::failed:
      return "failed";
  }
  return "";
}

std::string_view unit(step::Event::Kind kind) {
  using Kind = step::Event::Kind;
  if (kind == Kind::release) return "N";
  return kind == Kind::fallback ? "1" : "m";
}

std::string summary_json(const RunSummary& s) {
  Json json;
  json.begin_object();
  json.key("program").value("klingel").key("version").value(base::version);
  json.key("vehicle").value(s.vehicle).key("scenario").value(s.scenario);
  json.key("track").value(s.track).key("integrator").value(s.integrator);
  json.key("law").value(s.law).key("step_s").value(s.step);
  json.key("completed").value(s.end == RunEnd::completed);
  json.key("end").value(name(s.end)).key("message").value(s.message);
  json.key("t_begin").value(s.t_begin).key("t_end").value(s.t_end).key("steps").value(s.steps);
  json.key("wall_s").value(s.wall).key("real_time_factor").value(s.real_time_factor);
  json.key("step_wall_us").begin_object();
  json.key("mean").value(1e6 * s.step_mean).key("p50").value(1e6 * s.step_p50);
  json.key("p99").value(1e6 * s.step_p99).key("max").value(1e6 * s.step_max);
  json.end_object();
  step_histogram(json, s);
  json.key("max_phi_m").value(s.max_phi);
  by_wheel(json, "min_N", s, &WheelSummary::min_N);
  by_wheel(json, "max_N", s, &WheelSummary::max_N);
  by_wheel(json, "max_Nf", s, &WheelSummary::max_Nf);
  by_wheel(json, "max_Y", s, &WheelSummary::max_Y);
  by_wheel(json, "min_Q", s, &WheelSummary::min_Q);
  by_wheel(json, "max_Q", s, &WheelSummary::max_Q);
  by_wheel(json, "max_YQ", s, &WheelSummary::max_YQ);
  by_wheel(json, "lift_s", s, &WheelSummary::lift);
  histogram(json, "newton_q", s.newton_q);
  histogram(json, "newton_s", s.newton_s);
  energy(json, s);
  json.key("assessment");
  write(json, s.assessment);
  json.key("warnings").begin_array();
  for (const std::string& w : s.warnings) json.value(w);
  json.end_array();
  events(json, s);
  json.end_object();
  return json.text();
}

void write_summary(const RunSummary& summary, const std::filesystem::path& path) {
  base::write_file(path, summary_json(summary));
}

}  // namespace klingel::record
