// Assessment quantities of a run, from its recorded rows: means over 2 m of Y/Q and of the sum of
// Y, unloading of wheels, wear number, ride indices at points of the floor. Definitions and how
// they differ from the standards they follow are in docs/report.md. Where channels are missing the
// quantity is missing, too.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "record/recording.hpp"

namespace klingel::record {

// A value and when it occurred.
struct Extreme {
  double value = 0;
  double t = 0;  // s
};

struct WheelAssessment {
  std::string name;
  std::optional<Extreme> YQ_2m;        // largest mean over 2 m of Y/Q
  std::optional<Extreme> unloading;    // largest (Q0 - Q)/Q0
  std::optional<double> Q0;            // N, mean wheel load of the wheelset over the run
  std::optional<Extreme> T_gamma;      // N
  std::optional<double> T_gamma_mean;  // N, over the distance
};

struct WheelsetAssessment {
  std::string name;
  std::optional<Extreme> sum_Y_2m;  // largest without sign, N
  std::optional<double> limit;      // N, Prud'homme: 10 kN + 2 Q0 / 3 of the axle load 2 Q0
};

// Accelerations of a point of the body's floor in the axes of the body.
struct FloorPoint {
  std::string name;                                 // "front", "middle", "rear"
  std::array<double, 3> place;                      // in the body's base from its point, m
  std::array<std::vector<double>, 3> acceleration;  // m/s2, without weight
};

struct RideAssessment {
  std::string name;
  std::array<double, 3> place{};
  double Wz_y = 0, Wz_z = 0, N_MV = 0;
  double rms_y = 0, rms_z = 0;  // m/s2, not weighted
};

struct Assessment {
  std::vector<WheelAssessment> wheels;
  std::vector<WheelsetAssessment> wheelsets;
  std::vector<RideAssessment> ride;
  std::optional<double> nadal_limit;   // of Y/Q
  std::optional<double> flange_angle;  // rad, that the limit was made with
  std::optional<double> friction;
};

// Names are those of the channels: wheels "rear.front.right", wheelsets "rear.front".
Assessment assess(const Recording& recording, std::span<const std::string> wheels,
                  std::span<const std::string> wheelsets);

// Values `interval` s apart.
RideAssessment assess_ride(const FloorPoint& point, double interval);

// (tan g - mu)/(1 + mu tan g) of a flange angle g.
double nadal_limit(double flange_angle, double friction);

// Means over `window` m of a value that is known at places s: the value at row i is the mean from
// s[i] - window/2 to s[i] + window/2, straight between rows. NaN where the window leaves the
// recording. Distance is counted without regard to its direction.
std::vector<double> sliding_mean(std::span<const double> s, std::span<const double> value,
                                 double window);

// Writes it as an object, after a key.
void write(base::Json& json, const Assessment& assessment);

}  // namespace klingel::record
