// Steady curves: what wheels and rails do to each other when a vehicle runs for long through an arc
// of constant radius and cant at constant speed. Each is solved for (steady_motion.hpp), not waited
// for; the forces are those of the record room, so that a run has the same values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stability/steady_motion.hpp"

namespace klingel::stability {

struct CurveCase {
  double radius = 0;           // m, to the left positive
  double speed = 0;            // m/s
  double cant_deficiency = 0;  // m on the base of 1.5 m
  std::optional<double> friction;
  std::vector<std::pair<std::size_t, double>> parameters = {};  // that differ, by index

  static constexpr double base = 1.5, g = 9.81;  // m, m/s^2
  // The cant that goes with it, m, outer rail high: base v^2 / (g R) less the deficiency.
  double cant() const;
};

struct CurveResult {
  CurveCase of;
  std::string failure;  // why there is none; empty if there is
  struct Wheelset {
    double attack = 0;  // angle of attack: yaw against the radius, rad, left positive
    double y = 0;       // place across the track as channel y_rel, m
    double sum_Y = 0;   // N
  };
  struct Wheel {
    double Y = 0, Q = 0, YQ = 0, T_gamma = 0, flange = 0;  // N, N, -, N, N
  };
  std::vector<Wheelset> wheelsets;
  std::vector<Wheel> wheels;
  std::vector<double> elements;  // strokes, turns, forces and moments, as element_names()
  double forward = 0;            // force that keeps the speed, N
  int iterations = 0;
};

class Curving {
 public:
  // Both must outlive it.
  Curving(const simulation::Description& vehicle, const klingel_kernel& linear)
      : vehicle_(vehicle), linear_(linear) {}

  // From standing there, or by way of wider curves. A curve that cannot be is an Error.
  std::unique_ptr<SteadyMotion> settled(const CurveCase& one) const;
  // The same with its forces; what cannot be is said in the result.
  CurveResult solve(const CurveCase& one);
  // Channels of force elements: "stroke.NAME", "force.NAME", "turn.NAME", "moment.NAME".
  std::vector<std::string> element_names() const;
  // That of the last curve that was found.
  SteadyMotion& motion() { return *last_; }

 private:
  std::unique_ptr<SteadyMotion> make(const CurveCase& one, double share) const;

  const simulation::Description& vehicle_;
  const klingel_kernel& linear_;
  std::unique_ptr<SteadyMotion> last_;
};

}  // namespace klingel::stability
