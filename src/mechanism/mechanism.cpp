#include "mechanism/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "mechanism/mechanism_parts.hpp"

namespace klingel::mechanism {

using Eigen::Index;
using Where = runtime::Failure::Where;

namespace {

std::size_t find(const std::vector<std::string>& names, std::string_view name, const char* what,
                 const std::string& model) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) {
    base::fail("'{}' has no {} '{}'{}", model, what, name, base::did_you_mean(name, names));
  }
  return static_cast<std::size_t>(it - names.begin());
}

}  // namespace

Mechanism::Mechanism(const klingel_kernel& kernel, std::vector<std::string> constraint_names)
    : parts_(std::make_unique<Parts>(kernel, std::move(constraint_names))) {}
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

const std::string& Mechanism::name() const { return parts_->model; }
const std::vector<std::string>& Mechanism::coordinate_names() const { return parts_->q_names; }
const std::vector<std::string>& Mechanism::rate_names() const { return parts_->dq_names; }
const std::vector<std::string>& Mechanism::constraint_names() const { return parts_->phi_names; }
const std::vector<std::string>& Mechanism::parameter_names() const { return parts_->p_names; }
const std::vector<std::string>& Mechanism::input_names() const { return parts_->u_names; }
const std::vector<std::string>& Mechanism::output_names() const { return parts_->output_names; }

State Mechanism::nominal_state() const {
  const klingel_kernel& k = parts_->kernels.abi();
  const klingel_input &q = k.inputs[parts_->q], &dq = k.inputs[parts_->dq];
  return {0, {q.nominal, q.nominal + q.size}, {dq.nominal, dq.nominal + dq.size}};
}

double& Mechanism::coordinate(State& state, std::string_view name) const {
  return state.q.at(find(parts_->q_names, name, "coordinate", parts_->model));
}

double& Mechanism::rate(State& state, std::string_view name) const {
  return state.dq.at(find(parts_->dq_names, name, "rate", parts_->model));
}

double Mechanism::parameter(std::string_view name) const {
  const std::size_t i = find(parts_->p_names, name, "parameter", parts_->model);
  return parts_->kernels.value(*parts_->p)[i];
}

void Mechanism::set_parameter(std::string_view name, double value) {
  const std::size_t i = find(parts_->p_names, name, "parameter", parts_->model);
  parts_->kernels.set(*parts_->p, i, value);
}

double Mechanism::input(std::string_view name) const {
  const std::size_t i = find(parts_->u_names, name, "input", parts_->model);
  if (i < parts_->u_size) return parts_->kernels.value(*parts_->u)[i];
  return parts_->kernels.value(*parts_->f)[i - parts_->u_size];
}

void Mechanism::set_input(std::string_view name, double value) {
  const std::size_t i = find(parts_->u_names, name, "input", parts_->model);
  if (i < parts_->u_size) return parts_->kernels.set(*parts_->u, i, value);
  parts_->kernels.set(*parts_->f, i - parts_->u_size, value);
}

runtime::Status Mechanism::accelerations(const State& state, std::span<double> ddq,
                                         std::span<double> lambda) {
  Parts& a = *parts_;
  KLINGEL_ASSERT_EQ(ddq.size(), coordinates());
  KLINGEL_ASSERT_EQ(lambda.size(), constraints());
  a.set(state);
  runtime::Status status = a.evaluate_mass(state.t);
  if (status == runtime::Status::ok) status = a.evaluate_jacobian(state.t);
  if (status == runtime::Status::ok) status = a.evaluate_forces(state.t);
  if (status == runtime::Status::ok) status = a.factor(state.t);
  if (status != runtime::Status::ok) return status;
  a.system->solve(a.delta, a.gamma, a.x, a.lambda);
  const Index bad = first_not_finite(a.x.data(), a.n);
  if (bad >= 0) return a.fail(runtime::Status::not_finite, state.t, "ddq", Where::coordinate, bad);
  std::copy_n(a.x.data(), a.n, ddq.data());
  std::copy_n(a.lambda.data(), a.m, lambda.data());
  return runtime::Status::ok;
}

Energy Mechanism::energy(const State& state) {
  parts_->set(state);
  const std::span<const double> values = parts_->kernels.evaluate(parts_->e_kinetic.function);
  return {values[parts_->e_kinetic.offset], values[parts_->e_potential.offset]};
}

std::span<const double> Mechanism::output(const State& state, std::string_view name) {
  const std::size_t i = find(parts_->output_names, name, "output", parts_->model);
  parts_->set(state);
  return parts_->kernels.evaluate(parts_->kernels.function(parts_->output_names[i]));
}

std::span<const double> Mechanism::phi(const State& state) {
  Parts& a = *parts_;
  if (a.m == 0) return {};
  a.set(state);
  a.evaluate(a.e_phi, a.phi);
  return {a.phi.data(), constraints()};
}

std::span<const double> Mechanism::dphi_dq(const State& state) {
  Parts& a = *parts_;
  if (a.m == 0) return {};
  a.set(state);
  a.evaluate(a.e_J, a.J);
  return {a.J.data(), static_cast<std::size_t>(a.J.size())};
}

std::span<const double> Mechanism::phi_rates(const State& state) {
  Parts& a = *parts_;
  if (a.m == 0) return {};
  a.set(state);
  a.evaluate(a.e_J, a.J);
  a.evaluate(a.e_beta, a.dphi);
  a.dphi = -a.dphi;
  for (Index j = 0; j < a.n; ++j) a.dphi += state.dq[static_cast<std::size_t>(j)] * a.J.col(j);
  return {a.dphi.data(), constraints()};
}

double Mechanism::largest_phi(const State& state) {
  const std::span<const double> values = phi(state);
  return values.empty() ? 0 : std::abs(values[static_cast<std::size_t>(largest(values))]);
}

runtime::Status Mechanism::project_position(State& state, const Projection& options) {
  Parts& a = *parts_;
  if (a.m == 0) return runtime::Status::ok;
  std::copy_n(state.q.data(), a.n, a.before.data());
  runtime::Status status = runtime::Status::ok;
  for (int iteration = 0;; ++iteration) {
    if (largest_phi(state) <= options.position_tolerance) return runtime::Status::ok;
    if (iteration >= options.max_iterations || !a.phi.allFinite()) {
      status = a.not_converged(state.t, "projection of q", {a.phi.data(), constraints()},
                               options.position_tolerance, iteration);
      break;
    }
    // the metric stays that of the first point; only J follows
    if (iteration == 0) status = a.evaluate_mass(state.t);
    if (status == runtime::Status::ok) status = a.evaluate_jacobian(state.t);
    if (status == runtime::Status::ok) status = a.factor(state.t);
    if (status != runtime::Status::ok) break;
    a.gamma = -a.phi;
    a.system->solve(a.zero, a.gamma, a.x, a.lambda);
    for (Index i = 0; i < a.n; ++i) state.q[static_cast<std::size_t>(i)] += a.x(i);
  }
  std::copy_n(a.before.data(), a.n, state.q.data());
  return status;
}

runtime::Status Mechanism::project_velocity(State& state, const Projection& options) {
  Parts& a = *parts_;
  if (a.m == 0) return runtime::Status::ok;
  std::copy_n(state.dq.data(), a.n, a.before.data());
  runtime::Status status = runtime::Status::ok;
  // linear in dq: the second round only removes rounding, and a third finds a contradiction
  for (int iteration = 0;; ++iteration) {
    const std::span<const double> rates = phi_rates(state);
    const double worst = std::abs(rates[static_cast<std::size_t>(largest(rates))]);
    if (worst <= options.velocity_tolerance) return runtime::Status::ok;
    if (iteration >= 3 || !a.dphi.allFinite()) {
      status = a.not_converged(state.t, "projection of dq", rates, options.velocity_tolerance,
                               iteration);
      break;
    }
    if (iteration == 0) {
      status = a.evaluate_mass(state.t);
      if (status == runtime::Status::ok) status = a.evaluate_jacobian(state.t);
      if (status == runtime::Status::ok) status = a.factor(state.t);
      if (status != runtime::Status::ok) break;
    }
    a.gamma = -a.dphi;
    a.system->solve(a.zero, a.gamma, a.x, a.lambda);
    for (Index i = 0; i < a.n; ++i) state.dq[static_cast<std::size_t>(i)] += a.x(i);
  }
  std::copy_n(a.before.data(), a.n, state.dq.data());
  return status;
}

void Mechanism::follow_constraints(State& state, const Projection& options) {
  Parts& a = *parts_;
  if (a.m == 0) return;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    const double residual = largest_phi(state);
    if (residual <= options.position_tolerance || !(residual < last)) return;
    last = residual;
    a.gamma = -a.phi;
    a.system->solve(a.zero, a.gamma, a.x, a.lambda);
    for (Index i = 0; i < a.n; ++i) state.q[static_cast<std::size_t>(i)] += a.x(i);
  }
}

std::size_t Mechanism::rank() const { return static_cast<std::size_t>(parts_->rank); }

void Mechanism::set_rank(std::size_t rank) {
  parts_->rank = std::min(static_cast<Index>(rank), parts_->m);
}

const runtime::Failure& Mechanism::failure() const { return parts_->failure; }

std::string Mechanism::failure_text() const {
  return text(parts_->failure, coordinate_names(), constraint_names());
}

}  // namespace klingel::mechanism
