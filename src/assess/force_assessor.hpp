// Judges the forces between wheels and rails while a run runs, from every step: filters, means over
// distance, medians. Memory does not grow with the run. Knows names and numbers only.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assess/assessment.hpp"
#include "assess/filter.hpp"
#include "assess/sliding_mean.hpp"
#include "assess/spread.hpp"

namespace klingel::assess {

// Y/Q of a wheel that carries less than this is not defined: it would be the noise of two small
// numbers.
inline constexpr double least_Q = 1e3;  // N

struct WheelForces {
  double Y = 0, Q = 0;  // N
  double inwards = 0;   // Y towards the middle of the track, N
  double T_gamma = 0;   // N
};

class ForceAssessor {
 public:
  struct Wheel {
    std::string name;
    std::size_t wheelset = 0;
    std::optional<double> Q0;  // static load, N
  };
  // Values come h seconds apart.
  ForceAssessor(std::vector<Wheel> wheels, std::vector<std::string> wheelsets, double h);

  // Forces of the step that begins at t, ds m of track after the one before. Neither allocates nor
  // throws.
  void add(double t, double ds, std::span<const WheelForces> wheels);

  Assessment assessment() const;

 private:
  struct OfWheel {
    Wheel wheel;
    Filter Y, Q, inwards, T_gamma;
    SlidingMean YQ{2};
    Spread Y_spread, Q_spread, YQ_spread;
    double wear = 0, way = 0;  // of T-gamma over the distance
    WheelAssessment found;
  };
  struct Band {
    double f0;
    Filter filter;
    SlidingMean squares{100, 100};
  };
  struct OfWheelset {
    std::string name;
    Filter filter;
    SlidingMean mean{2};
    Spread spread;
    std::vector<Band> bands;
    double sum = 0;
    WheelsetAssessment found;
  };

  double h_;
  std::vector<OfWheel> wheels_;
  std::vector<OfWheelset> wheelsets_;
};

}  // namespace klingel::assess
