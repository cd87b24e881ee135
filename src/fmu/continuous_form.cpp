// The continuous form of a component: states and their derivatives for Model Exchange, and
// directional derivatives at the present state.
#include <cmath>
#include <cstring>
#include <vector>

#include "fmu/component.hpp"

namespace klingel::fmu {

Status Component::set_time(double t) {
  std::vector<double> x(states());
  if (klingel_get_continuous(instance_, x.data(), x.size()) != KLINGEL_OK ||
      klingel_set_continuous(instance_, t - start_time_, x.data(), x.size()) != KLINGEL_OK)
    return fail(klingel_message(instance_));
  return Status::ok;
}

Status Component::get_states(double* x, std::size_t n) {
  if (klingel_get_continuous(instance_, x, n) == KLINGEL_OK) return Status::ok;
  return fail("the number of continuous states is another one");
}

Status Component::set_states(const double* x, std::size_t n) {
  if (klingel_set_continuous(instance_, klingel_time(instance_), x, n) == KLINGEL_OK)
    return Status::ok;
  return fail("the number of continuous states is another one");
}

Status Component::derivatives(double* dx, std::size_t n) {
  if (klingel_derivatives(instance_, dx, n) == KLINGEL_OK) return Status::ok;
  return fail(klingel_message(instance_));
}

std::size_t Component::rates() const {
  return states() > 0 ? states() : klingel_coordinates(model_);
}

Status Component::find_rates(double* dx) {
  if (start_if_needed() != Status::ok) return Status::error;
  if (states() > 0) return derivatives(dx, states());
  if (klingel_accelerations(instance_, dx, rates()) == KLINGEL_OK) return Status::ok;
  return fail(klingel_message(instance_));
}

// Whether an output is a coordinate of a vehicle or its rate.
bool Component::is_state(unsigned output) const {
  const std::size_t index = (output - 1) & 0xfffff;
  const klingel_variable* v = output != 0 && (output - 1) >> 20 == KLINGEL_OUTPUT
                                  ? klingel_variable_at(model_, KLINGEL_OUTPUT, index)
                                  : nullptr;
  return v != nullptr &&
         (std::strncmp(v->name, "q.", 2) == 0 || std::strncmp(v->name, "dq.", 3) == 0);
}

// How far a known is moved for a difference: far enough that rounding does not matter, near enough
// that the function is straight. Forces and moments enter linearly but for creep.
double Component::reach(unsigned known) const {
  const unsigned kind = known != 0 ? (known - 1) >> 20 : derivative_kind;
  const klingel_variable* v =
      klingel_variable_at(model_, KLINGEL_INPUT, kind == KLINGEL_INPUT ? (known - 1) & 0xfffff : 0);
  const bool force = states() == 0 && kind == KLINGEL_INPUT && v != nullptr &&
                     std::strncmp(v->name, "friction.", 9) != 0;
  return force ? 1 : 1e-6;
}

// Adds a multiple of the seed to states and inputs.
Status Component::move(const unsigned* knowns, std::size_t n, const double* seed, double by) {
  std::vector<double> x(states());
  if (!x.empty() && get_states(x.data(), x.size()) != Status::ok) return Status::error;
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned kind = knowns[i] != 0 ? (knowns[i] - 1) >> 20 : derivative_kind;
    const std::size_t index = (knowns[i] - 1) & 0xfffff;
    const double step = by * seed[i];
    if (kind == KLINGEL_OUTPUT && index < x.size()) {
      x[index] += step;
    } else if (kind != KLINGEL_INPUT || index >= klingel_count(model_, KLINGEL_INPUT)) {
      return fail(x.empty() ? "knowns of a directional derivative of a vehicle are its inputs"
                            : "knowns of a directional derivative are states and inputs");
    } else if (klingel_set_input(instance_, index, klingel_get_input(instance_, index) + step) !=
               KLINGEL_OK) {
      return fail(klingel_message(instance_));
    }
  }
  return x.empty() ? Status::ok : set_states(x.data(), x.size());
}

// Values of unknowns; derivatives of states are computed once for all.
Status Component::evaluate(const unsigned* unknowns, std::size_t n, std::vector<double>& values) {
  std::vector<double> dx;
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned kind = unknowns[i] != 0 ? (unknowns[i] - 1) >> 20 : 0;
    const std::size_t index = (unknowns[i] - 1) & 0xfffff;
    if (kind == derivative_kind && index < rates()) {
      if (dx.empty()) {
        dx.resize(rates());
        if (find_rates(dx.data()) != Status::ok) return Status::error;
      }
      values[i] = dx[index];
    } else if (states() == 0 && is_state(unknowns[i])) {
      values[i] = 0;  // states do not depend on inputs
    } else if (states() == 0) {
      return fail(
          "unknowns of a directional derivative of a vehicle are the derivatives of dq, those of "
          "its continuous equations; outputs belong to the discrete step");
    } else if (get(unknowns[i], values[i]) != Status::ok) {
      return Status::error;
    }
  }
  return Status::ok;
}

Status Component::directional(const unsigned* unknowns, std::size_t n_unknowns,
                              const unsigned* knowns, std::size_t n_knowns, const double* seed,
                              double* result) {
  if (rates() == 0)
    return fail("directional derivatives are those of the continuous form, which there is none of");
  if (start_if_needed() != Status::ok) return Status::error;
  double h = 1;
  for (std::size_t i = 0; i < n_knowns; ++i) {
    if (!std::isfinite(seed[i])) return fail("the seed is not finite");
    if (seed[i] != 0) h = std::fmin(h, reach(knowns[i]) / std::abs(seed[i]));
  }
  std::string here;
  if (save(here) != Status::ok) return Status::error;
  std::vector<double> ends[2];
  Status status = Status::ok;
  for (int side = 0; side < 2 && status == Status::ok; ++side) {
    ends[side].resize(n_unknowns);
    status = move(knowns, n_knowns, seed, side == 0 ? -h : h);
    if (status == Status::ok) status = evaluate(unknowns, n_unknowns, ends[side]);
    if (restore(here) != Status::ok) return Status::error;
  }
  for (std::size_t i = 0; i < n_unknowns && status == Status::ok; ++i)
    result[i] = (ends[1][i] - ends[0][i]) / (2 * h);
  return status;
}

}  // namespace klingel::fmu
