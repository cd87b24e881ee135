#include "capi/vehicle_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "reference/continuous.hpp"
#include "simulation/instance.hpp"

namespace klingel::capi {
namespace {

using runtime::Status;

// The energies that only a run with a balance has.
bool of_balance(const std::string& channel) {
  return channel.starts_with("energy.") && channel != "energy.kinetic" &&
         channel != "energy.potential";
}

class VehicleModel : public Model {
 public:
  VehicleModel(simulation::StoredDescription given, std::string_view bytes);
  std::unique_ptr<Runner> make() const override;

  simulation::StoredDescription stored;
  std::size_t vehicle_parameters = 0, vehicle_inputs = 0;
};

class VehicleRunner : public Runner {
 public:
  explicit VehicleRunner(const VehicleModel& model);

  void set_parameter(std::size_t index, double value) override;
  double parameter(std::size_t index) const override;
  void set_input(std::size_t index, double value) noexcept override;
  double input(std::size_t index) const override;
  void release_input(std::size_t index) override;
  void start() override;
  bool started() const override { return started_; }
  Status step(double h) noexcept override;
  double time() const override { return ahead_ ? now_.t : instance_.time(); }
  std::string failure() const override { return instance_.simulator().failure_text(); }
  Story story() const noexcept override;
  bool at_end() noexcept override {
    take_places();
    return forces_.at_end_of_track();
  }
  simulation::Instance* vehicle() override {
    go_back();
    return &instance_;
  }
  void look_ahead(bool on) override;
  double output(std::size_t index) noexcept override;
  void save(base::ByteWriter& bytes) override;
  void restore(base::ByteReader& bytes) override;
  Status accelerations(std::vector<double>& ddq) override;

 private:
  enum : std::size_t { position, speed };

  step::Simulator& simulator() { return instance_.simulator(); }
  double friction(std::size_t wheel) const { return instance_.simulator().friction(wheel); }
  bool is_nominal() const;
  void release_friction(std::size_t wheel);
  void take_places();
  void take(bool of_step);
  void take_states();
  void take_forces();
  Status do_step(double h) noexcept;
  void go_ahead() noexcept;
  void go_back();
  std::vector<double> settings() const;
  void use(const std::vector<double>& settings);

  std::shared_ptr<const simulation::Description> description_;
  std::optional<step::VehicleState> stored_start_;
  std::vector<double> nominal_friction_;
  std::vector<Variable> parameters_;  // with their nominal values
  std::size_t vehicle_parameters_, vehicle_inputs_;

  simulation::Instance instance_;
  std::vector<record::VehicleChannel> channels_;
  record::RailForces forces_;
  start::TrackPlace place_;
  std::vector<double> values_;  // of channels
  bool started_ = false;
  bool places_taken_ = false;  // forces_ and place_ are at the state
  bool states_taken_ = false;  // values_ of the state are those of now
  bool forces_taken_ = false;  // values_ of the last step are known
  bool look_ahead_ = false;
  bool ahead_ = false;  // the simulator has done the step that begins now
  Status ahead_status_ = Status::ok;
  step::VehicleState now_;         // the present state while the simulator is ahead
  std::vector<double> abscissas_;  // of places, when the simulator went ahead
};

VehicleModel::VehicleModel(simulation::StoredDescription given, std::string_view bytes)
    : stored(std::move(given)) {
  const simulation::Description& d = *stored.description;
  name = d.data.name;
  step = d.step;
  duration = d.duration;
  std::string what = d.data.vehicle->hash;
  if (d.data.contact != nullptr) what += d.data.contact->hash;
  what += d.scenario;
  what += bytes;
  token = base::sha256(what);

  const simulation::Instance instance(stored.description);
  coordinates = instance.simulator().coordinates();
  auto& [parameters, inputs, outputs] = variables;
  for (std::size_t i = 0; i < instance.parameter_names().size(); ++i) {
    parameters.push_back({instance.parameter_names()[i],
                          i < d.parameter_units.size() ? d.parameter_units[i] : "",
                          "parameter of the vehicle file", instance.parameter_value(i)});
  }
  vehicle_parameters = parameters.size();
  parameters.push_back(
      {"start.position", "m", "where on the track the run starts", d.start.position});
  parameters.push_back({"start.speed", "m/s", "speed at the start", d.start.speed});
  for (std::size_t i = 0; i < instance.input_names().size(); ++i) {
    inputs.push_back({instance.input_names()[i], i < d.input_units.size() ? d.input_units[i] : "",
                      "input of the vehicle; follows the scenario until it is set",
                      instance.input_value(i)});
  }
  for (const simulation::Signal& s : d.inputs) inputs[s.input].start = s.at(0);
  vehicle_inputs = inputs.size();
  for (std::size_t i = 0; i < d.data.wheels.size(); ++i) {
    inputs.push_back({"friction." + d.data.wheels[i].name, "1", "friction coefficient of the wheel",
                      instance.simulator().friction(i)});
  }
  for (const record::VehicleChannel& c :
       record::vehicle_channels(instance.simulator(), d.start.body)) {
    const record::Channel& of = c.channel;
    if (of.name != "t" && !of_balance(of.name))
      outputs.push_back({of.name, of.unit, of.about, 0, !c.of_step});
  }
}

std::unique_ptr<Runner> VehicleModel::make() const {
  return std::make_unique<VehicleRunner>(*this);
}

VehicleRunner::VehicleRunner(const VehicleModel& model)
    : description_(model.stored.description),
      stored_start_(model.stored.start),
      parameters_(model.of(Kind::parameter)),
      vehicle_parameters_(model.vehicle_parameters),
      vehicle_inputs_(model.vehicle_inputs),
      instance_(description_),
      forces_(instance_.simulator(), description_->track),
      place_(description_->track) {
  for (std::size_t i = vehicle_inputs_; i < model.of(Kind::input).size(); ++i)
    nominal_friction_.push_back(model.of(Kind::input)[i].start);
  for (const record::VehicleChannel& c :
       record::vehicle_channels(simulator(), description_->start.body))
    if (c.channel.name != "t" && !of_balance(c.channel.name)) channels_.push_back(c);
  values_.assign(channels_.size(), 0);
  abscissas_.assign(forces_.wheelsets() + 1, 0);
  now_ = simulator().state();
}

void VehicleRunner::set_parameter(std::size_t index, double value) {
  go_back();
  if (index < vehicle_parameters_)
    instance_.set_parameter(index, value);
  else if (index == vehicle_parameters_ + position)
    instance_.start_options().position = value;
  else
    instance_.start_options().speed = value;
}

double VehicleRunner::parameter(std::size_t index) const {
  if (index < vehicle_parameters_) return instance_.parameter_value(index);
  auto& instance = const_cast<simulation::Instance&>(instance_);  // start_options only changes it
  return index == vehicle_parameters_ + position ? instance.start_options().position
                                                 : instance.start_options().speed;
}

void VehicleRunner::set_input(std::size_t index, double value) noexcept {
  if (index < vehicle_inputs_) {
    if (instance_.input_given(index) && input(index) == value) return;
    go_back();
    instance_.set_input(index, value);
  } else {
    const std::size_t wheel = index - vehicle_inputs_;
    if (instance_.friction_given(wheel) && friction(wheel) == value) return;
    go_back();
    instance_.give_friction(wheel, value);
  }
}

double VehicleRunner::input(std::size_t index) const {
  return index < vehicle_inputs_ ? instance_.input_value(index) : friction(index - vehicle_inputs_);
}

void VehicleRunner::release_input(std::size_t index) {
  go_back();
  if (index < vehicle_inputs_)
    instance_.release_input(index);
  else
    release_friction(index - vehicle_inputs_);
}

void VehicleRunner::release_friction(std::size_t wheel) {
  instance_.release_friction(wheel);
  instance_.set_friction(wheel, nominal_friction_[wheel]);
}

bool VehicleRunner::is_nominal() const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameter(i) != parameters_[i].start) return false;
  for (std::size_t i = 0; i < nominal_friction_.size(); ++i)
    if (instance_.friction_given(i) && friction(i) != nominal_friction_[i]) return false;
  return true;
}

void VehicleRunner::start() {
  ahead_ = started_ = false;
  // a start does not depend on where it was before
  for (std::size_t i = 0; i < nominal_friction_.size(); ++i)
    if (!instance_.friction_given(i)) instance_.set_friction(i, nominal_friction_[i]);
  if (stored_start_ && is_nominal())
    instance_.start_at(*stored_start_);
  else
    instance_.start();
  forces_ = record::RailForces(simulator(), description_->track);
  place_ = start::TrackPlace(description_->track);
  std::fill(values_.begin(), values_.end(), 0);
  started_ = true;
  places_taken_ = states_taken_ = forces_taken_ = false;
  // forces at the start are those of the first step
  go_ahead();
  if (!look_ahead_) go_back();
}

// Places are followed from step to step, so this is done once for every state that is stepped from,
// as recordings do it.
void VehicleRunner::take_places() {
  if (places_taken_) return;
  forces_.before(simulator());
  record::follow(place_, simulator(), description_->start.body);
  places_taken_ = true;
}

void VehicleRunner::take(bool of_step) {
  const record::Sample sample{simulator(), forces_, place_, description_->start.body, time()};
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const record::VehicleChannel& c = channels_[i];
    if (c.of_step == of_step) values_[i] = c.value(sample, c.index);
  }
}

// From the state the simulator is at.
Status VehicleRunner::do_step(double h) noexcept {
  instance_.set_inputs(instance_.time());
  take_places();
  const Status status = simulator().step(h, description_->method);
  if (status == Status::ok) forces_.after(simulator());
  return status;
}

void VehicleRunner::go_ahead() noexcept {
  if (ahead_) return;
  take_places();
  instance_.set_inputs(instance_.time());
  take(false);
  states_taken_ = true;
  now_ = simulator().state();
  for (std::size_t k = 0; k < forces_.wheelsets(); ++k)
    abscissas_[k] = forces_.wheelset(k).place.s();
  abscissas_.back() = place_.s();
  ahead_status_ = do_step(description_->step);
  ahead_ = true;
  if (ahead_status_ == Status::ok) take(true);
  forces_taken_ = true;
}

// Undoes go_ahead; forces that were read stay.
void VehicleRunner::go_back() {
  if (!ahead_) return;
  ahead_ = false;
  simulator().set_state(now_);
  for (std::size_t k = 0; k < forces_.wheelsets(); ++k)
    forces_.wheelset(k).place.go_on_from(abscissas_[k]);
  place_.go_on_from(abscissas_.back());
}

Status VehicleRunner::step(double h) noexcept {
  Status status = Status::ok;
  if (h != description_->step) go_back();
  if (ahead_) {
    status = ahead_status_;
  } else {
    status = do_step(h);
    forces_taken_ = status != Status::ok;
  }
  if (status != Status::ok)
    go_back();
  else
    ahead_ = places_taken_ = states_taken_ = false;
  return status;
}

Story VehicleRunner::story() const noexcept {
  Story story;
  const step::Simulator& simulator = instance_.simulator();
  story.newton_q = simulator.newton_q();
  story.newton_s = simulator.newton_s();
  for (const step::Event& e : simulator.events()) {
    using enum step::Event::Kind;
    story.jumps += e.kind == jump;
    story.flanges += e.kind == flange_on || e.kind == flange_off;
    story.releases += e.kind == release || e.kind == touch;
    story.fallbacks += e.kind == fallback;
    story.limits += e.kind == limit;
  }
  return story;
}

void VehicleRunner::look_ahead(bool on) {
  if (look_ahead_ == on) return;
  go_back();
  look_ahead_ = on;
}

double VehicleRunner::output(std::size_t index) noexcept {
  if (!started_) return values_[index];
  if (!channels_[index].of_step)
    take_states();
  else if (look_ahead_)
    go_ahead();
  else
    take_forces();
  return values_[index];
}

void VehicleRunner::take_states() {
  if (states_taken_) return;
  take_places();
  take(false);
  states_taken_ = true;
}

void VehicleRunner::take_forces() {
  if (forces_taken_) return;
  take(true);
  forces_taken_ = true;
}

std::vector<double> VehicleRunner::settings() const {
  std::vector<double> s;
  for (std::size_t i = 0; i < parameters_.size(); ++i) s.push_back(parameter(i));
  for (std::size_t i = 0; i < vehicle_inputs_; ++i) {
    s.push_back(instance_.input_given(i) ? 1 : 0);
    s.push_back(instance_.input_value(i));
  }
  for (std::size_t i = 0; i < nominal_friction_.size(); ++i) {
    s.push_back(instance_.friction_given(i) ? 1 : 0);
    s.push_back(friction(i));
  }
  for (std::size_t k = 0; k < forces_.wheelsets(); ++k) s.push_back(forces_.wheelset(k).place.s());
  s.push_back(place_.s());
  for (const bool flag : {started_, places_taken_}) s.push_back(flag ? 1 : 0);
  return s;
}

void VehicleRunner::use(const std::vector<double>& s) {
  const double* x = s.data();
  for (std::size_t i = 0; i < parameters_.size(); ++i, ++x)
    if (parameter(i) != *x) set_parameter(i, *x);
  for (std::size_t i = 0; i < vehicle_inputs_; ++i, x += 2) {
    if (x[0] != 0)
      instance_.set_input(i, x[1]);
    else
      instance_.release_input(i), simulator().set_input(i, x[1]);
  }
  for (std::size_t i = 0; i < nominal_friction_.size(); ++i, x += 2) {
    if (x[0] != 0)
      instance_.give_friction(i, x[1]);
    else
      instance_.release_friction(i), instance_.set_friction(i, x[1]);
  }
  for (std::size_t k = 0; k < forces_.wheelsets(); ++k) forces_.wheelset(k).place.go_on_from(*x++);
  place_.go_on_from(*x++);
  started_ = x[0] != 0, places_taken_ = x[1] != 0;
  // what was saved has all values
  states_taken_ = forces_taken_ = true;
}

void VehicleRunner::save(base::ByteWriter& bytes) {
  if (started_) {
    take_states();
    take_forces();
    go_back();
  }
  step::VehicleState state = simulator().state();
  std::vector<double> s = settings(), values = values_;
  simulation::state_fields(bytes, state);
  base::field(bytes, s);
  base::field(bytes, values);
}

void VehicleRunner::restore(base::ByteReader& bytes) {
  step::VehicleState state;
  std::vector<double> s, values;
  simulation::state_fields(bytes, state);
  base::field(bytes, s);
  base::field(bytes, values);
  if (s.size() != settings().size() || values.size() != values_.size())
    base::fail("the state is that of another model");
  ahead_ = false;
  simulator().set_state(state);  // an Error if it does not fit
  use(s);
  values_ = values;
}

Status VehicleRunner::accelerations(std::vector<double>& ddq) {
  go_back();
  instance_.set_inputs(instance_.time());
  reference::Continuous equations(simulator());
  const step::VehicleState& state = simulator().state();
  equations.vehicle().take_state(state);
  equations.begin(state);
  if (!equations.place(state.q.data(), state.dq.data()) || !equations.accelerate())
    return Status::not_converged;
  std::copy(equations.ddq.begin(), equations.ddq.end(), ddq.begin());
  return Status::ok;
}

}  // namespace

std::shared_ptr<const Model> vehicle_model(simulation::StoredDescription stored,
                                           std::string_view bytes) {
  return std::make_shared<VehicleModel>(std::move(stored), bytes);
}

}  // namespace klingel::capi
