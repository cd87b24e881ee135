#include "step/points.hpp"

namespace klingel::step {

Points::Points(const VehicleData& data) {
  std::vector<std::size_t> order;
  for (const profile::Side side : {profile::Side::left, profile::Side::right}) {
    for (std::size_t i = 0; i < data.wheels.size(); ++i)
      if (data.wheels[i].side == side) order.push_back(i);
  }
  const std::size_t count = (order.size() + ContactSet::lanes - 1) / ContactSet::lanes;
  sets.reserve(count);  // contacts point to them
  forces.resize(count);
  if (data.loaded()) frames.resize(count);
  for (std::size_t g = 0; g < frames.size(); ++g)
    forces[g].frame = &frames[g].frame, forces[g].motion = &frames[g].motion;
  occupied_.resize(count);
  wheel_lanes_.resize(order.size());
  restarted.resize(count);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t set = k / ContactSet::lanes, lane = k % ContactSet::lanes;
    const WheelData& wheel = data.wheels[order[k]];
    if (lane == 0) {
      if (!data.loaded()) sets.emplace_back(*data.contact);
      wheels_.emplace_back().fill(order[k]);
      wheelsets_.emplace_back().fill(wheel.wheelset);
    }
    occupied_[set] |= 1u << lane;
    wheels_[set][lane] = order[k];
    wheelsets_[set][lane] = wheel.wheelset;
    wheel_lanes_[order[k]] = {set, lane};
    if (data.loaded()) continue;
    sets[set].occupy(lane, wheel.surface, data.rail(wheel), wheel.y_w);
  }
}

std::vector<std::size_t> Points::wheels() const {
  std::vector<std::size_t> all;
  for (const auto& set : wheels_) all.insert(all.end(), set.begin(), set.end());
  return all;
}

}  // namespace klingel::step
