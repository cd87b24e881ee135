// Judges what accelerometers at the floor of the body and at bogie frames show, value by value.
// Memory does not grow with the run.
#pragma once

#include <array>
#include <string>

#include "assess/assessment.hpp"
#include "assess/filter.hpp"
#include "assess/spread.hpp"

namespace klingel::assess {

class FloorAssessor {
 public:
  // Values come `interval` seconds apart.
  FloorAssessor(std::string name, const std::array<double, 3>& place, double interval);

  // Lateral and vertical in the axes of the body, with the share of weight that an accelerometer
  // feels (+g up at rest).
  void add(double t, double lateral, double vertical);
  AccelerationAssessment assessment() const;

 private:
  Filter lateral_, safety_, ride_;
  Spread spread_;
  AccelerationAssessment found_;
};

class BogieAssessor {
 public:
  BogieAssessor(std::string name, double interval);

  void add(double t, double lateral);
  const BogieAssessment& assessment() const { return found_; }

 private:
  Filter lateral_;
  BogieAssessment found_;
};

}  // namespace klingel::assess
