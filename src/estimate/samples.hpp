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
      delay_.push_back(static_cast<std::size_t>(std::lround(s.delay / h)));
    }
  }
  static std::size_t most_delay(const Estimate& file, double h) {
    std::size_t most = 0;
    for (const SensorReality& s : file.sensors)
      most = std::max(most, static_cast<std::size_t>(std::lround(s.delay / h)));
    return most;
  }

  // After step k of the real vehicle: measurements that are there at once; those that come from
  // earlier steps go to the filter.
  void take(std::size_t k, RealVehicle& real, kalman::Filter& filter, std::vector<double>& y,
            RunResult& result) {
    for (std::size_t i = 0; i < every_.size(); ++i) {
      const SensorReality& s = file_.sensors[i];
      // the same random numbers whatever is used of them
      const double noise = normal_(random_), missing = uniform_(random_), wrong = uniform_(random_);
      y[i] = std::numeric_limits<double>::quiet_NaN();
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
        y[i] = value;
        continue;
      }
      waiting_[i].push_back(value);
      if (waiting_[i].size() <= delay_[i]) continue;
      const double arrived = waiting_[i].front();
      waiting_[i].pop_front();
      // the filter's last step is k - 1
      if (!std::isfinite(arrived)) continue;
      if (filter.add_late(i, delay_[i] - 1, arrived)) ++result.late;
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
