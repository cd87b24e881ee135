// A run cut into the pieces that the statistics of EN 14363 count: zones by radius, and in each
// zone sections of one length. Where curvature or cant change, and near there, are transitions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace klingel::assess {

// Zones of the standard, by the radius of the design curve; below 250 m it has none.
enum class Zone { straight, large, small, very_small, beyond };
inline constexpr Zone zones[] = {Zone::straight, Zone::large, Zone::small, Zone::very_small,
                                 Zone::beyond};

struct ZoneData {
  std::string_view key, name;
  double least_radius, largest_radius;  // m
  double length;                        // of a section, m
  int sections;                         // that the standard asks for
};
const ZoneData& data(Zone zone);
Zone zone_of(double curvature);

// Where the vehicle was, row by row. Rows are `interval` s apart.
struct TrackCourse {
  double interval = 0;
  std::vector<double> t, s, speed, curvature, cant;  // s, m, m/s, 1/m, rad (left rail high)
};

struct TrackSection {
  Zone zone = Zone::straight;
  std::size_t run = 0;             // which recording
  std::size_t begin = 0, end = 0;  // rows
  double length = 0;               // m
  double curvature = 0;            // mean, 1/m, left positive
  double speed = 0;                // mean, m/s
  double cant_deficiency = 0;      // mean, mm on the base of 1500 mm, towards the outside positive
};

struct Transition {
  std::size_t begin = 0, end = 0;  // rows
  double from = 0, to = 0;         // curvature before and after, 1/m
};

struct Cut {
  std::vector<TrackSection> sections;
  std::vector<Transition> transitions;
};

// What is nearer than this to a transition does not count: half the length of a long vehicle.
inline constexpr double near_transition = 10;  // m

Cut cut(const TrackCourse& course, std::size_t run = 0);

double cant_deficiency(double speed, double curvature, double cant);  // mm

}  // namespace klingel::assess
