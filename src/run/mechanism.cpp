#include "run/mechanism.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "run/kernel_set.hpp"
#include "run/saddle_point.hpp"

namespace klingel::run {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Where = Failure::Where;

std::size_t find(const std::vector<std::string>& names, std::string_view name, const char* what,
                 const std::string& model) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) {
    base::fail("'{}' has no {} '{}'{}", model, what, name, base::did_you_mean(name, names));
  }
  return static_cast<std::size_t>(it - names.begin());
}

// the first element that is not finite, or -1
Index first_not_finite(const double* values, Index size) {
  for (Index i = 0; i < size; ++i)
    if (!std::isfinite(values[i])) return i;
  return -1;
}

// index of the largest magnitude; a NaN is larger than anything
Index largest(std::span<const double> values) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) return static_cast<Index>(i);
    if (std::abs(values[i]) > std::abs(values[worst])) worst = i;
  }
  return static_cast<Index>(worst);
}

// A function of the kernels and where its one output of interest lies.
struct Entry {
  std::uint32_t function = 0;
  std::size_t offset = 0;
};

}  // namespace

struct Mechanism::Parts {
  Parts(const klingel_kernel& kernel, std::vector<std::string> names);

  void find_inputs();
  void find_functions();
  Entry entry(const char* function, const char* output, std::size_t rows, std::size_t cols) const {
    return {kernels.function(function),
            kernels.expect(function, output, static_cast<std::uint32_t>(rows),
                           static_cast<std::uint32_t>(cols))};
  }

  void set(const State& state);
  std::span<const double> evaluate(const Entry& e) {
    return kernels.evaluate(e.function).subspan(e.offset);
  }
  void evaluate(const Entry& e, VectorXd& to) {
    std::copy_n(evaluate(e).begin(), to.size(), to.data());
  }
  void evaluate(const Entry& e, MatrixXd& to) {
    std::copy_n(evaluate(e).begin(), to.size(), to.data());
  }

  // Each evaluates at the state last set, and fails if a result is not finite.
  Status evaluate_mass(double t);
  Status evaluate_jacobian(double t);
  Status evaluate_forces(double t);
  Status factor(double t);
  Status fail(Status status, double t, const char* equation, Where where, Index index);
  Status not_converged(double t, const char* equation, std::span<const double> residuals,
                       double tolerance, int iterations);

  KernelSet kernels;
  std::string model;
  std::vector<std::string> q_names, dq_names, phi_names, p_names, u_names, output_names;
  std::uint32_t q = 0, dq = 0;
  std::optional<std::uint32_t> p, t_input, u, f;
  std::size_t u_size = 0;  // inputs before this one are in u, the rest in f
  Index n = 0, m = 0;
  Index rank = 0;
  Entry e_M, e_delta, e_kinetic, e_potential, e_phi, e_J, e_beta, e_gamma;

  MatrixXd M, J;
  VectorXd delta, gamma, phi, dphi, x, lambda, zero, before;
  std::optional<SaddlePoint> system;
  Failure failure;
};

Mechanism::Parts::Parts(const klingel_kernel& kernel, std::vector<std::string> names)
    : kernels(kernel), model(kernel.model) {
  find_inputs();
  find_functions();
  if (names.empty()) {
    for (Index i = 0; i < m; ++i) names.push_back(fmt::format("phi[{}]", i));
  } else if (names.size() != static_cast<std::size_t>(m)) {
    base::fail("'{}' has {} constraints, but {} names of constraints were given", model, m,
               names.size());
  }
  phi_names = std::move(names);
  rank = m;

  M.setZero(n, n);
  J.setZero(m, n);
  for (VectorXd* v : {&delta, &x, &zero, &before}) v->setZero(n);
  for (VectorXd* v : {&gamma, &phi, &dphi, &lambda}) v->setZero(m);
  system.emplace(n, m);
}

void Mechanism::Parts::find_inputs() {
  if (kernels.has_input("s")) {
    base::fail(
        "'{}' has contact coordinates (input 's'), which this simulator of ordinary mechanisms "
        "does not solve for; describe the contact by constraints in q",
        model);
  }
  q = kernels.input("q");
  dq = kernels.input("dq");
  q_names = kernels.names(q);
  dq_names = kernels.names(dq);
  n = static_cast<Index>(q_names.size());
  if (dq_names.size() != q_names.size()) {
    base::fail("the kernels of '{}' have {} coordinates q but {} rates dq", model, q_names.size(),
               dq_names.size());
  }
  if (kernels.has_input("t")) {
    t_input = kernels.input("t");
    if (kernels.value(*t_input).size() != 1) {
      base::fail("input 't' of '{}' has {} elements, expected 1", model,
                 kernels.value(*t_input).size());
    }
  }
  if (kernels.has_input("p")) {
    p = kernels.input("p");
    p_names = kernels.names(*p);
  }
  if (kernels.has_input("u")) {
    u = kernels.input("u");
    u_names = kernels.names(*u);
  }
  u_size = u_names.size();
  if (kernels.has_input("f")) {
    f = kernels.input("f");
    const std::vector<std::string> names = kernels.names(*f);
    u_names.insert(u_names.end(), names.begin(), names.end());
  }
}

void Mechanism::Parts::find_functions() {
  const std::size_t size = q_names.size();
  e_M = entry("M_qq", "M_qq", size, size);
  e_delta = entry("delta_q", "delta_q", size, 1);
  e_kinetic = entry("energy", "kinetic", 1, 1);
  e_potential = entry("energy", "potential", 1, 1);

  const klingel_kernel& k = kernels.abi();
  const char* const constraint_functions[] = {"phi", "dphi", "beta", "gamma"};
  bool constrained = false;
  for (const char* name : constraint_functions)
    constrained = constrained || kernels.has_function(name);
  if (constrained) {
    const klingel_function& function = k.functions[kernels.function("phi")];
    const std::size_t rows = function.n_outputs > 0 ? function.outputs[0].rows : 0;
    m = static_cast<Index>(rows);
    e_phi = entry("phi", "phi", rows, 1);
    e_J = entry("dphi", "dphi_dq", rows, size);
    e_beta = entry("beta", "beta", rows, 1);
    e_gamma = entry("gamma", "gamma", rows, 1);
  }

  const std::string_view known[] = {"M_qq", "delta_q", "energy", "phi", "dphi", "beta", "gamma"};
  for (const klingel_function& function : std::span(k.functions, k.n_functions))
    if (std::find(std::begin(known), std::end(known), function.name) == std::end(known))
      output_names.emplace_back(function.name);
}

void Mechanism::Parts::set(const State& state) {
  KLINGEL_ASSERT_EQ(state.q.size(), q_names.size());
  KLINGEL_ASSERT_EQ(state.dq.size(), dq_names.size());
  if (t_input) kernels.set(*t_input, 0, state.t);
  kernels.set(q, state.q);
  kernels.set(dq, state.dq);
}

Status Mechanism::Parts::fail(Status status, double t, const char* equation, Where where,
                              Index index) {
  failure = {.status = status,
             .t = t,
             .equation = equation,
             .where = where,
             .index = static_cast<std::uint32_t>(index)};
  return status;
}

Status Mechanism::Parts::not_converged(double t, const char* equation,
                                       std::span<const double> residuals, double tolerance,
                                       int iterations) {
  const Index worst = largest(residuals);
  const double residual = residuals[static_cast<std::size_t>(worst)];
  fail(std::isfinite(residual) ? Status::not_converged : Status::not_finite, t, equation,
       Where::constraint, worst);
  failure.residual = residual;
  failure.tolerance = tolerance;
  failure.iterations = iterations;
  return failure.status;
}

Status Mechanism::Parts::evaluate_mass(double t) {
  evaluate(e_M, M);
  const Index bad = first_not_finite(M.data(), M.size());
  if (bad < 0) return Status::ok;
  return fail(Status::not_finite, t, "M_qq", Where::coordinate, bad % n);
}

Status Mechanism::Parts::evaluate_jacobian(double t) {
  if (m == 0) return Status::ok;
  evaluate(e_J, J);
  const Index bad = first_not_finite(J.data(), J.size());
  if (bad < 0) return Status::ok;
  return fail(Status::not_finite, t, "dphi_dq", Where::constraint, bad % m);
}

Status Mechanism::Parts::evaluate_forces(double t) {
  evaluate(e_delta, delta);
  Index bad = first_not_finite(delta.data(), n);
  if (bad >= 0) return fail(Status::not_finite, t, "delta_q", Where::coordinate, bad);
  if (m == 0) return Status::ok;
  evaluate(e_gamma, gamma);
  bad = first_not_finite(gamma.data(), m);
  if (bad >= 0) return fail(Status::not_finite, t, "gamma", Where::constraint, bad);
  return Status::ok;
}

Status Mechanism::Parts::factor(double t) {
  if (system->factor(M, J, rank)) return Status::ok;
  fail(Status::singular, t, "M_qq", Where::coordinate, system->worst_coordinate());
  failure.residual = system->worst_pivot();
  failure.tolerance = SaddlePoint::pivot_tolerance;
  return Status::singular;
}

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

Status Mechanism::accelerations(const State& state, std::span<double> ddq,
                                std::span<double> lambda) {
  Parts& a = *parts_;
  KLINGEL_ASSERT_EQ(ddq.size(), coordinates());
  KLINGEL_ASSERT_EQ(lambda.size(), constraints());
  a.set(state);
  Status status = a.evaluate_mass(state.t);
  if (status == Status::ok) status = a.evaluate_jacobian(state.t);
  if (status == Status::ok) status = a.evaluate_forces(state.t);
  if (status == Status::ok) status = a.factor(state.t);
  if (status != Status::ok) return status;
  a.system->solve(a.delta, a.gamma, a.x, a.lambda);
  const Index bad = first_not_finite(a.x.data(), a.n);
  if (bad >= 0) return a.fail(Status::not_finite, state.t, "ddq", Where::coordinate, bad);
  std::copy_n(a.x.data(), a.n, ddq.data());
  std::copy_n(a.lambda.data(), a.m, lambda.data());
  return Status::ok;
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

Status Mechanism::project_position(State& state, const Projection& options) {
  Parts& a = *parts_;
  if (a.m == 0) return Status::ok;
  std::copy_n(state.q.data(), a.n, a.before.data());
  Status status = Status::ok;
  for (int iteration = 0;; ++iteration) {
    if (largest_phi(state) <= options.position_tolerance) return Status::ok;
    if (iteration >= options.max_iterations || !a.phi.allFinite()) {
      status = a.not_converged(state.t, "projection of q", {a.phi.data(), constraints()},
                               options.position_tolerance, iteration);
      break;
    }
    // the metric stays that of the first point; only J follows
    if (iteration == 0) status = a.evaluate_mass(state.t);
    if (status == Status::ok) status = a.evaluate_jacobian(state.t);
    if (status == Status::ok) status = a.factor(state.t);
    if (status != Status::ok) break;
    a.gamma = -a.phi;
    a.system->solve(a.zero, a.gamma, a.x, a.lambda);
    for (Index i = 0; i < a.n; ++i) state.q[static_cast<std::size_t>(i)] += a.x(i);
  }
  std::copy_n(a.before.data(), a.n, state.q.data());
  return status;
}

Status Mechanism::project_velocity(State& state, const Projection& options) {
  Parts& a = *parts_;
  if (a.m == 0) return Status::ok;
  std::copy_n(state.dq.data(), a.n, a.before.data());
  Status status = Status::ok;
  // linear in dq: the second round only removes rounding, and a third finds a contradiction
  for (int iteration = 0;; ++iteration) {
    const std::span<const double> rates = phi_rates(state);
    const double worst = std::abs(rates[static_cast<std::size_t>(largest(rates))]);
    if (worst <= options.velocity_tolerance) return Status::ok;
    if (iteration >= 3 || !a.dphi.allFinite()) {
      status = a.not_converged(state.t, "projection of dq", rates, options.velocity_tolerance,
                               iteration);
      break;
    }
    if (iteration == 0) {
      status = a.evaluate_mass(state.t);
      if (status == Status::ok) status = a.evaluate_jacobian(state.t);
      if (status == Status::ok) status = a.factor(state.t);
      if (status != Status::ok) break;
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

const Failure& Mechanism::failure() const { return parts_->failure; }

std::string Mechanism::failure_text() const {
  return text(parts_->failure, coordinate_names(), constraint_names());
}

}  // namespace klingel::run
