#include "track/irregularity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/nearest.hpp"

namespace klingel::track {
namespace {

constexpr double turn = 2 * std::numbers::pi;

struct Name {
  Channel channel;
  const char* text;
};
constexpr std::array<Name, 8> names{{
    {Channel::left_vertical, "left_vertical"},
    {Channel::right_vertical, "right_vertical"},
    {Channel::left_lateral, "left_lateral"},
    {Channel::right_lateral, "right_lateral"},
    {Channel::vertical, "vertical"},
    {Channel::lateral, "lateral"},
    {Channel::cross_level, "cross_level"},
    {Channel::gauge, "gauge"},
}};

double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * t * (10 + t * (-15 + 6 * t));
}

[[noreturn]] void refuse(const Irregularity& irregularity, const std::string& what) {
  const std::string text =
      fmt::format("irregularity '{}': {}", track::text(irregularity.channel), what);
  if (irregularity.place.file.empty()) throw base::Error(text);
  throw base::Error(irregularity.place, text);
}

double signal_value(const Harmonic& h, double s) {
  return h.amplitude * std::sin(turn * s / h.wavelength + h.phase);
}
double signal_value(const Measured& m, double s) { return m.values.value(s); }
double signal_value(const RandomWaves& r, double s) { return value(r.waves, s); }

// how much of the signal is there: 0 outside, 1 inside, between them where it fades
double share(const Irregularity& irregularity, double s) {
  if (!(s >= irregularity.from && s <= irregularity.to)) return 0;
  if (!(irregularity.fade > 0)) return 1;
  return smooth_step((s - irregularity.from) / irregularity.fade) *
         smooth_step((irregularity.to - s) / irregularity.fade);
}

void move(Channel channel, double v, RailDeviation& d) {
  switch (channel) {
    case Channel::left_vertical:
      d.left_vertical += v;
      break;
    case Channel::right_vertical:
      d.right_vertical += v;
      break;
    case Channel::left_lateral:
      d.left_lateral += v;
      break;
    case Channel::right_lateral:
      d.right_lateral += v;
      break;
    case Channel::vertical:
      d.left_vertical += v, d.right_vertical += v;
      break;
    case Channel::lateral:
      d.left_lateral += v, d.right_lateral += v;
      break;
    case Channel::cross_level:
      d.left_vertical += 0.5 * v, d.right_vertical -= 0.5 * v;
      break;
    case Channel::gauge:
      d.left_lateral += 0.5 * v, d.right_lateral -= 0.5 * v;
      break;
  }
}

}  // namespace

Irregularity::Irregularity()
    : from(-std::numeric_limits<double>::infinity()), to(std::numeric_limits<double>::infinity()) {}

const char* text(Channel channel) { return names[static_cast<std::size_t>(channel)].text; }

std::vector<std::string> channel_names() {
  std::vector<std::string> list;
  for (const Name& n : names) list.emplace_back(n.text);
  return list;
}

Channel channel_of(std::string_view name) {
  for (const Name& n : names) {
    if (name == n.text) return n.channel;
  }
  base::fail("unknown channel '{}'{}", name, base::did_you_mean(name, channel_names()));
}

double value(const Irregularity& irregularity, double s) noexcept {
  const double part = share(irregularity, s);
  if (part == 0) return 0;
  return part * std::visit([s](const auto& signal) { return signal_value(signal, s); },
                           irregularity.signal);
}

std::vector<RailDeviation> deviations(std::span<const Irregularity> irregularities,
                                      DeviationFrame frame, std::span<const double> s) {
  std::vector<RailDeviation> result(s.size());
  for (const Irregularity& irregularity : irregularities) {
    if (irregularity.frame != frame) continue;
    // sums of a thousand waves are worth a faster way
    std::vector<double> sums;
    const auto* random = std::get_if<RandomWaves>(&irregularity.signal);
    if (random != nullptr) sums = values(random->waves, s);
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double v =
          random != nullptr ? share(irregularity, s[i]) * sums[i] : value(irregularity, s[i]);
      move(irregularity.channel, v, result[i]);
    }
  }
  return result;
}

double shortest_wavelength(const Irregularity& irregularity) {
  if (const auto* h = std::get_if<Harmonic>(&irregularity.signal)) return h->wavelength;
  double shortest = std::numeric_limits<double>::infinity();
  if (const auto* r = std::get_if<RandomWaves>(&irregularity.signal)) {
    for (const Wave& w : r->waves) shortest = std::min(shortest, turn / w.omega);
    return shortest;
  }
  const auto knots = std::get<Measured>(irregularity.signal).values.knots();
  for (std::size_t i = 1; i < knots.size(); ++i) {
    shortest = std::min(shortest, 2 * (knots[i] - knots[i - 1]));
  }
  return shortest;
}

void check(const Irregularity& irregularity, double begin, double end) {
  const Irregularity& i = irregularity;
  if (!(i.from < i.to)) {
    refuse(i, fmt::format("'to' must be behind 'from', found {} m after {} m", i.to, i.from));
  }
  if (!(i.fade >= 0) || 2 * i.fade > i.to - i.from) {
    refuse(i, fmt::format("'fade' must lie between 0 and half the way from 'from' to 'to', found "
                          "{} m",
                          i.fade));
  }
  if (i.fade > 0 && !std::isfinite(i.from)) {
    refuse(i, "'fade' needs 'from': where the irregularity begins");
  }
  if (const auto* h = std::get_if<Harmonic>(&i.signal)) {
    if (!std::isfinite(h->amplitude) || !std::isfinite(h->phase)) {
      refuse(i, "amplitude and phase must be finite numbers");
    }
    if (!(h->wavelength > 0) || !std::isfinite(h->wavelength)) {
      refuse(i, fmt::format("the wavelength must be positive, found {} m", h->wavelength));
    }
  }
  if (const auto* m = std::get_if<Measured>(&i.signal)) {
    const double from = std::max(i.from, begin), to = std::min(i.to, end);
    if (from < to && (from < m->values.begin() || to > m->values.end())) {
      refuse(i, fmt::format("measured values reach from {} m to {} m, but are needed from {} m to "
                            "{} m; limit them with 'from' and 'to'",
                            m->values.begin(), m->values.end(), from, to));
    }
  }
}

}  // namespace klingel::track
