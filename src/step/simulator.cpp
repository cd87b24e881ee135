#include "step/simulator.hpp"

#include <limits>

#include "base/flush_subnormals.hpp"
#include "step/stepper.hpp"

namespace klingel::step {

// in all that evaluates kernels, so that a run has the same bits whoever looks at it
using base::FlushSubnormals;

Simulator::Simulator(VehicleData data) {
  const klingel_kernel& kernel = *data.vehicle;
  stepper_ = std::make_unique<Stepper>(std::make_shared<const Description>(std::move(data)),
                                       KernelSet(kernel), KernelSet(kernel));
}
Simulator::Simulator(std::unique_ptr<Stepper> stepper) : stepper_(std::move(stepper)) {}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

const VehicleData& Simulator::data() const { return stepper_->vehicle.data; }
std::size_t Simulator::coordinates() const { return stepper_->vehicle.n; }
const std::vector<std::string>& Simulator::coordinate_names() const {
  return stepper_->vehicle.coordinate_names;
}
const std::vector<std::string>& Simulator::input_names() const {
  return stepper_->vehicle.input_names;
}
const std::vector<std::string>& Simulator::parameter_names() const {
  return stepper_->vehicle.parameter_names;
}

void Simulator::set_state(const VehicleState& state) { stepper_->set_state(state); }
const VehicleState& Simulator::state() const { return stepper_->state(); }
double Simulator::time() const { return stepper_->time(); }
bool Simulator::is_finite() const { return stepper_->is_finite(); }

void Simulator::set_input(std::size_t index, double value) {
  for (Instant& i : stepper_->instants()) i.kernels.set(stepper_->vehicle.id.u, index, value);
}
double Simulator::input(std::size_t index) const {
  return stepper_->at_t().kernels.value(stepper_->vehicle.id.u)[index];
}
void Simulator::set_friction(std::size_t wheel, double mu) { stepper_->friction[wheel] = mu; }
double Simulator::friction(std::size_t wheel) const { return stepper_->friction[wheel]; }
void Simulator::set_parameter(std::size_t index, double value) {
  for (Instant& i : stepper_->instants()) i.kernels.set(stepper_->vehicle.id.p, index, value);
  stepper_->forget();
}

void Simulator::shift_rail(std::size_t wheel, const RailShift& by) {
  stepper_->shift_rail(wheel, by);
}

Status Simulator::step(double h, const StepOptions& options) {
  const FlushSubnormals flush;
  for (stepper_->begin_step(); stepper_->phase() != Phase::done;) {
    if (const Status status = stepper_->do_phase(h, options); status != Status::ok) return status;
  }
  return Status::ok;
}

std::span<const double> Simulator::pose(std::size_t wheelset) {
  const FlushSubnormals flush;
  stepper_->prepare();
  return stepper_->at_t().pose(wheelset);
}
std::span<const double> Simulator::twist(std::size_t wheelset) {
  const FlushSubnormals flush;
  stepper_->prepare();
  return stepper_->at_t().twist(wheelset);
}
std::span<const double> Simulator::evaluate(std::string_view function) {
  const FlushSubnormals flush;
  stepper_->prepare();
  KernelSet& k = stepper_->at_t().kernels;
  return k.evaluate(k.function(function));
}

double Simulator::measured(std::size_t index) {
  const FlushSubnormals flush;
  stepper_->prepare();
  return stepper_->at_t().kernels.evaluate(stepper_->vehicle.id.measured)[index];
}
double Simulator::felt(std::size_t index) {
  const FlushSubnormals flush;
  if (!stepper_->has_stepped()) return std::numeric_limits<double>::quiet_NaN();
  return kernels_of_last_step().evaluate(stepper_->vehicle.id.felt)[index];
}

const EnergyBalance& Simulator::balance() const { return stepper_->meter.balance; }
const Doubts& Simulator::doubts() const { return stepper_->log.doubts; }
const std::vector<PointResult>& Simulator::tread() const {
  const FlushSubnormals flush;
  return stepper_->results().tread;
}
const std::vector<PointResult>& Simulator::flange() const {
  const FlushSubnormals flush;
  return stepper_->results().flange;
}
int Simulator::newton_q() const { return stepper_->log.newton_q; }
int Simulator::newton_s() const { return stepper_->log.newton_s; }
double Simulator::largest_phi() const { return stepper_->log.largest_phi; }
std::span<const Event> Simulator::events() const { return stepper_->log.events; }
const Failure& Simulator::failure() const { return stepper_->log.failure; }
std::string Simulator::failure_text() const {
  return text(stepper_->log.failure, stepper_->vehicle.coordinate_names,
              stepper_->vehicle.wheel_names);
}

const std::shared_ptr<const Description>& Simulator::description() const {
  return stepper_->description;
}
const KernelSet& Simulator::kernels() const { return stepper_->at_t().kernels; }
// after a step the instants have changed roles
KernelSet& Simulator::kernels_of_last_step() { return stepper_->at_end().kernels; }
std::span<const double> Simulator::dq_end() const {
  return stepper_->at_end().kernels.value(stepper_->vehicle.id.dq_end);
}
void Simulator::set_other_scheme(std::unique_ptr<OtherScheme> scheme) {
  stepper_->other = std::move(scheme);
}

}  // namespace klingel::step
