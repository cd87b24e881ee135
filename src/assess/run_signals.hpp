// What is judged of one recording: where the vehicle was, forces of the rails on its wheels, what
// accelerometers at its floor show. Columns of one length, rows one interval apart.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "assess/track_sections.hpp"

namespace klingel::assess {

struct WheelSignal {
  std::string name;
  std::vector<double> Y, Q;  // N; Y of the rail on the wheel, left positive
  std::optional<double> Q0;  // static load, N
};

struct WheelsetSignal {
  std::string name;
  WheelSignal left, right;
};

struct FloorSignal {
  std::string name;
  std::array<std::vector<double>, 3> a;  // m/s^2 in the axes of the body, with the share of weight
};

struct RunSignals {
  std::string name, vehicle;  // of the folder, of the vehicle
  TrackCourse course;
  std::vector<WheelsetSignal> wheelsets;
  std::vector<FloorSignal> floor;  // may be empty
  std::vector<double> roll;        // of the body, rad
};

}  // namespace klingel::assess
