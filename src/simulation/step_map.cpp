#include "simulation/step_map.hpp"

#include <algorithm>
#include <limits>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace klingel::simulation {
namespace {

using Kind = Variable::Kind;

bool starts_with_any(const std::string& name, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) {
    return name == w || (name.starts_with(w) && name[w.size()] == '.');
  });
}

}  // namespace

StepMap::StepMap(std::shared_ptr<const Description> on_lanes, const Instance& like,
                 std::vector<Variable> from, std::vector<Variable> to,
                 std::vector<std::size_t> channels)
    : description_(std::move(on_lanes)),
      from_(std::move(from)),
      to_(std::move(to)),
      batch_(description_, like),
      base_(like.simulator().state()),
      first_(base_) {
  const step::Simulator& simulator = like.simulator();
  for (const Variable& v : to_)
    if (!v.is_remembered())
      base::fail("'{}' is given to the step and does not follow from it", v.name);
  has_friction_ = std::any_of(from_.begin(), from_.end(),
                              [](const Variable& v) { return v.kind == Kind::friction; });
  has_shift_ = std::any_of(from_.begin(), from_.end(),
                           [](const Variable& v) { return v.kind == Kind::shift; });
  const auto all = record::vehicle_channels(simulator, description_->start.body);
  for (const std::size_t i : channels) {
    KLINGEL_ASSERT(i < all.size());
    const std::string& name = all[i].channel.name;
    needs_forces_ |= starts_with_any(name, {"Y", "Q", "YQ", "Tgamma", "sumY"});
    needs_y_rel_ |= starts_with_any(name, {"y_rel"});
    needs_place_ |= starts_with_any(name, {"s", "curvature", "cant"});
    channels_.push_back(all[i]);
  }
  const std::size_t wheelsets = simulator.data().wheelsets.size();
  shift_.assign(wheelsets * shift_parts, 0);
  for (std::size_t i = 0; i < batch_.size(); ++i)
    lanes_.push_back({record::RailForces(batch_[i].simulator(), description_->track),
                      start::TrackPlace(description_->track), base_, shift_});
  parameters_.assign(simulator.parameter_names().size(), 0);
  friction_.assign(simulator.data().wheels.size(), 0);
  inputs_.assign(simulator.input_names().size(), 0);
  begin_at(like);
}

void StepMap::begin_at(const Instance& vehicle) {
  const step::Simulator& simulator = vehicle.simulator();
  base_ = simulator.state();
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i] = vehicle.parameter_value(i);
  for (std::size_t i = 0; i < friction_.size(); ++i) friction_[i] = simulator.friction(i);
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = simulator.input(i);
  for (std::size_t i = 0; i < batch_.size(); ++i) batch_[i].become(vehicle);
}

std::vector<double> StepMap::places() const {
  std::vector<double> list;
  for (const Lane& lane : lanes_) {
    list.push_back(lane.place.s());
    for (std::size_t k = 0; k < lane.forces.wheelsets(); ++k)
      list.push_back(lane.forces.wheelset(k).place.s());
  }
  return list;
}

void StepMap::follow_from(const std::vector<double>& places) {
  const double* s = places.data();
  const auto go_on = [&](start::TrackPlace& place) {
    if (*s != 0) place.go_on_from(*s);
    ++s;
  };
  for (Lane& lane : lanes_) {
    go_on(lane.place);
    for (std::size_t k = 0; k < lane.forces.wheelsets(); ++k) go_on(lane.forces.wheelset(k).place);
  }
}

void StepMap::point(std::span<double> x) const {
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const Variable& v = from_[i];
    switch (v.kind) {
      case Kind::input:
        x[i] = inputs_[v.index];
        break;
      case Kind::parameter:
        x[i] = parameters_[v.index];
        break;
      case Kind::friction:
        x[i] = friction_[v.index < friction_.size() ? v.index : 0];
        break;
      case Kind::shift:
        x[i] = shift_[v.index * shift_parts + v.part];
        break;
      default:
        x[i] = value_in(base_, v);
    }
  }
}

// That of all wheels, and what single ones differ from the vehicle's.
void StepMap::put_friction(step::Simulator& simulator, const double* point) const {
  if (!has_friction_) return;
  for (std::size_t w = 0; w < friction_.size(); ++w) {
    double mu = friction_[w];
    for (std::size_t i = 0; i < from_.size(); ++i)
      if (from_[i].kind == Kind::friction && from_[i].index == friction_.size()) mu = point[i];
    for (std::size_t i = 0; i < from_.size(); ++i)
      if (from_[i].kind == Kind::friction && from_[i].index == w) mu += point[i] - friction_[w];
    simulator.set_friction(w, mu);
  }
}

// State, parameters and friction of a lane.
void StepMap::put(std::size_t lane, const double* point) {
  Instance& vehicle = batch_[lane];
  step::Simulator& simulator = vehicle.simulator();
  Lane& at = lanes_[lane];
  at.state = base_;
  if (has_shift_) at.shift = shift_;
  put_friction(simulator, point);
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const Variable& v = from_[i];
    switch (v.kind) {
      case Kind::input:
        break;  // after the scenario's
      case Kind::parameter:
        if (vehicle.parameter_value(v.index) != point[i]) vehicle.set_parameter(v.index, point[i]);
        break;
      case Kind::friction:
        break;  // before
      case Kind::shift:
        at.shift[v.index * shift_parts + v.part] = point[i];
        break;
      default:
        put_in(at.state, v, point[i]);
    }
  }
  simulator.set_state(at.state);
  if (!has_shift_) return;
  const step::VehicleData& data = simulator.data();
  for (std::size_t w = 0; w < data.wheels.size(); ++w) {
    const double* s = &at.shift[data.wheels[w].wheelset * shift_parts];
    const double half = data.wheels[w].side == profile::Side::left ? 0.5 : -0.5;
    simulator.shift_rail(w, {s[lateral], s[vertical] + half * s[cross_level], s[dlateral],
                             s[dvertical] + half * s[dcross_level]});
  }
}

StepMap::Branch StepMap::take(std::size_t lane, double* results) {
  step::Simulator& simulator = batch_[lane].simulator();
  Lane& at = lanes_[lane];
  if (batch_.failed(lane)) {
    std::fill_n(results, outputs(), std::numeric_limits<double>::quiet_NaN());
    return failed;
  }
  const step::VehicleState& state = simulator.state();
  for (std::size_t i = 0; i < to_.size(); ++i) results[i] = value_in(state, to_[i]);
  if (needs_forces_) at.forces.after(simulator);
  if (needs_y_rel_) at.forces.before(simulator);  // places at t+h
  if (needs_place_) record::follow(at.place, simulator, description_->start.body);
  const record::Sample sample{simulator, at.forces, at.place, description_->start.body, state.t};
  for (std::size_t i = 0; i < channels_.size(); ++i)
    results[to_.size() + i] = channels_[i].value(sample, channels_[i].index);
  return branch_of_last_step(simulator);
}

StepMap::Branch StepMap::branch_of_last_step(const step::Simulator& simulator) {
  const step::VehicleState& state = simulator.state();
  Branch branch = 1;
  const auto add = [&](std::uint64_t value) { branch = (branch ^ value) * 0x100000001b3u; };
  for (std::size_t w = 0; w < state.tread.size(); ++w) {
    const step::PointState &tread = state.tread[w], &flange = state.flange[w];
    add((tread.N > 0 ? 1u : 0u) | (flange.N > 0 ? 2u : 0u) | (tread.on ? 4u : 0u) |
        (tread.found ? 8u : 0u) | (flange.found ? 16u : 0u) | (tread.steady ? 32u : 0u));
  }
  add(static_cast<std::uint64_t>(simulator.newton_q()));
  add(static_cast<std::uint64_t>(simulator.newton_s()));
  return branch == failed ? 1 : branch;
}

void StepMap::evaluate(std::size_t count, const double* points, double* results, Branch* branches) {
  for (std::size_t first = 0; first < count; first += batch_.size()) {
    const std::size_t here = std::min(batch_.size(), count - first);
    // lanes without a point repeat the last one: it costs nothing
    for (std::size_t lane = 0; lane < batch_.size(); ++lane) {
      put(lane, points + (first + std::min(lane, here - 1)) * inputs());
      batch_.lanes().revive(lane);
    }
    batch_.lanes().give_states();
    for (std::size_t lane = 0; lane < batch_.size(); ++lane) {
      const double* point = points + (first + std::min(lane, here - 1)) * inputs();
      batch_[lane].set_inputs(base_.t);
      for (std::size_t i = 0; i < from_.size(); ++i)
        if (from_[i].kind == Kind::input)
          batch_[lane].simulator().set_input(from_[i].index, point[i]);
      if (needs_forces_) lanes_[lane].forces.before(batch_[lane].simulator());
    }
    batch_.lanes().step(description_->step, description_->method);
    for (std::size_t lane = 0; lane < here; ++lane)
      branches[first + lane] = take(lane, results + (first + lane) * outputs());
    if (first == 0 && branches[0] != failed) first_ = batch_[0].simulator().state();
  }
}

}  // namespace klingel::simulation
