#include "simulation/instance.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "reference/add_comparison.hpp"
#include "start/steady_start.hpp"
#include "step/vehicle_state_file.hpp"

namespace klingel::simulation {
namespace {

std::size_t index_of(const std::vector<std::string>& names, std::string_view name,
                     const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    base::fail("the vehicle has no {} '{}'{}", what, name, base::did_you_mean(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

Instance::Instance(std::shared_ptr<const Description> description)
    : description_(std::move(description)),
      own_(std::make_unique<step::Simulator>(description_->data)),
      simulator_(own_.get()),
      forces_(*simulator_, description_->track),
      place_(description_->track) {
  reference::add_comparison(*simulator_);
  prepare();
}

Instance::Instance(std::shared_ptr<const Description> description, step::Simulator& lane,
                   const Instance& like)
    : description_(std::move(description)),
      simulator_(&lane),
      channels_(like.channels_),
      forces_(*simulator_, description_->track),
      place_(description_->track) {
  prepare();
}

Instance::Instance(Instance&&) noexcept = default;
Instance::~Instance() = default;

void Instance::prepare() {
  start_ = description_->start;
  const step::KernelIds& id = simulator_->description()->id;
  if (id.has_p) {
    const std::span<const double> nominal = simulator_->kernels().value(id.p);
    parameters_.assign(nominal.begin(), nominal.end());
  }
  for (const WheelFriction& f : description_->friction) set_friction(f.wheel, f.mu);
  const std::size_t inputs = input_names().size();
  for (std::size_t i = 0; i < inputs; ++i) first_inputs_.push_back(simulator_->input(i));
  input_given_.assign(inputs, 0);
  given_.assign(inputs, 0);
  friction_given_.assign(simulator_->data().wheels.size(), 0);
  given_friction_.assign(simulator_->data().wheels.size(), 0);
  if (channels_ != nullptr) return;
  auto channels = std::make_shared<Channels>();
  channels->all = record::vehicle_channels(*simulator_, start_.body);
  for (const record::VehicleChannel& c : channels->all) channels->described.push_back(c.channel);
  channels_ = std::move(channels);
}

const std::vector<std::string>& Instance::parameter_names() const {
  return simulator_->parameter_names();
}

std::size_t Instance::parameter(std::string_view name) const {
  return index_of(parameter_names(), name, "parameter");
}

void Instance::set_parameter(std::size_t index, double value) {
  if (!std::isfinite(value))
    base::fail("the parameter '{}' must be a finite number, found {}", parameter_names()[index],
               value);
  simulator_->set_parameter(index, value);
  if (!description_->limits.empty()) {
    const std::span<const double> values = simulator_->evaluate("limits");
    for (std::size_t i = 0; i < description_->limits.size(); ++i) {
      const ParameterLimit& limit = description_->limits[i];
      if (limit.positive ? values[i] > 0 : values[i] >= 0) continue;
      const double found = values[i];
      simulator_->set_parameter(index, parameters_[index]);
      base::fail("with {} = {} the value {} would be {}; it must {}", parameter_names()[index],
                 value, limit.what, found,
                 limit.positive ? "be greater than zero" : "not be negative");
    }
  }
  parameters_[index] = value;
}

const std::vector<std::string>& Instance::input_names() const { return simulator_->input_names(); }

std::size_t Instance::input(std::string_view name) const {
  return index_of(input_names(), name, "input");
}

void Instance::set_input(std::size_t index, double value) {
  input_given_[index] = 1;
  given_[index] = value;
  simulator_->set_input(index, value);
}

void Instance::release_input(std::size_t index) {
  input_given_[index] = 0;
  simulator_->set_input(index, first_inputs_[index]);
}

void Instance::set_inputs(double t) {
  simulation::set_inputs(*description_, *simulator_, t);
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (input_given_[i] != 0) simulator_->set_input(i, given_[i]);
  for (std::size_t i = 0; i < given_friction_.size(); ++i)
    if (friction_given_[i] != 0) simulator_->set_friction(i, given_friction_[i]);
}

void Instance::give_friction(std::size_t wheel, double mu) {
  if (!(mu >= 0 && mu <= most_friction))
    base::fail("friction must be from 0 to {:g}, found {}", most_friction, mu);
  friction_given_[wheel] = 1;
  given_friction_[wheel] = mu;
  simulator_->set_friction(wheel, mu);
}

std::size_t Instance::wheel(std::string_view name) const {
  std::vector<std::string> names;
  for (const step::WheelData& w : simulator_->data().wheels) names.push_back(w.name);
  return index_of(names, name, "wheel");
}

// as at the first time: a start does not depend on what was driven before
void Instance::forget_inputs() {
  for (std::size_t i = 0; i < first_inputs_.size(); ++i) simulator_->set_input(i, first_inputs_[i]);
}

void Instance::start() {
  // the limits of scenario files
  if (!(std::abs(start_.speed) <= most_speed))
    base::fail("the speed at the start must be from {:g} to {:g} m/s, found {}", -most_speed,
               most_speed, start_.speed);
  if (!std::isfinite(start_.position))
    base::fail("the position at the start must be a finite number, found {}", start_.position);
  forget_inputs();
  if (description_->steady)
    start::begin_steady(*simulator_, description_->track, start_);
  else
    start::begin(*simulator_, description_->track, start_);
  started_now();
}

void Instance::start_at(const step::VehicleState& state) {
  forget_inputs();
  simulator_->set_state(state);
  started_now();
}

void Instance::started_now() {
  set_inputs(0);
  started_ = true;
  failed_ = false;
  record_again();
}

void Instance::before_step() {
  set_inputs(time());
  forces_.before(*simulator_);
  if (recorder_) recorder_->before(*simulator_);
}

void Instance::after_step(bool succeeded) {
  failed_ = !succeeded;
  places_are_old_ = true;
  if (failed_) return;
  forces_.after(*simulator_);
  if (recorder_) recorder_->after(*simulator_);
}

bool Instance::step() {
  if (!started_) return false;
  before_step();
  after_step(simulator_->step(description_->step, description_->method) == runtime::Status::ok);
  return !failed_;
}

bool Instance::finished() const {
  const double steps = std::round(description_->duration / description_->step);
  return static_cast<double>(simulator_->state().step) >= steps;
}

std::string Instance::failure() const {
  if (!started_) return "the vehicle was not started; call start() first";
  return failed_ ? simulator_->failure_text() : "";
}

std::size_t Instance::channel(std::string_view name) const {
  std::vector<std::string> names;
  for (const record::Channel& c : channels()) names.push_back(c.name);
  return index_of(names, name, "channel");
}

double Instance::value(std::size_t channel) {
  if (places_are_old_) {
    forces_.before(*simulator_);
    record::follow(place_, *simulator_, start_.body);
    places_are_old_ = false;
  }
  const record::VehicleChannel& c = channels_->all[channel];
  return c.value({*simulator_, forces_, place_, start_.body, time()}, c.index);
}

std::string Instance::save() const { return step::state_text(*simulator_); }

void Instance::restore(std::string_view text) {
  step::parse_state(*simulator_, text, "saved state");
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (input_given_[i] != 0) given_[i] = simulator_->input(i);
  for (std::size_t i = 0; i < given_friction_.size(); ++i)
    if (friction_given_[i] != 0) given_friction_[i] = simulator_->friction(i);
  started_ = true;
  failed_ = false;
  places_are_old_ = true;
  record_again();
}

std::vector<double> Instance::places() const {
  std::vector<double> list{places_are_old_ ? 1.0 : 0.0, place_.s()};
  for (std::size_t k = 0; k < forces_.wheelsets(); ++k)
    list.push_back(forces_.wheelset(k).place.s());
  return list;
}

void Instance::follow_from(const std::vector<double>& places) {
  places_are_old_ = places[0] != 0;
  if (places[1] != 0) place_.go_on_from(places[1]);
  for (std::size_t k = 0; k < forces_.wheelsets(); ++k)
    if (places[2 + k] != 0) forces_.wheelset(k).place.go_on_from(places[2 + k]);
}

void Instance::become(const Instance& other) {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i] != other.parameters_[i]) set_parameter(i, other.parameters_[i]);
  for (std::size_t i = 0; i < simulator_->data().wheels.size(); ++i)
    set_friction(i, other.simulator_->friction(i));
  input_given_ = other.input_given_;
  given_ = other.given_;
  friction_given_ = other.friction_given_;
  given_friction_ = other.given_friction_;
  simulator_->set_state(other.simulator_->state());
  for (std::size_t i = 0; i < given_.size(); ++i)
    simulator_->set_input(i, other.simulator_->input(i));
  started_ = other.started_;
  failed_ = false;
  record_again();
}

void Instance::record(const std::vector<std::string>& patterns, double interval) {
  record::RecorderOptions options;
  options.step = description_->step;
  options.interval =
      record::nearest_interval(options.step, interval > 0 ? interval : description_->interval);
  options.duration = description_->duration;
  options.channels = patterns.empty() ? description_->channels : patterns;
  options.body = start_.body;
  recording_ = options;
  record_again();
}

void Instance::record_again() {
  places_are_old_ = true;
  if (recording_) recorder_.emplace(*simulator_, description_->track, *recording_);
}

const std::vector<record::Channel>& Instance::recorded_channels() const {
  if (!recorder_) base::fail("nothing was recorded; call record() before the first step");
  return recorder_->recording().channels();
}

const record::Recording& Instance::recorded() {
  if (!recorder_) base::fail("nothing was recorded; call record() before the first step");
  recorder_->finish(*simulator_, !failed_);
  return recorder_->recording();
}

}  // namespace klingel::simulation
