#include "assess/acceleration_assessor.hpp"

#include <utility>

namespace klingel::assess {

FloorAssessor::FloorAssessor(std::string name, const std::array<double, 3>& place, double interval)
    : lateral_(low_pass(6, interval)),
      safety_(band_pass(0.4, 4, interval)),
      ride_(band_pass(0.4, 10, interval)) {
  found_.name = std::move(name);
  found_.place = place;
}

void FloorAssessor::add(double t, double lateral, double vertical) {
  const double y = lateral_.add(lateral);
  spread_.add(y);
  keep_farthest(found_.lateral, y, t);
  keep_farthest(found_.vertical_safety, safety_.add(vertical), t);
  keep_farthest(found_.vertical_ride, ride_.add(vertical), t);
}

AccelerationAssessment FloorAssessor::assessment() const {
  AccelerationAssessment a = found_;
  a.lateral_median = spread_.median();
  return a;
}

BogieAssessor::BogieAssessor(std::string name, double interval) : lateral_(low_pass(10, interval)) {
  found_.name = std::move(name);
}

void BogieAssessor::add(double t, double lateral) {
  keep_farthest(found_.lateral, lateral_.add(lateral), t);
}

}  // namespace klingel::assess
