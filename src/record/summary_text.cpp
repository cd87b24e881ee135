#include "record/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <type_traits>

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

// a number in a column, or a dash
template <class T>
std::string cell(const std::optional<T>& x, double scale, int width, int digits) {
  if (!x) return fmt::format("{:>{}}", "-", width);
  if constexpr (std::is_same_v<T, double>)
    return fmt::format("{:>{}.{}f}", *x / scale, width, digits);
  else
    return fmt::format("{:>{}.{}f}", x->value / scale, width, digits);
}

// What is judged, after filters; then what single steps had.
void wheels(const RunSummary& s, std::string& text) {
  std::size_t width = 5;
  for (const WheelSummary& w : s.wheels) width = std::max(width, w.name.size());
  text += fmt::format("\n{:<{}}  ---- low-pass 20 Hz ----  mean 2 m    ----- single steps ------\n",
                      "", width);
  text +=
      fmt::format("{:<{}}  Q min   Q max    Y max  Y/Q max      N min   N max  flange    lift\n",
                  "wheel", width);
  text += fmt::format(
      "{:<{}}     kN      kN       kN        1         kN      kN      kN       s\n", "", width);
  for (std::size_t i = 0; i < s.wheels.size(); ++i) {
    const WheelSummary& w = s.wheels[i];
    const assess::WheelAssessment a =
        i < s.assessment.wheels.size() ? s.assessment.wheels[i] : assess::WheelAssessment{};
    text +=
        fmt::format("{:<{}}{}{}{}{}  {:>9.2f} {:>7.2f} {:>7.2f} {:>7.3g}\n", w.name, width,
                    cell(a.Q_min, 1e3, 7, 2), cell(a.Q_max, 1e3, 8, 2), cell(a.Y, 1e3, 9, 2),
                    cell(a.YQ_2m, 1, 9, 3), w.min_N / 1e3, w.max_N / 1e3, w.max_Nf / 1e3, w.lift);
  }
  for (const assess::WheelsetAssessment& a : s.assessment.wheelsets)
    width = std::max(width, a.name.size());
  if (s.assessment.wheelsets.empty()) return;
  text += fmt::format("\n{:<{}}  sum Y, 20 Hz and 2 m    limit   instability  limit\n", "wheelset",
                      std::max<std::size_t>(width, 8));
  text += fmt::format("{:<{}}                    kN       kN            kN     kN\n", "",
                      std::max<std::size_t>(width, 8));
  for (const assess::WheelsetAssessment& a : s.assessment.wheelsets) {
    const std::optional<double> half = a.limit ? std::optional(*a.limit / 2) : std::nullopt;
    text += fmt::format("{:<{}}{}{}{}{}\n", a.name, std::max<std::size_t>(width, 8),
                        cell(a.sum_Y_2m, 1e3, 22, 2), cell(a.limit, 1e3, 9, 1),
                        cell(a.instability, 1e3, 14, 2), cell(half, 1e3, 7, 1));
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
  for (const std::string& w : s.warnings) text += fmt::format("warning: {}\n", w);
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
    if (s.energy.impacts < 0) {
      text += fmt::format("  lost in hits       {:.4g} J where rigid wheels met their rails\n",
                          -s.energy.impacts);
    }
    if (s.energy.track != 0)
      text += fmt::format("  moving rails       {:.4g} J of work on the wheels\n", s.energy.track);
  } else {
    text += "  energy error       not computed\n";
  }
  wheels(s, text);
  events(s, text);
  return text;
}

}  // namespace klingel::record
