// Samples of sensors as they arrive at the filter: with noise and errors of the twin's sensors, at
// their rates, missing, wrong or late.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <random>
#include <vector>

#include "estimate/experiment.hpp"
#include "estimate/reality.hpp"

namespace klingel::estimate {

class Samples {
 public:
  Samples(const Estimate& file, double h, std::uint64_t seed)
      : file_(file), random_(seed), waiting_(file.sensors.size()) {
    for (const SensorReality& s : file.sensors) {
      const double every = s.rate > 0 ? 1 / (s.rate * h) : 1;
      every_.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(every))));
      delay_.push_back(delay_of(s, h));
    }
  }
  // In steps of the filter.
  static std::size_t delay_of(const SensorReality& sensor, double h) {
    return static_cast<std::size_t>(std::lround(sensor.delay / h));
  }

  // After step k of the real vehicle: what arrives now, NaN where nothing does. Of sensors with a
  // delay that is what they measured so many steps ago.
  void take(std::size_t k, RealVehicle& real, std::vector<double>& arrived, RunResult& result) {
    for (std::size_t i = 0; i < every_.size(); ++i) {
      const SensorReality& s = file_.sensors[i];
      // the same random numbers whatever is used of them
      const double noise = normal_(random_), missing = uniform_(random_), wrong = uniform_(random_);
      arrived[i] = std::numeric_limits<double>::quiet_NaN();
      double value = real.value(i);
      const bool twin = file_.reality.recording.empty();
      if (twin) value += s.bias + s.noise * noise;
      if (twin && wrong < s.outliers)
        value += (noise > 0 ? 1 : -1) * s.outlier_size * std::max(s.noise, 1e-300);
      if ((k + 1) % every_[i] != 0 || !std::isfinite(value))
        value = std::numeric_limits<double>::quiet_NaN();
      else if (twin && missing < s.missing)
        value = std::numeric_limits<double>::quiet_NaN(), ++result.missing;
      else
        ++result.samples;
      if (delay_[i] == 0) {
        arrived[i] = value;
        continue;
      }
      waiting_[i].push_back(value);
      if (waiting_[i].size() <= delay_[i]) continue;
      arrived[i] = waiting_[i].front();
      waiting_[i].pop_front();
    }
  }

 private:
  const Estimate& file_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  std::vector<std::size_t> every_, delay_;
  std::vector<std::deque<double>> waiting_;
};

}  // namespace klingel::estimate
