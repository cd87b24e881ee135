// The public classes of klingel/simulation.hpp: names instead of indices, nothing else.
#include <klingel/simulation.hpp>

#include "base/error.hpp"
#include "simulation/batch.hpp"
#include "simulation/instance.hpp"

namespace klingel {
namespace {

std::vector<std::string> names(const std::vector<record::Channel>& channels) {
  std::vector<std::string> list;
  for (const record::Channel& c : channels) list.push_back(c.name);
  return list;
}

void set_friction_of_all(simulation::Instance& vehicle, double mu) {
  for (std::size_t i = 0; i < vehicle.simulator().data().wheels.size(); ++i)
    vehicle.give_friction(i, mu);
}

}  // namespace

Simulation::Simulation(std::unique_ptr<simulation::Instance> instance)
    : instance_(std::move(instance)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

std::vector<std::string> Simulation::parameters() const { return instance_->parameter_names(); }
double Simulation::parameter(std::string_view name) const {
  return instance_->parameter_value(instance_->parameter(name));
}
void Simulation::set_parameter(std::string_view name, double value) {
  instance_->set_parameter(instance_->parameter(name), value);
}

std::vector<std::string> Simulation::inputs() const { return instance_->input_names(); }
double Simulation::input(std::string_view name) const {
  return instance_->input_value(instance_->input(name));
}
void Simulation::set_input(std::string_view name, double value) {
  instance_->set_input(instance_->input(name), value);
}
void Simulation::set_input(std::size_t index, double value) {
  const std::size_t count = instance_->input_names().size();
  if (index >= count) base::fail("there is no input {}: the vehicle has {}", index, count);
  instance_->set_input(index, value);
}
void Simulation::set_friction(std::string_view wheel, double mu) {
  instance_->give_friction(instance_->wheel(wheel), mu);
}
void Simulation::set_friction(double mu) { set_friction_of_all(*instance_, mu); }

void Simulation::start() { instance_->start(); }
void Simulation::start(double position, double speed) {
  instance_->start_options().position = position;
  instance_->start_options().speed = speed;
  instance_->start();
}

bool Simulation::step() { return instance_->step(); }
bool Simulation::run() {
  while (!instance_->finished())
    if (!instance_->step()) return false;
  return true;
}
bool Simulation::finished() const { return instance_->finished(); }
std::string Simulation::failure() const { return instance_->failure(); }
double Simulation::time() const { return instance_->time(); }
double Simulation::time_step() const { return instance_->description().step; }
double Simulation::duration() const { return instance_->description().duration; }

std::vector<std::string> Simulation::channels() const { return names(instance_->channels()); }
std::size_t Simulation::channel(std::string_view name) const { return instance_->channel(name); }
double Simulation::value(std::size_t channel) { return instance_->value(channel); }

std::string Simulation::save() const { return instance_->save(); }
void Simulation::restore(std::string_view state) { instance_->restore(state); }

void Simulation::record(const std::vector<std::string>& patterns, double interval) {
  instance_->record(patterns, interval);
}
std::vector<std::string> Simulation::recorded() const {
  return instance_->recording() ? names(instance_->recorded_channels())
                                : std::vector<std::string>{};
}
Column Simulation::recorded(std::string_view channel) {
  const std::span<const double> column = instance_->recorded().column(channel);
  return {column.data(), column.size()};
}

Batch::Batch(std::unique_ptr<simulation::Batch> batch) : batch_(std::move(batch)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

std::size_t Batch::size() const { return batch_->size(); }
void Batch::set_parameter(std::size_t vehicle, std::string_view name, double value) {
  batch_->at(vehicle).set_parameter(batch_->at(vehicle).parameter(name), value);
}
void Batch::set_input(std::size_t vehicle, std::string_view name, double value) {
  batch_->at(vehicle).set_input(batch_->at(vehicle).input(name), value);
}
void Batch::set_friction(std::size_t vehicle, double mu) {
  set_friction_of_all(batch_->at(vehicle), mu);
}
std::string Batch::save(std::size_t vehicle) const { return batch_->at(vehicle).save(); }
void Batch::restore(std::size_t vehicle, std::string_view state) {
  batch_->at(vehicle);
  batch_->restore(vehicle, state);
}
std::size_t Batch::channel(std::string_view name) const { return batch_->at(0).channel(name); }
double Batch::value(std::size_t vehicle, std::size_t channel) {
  return batch_->at(vehicle).value(channel);
}
double Batch::time(std::size_t vehicle) const { return batch_->at(vehicle).time(); }

bool Batch::step() { return batch_->step(); }
bool Batch::failed(std::size_t vehicle) const {
  batch_->at(vehicle);
  return batch_->failed(vehicle);
}
std::string Batch::failure(std::size_t vehicle) const { return batch_->at(vehicle).failure(); }

}  // namespace klingel
