// What a run is judged by, as plain values, and their JSON. Definitions follow EN 14363 from
// general knowledge of that standard (docs/report.md says where they differ); ride indices are
// those of ride.hpp. What is not known is missing.
//
// Signs are those of the channels: Y and the sum of Y are positive to the left, Y/Q is positive if
// the wheel is pushed to the middle of the track.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace klingel::assess {

// A value and when it occurred.
struct Extreme {
  double value = 0;
  double t = 0;  // s
};

// Limits that do not depend on the vehicle.
inline constexpr double limit_YQ = 0.8;             // EN 14363
inline constexpr double limit_unloading = 0.9;      // usual dynamic limit
inline constexpr double k1 = 1, k1_freight = 0.85;  // EN 14363, of the sum of Y
double limit_sum_Y(double P0, double k1);           // N; P0 the static load of the wheelset, N
// (tan g - mu)/(1 + mu tan g) of a flange angle g.
double limit_nadal(double flange_angle, double friction);

struct WheelAssessment {
  std::string name;
  // after a low-pass filter of 20 Hz
  std::optional<Extreme> Y;             // largest without regard to its sign, which it keeps, N
  std::optional<Extreme> Q_min, Q_max;  // N
  std::optional<double> Y_median, Q_median, YQ_median;  // quasi-static
  std::optional<Extreme> YQ_2m;                         // largest mean over 2 m
  std::optional<Extreme> unloading;                     // largest (Q0 - Q)/Q0
  std::optional<double> Q0;                             // N, static
  std::optional<Extreme> T_gamma;                       // N
  std::optional<double> T_gamma_mean;                   // N, over the distance
  double undefined_YQ = 0;                              // s, in the air or nearly so
};

struct WheelsetAssessment {
  std::string name;
  std::optional<Extreme> sum_Y_2m;  // 20 Hz, mean over 2 m; largest without regard to its sign, N
  std::optional<double> sum_Y_median;          // quasi-static, N
  std::optional<double> P0;                    // static load, N
  std::optional<double> limit, limit_freight;  // N
  std::optional<Extreme> instability;          // largest rms over 100 m in f0 +- 2 Hz, N
  std::optional<double> f0;                    // Hz
};

// Of a point of the body's floor: what an accelerometer there shows, in the axes of the body.
struct AccelerationAssessment {
  std::string name;
  std::array<double, 3> place{};   // in the body's base from its point, m
  std::optional<Extreme> lateral;  // low-pass 6 Hz, with the share of weight, m/s2
  std::optional<double> lateral_median;
  std::optional<Extreme> vertical_safety;  // 0.4 to 4 Hz
  std::optional<Extreme> vertical_ride;    // 0.4 to 10 Hz
};
struct BogieAssessment {
  std::string name;
  std::optional<Extreme> lateral;  // low-pass 10 Hz, m/s2
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
  std::vector<AccelerationAssessment> accelerations;
  std::vector<BogieAssessment> bogies;
  std::vector<RideAssessment> ride;
  std::optional<double> nadal_limit;   // of Y/Q
  std::optional<double> flange_angle;  // rad, that the limit was made with
  std::optional<double> friction;
};

// Writes it as an object, after a key.
void write(base::Json& json, const Assessment& assessment);

// Keeps what is larger; the second one without regard to signs.
void keep_largest(std::optional<Extreme>& best, double value, double t);
void keep_smallest(std::optional<Extreme>& best, double value, double t);
void keep_farthest(std::optional<Extreme>& best, double value, double t);

}  // namespace klingel::assess
