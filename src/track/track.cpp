#include "track/track.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "spline/spline_fit.hpp"

namespace klingel::track {
namespace {

// above the largest cant laid anywhere (about 200 mm on 1.5 m), and above anything meant seriously
constexpr double odd_cant = 0.135, most_cant = 0.35;
// beyond these, numbers are slips of a unit or worse: a quarter of the earth, 45 degrees, half a
// metre
constexpr double most_distance = 1e7, most_gradient = 1, most_deviation = 0.5;
// a spline with 16 knots per wave has its curvature 1.3 % wrong; with 40, 0.2 %
constexpr double knots_per_wave = 16;

// The two rails and the centre line at the knots.
struct Samples {
  std::vector<CentrePoint> centre;
  std::vector<double> distance;
  std::vector<RailPoint> left, right;
};

spline::Vec3 left_normal(const CentrePoint& p) {
  return {-std::sin(p.heading), std::cos(p.heading), 0};
}

RailPoint rail_point(const CentrePoint& p, double lateral) {
  const spline::Vec3 c_h = left_normal(p);
  const double across = lateral * std::cos(p.cant);
  return {p.x + across * c_h.x, p.y + across * c_h.y, p.z + lateral * std::sin(p.cant), p.cant};
}

Samples from_sections(const TrackDescription& d, const std::vector<ResolvedSection>& sections) {
  if (!(d.rail_distance > 0) || !std::isfinite(d.rail_distance)) {
    base::fail("the distance of the rails must be positive, found {} m", d.rail_distance);
  }
  Samples samples;
  samples.centre = sample(d.start, sections, d.step);
  for (const CentrePoint& p : samples.centre) {
    const double distance = d.rail_distance + p.widening;
    samples.distance.push_back(distance);
    samples.left.push_back(rail_point(p, 0.5 * distance));
    samples.right.push_back(rail_point(p, -0.5 * distance));
  }
  return samples;
}

Samples from_points(const RailPoints& rails) {
  CentreBetween centre = centre_between(rails);
  return {std::move(centre.points), std::move(centre.distance), rails.left, rails.right};
}

// Refuses values for which rails would fold back or be upside down.
void check_shape(const Samples& samples) {
  for (std::size_t i = 0; i < samples.centre.size(); ++i) {
    const CentrePoint& p = samples.centre[i];
    const double half = 0.5 * samples.distance[i];
    if (!(std::max({std::abs(p.s), std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < most_distance)) {
      base::fail("at s = {} m the track is at ({}, {}, {}) m, which is too far away", p.s, p.x, p.y,
                 p.z);
    }
    if (!(std::abs(p.gradient) < most_gradient)) {
      base::fail("at s = {} m the gradient is {:.4g}, expected less than {}", p.s, p.gradient,
                 most_gradient);
    }
    if (!(half > 0)) {
      base::fail("at s = {} m the rails are {} m apart, gauge widening included", p.s, 2 * half);
    }
    if (!(std::abs(p.curvature) * half < 1)) {
      base::fail("at s = {} m the radius is {:.4g} m, less than half the distance of the rails",
                 p.s, 1 / std::abs(p.curvature));
    }
    if (!(std::abs(p.cant) < most_cant)) {
      base::fail("at s = {} m the cant is {:.4g} rad, expected at most {} rad", p.s, p.cant,
                 most_cant);
    }
  }
}

void warn(const TrackDescription& d, const Samples& samples, Track& track) {
  const auto largest = std::max_element(samples.centre.begin(), samples.centre.end(),
                                        [](const CentrePoint& a, const CentrePoint& b) {
                                          return std::abs(a.cant) < std::abs(b.cant);
                                        });
  if (std::abs(largest->cant) > odd_cant) {
    track.warnings.push_back(
        fmt::format("a cant of {:.4g} rad at s = {:.6g} m is more than usual for railways",
                    largest->cant, largest->s));
  }
  for (std::size_t i = 0; i < track.sections.size(); ++i) {
    const ResolvedSection& r = track.sections[i];
    if (r.curvature.begin * r.cant.begin > 0 || r.curvature.end * r.cant.end > 0) {
      track.warnings.push_back(fmt::format("{}: the inner rail is higher than the outer rail",
                                           name_of(r.section, i + 1)));
    }
  }
  double spacing = 0;
  for (std::size_t i = 1; i < samples.centre.size(); ++i) {
    spacing = std::max(spacing, samples.centre[i].s - samples.centre[i - 1].s);
  }
  for (const Irregularity& irregularity : d.irregularities) {
    const double wave = shortest_wavelength(irregularity);
    // what was measured is not known better between its points; points closer than knots alias
    if (std::holds_alternative<Measured>(irregularity.signal)) {
      if (wave / 2 < 0.99 * spacing)
        track.warnings.push_back(fmt::format(
            "irregularity '{}' was measured every {:.4g} m, the splines have a knot each {:.4g} m: "
            "short waves come back as long ones; add resample = {:.4g} to it, or a smaller step "
            "to the track",
            text(irregularity.channel), wave / 2, spacing, spacing));
      continue;
    }
    if (wave >= knots_per_wave * spacing) continue;
    track.warnings.push_back(fmt::format(
        "irregularity '{}' has waves of {:.4g} m, the splines a knot each {:.4g} m: the "
        "error of its curvature is {:.2g} %; with step = {:.3g} it is 0.2 %",
        text(irregularity.channel), wave, spacing,
        100 * std::pow(2 * std::numbers::pi * spacing / wave, 2) / 12, wave / 40));
  }
}

RailLine line(const std::vector<double>& s, const std::vector<RailPoint>& points) {
  const auto spline = [&](auto part) {
    std::vector<double> values;
    values.reserve(points.size());
    for (const RailPoint& p : points) values.push_back(part(p));
    return spline::interpolate(s, values);
  };
  return {spline([](const RailPoint& p) { return p.x; }),
          spline([](const RailPoint& p) { return p.y; }),
          spline([](const RailPoint& p) { return p.z; }),
          spline([](const RailPoint& p) { return p.cant; })};
}

spline::CubicSpline straight_lines(const std::vector<double>& s,
                                   const std::vector<double>& values) {
  std::vector<spline::CubicPiece> pieces;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    const double slope = (values[i + 1] - values[i]) / (s[i + 1] - s[i]);
    pieces.push_back({0, 0, slope, values[i], s[i]});
  }
  return {s, std::move(pieces)};
}

struct Deviation {
  double vertical, lateral;
};

// turned about the rail by an angle, left side up
Deviation turned(const Deviation& d, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * d.vertical + s * d.lateral, c * d.lateral - s * d.vertical};
}

void move(RailPoint& p, const spline::Vec3& c_h, const Deviation& by) {
  p.x += by.lateral * c_h.x, p.y += by.lateral * c_h.y, p.z += by.vertical;
}

// moves the rails by the irregularities and keeps these, in the track's frame, for channels and
// plots
void deviate(const TrackDescription& d, const std::vector<double>& s, Samples& samples,
             Track& track) {
  const std::vector<RailDeviation> of_track =
      deviations(d.irregularities, DeviationFrame::track, s);
  const std::vector<RailDeviation> of_ground =
      deviations(d.irregularities, DeviationFrame::ground, s);
  std::vector<double> parts[4];
  for (std::size_t i = 0; i < s.size(); ++i) {
    const CentrePoint& centre = samples.centre[i];
    const spline::Vec3 c_h = left_normal(centre);
    const RailDeviation &t = of_track[i], &g = of_ground[i];
    const Deviation left{t.left_vertical, t.left_lateral}, right{t.right_vertical, t.right_lateral},
        left_ground{g.left_vertical, g.left_lateral},
        right_ground{g.right_vertical, g.right_lateral};
    move(samples.left[i], c_h, turned(left, centre.cant));
    move(samples.right[i], c_h, turned(right, centre.cant));
    move(samples.left[i], c_h, left_ground);
    move(samples.right[i], c_h, right_ground);

    const Deviation l = turned(left_ground, -centre.cant), r = turned(right_ground, -centre.cant);
    const RailDeviation v{left.vertical + l.vertical, left.lateral + l.lateral,
                          right.vertical + r.vertical, right.lateral + r.lateral};
    for (const double value :
         {v.left_vertical, v.left_lateral, v.right_vertical, v.right_lateral}) {
      if (std::abs(value) < most_deviation) continue;
      base::fail("at s = {} m irregularities move a rail by {:.4g} m, expected less than {} m",
                 s[i], value, most_deviation);
    }
    parts[0].push_back(v.left_vertical), parts[1].push_back(v.left_lateral);
    parts[2].push_back(v.right_vertical), parts[3].push_back(v.right_lateral);
  }
  for (std::size_t k = 0; k < 4; ++k) track.deviations[k] = straight_lines(s, parts[k]);
}

}  // namespace

TrackFrame Track::frame(double s) const noexcept {
  const std::size_t i = centre.x.index(s);
  const auto at = [&](const spline::CubicSpline& f) { return f.pieces()[i].value(s); };
  TrackFrame f;
  f.origin = {at(centre.x), at(centre.y), at(centre.z)};
  f.heading = at(heading);
  f.curvature = at(curvature);
  f.cant = at(centre.theta);
  f.gradient = at(gradient);
  f.rail_distance = at(rail_distance);
  const spline::Vec3 c_h{-std::sin(f.heading), std::cos(f.heading), 0};
  const spline::Vec3 t = spline::unit({std::cos(f.heading), std::sin(f.heading), f.gradient});
  const spline::Vec3 c = std::cos(f.cant) * c_h + std::sin(f.cant) * cross(t, c_h);
  f.axes = {t, c, cross(t, c)};
  return f;
}

RailDeviation Track::deviation(double s) const noexcept {
  const std::size_t i = centre.x.index(s);
  const auto at = [&](std::size_t k) { return deviations[k].pieces()[i].value(s); };
  return {at(0), at(1), at(2), at(3)};
}

Track build_track(const TrackDescription& d) {
  Track track;
  track.name = d.name;
  track.left_profile = d.left_profile, track.right_profile = d.right_profile;
  track.gauge = d.gauge;
  track.foundation = d.foundation;
  track.profile_places = d.profile_places;
  if (d.points && !d.sections.empty()) {
    base::fail("a track is given by sections or by points of its rails, not by both");
  }
  if (!d.points) track.sections = resolve(d.start, d.sections);
  Samples samples = d.points ? from_points(*d.points) : from_sections(d, track.sections);
  check_shape(samples);
  track.warnings = jumps(track.sections);
  warn(d, samples, track);

  std::vector<double> s;
  std::vector<RailPoint> centre;
  std::vector<double> heading, curvature, gradient;
  for (const CentrePoint& p : samples.centre) {
    s.push_back(p.s);
    centre.push_back({p.x, p.y, p.z, p.cant});
    heading.push_back(p.heading);
    curvature.push_back(p.curvature);
    gradient.push_back(p.gradient);
  }
  for (const Irregularity& irregularity : d.irregularities) {
    check(irregularity, s.front(), s.back());
    track.notes.insert(track.notes.end(), irregularity.notes.begin(), irregularity.notes.end());
  }
  deviate(d, s, samples, track);
  track.centre = line(s, centre);
  track.left = line(s, samples.left);
  track.right = line(s, samples.right);
  track.heading = spline::interpolate(s, heading);
  track.curvature = straight_lines(s, curvature);
  track.gradient = straight_lines(s, gradient);
  track.rail_distance = straight_lines(s, samples.distance);
  return track;
}

}  // namespace klingel::track
