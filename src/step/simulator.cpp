#include "step/simulator.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "step/simulator_parts.hpp"

namespace klingel::step {

std::string_view name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::release:
      return "release";
    case Event::Kind::touch:
      return "touch";
    case Event::Kind::flange_on:
      return "flange on";
    case Event::Kind::flange_off:
      return "flange off";
    case Event::Kind::jump:
      return "jump";
    case Event::Kind::fallback:
      return "pivoting solver";
    case Event::Kind::derailed:
      return "derailed";
  }
  return "";
}

Simulator::Parts::Parts(std::shared_ptr<const Surroundings> given, runtime::KernelSet first,
                        runtime::KernelSet second)
    : around(std::move(given)),
      data(around->data),
      instants{Instant(std::move(first)), Instant(std::move(second))},
      tread(data),
      flange(data),
      partition(instants[0].kernels.value(instants[0].kernels.input("q")).size(),
                data.wheels.size()) {
  const runtime::KernelSet& k = instants[0].kernels;
  id.has_p = k.has_input("p");
  id.has_u = k.has_input("u");
  id.p = id.has_p ? k.input("p") : 0;
  id.u = id.has_u ? k.input("u") : 0;
  id.q = k.input("q"), id.dq = k.input("dq"), id.h = k.input("h"),
  id.tangents = k.input("tangents"), id.B = k.input("B");
  id.b = k.input("b"), id.W_n = k.input("W_n"), id.active = k.input("active");
  id.rhs = k.input("rhs"), id.dq_end = k.input("dq_end");
  id.pose = k.function("pose"), id.motion = k.function("motion");
  id.impulse = k.function("impulse"), id.solve = k.function("solve");
  id.step_matrix = k.function("step_matrix"), id.delta_NK = k.function("delta_NK");
  id.energy = k.function("energy"), id.twist_end = k.function("twist_end");
  id.power = k.function("power"), id.twist_dq = k.function("twist_dq");

  coordinate_names = k.names(id.q);
  if (id.has_u) input_names = k.names(id.u);
  if (id.has_p) parameter_names = k.names(id.p);
  n = coordinate_names.size();
  w = data.wheels.size();
  if (k.value(id.active).size() != w || k.value(id.b).size() != 6 * data.wheelsets.size()) {
    base::fail("the kernels of '{}' are for {} wheels on {} wheelsets, given are {} on {}",
               data.name, k.value(id.active).size(), k.value(id.b).size() / 6, w,
               data.wheelsets.size());
  }

  for (const WheelData& wheel : data.wheels) wheel_names.push_back(wheel.name + " [m]");
  friction.assign(w, data.friction);
  state.q.assign(n, 0), state.dq.assign(n, 0);
  state.tread.resize(w), state.flange.resize(w);
  next = state;
  Bb.resize(wrench_size * data.wheelsets.size());
  W_n.resize(6 * w), active.resize(w), rhs.resize(n + w), dq_new.resize(n);
  on_branch.resize(tread.sets.size()), unsettled.resize(tread.sets.size());
  looked.resize(w);
  tread_result.resize(w), flange_result.resize(w);
  events.reserve(8 * w + 8);
  make_loaded();
  const auto size = static_cast<Eigen::Index>(n + w);
  dense.resize(size, size);
  pivoting = Eigen::FullPivLU<Eigen::MatrixXd>(size, size);
  dense_rhs.resize(size), dense_x.resize(size);
}

Simulator::Parts::~Parts() = default;

Simulator::Simulator(VehicleData data) {
  const klingel_kernel& kernel = *data.vehicle;
  parts_ = std::make_unique<Parts>(std::make_shared<Surroundings>(std::move(data)),
                                   runtime::KernelSet(kernel), runtime::KernelSet(kernel));
}
Simulator::Simulator(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

const VehicleData& Simulator::data() const { return parts_->data; }
std::size_t Simulator::coordinates() const { return parts_->n; }
const std::vector<std::string>& Simulator::coordinate_names() const {
  return parts_->coordinate_names;
}
const std::vector<std::string>& Simulator::input_names() const { return parts_->input_names; }
const std::vector<std::string>& Simulator::parameter_names() const {
  return parts_->parameter_names;
}
const VehicleState& Simulator::state() const { return parts_->state; }
const std::vector<PointResult>& Simulator::tread() const {
  parts_->tell_results();
  return parts_->tread_result;
}
const std::vector<PointResult>& Simulator::flange() const {
  parts_->tell_results();
  return parts_->flange_result;
}
const Simulator::Doubts& Simulator::doubts() const { return parts_->doubts; }
int Simulator::newton_q() const { return parts_->newton_q; }
int Simulator::newton_s() const { return parts_->newton_s; }
double Simulator::largest_phi() const { return parts_->largest_phi; }
std::span<const Event> Simulator::events() const { return parts_->events; }
const runtime::Failure& Simulator::failure() const { return parts_->failure; }
std::string Simulator::failure_text() const {
  return text(parts_->failure, parts_->coordinate_names, parts_->wheel_names);
}

void Simulator::set_state(const VehicleState& state) {
  Parts& p = *parts_;
  if (state.q.size() != p.n || state.dq.size() != p.n || state.tread.size() != p.w ||
      state.flange.size() != p.w) {
    base::fail(
        "a state of {} coordinates and {} wheels does not fit the vehicle '{}' with {} and {}",
        state.q.size(), state.tread.size(), p.data.name, p.n, p.w);
  }
  p.state = state;
  p.next = state;
  p.fresh = false;
  p.balance = {};
  p.doubts = {};
}

void Simulator::set_input(std::size_t index, double value) {
  for (Instant& i : parts_->instants) i.kernels.set(parts_->id.u, index, value);
}
void Simulator::set_friction(std::size_t wheel, double mu) { parts_->friction[wheel] = mu; }
double Simulator::input(std::size_t index) const {
  return parts_->instants[0].kernels.value(parts_->id.u)[index];
}
double Simulator::friction(std::size_t wheel) const { return parts_->friction[wheel]; }
void Simulator::set_parameter(std::size_t index, double value) {
  for (Instant& i : parts_->instants) i.kernels.set(parts_->id.p, index, value);
  parts_->fresh = false;
}

std::span<const double> Simulator::pose(std::size_t wheelset) {
  parts_->prepare();
  return parts_->at_t().pose(wheelset);
}
std::span<const double> Simulator::twist(std::size_t wheelset) {
  parts_->prepare();
  return parts_->at_t().twist(wheelset);
}
std::span<const double> Simulator::evaluate(std::string_view function) {
  parts_->prepare();
  runtime::KernelSet& k = parts_->at_t().kernels;
  return k.evaluate(k.function(function));
}
const Simulator::Balance& Simulator::balance() const { return parts_->balance; }

void Simulator::Parts::open_balance() {
  const std::span<const double> energy = at_t().kernels.evaluate(id.energy);
  balance = {};
  balance.kinetic = energy[0], balance.potential = energy[1];
  balance.start = energy[0] + energy[1];
  balance.contacts = balance.start_contacts = stored_in_contacts();
  const std::span<const double> now_power = at_t().kernels.evaluate(id.power);
  power = now_power[0], input_power = now_power[1];
}

// Forces times mean velocity, so that with a constant mass matrix the kinetic energy changes by
// exactly that; inputs and dampers by the trapezoidal rule.
void Simulator::Parts::add_work(double h) {
  tell_results();
  double normal = 0, creep = 0;
  // the instants have changed roles: the step's beginning is at_end(), its end at_t()
  for (std::size_t i = 0; i < w; ++i) {
    const std::size_t k = data.wheels[i].wheelset;
    const std::span<const double> pose = at_end().pose(k), twist = at_end().twist(k);
    const std::span<const double> end = twists_end.subspan(6 * k, 6);
    std::array<double, 6> mean;
    for (int c = 0; c < 3; ++c) {
      mean[c] = (twist[c] + end[c]) / 2;
      mean[3 + c] = (twist[3 + c] + twist[6] * pose[6 + c] + end[3 + c]) / 2;
    }
    for (const PointResult* r : {&tread_result[i], &flange_result[i]}) {
      if (r->N == 0) continue;
      for (int c = 0; c < 6; ++c) {
        normal += h * r->N * r->W_n[c] * mean[c];
        creep += h * (r->f[0] * r->W_x[c] + r->f[1] * r->W_y[c]) * mean[c];
      }
      for (int c = 0; c < 3; ++c) creep += h * r->f[2] * r->W_n[c] * mean[3 + c];
    }
  }
  // loaded treads know what their forces did to the last digit
  if (!loaded.empty()) normal = normal_work, creep = creep_work;
  balance.normal += normal, balance.creep += creep;
  balance.exchanged += std::abs(normal) + std::abs(creep);
  const double before = power, inputs_before = input_power;
  const std::span<const double> now_power = at_t().kernels.evaluate(id.power);
  power = now_power[0], input_power = now_power[1];
  const double inputs = h * (inputs_before + input_power) / 2;
  const double dampers = h * (before + power) / 2 - inputs;
  balance.inputs += inputs, balance.dampers += dampers;
  balance.exchanged += std::abs(inputs) + std::abs(dampers);
  const double potential = balance.potential;
  const std::span<const double> energy = at_t().kernels.evaluate(id.energy);
  balance.kinetic = energy[0], balance.potential = energy[1];
  balance.exchanged += std::abs(balance.potential - potential);
  balance.contacts = stored_in_contacts();
}

void Simulator::Parts::place(Instant& instant, const std::vector<double>& q) {
  instant.kernels.set(id.q, q);
  instant.poses = instant.kernels.evaluate(id.pose);
}

void Simulator::Parts::move(Instant& instant, const std::vector<double>& dq) {
  instant.kernels.set(id.dq, dq);
  take_motion(instant);
}

void Simulator::Parts::take_motion(Instant& instant) {
  const std::span<const double> both = instant.kernels.evaluate(id.motion);
  instant.twists = both.first(7 * data.wheelsets.size());
  instant.biases = both.subspan(7 * data.wheelsets.size());
}

void Simulator::Parts::stand(const Contact& contact, const PointState& point, const Instant& at,
                             std::size_t wheelset) {
  contact.set_pose(at.pose(wheelset));
  contact.set_motion(at.twist(wheelset), at.bias(wheelset));
  contact.set_s(point.s);
  contact.set_rates(point.ds, point.dds);
}

// everything stands at `state`, as if a step had just ended there
void Simulator::Parts::prepare() {
  if (fresh) return;
  partition.known = false;
  place(at_t(), state.q);
  move(at_t(), state.dq);
  if (!loaded.empty()) {
    take_feet(state);
    stand_loaded(at_t());
    fresh = true;
    return;
  }
  for (std::size_t i = 0; i < w; ++i) {
    const std::size_t k = data.wheels[i].wheelset;
    stand(tread[i], state.tread[i], at_t(), k);
    stand(flange[i], state.flange[i], at_t(), k);
  }
  fresh = true;
}

runtime::Status Simulator::Parts::fail(runtime::Status status, const char* equation,
                                       std::size_t wheel, double residual, double tolerance,
                                       int iterations) {
  failure = {status,
             state.t,
             state.step + 1,
             equation,
             runtime::Failure::Where::constraint,
             static_cast<std::uint32_t>(wheel),
             residual,
             tolerance,
             iterations};
  fresh = false;
  phase = Phase::done;
  return status;
}

void Simulator::Parts::note(Event::Kind kind, std::size_t wheel, double value) {
  if (events.size() == events.capacity()) return;  // never allocate; one step has few events
  events.push_back({kind, static_cast<std::uint32_t>(wheel), state.step + 1, state.t, value});
}

runtime::Status Simulator::step(double h, const StepOptions& options) {
  for (parts_->phase = Phase::forces; parts_->phase != Phase::done;) {
    if (const runtime::Status status = parts_->go_on(h, options); status != runtime::Status::ok)
      return status;
  }
  return runtime::Status::ok;
}

}  // namespace klingel::step
