#include "record/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace klingel::record {
namespace {

// "1: 17950, 2: 50": iterations and in how many steps
std::string iterations(const std::vector<std::int64_t>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const bool more = i + 1 == counts.size();
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : ", ", more ? i - 1 : i, more ? "+" : "",
                        counts[i]);
  }
  return text.empty() ? "none" : text;
}

void wheels(const RunSummary& s, std::string& text) {
  std::size_t width = 5;
  for (const WheelSummary& w : s.wheels) width = std::max(width, w.name.size());
  text += fmt::format("\n{:<{}}  N min   N max  flange   Q min   Q max   |Y| max  Y/Q max   lift\n",
                      "wheel", width);
  text += fmt::format("{:<{}}     kN      kN      kN      kN      kN        kN        1      s\n",
                      "", width);
  for (const WheelSummary& w : s.wheels) {
    text += fmt::format(
        "{:<{}}{:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>9.2f} {:>8.3f} {:>6.3g}\n", w.name,
        width, w.min_N / 1e3, w.max_N / 1e3, w.max_Nf / 1e3, w.min_Q / 1e3, w.max_Q / 1e3,
        w.max_Y / 1e3, w.max_YQ, w.lift);
  }
}

// one line per kind: how often, when first, which wheels
void events(const RunSummary& s, std::string& text) {
  if (s.events.empty()) {
    text += "\nno events\n";
    return;
  }
  text += "\nevents\n";
  std::vector<step::Event::Kind> kinds;
  for (const step::Event& e : s.events)
    if (std::find(kinds.begin(), kinds.end(), e.kind) == kinds.end()) kinds.push_back(e.kind);
  for (const step::Event::Kind kind : kinds) {
    std::vector<std::int64_t> by_wheel(s.wheels.size());
    std::int64_t count = 0;
    const step::Event* first = nullptr;
    for (const step::Event& e : s.events) {
      if (e.kind != kind) continue;
      if (first == nullptr) first = &e;
      ++count;
      if (e.wheel < by_wheel.size()) ++by_wheel[e.wheel];
    }
    text += fmt::format("  {:<16}{:>6} times, first at {:.4g} s ({:.3g} {}):", step::name(kind),
                        count, first->t, first->value, unit(kind));
    for (std::size_t i = 0; i < by_wheel.size(); ++i)
      if (by_wheel[i] > 0) text += fmt::format(" {} {}", s.wheels[i].name, by_wheel[i]);
    text += '\n';
  }
  if (s.events_left_out > 0)
    text += fmt::format("  and {} more, not recorded\n", s.events_left_out);
}

}  // namespace

std::string summary_text(const RunSummary& s) {
  std::string text = fmt::format(
      "{}: {:.6g} s in {} steps of {:g} ms, {:.3g} s run time: {:.3g} times real time\n",
      name(s.end), s.t_end - s.t_begin, s.steps, 1e3 * s.step, s.wall, s.real_time_factor);
  if (!s.message.empty()) text += fmt::format("  {}\n", s.message);
  text += fmt::format(
      "  run time per step  mean {:.1f}, median {:.1f}, 99th percentile {:.1f}, maximum {:.1f} "
      "us\n",
      1e6 * s.step_mean, 1e6 * s.step_p50, 1e6 * s.step_p99, 1e6 * s.step_max);
  if (s.loaded) {
    text += fmt::format("  repeated solutions {}\n", iterations(s.newton_q));
  } else {
    text += fmt::format("  corrections of q   {}\n", iterations(s.newton_q));
    text += fmt::format("  corrections of s   {}\n", iterations(s.newton_s));
    text += fmt::format("  maximum residual   {:.2g} m\n", s.max_phi);
  }
  if (s.has_balance) {
    text += fmt::format("  energy error       {:.3g} J of {:.3g} J exchanged\n", s.energy.error(),
                        s.energy.exchanged);
    text += fmt::format(
        "  work               creep {:.4g} J, dampers {:.4g} J, inputs {:.4g} J, "
        "normal forces {:.3g} J\n",
        s.energy.creep, s.energy.dampers, s.energy.inputs, s.energy.normal_gain());
  }
  wheels(s, text);
  events(s, text);
  for (const std::string& w : s.warnings) text += fmt::format("warning: {}\n", w);
  return text;
}

}  // namespace klingel::record
