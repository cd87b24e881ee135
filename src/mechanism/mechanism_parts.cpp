#include "mechanism/mechanism_parts.hpp"

#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace klingel::mechanism {

using Eigen::Index;
using Eigen::VectorXd;
using Where = runtime::Failure::Where;

Index first_not_finite(const double* values, Index size) {
  for (Index i = 0; i < size; ++i)
    if (!std::isfinite(values[i])) return i;
  return -1;
}

Index largest(std::span<const double> values) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) return static_cast<Index>(i);
    if (std::abs(values[i]) > std::abs(values[worst])) worst = i;
  }
  return static_cast<Index>(worst);
}

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

runtime::Status Mechanism::Parts::fail(runtime::Status status, double t, const char* equation,
                                       Where where, Index index) {
  failure = {.status = status,
             .t = t,
             .equation = equation,
             .where = where,
             .index = static_cast<std::uint32_t>(index)};
  return status;
}

runtime::Status Mechanism::Parts::not_converged(double t, const char* equation,
                                                std::span<const double> residuals, double tolerance,
                                                int iterations) {
  const Index worst = largest(residuals);
  const double residual = residuals[static_cast<std::size_t>(worst)];
  fail(std::isfinite(residual) ? runtime::Status::not_converged : runtime::Status::not_finite, t,
       equation, Where::constraint, worst);
  failure.residual = residual;
  failure.tolerance = tolerance;
  failure.iterations = iterations;
  return failure.status;
}

runtime::Status Mechanism::Parts::evaluate_mass(double t) {
  evaluate(e_M, M);
  const Index bad = first_not_finite(M.data(), M.size());
  if (bad < 0) return runtime::Status::ok;
  return fail(runtime::Status::not_finite, t, "M_qq", Where::coordinate, bad % n);
}

runtime::Status Mechanism::Parts::evaluate_jacobian(double t) {
  if (m == 0) return runtime::Status::ok;
  evaluate(e_J, J);
  const Index bad = first_not_finite(J.data(), J.size());
  if (bad < 0) return runtime::Status::ok;
  return fail(runtime::Status::not_finite, t, "dphi_dq", Where::constraint, bad % m);
}

runtime::Status Mechanism::Parts::evaluate_forces(double t) {
  evaluate(e_delta, delta);
  Index bad = first_not_finite(delta.data(), n);
  if (bad >= 0) return fail(runtime::Status::not_finite, t, "delta_q", Where::coordinate, bad);
  if (m == 0) return runtime::Status::ok;
  evaluate(e_gamma, gamma);
  bad = first_not_finite(gamma.data(), m);
  if (bad >= 0) return fail(runtime::Status::not_finite, t, "gamma", Where::constraint, bad);
  return runtime::Status::ok;
}

runtime::Status Mechanism::Parts::factor(double t) {
  if (system->factor(M, J, rank)) return runtime::Status::ok;
  fail(runtime::Status::singular, t, "M_qq", Where::coordinate, system->worst_coordinate());
  failure.residual = system->worst_pivot();
  failure.tolerance = SaddlePoint::pivot_tolerance;
  return runtime::Status::singular;
}

}  // namespace klingel::mechanism
