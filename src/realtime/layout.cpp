#include "realtime/layout.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "record/channel.hpp"

namespace klingel::realtime {
namespace {

bool is_friction(const std::string& name) { return name.starts_with("friction."); }

std::vector<LayoutSignal> chosen(const std::vector<capi::Variable>& variables,
                                 const std::vector<std::string>& patterns) {
  std::vector<record::Channel> channels;
  for (const capi::Variable& v : variables) channels.push_back({v.name, v.unit, v.about});
  std::vector<LayoutSignal> signals;
  for (const std::size_t i : record::select(channels, patterns))
    signals.push_back({variables[i].name, variables[i].unit, i, 0});
  return signals;
}

// Those that fit something.
std::vector<std::string> usual_outputs(const std::vector<capi::Variable>& variables) {
  std::vector<std::string> patterns;
  for (const char* p : {"speed", "s", "y_rel.*", "Y.*", "Q.*", "dq.*"}) {
    const auto fits = [p](const capi::Variable& v) { return record::matches(p, v.name); };
    if (std::any_of(variables.begin(), variables.end(), fits)) patterns.emplace_back(p);
  }
  return patterns;
}

std::vector<LayoutSignal> usual_inputs(const std::vector<capi::Variable>& variables) {
  std::vector<LayoutSignal> signals;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (!is_friction(variables[i].name))
      signals.push_back({variables[i].name, variables[i].unit, i, 0});
  return signals;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void set_safe(std::vector<LayoutSignal>& inputs, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::optional<double> value = equals == std::string::npos
                                          ? std::nullopt
                                          : number_of(std::string_view(text).substr(equals + 1));
  if (!value || !std::isfinite(*value))
    base::fail("--safe takes NAME=VALUE with a finite value, found '{}'", text);
  std::vector<std::string> names;
  for (LayoutSignal& s : inputs) {
    names.push_back(s.name);
    if (s.name != name) continue;
    s.safe = *value;
    return;
  }
  base::fail("--safe: the device has no input '{}'{}", name, base::did_you_mean(name, names));
}

// FNV-1a: names only have to differ.
std::uint32_t hash_of(const Layout& layout) {
  std::uint32_t hash = 2166136261u;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  };
  for (const LayoutSignal& s : layout.inputs) add(s.name), add("<");
  for (const LayoutSignal& s : layout.outputs) add(s.name), add(">");
  return hash;
}

}  // namespace

Frame Layout::input_frame() const {
  Frame frame(FrameKind::inputs, hash, inputs.size());
  constexpr double any = std::numeric_limits<double>::max();
  for (const LayoutSignal& s : inputs) {
    frame.least.push_back(is_friction(s.name) ? std::numeric_limits<double>::min() : -any);
    frame.most.push_back(is_friction(s.name) ? 2 : any);
  }
  return frame;
}

Frame Layout::output_frame() const { return {FrameKind::outputs, hash, outputs.size()}; }

std::vector<double> Layout::safe_inputs() const {
  std::vector<double> values;
  for (const LayoutSignal& s : inputs) values.push_back(s.safe);
  return values;
}

Layout layout_of(const capi::Model& model, const LayoutChoice& choice) {
  Layout layout;
  layout.model = model.name;
  const std::vector<capi::Variable>&inputs = model.of(capi::Kind::input),
        &outputs = model.of(capi::Kind::output);
  layout.inputs = choice.inputs.empty() ? usual_inputs(inputs) : chosen(inputs, choice.inputs);
  layout.outputs =
      chosen(outputs, choice.outputs.empty() ? usual_outputs(outputs) : choice.outputs);
  for (LayoutSignal& s : layout.inputs)
    if (is_friction(s.name)) s.safe = inputs[s.index].start;
  for (const std::string& text : choice.safe) set_safe(layout.inputs, text);
  layout.hash = hash_of(layout);
  return layout;
}

}  // namespace klingel::realtime
