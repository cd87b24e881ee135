#include "assess/quantities.hpp"

#include <algorithm>
#include <cmath>

#include "assess/assessment.hpp"

namespace klingel::assess {
namespace {

constexpr std::string_view en = "EN 14363";
constexpr double likely_safe = 0.995, likely = 0.975;  // two-sided 99 % and 95 %

constexpr Quantity judged_quantities[] = {
    {"sum_Y", "track shift force, sum of Y", "kN", 1e-3, Group::safety, Reading::extreme, 3,
     likely_safe, true, false, "low-pass 20 Hz, sliding mean over 2 m, 0.15 and 99.85 %", en},
    {"Y_Q", "Y/Q of the guiding wheel", "1", 1, Group::safety, Reading::upper, 3, likely_safe, true,
     true, "low-pass 20 Hz of Y and Q, quotient, sliding mean over 2 m, 99.85 %; the outer wheel",
     en},
    {"instability", "instability, rms of the sum of Y", "kN", 1e-3, Group::safety, Reading::largest,
     0, likely_safe, true, false,
     "band f0 +- 2 Hz, f0 of 3 to 12 Hz with the largest, rms over 100 m; largest of the section",
     en},
    {"y_safety", "lateral acceleration of the body", "m/s2", 1, Group::safety, Reading::extreme, 3,
     likely_safe, false, false, "floor over the bogies, low-pass 6 Hz, 0.15 and 99.85 %", en},
    {"z_safety", "vertical acceleration of the body", "m/s2", 1, Group::safety, Reading::extreme, 3,
     likely_safe, false, false, "floor over the bogies, 0.4 to 4 Hz, 0.15 and 99.85 %", en},
    {"Q", "largest vertical force Q", "kN", 1e-3, Group::track_loading, Reading::upper, 2.2, likely,
     true, false, "low-pass 20 Hz, 99.85 %; the outer wheel in curves, else the larger", en},
    {"Q_qst", "quasi-static vertical force Q", "kN", 1e-3, Group::track_loading, Reading::median, 0,
     likely, true, true, "low-pass 20 Hz, 50 %; the outer wheel", en},
    {"Y_qst", "quasi-static guiding force Y", "kN", 1e-3, Group::track_loading, Reading::median, 0,
     likely, true, true, "low-pass 20 Hz, 50 %; the outer wheel", en},
    {"y_ride", "lateral acceleration, ride", "m/s2", 1, Group::ride, Reading::extreme, 2.2, likely,
     false, false, "floor, 0.4 to 10 Hz, 0.15 and 99.85 %", en},
    {"z_ride", "vertical acceleration, ride", "m/s2", 1, Group::ride, Reading::extreme, 2.2, likely,
     false, false, "floor, 0.4 to 10 Hz, 0.15 and 99.85 %", en},
    {"y_rms", "lateral acceleration, rms", "m/s2", 1, Group::ride, Reading::rms, 2.2, likely, false,
     false, "floor, 0.4 to 10 Hz, rms of the section", en},
    {"z_rms", "vertical acceleration, rms", "m/s2", 1, Group::ride, Reading::rms, 2.2, likely,
     false, false, "floor, 0.4 to 10 Hz, rms of the section", en},
    {"y_qst", "quasi-static lateral acceleration", "m/s2", 1, Group::ride, Reading::median, 0,
     likely, false, true, "floor, low-pass 6 Hz, 50 %", en},
};

}  // namespace

std::span<const Quantity> quantities() { return judged_quantities; }

std::optional<double> limit(const Quantity& q, Zone zone, const LimitOf& of) {
  const double sum_Y = limit_sum_Y(of.P0, of.freight ? k1_freight : k1);
  if (q.key == "sum_Y") return of.P0 > 0 ? std::optional(sum_Y) : std::nullopt;
  if (q.key == "instability") return of.P0 > 0 ? std::optional(sum_Y / 2) : std::nullopt;
  if (q.key == "Y_Q") return limit_YQ;
  if (q.key == "Q") return of.Q0 > 0 ? std::optional(std::min(90e3 + of.Q0, 200e3)) : std::nullopt;
  if (q.key == "Q_qst") return 145e3;
  // in small curves what a vehicle cannot help: (30 + 10500/R) kN
  if (q.key == "Y_qst") {
    const bool tight = zone == Zone::small || zone == Zone::very_small || zone == Zone::beyond;
    return tight && of.radius > 0 ? std::max(60e3, 30e3 + 10500e3 / of.radius) : 60e3;
  }
  const bool passenger = !of.freight;
  if (q.key == "y_safety")
    return zone == Zone::very_small || zone == Zone::beyond ? 2.6 : zone == Zone::small ? 2.8 : 3.0;
  if (q.key == "z_safety") return passenger ? 3.0 : 5.0;
  if (!passenger) return {};
  if (q.key == "y_ride" || q.key == "z_ride") return 2.5;
  if (q.key == "y_rms") return 0.5;
  if (q.key == "z_rms") return 0.75;
  if (q.key == "y_qst") return 1.5;
  return {};
}

std::string_view name(Group group) {
  switch (group) {
    case Group::safety:
      return "safety";
    case Group::track_loading:
      return "track loading";
    default:
      return "ride";
  }
}

}  // namespace klingel::assess
