// What a filter's setup says, found in the vehicle.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "kalman/vehicle_model.hpp"
#include "record/channel.hpp"

namespace klingel::kalman {

using simulation::Variable;
using Kind = Variable::Kind;

void give_before_start(simulation::Instance& vehicle, const StartValues& values) {
  const std::vector<Variable> given = simulation::given_variables(vehicle.simulator());
  std::vector<std::string> names;
  for (const Variable& v : given) names.push_back(v.name);
  for (const auto& [name, value] : values) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      base::fail("the vehicle has no '{}'{}", name, base::did_you_mean(name, names));
    const Variable& v = given[static_cast<std::size_t>(at - names.begin())];
    if (v.kind == Kind::parameter) vehicle.set_parameter(v.index, value);
    const std::size_t wheels = vehicle.simulator().data().wheels.size();
    for (std::size_t w = 0; v.kind == Kind::friction && w < wheels; ++w)
      if (v.index == w || v.index == wheels) vehicle.set_friction(w, value);
  }
}

void give_after_start(simulation::Instance& vehicle, const StartValues& values) {
  const std::vector<Variable> given = simulation::given_variables(vehicle.simulator());
  for (const auto& [name, value] : values)
    for (const Variable& v : given)
      if (v.name == name && v.kind == Kind::input) vehicle.set_input(v.index, value);
}

void VehicleModel::choose_states(const Setup& setup) {
  const std::vector<Variable> all = simulation::remembered_variables(vehicle_->simulator());
  std::vector<int> rule(all.size(), -1);
  for (std::size_t r = 0; r < setup.states.size(); ++r) {
    const Setup::State& s = setup.states[r];
    if (!(s.sigma > 0) || !(s.noise >= 0) || !std::isfinite(s.sigma + s.noise))
      base::fail(
          "states '{}' have the standard deviation {} and the noise {}; expected the first "
          "above zero, for a covariance that is not singular, and the second not below",
          s.pattern, s.sigma, s.noise);
    const std::string patterns[] = {s.pattern};
    simulation::select(all, patterns);  // an Error if none fits
    for (std::size_t i = 0; i < all.size(); ++i)
      if (record::matches(s.pattern, all[i].name)) rule[i] = static_cast<int>(r);
  }
  for (const std::string& pattern : setup.without) {
    const std::string patterns[] = {pattern};
    simulation::select(all, patterns);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (record::matches(pattern, all[i].name)) rule[i] = -1;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rule[i] < 0) continue;
    states_.push_back(all[i]);
    state_noise_.push_back(setup.states[static_cast<std::size_t>(rule[i])]);
    names_.push_back(all[i].name);
  }
  if (states_.empty()) base::fail("the filter estimates no state of the vehicle");
}

void VehicleModel::choose_walks(const Setup& setup) {
  std::vector<Variable> all;
  for (const Variable& v : simulation::given_variables(vehicle_->simulator()))
    if (v.kind != Kind::shift) all.push_back(v);
  std::vector<std::string> known;
  for (const Variable& v : all) known.push_back(v.name);
  for (const Setup::Walk& walk : setup.walks) {
    const auto found = std::find(known.begin(), known.end(), walk.name);
    if (found == known.end())
      base::fail("the vehicle has no parameter, friction or input '{}'{}", walk.name,
                 base::did_you_mean(walk.name, known));
    if (!(walk.sigma > 0) || !(walk.noise >= 0) || !std::isfinite(walk.sigma + walk.noise))
      base::fail(
          "'{}' has the standard deviation {} and the noise {}; expected the first above "
          "zero, for a covariance that is not singular, and the second not below",
          walk.name, walk.sigma, walk.noise);
    if (!(walk.least < walk.most))
      base::fail("'{}' is limited to {} at least and {} at most", walk.name, walk.least, walk.most);
    walks_.push_back(all[static_cast<std::size_t>(found - known.begin())]);
    walk_limits_.push_back(walk);
    if (std::find(names_.begin(), names_.end(), walk.name) != names_.end())
      base::fail("'{}' is estimated twice", walk.name);
    names_.push_back(walk.name);
  }
}

void VehicleModel::choose_rails(const Setup& setup) {
  const step::VehicleData& data = vehicle_->simulator().data();
  if (!setup.irregularities.empty() && !data.loaded())
    base::fail(
        "irregularities under wheelsets are estimated with loaded treads only; the scenario "
        "has rigid ones: set tread = \"loaded\"");
  constexpr const char* parts[] = {"lateral", "vertical", "cross_level"};
  for (std::size_t k = 0; k < data.wheelsets.size(); ++k) {
    std::size_t w = 0;
    while (w + 1 < data.wheels.size() && data.wheels[w].wheelset != k) ++w;
    wheel_of_.push_back(w);
  }
  if (!setup.irregularities.empty()) {
    speed_channel_ = vehicle_->channel("speed");
    if (!(speed() > 0))
      base::fail("irregularities come towards a vehicle that moves: its speed is {} m/s", speed());
  }
  for (const Setup::Irregularity& of : setup.irregularities) {
    const RailNoise noise(of.spectrum, of.shortest, of.longest);
    if (!(of.start > 0) || !(of.reach >= 0))
      base::fail(
          "irregularity '{}' has start {} and reach {}, expected the first above zero, for "
          "a covariance that is not singular, and the second not below",
          parts[of.part], of.start, of.reach);
    if (!(speed() * h_ < noise.spacing))
      base::fail(
          "in a step of {} s the vehicle runs {} m, expected less than a quarter of the "
          "shortest wave of {} m",
          h_, speed() * h_, of.shortest);
    std::vector<std::size_t> order;  // from front to rear
    for (std::size_t k = 0; k < data.wheelsets.size(); ++k)
      if (record::matches(of.wheelsets, data.wheelsets[k])) order.push_back(k);
    if (order.empty())
      base::fail("the vehicle has no wheelset '{}'{}", of.wheelsets,
                 base::did_you_mean(of.wheelsets, data.wheelsets));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return place(a) > place(b); });
    for (std::size_t i = 0; i < order.size();) {
      const std::size_t head = order[i];
      std::size_t end = i + 1;
      while (end < order.size() && place(order[end - 1]) - place(order[end]) <= of.reach) ++end;
      const double length = place(head) - place(order[end - 1]) + 1.1 * speed() * h_;
      const std::size_t count = std::max<std::size_t>(
          static_cast<std::size_t>(std::ceil(length / noise.spacing)) + 4, RailNoise::order + 1);
      const auto last = static_cast<std::int64_t>(std::floor(place(head) / noise.spacing)) + 2;
      const std::string name = std::string(parts[of.part]) + "." + data.wheelsets[head];
      for (; i < end; ++i)
        rails_.push_back({order[i], of.part, stretches_.size(),
                          std::string(parts[of.part]) + "." + data.wheelsets[order[i]]});
      stretches_.push_back({noise, names_.size(), count, 0, head, of.start,
                            last + 1 - static_cast<std::int64_t>(count)});
      for (std::size_t j = 0; j < count; ++j) names_.push_back(name + "." + std::to_string(j + 1));
    }
  }
}

void VehicleModel::choose_channels(const Setup& setup) {
  for (const Setup::Sensor& s : setup.sensors) {
    if (!(s.sigma > 0) || !std::isfinite(s.sigma))
      base::fail(
          "sensor '{}' has the standard deviation {}, expected above zero: the covariance "
          "would be singular",
          s.channel, s.sigma);
    if (std::find(sensor_names_.begin(), sensor_names_.end(), s.channel) != sensor_names_.end())
      base::fail("sensor '{}' is there twice", s.channel);
    channels_.push_back(vehicle_->channel(s.channel));  // an Error with near names
    sensor_names_.push_back(s.channel);
    sensor_sigma_.push_back(s.sigma);
    sensor_delays_.push_back(s.delay);
    if (s.delay > options_.most_delay)
      base::fail("sensor '{}' comes {} steps late, the filter remembers {}", s.channel, s.delay,
                 options_.most_delay);
  }
  if (channels_.empty()) base::fail("the filter has no sensors");
  if (!setup.outputs.empty()) {
    for (const std::size_t i : record::select(vehicle_->channels(), setup.outputs)) {
      channels_.push_back(i);
      output_names_.push_back(vehicle_->channels()[i].name);
    }
  }
  n = names_.size(), m = sensor_names_.size(), p = output_names_.size();
}

void VehicleModel::set_start(const Setup&) {
  const step::Simulator& simulator = vehicle_->simulator();
  start_.assign(n, 0);
  start_root_ = Array(n, n);
  std::size_t k = 0;
  for (const Setup::State& s : state_noise_) k += s.noise > 0;
  for (const Setup::Walk& w : walk_limits_) k += w.noise > 0;
  k += stretches_.size();
  noise_ = Array(n, k);
  std::size_t column = 0;
  const auto add = [&](std::size_t i, double sigma, double noise) {
    start_root_(i, i) = sigma;
    if (noise > 0) noise_(i, column++) = noise * std::sqrt(h_);
  };
  for (std::size_t i = 0; i < states_.size(); ++i) {
    start_[i] = simulation::value_in(simulator.state(), states_[i]);
    add(i, state_noise_[i].sigma, state_noise_[i].noise);
  }
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    const Variable& v = walks_[i];
    double& value = start_[states_.size() + i];
    if (v.kind == Kind::parameter) value = vehicle_->parameter_value(v.index);
    if (v.kind == Kind::input) value = vehicle_->input_value(v.index);
    if (v.kind == Kind::friction)
      value = simulator.friction(v.index < simulator.data().wheels.size() ? v.index : 0);
    if (value < walk_limits_[i].least || value > walk_limits_[i].most)
      base::fail("'{}' begins at {}, outside its limits {} and {}", v.name, value,
                 walk_limits_[i].least, walk_limits_[i].most);
    add(states_.size() + i, walk_limits_[i].sigma, walk_limits_[i].noise);
  }
  // a triangle of the covariances r of coefficients, by Cholesky
  for (Stretch& stretch : stretches_) {
    stretch.column = column++;
    std::vector<double> r;
    for (std::size_t j = 0; j < stretch.count; ++j)
      r.push_back(stretch.start * stretch.start * stretch.noise.covariance(j));
    for (std::size_t i = 0; i < stretch.count; ++i) {
      double* row = start_root_.row(stretch.first + i) + stretch.first;
      for (std::size_t j = 0; j <= i; ++j) {
        const double* other = start_root_.row(stretch.first + j) + stretch.first;
        double sum = r[i - j];
        for (std::size_t c = 0; c < j; ++c) sum -= row[c] * other[c];
        row[j] = j < i ? sum / other[j] : std::sqrt(sum);
      }
    }
  }
}

}  // namespace klingel::kalman
