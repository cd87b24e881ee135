#include "scene/live_page.hpp"

#include <algorithm>
#include <span>

#include "base/json.hpp"
#include "report/page.hpp"
#include "report/page_recording.hpp"
#include "scene/scene.hpp"

namespace klingel::scene {
namespace {

// only what is known before a run
std::string summary_of(const compile::PreparedRun& p) {
  assess::Assessment limits;
  set_nadal_limit(p, limits);
  base::Json json;
  json.begin_object();
  json.key("vehicle").value(p.vehicle.name).key("scenario").value(p.scenario.name);
  json.key("track").value(p.track.name).key("integrator").value(p.scenario.integrator);
  json.key("law").value(p.scenario.law).key("step_s").value(p.scenario.step);
  json.key("warnings").begin_array();
  for (const std::string& w : p.description->warnings) json.value(w);
  json.end_array();
  if (limits.nadal_limit) {
    json.key("assessment").begin_object();
    json.key("nadal_limit").value(*limits.nadal_limit).end_object();
  }
  json.end_object();
  return json.text();
}

std::string live_json(const compile::PreparedRun& p, const std::vector<view::Control>& controls,
                      std::span<const double> values, bool watch) {
  base::Json json;
  json.begin_object().key("version").value(1);
  json.key("stream").value("/live").key("step_s").value(p.scenario.step);
  json.key("watch").value(watch);
  json.key("controls").begin_array();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const view::Control& c = controls[i];
    json.begin_object().key("name").value(c.name).key("unit").value(c.unit);
    json.key("low").value(c.low).key("high").value(c.high).key("value").value(values[i]);
    json.key("count").value(c.inputs.size()).end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace

std::vector<view::Control> controls_of(const compile::PreparedRun& p) {
  std::vector<view::Control> controls;
  const std::vector<std::string>& names = p.simulator->input_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto input = std::find_if(p.vehicle.inputs.begin(), p.vehicle.inputs.end(),
                                    [&](const vehicle::Input& v) { return v.name == names[i]; });
    if (input == p.vehicle.inputs.end() || !input->slider) continue;
    const view::Control fresh{names[i].substr(names[i].rfind('.') + 1),
                              input->unit,
                              (*input->slider)[0],
                              (*input->slider)[1],
                              {}};
    auto same = std::find_if(controls.begin(), controls.end(), [&](const view::Control& c) {
      return c.name == fresh.name && c.unit == fresh.unit && c.low == fresh.low &&
             c.high == fresh.high;
    });
    if (same == controls.end()) same = controls.insert(same, fresh);
    same->inputs.push_back(i);
  }
  // ice to dry rails with sand
  controls.push_back({"friction", "", 0.02, 0.6, {}});
  return controls;
}

void LivePage::motion(std::vector<double>& values) {
  const step::VehicleState& state = p_.simulator->state();
  std::vector<double> s_r;
  for (const step::PointState& point : state.tread) s_r.push_back(point.s[2]);
  motion(state.q, s_r, values);
}

void LivePage::motion(std::span<const double> q, std::span<const double> s_r,
                      std::vector<double>& values) {
  const std::span<const ScenePoses::Pose> at = poses_.at(q);
  for (const ScenePoses::Pose& pose : at) {
    const std::array<double, 7> place = place_and_turn(pose);
    values.insert(values.end(), place.begin(), place.end());
  }
  const std::vector<step::WheelData>& wheels = p_.simulator->data().wheels;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const std::array<double, 3> place =
        wheel_in_section(p_, i, at[poses_.still_frame(wheels[i].wheelset)], s_r[i]);
    values.insert(values.end(), place.begin(), place.end());
  }
}

std::string LivePage::html(std::span<const double> values,
                           const std::vector<record::Channel>& channels,
                           const std::vector<view::Control>& controls, bool watch) {
  const std::string about = live_json(p_, controls, values, watch);
  values = values.subspan(controls.size());
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < channels.size(); ++i) columns.push_back({values[i]});
  values = values.subspan(channels.size());
  record::SceneMotion motion;
  motion.frames.resize(poses_.names().size());
  motion.wheels.resize(p_.simulator->data().wheels.size());
  for (auto& frame : motion.frames) {
    for (std::size_t k = 0; k < 7; ++k) frame[k] = {values[k]};
    values = values.subspan(7);
  }
  for (auto& wheel : motion.wheels) {
    for (std::size_t k = 0; k < 3; ++k) wheel[k] = {values[k]};
    values = values.subspan(3);
  }
  // from a little behind the start as far as the track goes; rails are many triangles
  constexpr double behind = 60, most = 4000;  // m
  const double begin = p_.scenario.position - behind;
  const record::Scene picture = scene(p_, poses_, begin, begin + most);
  const std::string recording = report::page_recording(record::Recording(channels, columns, {}),
                                                       summary_of(p_), &picture, &motion);
  return report::page(report::page_template(), recording, about);
}

}  // namespace klingel::scene
