// A track as the contact uses it: two rail lines, and the frame of the track between them.
//
//   C(s)        centre line, c_h its horizontal left normal, th the cant angle (left rail high)
//   c = cos th c_h + sin th e_z, n = cos th e_z - sin th c_h   in the plane of the rails, normal
//   rail lines  C +- (d + w) / 2 c + lateral c + vertical n
//
// with d the distance of the rails' origins, w the gauge widening, and the irregularities of each
// rail (those given in the ground: lateral c_h + vertical e_z). The rails' abscissa is that of the
// centre line; their splines have its points as knots. Making a track allocates and throws, asking
// it does neither. Files are read in room vehicle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "track/alignment.hpp"
#include "track/irregularity.hpp"
#include "track/rail_line.hpp"
#include "track/track_points.hpp"

namespace klingel::track {

// Track that gives way: the piece under one wheelset, both rails together.
struct Foundation {
  double mass = 0;  // kg; zero: none
  double lateral_stiffness = 0, lateral_damping = 0, vertical_stiffness = 0, vertical_damping = 0;
};

// Names of rail profiles from a place on; linear between places.
struct RailProfilePlace {
  double s = 0;
  std::string left, right;
};

struct TrackDescription {
  std::string name;
  std::string left_profile, right_profile;  // names of the rails' profiles; not used here
  // Distance of the rails' origins without widening, m; see gauge.hpp. Not used by rail points.
  double rail_distance = 0;
  std::optional<double> gauge;  // if the distance comes from one
  double step = 0.25;           // largest distance of knots, m
  AlignmentStart start;
  std::vector<Section> sections;
  std::optional<RailPoints> points;  // instead of sections
  std::vector<Irregularity> irregularities;
  Foundation foundation;
  std::vector<RailProfilePlace> profile_places;  // none, or two and more, ascending
};

// The track between the rails, as designed: without irregularities.
struct TrackFrame {
  spline::Vec3 origin;       // centre line
  spline::Axes axes;         // forward (with the gradient), left and up in the plane of the rails
  double heading = 0;        // rad
  double curvature = 0;      // of the plan, 1/m, positive to the left
  double cant = 0;           // rad, positive: left rail high
  double gradient = 0;       // dz/ds
  double rail_distance = 0;  // m, with widening
};

struct Track {
  std::string name;
  std::string left_profile, right_profile;  // as in the description
  RailLine left, right;
  RailLine centre;  // x, y, z and cant angle of the design
  // of the design, over the same knots; curvature, gradient and distance are straight lines
  // between knots
  spline::CubicSpline heading, curvature, gradient, rail_distance;
  // left vertical, left lateral, right vertical, right lateral along n and c, m, straight between
  // knots
  spline::CubicSpline deviations[4];
  Foundation foundation;
  std::vector<RailProfilePlace> profile_places;  // as in the description; for who makes charts
  std::optional<double> gauge;                   // nominal
  std::vector<ResolvedSection> sections;         // none if the rails were given by points
  std::vector<std::string> warnings;             // unusual values, a sentence each
  std::vector<std::string> notes;                // what was read from files of measured values

  double begin() const { return centre.begin(); }
  double end() const { return centre.end(); }

  TrackFrame frame(double s) const noexcept;
  RailDeviation deviation(double s) const noexcept;
};

// Makes the splines. What cannot be a track is an Error; what is odd goes to Track::warnings.
Track build_track(const TrackDescription& description);

}  // namespace klingel::track
