// What steps of a filter leave behind in its vehicle, as bytes.
#include "base/error.hpp"
#include "kalman/vehicle_model.hpp"
#include "simulation/description_file.hpp"

namespace klingel::kalman {

// Neither allocates once the lists have their sizes.
void VehicleModel::take(Snapshot& to, const step::VehicleState& state) const {
  const step::Simulator& simulator = vehicle_->simulator();
  to.state = state;
  to.parameters.resize(vehicle_->parameter_names().size());
  for (std::size_t i = 0; i < to.parameters.size(); ++i)
    to.parameters[i] = vehicle_->parameter_value(i);
  to.friction.resize(simulator.data().wheels.size());
  for (std::size_t i = 0; i < to.friction.size(); ++i) to.friction[i] = simulator.friction(i);
  to.inputs.resize(vehicle_->input_names().size());
  to.given.resize(to.inputs.size());
  for (std::size_t i = 0; i < to.inputs.size(); ++i) {
    to.inputs[i] = vehicle_->input_value(i);
    to.given[i] = vehicle_->input_given(i) ? 1 : 0;
  }
}

void VehicleModel::put(const Snapshot& from) {
  for (std::size_t i = 0; i < from.parameters.size(); ++i)
    if (vehicle_->parameter_value(i) != from.parameters[i])
      vehicle_->set_parameter(i, from.parameters[i]);
  for (std::size_t i = 0; i < from.friction.size(); ++i)
    vehicle_->set_friction(i, from.friction[i]);
  vehicle_->simulator().set_state(from.state);
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    if (from.given[i] != 0)
      vehicle_->set_input(i, from.inputs[i]);
    else
      vehicle_->release_input(i), vehicle_->simulator().set_input(i, from.inputs[i]);
  }
}

template <class Bytes>
void VehicleModel::fields(Bytes& b, Snapshot& now) {
  const auto list = [&](std::vector<double>& values) {
    const std::size_t size = values.size();
    base::field(b, values);
    if (values.size() != size)
      base::fail("the state of the filter's vehicle has a list of {} numbers, expected {}",
                 values.size(), size);
  };
  const auto whole = [&](auto& value) {
    auto number = static_cast<std::uint64_t>(value);
    b(number);
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
  };
  for (Snapshot* s : {&now, &round_}) {
    simulation::state_fields(b, s->state);
    for (std::vector<double>* v : {&s->parameters, &s->friction, &s->inputs, &s->given}) list(*v);
  }
  for (Stretch& s : stretches_) whole(s.begin);
  for (std::vector<double>* v : {&D_, &D_next_, &middle_point_, &middle_}) list(*v);
  whole(middle_branch_), whole(next_column_), b(all_known_);
  whole(events_), whole(differenced_);
  for (Slot& slot : slots_) {
    simulation::state_fields(b, slot.state);
    list(slot.inputs);
    for (std::int64_t& begin : slot.begin) whole(begin);
  }
}

void VehicleModel::write(base::ByteWriter& bytes) {
  Snapshot now;
  take(now, vehicle_->simulator().state());
  fields(bytes, now);
  std::vector<double> own = vehicle_->places(), of_map = map_->places(), of_derivative;
  if (derivative_)
    for (const start::TrackPlace& place : derivative_->places()) of_derivative.push_back(place.s());
  base::field(bytes, own), base::field(bytes, of_map), base::field(bytes, of_derivative);
}

void VehicleModel::read(base::ByteReader& bytes) {
  Snapshot now;
  take(now, vehicle_->simulator().state());
  fields(bytes, now);
  std::vector<double> own, of_map, of_derivative;
  base::field(bytes, own), base::field(bytes, of_map), base::field(bytes, of_derivative);
  if (own.size() != vehicle_->places().size() || of_map.size() != map_->places().size() ||
      of_derivative.size() != (derivative_ ? derivative_->places().size() : 0))
    base::fail("the state of the filter's vehicle is that of another one");
  put(round_);
  map_->begin_at(*vehicle_);
  put(now);
  vehicle_->follow_from(own);
  map_->follow_from(of_map);
  for (std::size_t i = 0; i < of_derivative.size(); ++i)
    if (of_derivative[i] != 0) derivative_->places()[i].go_on_from(of_derivative[i]);
  state_ = now.state;
}

}  // namespace klingel::kalman
