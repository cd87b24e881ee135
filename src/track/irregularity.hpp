// What a laid track has more than its design: deviations of the two rails, vertical (up) and
// lateral (to the left), each the sum of harmonic, measured and random signals. Recording cars
// measure in the plane of the rails; what is given in the ground is level and plumb under any cant.
//
// A signal drives one rail, or both as track recording cars report it (EN 13848-1): the mean of
// both rails, the cross level (left minus right height) or the gauge (what it is wider).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "spline/cubic_spline.hpp"
#include "track/spectrum.hpp"

namespace klingel::track {

enum class Channel {
  left_vertical,
  right_vertical,
  left_lateral,
  right_lateral,
  vertical,     // both rails up
  lateral,      // both rails to the left
  cross_level,  // left rail up by half, right rail down by half
  gauge,        // rails apart, half each
};

// "left_vertical" and so on; the reverse is an Error with the nearest names.
const char* text(Channel channel);
Channel channel_of(std::string_view name);
std::vector<std::string> channel_names();

enum class DeviationFrame {
  track,   // lateral in the plane of the rails, vertical normal to it
  ground,  // lateral level, vertical plumb
};

// amplitude sin(2 pi s / wavelength + phase)
struct Harmonic {
  double amplitude = 0;   // m
  double wavelength = 0;  // m
  double phase = 0;       // rad
};

// Values along the track, joined by a spline.
struct Measured {
  spline::CubicSpline values;  // m, of s
};

struct RandomWaves {
  std::vector<Wave> waves;
};

struct Irregularity {
  Channel channel = Channel::vertical;
  DeviationFrame frame = DeviationFrame::track;
  std::variant<Harmonic, Measured, RandomWaves> signal;
  // Zero outside [from, to]; inside, it grows over `fade` metres at each end as the smooth step
  // 10 t^3 - 15 t^4 + 6 t^5. Not limited: from minus to plus infinity.
  double from, to;
  double fade = 0;
  base::Place place;               // where it was written down, for messages
  std::vector<std::string> notes;  // what was read, a sentence each

  Irregularity();
};

// How far the rails are away from where the design has them, m.
struct RailDeviation {
  double left_vertical = 0, left_lateral = 0, right_vertical = 0, right_lateral = 0;
};

// The signal with its fade, m.
double value(const Irregularity& irregularity, double s) noexcept;

// All irregularities of one frame together at ascending abscissas.
std::vector<RailDeviation> deviations(std::span<const Irregularity> irregularities,
                                      DeviationFrame frame, std::span<const double> s);

// The shortest wavelength of the signal, m: splines of the rail must be finer. Of measured values
// twice the smallest distance of points.
double shortest_wavelength(const Irregularity& irregularity);

// Throws Error if a number is not usable, or if measured values do not cover the part of
// [begin, end] where the irregularity acts.
void check(const Irregularity& irregularity, double begin, double end);

}  // namespace klingel::track
