// What a vehicle and its track look like, as plain values for drawing: solids and
// springs on frames that move, wheels and rails by their profiles, rail lines along the track. Made
// where the files are known (room scene); the motion of frames is in the recording. Lengths in m,
// ground base.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace klingel::record {

using Triple = std::array<double, 3>;

struct Solid {
  // box; cylinder along y; side frames of a bogie with a cross-beam; nothing but its springs
  enum class Shape { box, cylinder, bogie, none };
  std::string name;
  Shape shape = Shape::box;
  std::size_t frame = 0;
  Triple centre{}, size{};  // in the frame; of a cylinder: diameter, length, diameter
  double mass = 0;          // kg
  bool is_reference = false;
  // By the vehicle file: box, cylinder, coach, wagon, locomotive; empty: by what it is. And its
  // colour, "#rrggbb".
  std::string look, colour;
};

struct SpringEnd {
  std::size_t frame = 0;
  Triple r{};  // in the frame
};
struct Spring {
  std::string name;
  SpringEnd from, to;
  // What it is drawn as: spring, damper, rod, air, friction, stop, bar (of an anti-roll bar)
  std::string kind = "spring";
};

// A cross-section: points (u, f).
struct Section {
  std::string name;
  std::vector<double> u, f;
};

struct SceneWheel {
  std::string name;
  std::size_t frame = 0;  // of its wheelset, spinning
  bool left = false;
  double y = 0;             // along the axle, m
  std::size_t profile = 0;  // of wheel_profiles: u across (left positive), f the radius
};

// Samples along the track.
struct SceneRail {
  std::vector<double> x, y, z, cant;      // base line, with irregularities
  std::vector<double> lateral, vertical;  // of them, the irregularities
};
struct SceneTrack {
  std::string name;
  std::vector<double> s, x, y, z, heading, cant, curvature;  // centre line as designed
  SceneRail left, right;
  double rail_distance = 0;
};

struct Scene {
  std::string vehicle, about;
  std::vector<std::string> frames;
  std::vector<Solid> solids;
  std::vector<Spring> springs;
  std::vector<std::string> wheelsets;
  std::vector<SceneWheel> wheels;
  std::vector<Section> wheel_profiles;
  Section rail_left, rail_right;  // u across (left positive), f the height
  SceneTrack track;
};

// Writes it as an object, after a key.
void write(base::Json& json, const Scene& scene);

// How the frames of a scene moved: per row of a recording place (3) and Euler parameters e0 e1 e2
// e3 of every frame, and, per wheel, the place of its profile's origin across and above the rail's
// section at the contact and its angle against that section: for the close-up.
struct SceneMotion {
  std::vector<std::array<std::vector<double>, 7>> frames;
  std::vector<std::array<std::vector<double>, 3>> wheels;  // m, m, rad
};
void write(base::Json& json, const SceneMotion& motion);

}  // namespace klingel::record
