#include "capi/mechanism_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "kernel/check.h"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"

namespace klingel::capi {
namespace {

using mechanism::Mechanism, mechanism::State;
using runtime::Status;

constexpr char kind[] = "MECH";
constexpr std::uint32_t version = 1;

template <class B>
void fields(B& b, MechanismDescription& d) {
  base::field(b, d.constraints), base::field(b, d.held);
  b(d.method), b(d.step), b(d.duration);
}

class MechanismModel : public Model {
 public:
  explicit MechanismModel(MechanismDescription given);
  std::unique_ptr<Runner> make() const override;

  MechanismDescription description;
};

class MechanismRunner : public Runner {
 public:
  explicit MechanismRunner(const MechanismModel& model);

  void set_parameter(std::size_t i, double value) override {
    mechanism_.set_parameter(mechanism_.parameter_names()[i], value);
  }
  double parameter(std::size_t i) const override {
    return mechanism_.parameter(mechanism_.parameter_names()[i]);
  }
  void set_input(std::size_t i, double value) noexcept override {
    mechanism_.set_input(mechanism_.input_names()[i], value);
  }
  double input(std::size_t i) const override {
    return mechanism_.input(mechanism_.input_names()[i]);
  }
  void release_input(std::size_t i) override { set_input(i, inputs_[i].start); }
  void start() override;
  bool started() const override { return started_; }
  Status step(double h) noexcept override;
  double time() const override { return state_.t; }
  std::string failure() const override;
  void look_ahead(bool) override {}  // all outputs belong to the state
  double output(std::size_t index) noexcept override;
  void save(base::ByteWriter& bytes) override;
  void restore(base::ByteReader& bytes) override;
  std::vector<double> continuous() const override;
  void set_continuous(double t, const std::vector<double>& x) override;
  Status derivatives(std::vector<double>& dx) override;

 private:
  std::vector<std::string> held_;
  std::vector<Variable> inputs_;
  Mechanism mechanism_;
  mechanism::Integrator integrator_;
  State state_;
  bool started_ = false;
  bool derivatives_failed_ = false;  // and not a step
};

MechanismModel::MechanismModel(MechanismDescription given) : description(std::move(given)) {
  const Mechanism mechanism(*description.kernel, description.constraints);
  if (mechanism::method_by_name(description.method) == mechanism::Method::dopri5)
    base::fail("the method 'dopri5' has no fixed step; use 'rk4' or 'implicit_midpoint'");
  name = mechanism.name();
  step = description.step;
  duration = description.duration;
  token = base::sha256(std::string(description.kernel->hash) + mechanism_bytes(description));
  if (description.constraints.empty()) continuous_states = 2 * mechanism.coordinates();
  auto& [parameters, inputs, outputs] = variables;
  for (const std::string& p : mechanism.parameter_names())
    parameters.push_back({p, "", "parameter of the mechanism", mechanism.parameter(p)});
  for (const std::string& u : mechanism.input_names())
    inputs.push_back({u, "", "input of the mechanism", mechanism.input(u)});
  for (const std::string& q : mechanism.coordinate_names())
    outputs.push_back({q, "", "coordinate", 0, true});
  for (const std::string& dq : mechanism.rate_names())
    outputs.push_back({dq, "", "rate of the coordinate", 0, true});
  outputs.push_back({"energy.kinetic", "J", "kinetic energy", 0, true});
  outputs.push_back({"energy.potential", "J", "potential energy", 0, true});
}

std::unique_ptr<Runner> MechanismModel::make() const {
  return std::make_unique<MechanismRunner>(*this);
}

MechanismRunner::MechanismRunner(const MechanismModel& model)
    : held_(model.description.held),
      inputs_(model.of(Kind::input)),
      mechanism_(*model.description.kernel, model.description.constraints),
      integrator_(mechanism_,
                  {.method = mechanism::method_by_name(model.description.method), .h = model.step}),
      state_(mechanism_.nominal_state()) {}

void MechanismRunner::start() {
  state_ = mechanism_.nominal_state();
  mechanism::Held held;
  for (const std::string& name : held_) {
    held.coordinates.push_back(name);
    held.rates.push_back("d" + name);
  }
  mechanism::assemble(mechanism_, state_, held);
  started_ = true;
}

Status MechanismRunner::step(double h) noexcept {
  derivatives_failed_ = false;
  // a whole step is not measured by its end: that would round
  return h >= integrator_.options().h ? integrator_.step(state_)
                                      : integrator_.advance(state_, state_.t + h);
}

std::string MechanismRunner::failure() const {
  if (!derivatives_failed_) return integrator_.failure_text();
  return fmt::format(
      "t = {:.9g} s: there are no finite accelerations at this state: it is too far away, or the "
      "mass matrix is singular there",
      state_.t);
}

double MechanismRunner::output(std::size_t index) noexcept {
  const std::size_t n = state_.q.size();
  if (index < n) return state_.q[index];
  if (index < 2 * n) return state_.dq[index - n];
  const mechanism::Energy energy = mechanism_.energy(state_);
  return index == 2 * n ? energy.kinetic : energy.potential;
}

void MechanismRunner::save(base::ByteWriter& bytes) {
  std::vector<double> values{started_ ? 1.0 : 0.0, state_.t};
  for (std::size_t i = 0; i < mechanism_.parameter_names().size(); ++i)
    values.push_back(parameter(i));
  for (std::size_t i = 0; i < inputs_.size(); ++i) values.push_back(input(i));
  base::field(bytes, values);
  base::field(bytes, state_.q), base::field(bytes, state_.dq);
}

void MechanismRunner::restore(base::ByteReader& bytes) {
  std::vector<double> values;
  State state;
  base::field(bytes, values), base::field(bytes, state.q), base::field(bytes, state.dq);
  const std::size_t parameters = mechanism_.parameter_names().size();
  if (values.size() != 2 + parameters + inputs_.size() || state.q.size() != state_.q.size() ||
      state.dq.size() != state_.dq.size())
    base::fail("the state is that of another model");
  started_ = values[0] != 0;
  state.t = values[1];
  for (std::size_t i = 0; i < parameters; ++i)
    if (parameter(i) != values[2 + i]) set_parameter(i, values[2 + i]);
  for (std::size_t i = 0; i < inputs_.size(); ++i) set_input(i, values[2 + parameters + i]);
  state_ = std::move(state);
}

std::vector<double> MechanismRunner::continuous() const {
  std::vector<double> x = state_.q;
  x.insert(x.end(), state_.dq.begin(), state_.dq.end());
  return x;
}

void MechanismRunner::set_continuous(double t, const std::vector<double>& x) {
  const auto n = static_cast<std::ptrdiff_t>(state_.q.size());
  state_.t = t;
  state_.q.assign(x.begin(), x.begin() + n);
  state_.dq.assign(x.begin() + n, x.end());
}

Status MechanismRunner::derivatives(std::vector<double>& dx) {
  const std::size_t n = state_.q.size();
  std::vector<double> lambda(mechanism_.constraints());
  std::copy(state_.dq.begin(), state_.dq.end(), dx.begin());
  Status status = mechanism_.accelerations(state_, std::span(dx).subspan(n), lambda);
  for (const double value : dx)
    if (status == Status::ok && !std::isfinite(value)) status = Status::not_finite;
  derivatives_failed_ = status != Status::ok;
  return status;
}

}  // namespace

std::string mechanism_bytes(const MechanismDescription& description) {
  base::ByteWriter b;
  MechanismDescription d = description;
  std::string model = d.kernel->model, hash = d.kernel->hash;
  b(model), b(hash), fields(b, d);
  return base::seal(kind, version, b.bytes());
}

bool is_mechanism(std::string_view bytes) {
  return bytes.size() > 12 && bytes.substr(8, 4) == kind;
}

MechanismDescription read_mechanism(std::string_view bytes, const klingel_kernel* kernel,
                                    const std::string& what) {
  base::ByteReader b(base::unseal(kind, version, bytes, what));
  MechanismDescription d;
  std::string model, hash;
  b(model), b(hash), fields(b, d);
  b.finish();
  char message[200];
  if (klingel_kernel_check(kernel, message, sizeof message) != 0)
    base::fail("kernels: {}", message);
  if (model != kernel->model || hash != kernel->hash)
    base::fail("{}: belongs to the kernels of '{}', given are others", what, model);
  d.kernel = kernel;
  return d;
}

std::shared_ptr<const Model> mechanism_model(MechanismDescription description) {
  return std::make_shared<MechanismModel>(std::move(description));
}

}  // namespace klingel::capi
