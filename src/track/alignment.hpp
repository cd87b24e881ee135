// The centre line of a track as it is designed: straights, transitions and arcs one after the
// other, with cant, gradient and gauge widening along them.
//
// Abscissa s: length of the centre line in plan (what surveyors call chainage); along a double
// transition it is the length in the direction of its begin, as the article's track has it.
// Signs: curvature and radius are positive to the left; a cant angle is positive where the left
// rail is the higher one; a gradient is positive uphill. Rails come in track.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace klingel::track {

enum class SectionKind {
  straight,
  transition,         // curvature goes from that of the section before to that of the one after
  arc,                // constant curvature
  double_transition,  // between two parallel straights: y = offset (10 t^3 - 15 t^4 + 6 t^5)
};

// How a transition gets from one value to the next: proportional to s (a clothoid), or as
// 3 t^2 - 2 t^3, which has no kinks in curvature (Bloss).
enum class RampShape { linear, smooth };

struct Ramp {
  double begin = 0, end = 0;
};

struct Section {
  SectionKind kind = SectionKind::straight;
  double length = 0;                    // of its piece of abscissa, m
  double radius = 0;                    // arcs, m
  RampShape shape = RampShape::linear;  // transitions
  double offset = 0;                    // double transitions, m, positive to the left
  // Double transitions: largest cant angle, rad, the outer rail high in both halves; the shape
  // t^2 (1 - t)^2 (1 - 2 t) has no kink at the ends, where a cant like the curvature has one.
  double largest_cant = 0;
  // Cant angle in rad, dz/ds, and what the rails are further apart, m. What is not given is zero;
  // in a transition it goes from the value of the section before to that of the section after.
  // A neighbour that is a transition itself counts as zero, so that two of them meet straight.
  std::optional<Ramp> cant = {}, gradient = {}, widening = {};
  base::Place place = {};  // where the section was written down, for messages
};

// Where a track begins.
struct AlignmentStart {
  double s = 0, x = 0, y = 0, z = 0, heading = 0;
};

// The centre line at one abscissa.
struct CentrePoint {
  double s = 0;
  double x = 0, y = 0, z = 0;  // m
  double heading = 0;          // of the plan's tangent against x, rad, not reduced to a turn
  double curvature = 0;        // of the plan, 1/m
  double cant = 0;             // rad
  double gradient = 0;         // dz/ds
  double widening = 0;         // m
};

// A section with everything it takes from its neighbours filled in.
struct ResolvedSection {
  Section section;
  double begin = 0, end = 0;  // abscissa
  Ramp curvature, cant, gradient, widening;
};

// Checks each section (an Error says which and what) and fills in what neighbours decide.
std::vector<ResolvedSection> resolve(const AlignmentStart& start,
                                     std::span<const Section> sections);

// Points at most `step` apart, evenly spaced in each section, both ends of each included (once).
// Between two points, positions are integrated to rounding.
std::vector<CentrePoint> sample(const AlignmentStart& start,
                                std::span<const ResolvedSection> sections, double step);

// Jumps of heading, curvature, cant, gradient and widening where sections meet, one sentence each:
// a spline through them swings, and a vehicle feels them.
std::vector<std::string> jumps(std::span<const ResolvedSection> sections);

// "section 3 (arc)", with its place in the file if known.
std::string name_of(const Section& section, std::size_t number);

// "straight", "transition", "arc", "double_transition".
const char* text(SectionKind kind);

}  // namespace klingel::track
