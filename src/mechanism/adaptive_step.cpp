#include "mechanism/adaptive_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/dopri5.hpp"

namespace klingel::mechanism {

using Vector = runtime::Dopri5::Vector;  // q, then dq

struct AdaptiveStep::Parts {
  Parts(Mechanism& m, double tolerance, double h_first, double h_longest)
      : mechanism(&m),
        stepper(2 * m.coordinates(), tolerance),
        h(h_first),
        h_max(h_longest),
        at(m.nominal_state()),
        ddq(m.coordinates()),
        lambda(m.constraints()),
        x(2 * m.coordinates()),
        start(2 * m.coordinates()),
        dx(2 * m.coordinates()),
        start_dx(2 * m.coordinates()) {}

  // the callback cannot fail: the status is kept and the derivative is zero
  void derivative(const Vector& values, Vector& rates, double t) {
    const std::size_t n = at.q.size();
    at.t = t;
    std::copy_n(values.begin(), n, at.q.begin());
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(n), n, at.dq.begin());
    const runtime::Status s = mechanism->accelerations(at, ddq, lambda);
    if (s != runtime::Status::ok) {
      status = s;
      std::fill(rates.begin(), rates.end(), 0);
      return;
    }
    std::copy_n(at.dq.begin(), n, rates.begin());
    std::copy_n(ddq.begin(), n, rates.begin() + static_cast<std::ptrdiff_t>(n));
  }

  Mechanism* mechanism;
  runtime::Dopri5 stepper;
  double h, h_max;
  State at;
  Vector ddq, lambda, x, start, dx, start_dx;
  runtime::Status status = runtime::Status::ok;
};

AdaptiveStep::AdaptiveStep(Mechanism& mechanism, double tolerance, double h, double h_max)
    : parts_(std::make_unique<Parts>(mechanism, tolerance, h, h_max)) {}
AdaptiveStep::~AdaptiveStep() = default;

runtime::Status AdaptiveStep::step(State& state, double t_end, runtime::Failure& failure) {
  Parts& a = *parts_;
  const std::size_t n = state.q.size();
  std::copy(state.q.begin(), state.q.end(), a.start.begin());
  std::copy(state.dq.begin(), state.dq.end(), a.start.begin() + static_cast<std::ptrdiff_t>(n));
  const runtime::Dopri5::System system = [&a](const Vector& x, Vector& dx, double t) {
    a.derivative(x, dx, t);
  };

  // the derivative of the last step's end is not used again: inputs may have changed since, and
  // the projection has moved the state
  a.status = runtime::Status::ok;
  a.derivative(a.start, a.start_dx, state.t);
  if (a.status != runtime::Status::ok) {
    failure = a.mechanism->failure();
    return a.status;
  }

  const double h_min = 1e-14 * std::max(1.0, std::abs(state.t));
  while (true) {
    const double left = t_end - state.t;
    const bool last = std::min(a.h, a.h_max) >= left;
    double t = state.t, h = last ? left : std::min(a.h, a.h_max);
    const double tried = h;
    a.x = a.start;
    a.dx = a.start_dx;
    a.status = runtime::Status::ok;
    const bool accepted =
        a.stepper.attempt(system, a.x, a.dx, t, h) && a.status == runtime::Status::ok;
    const bool finite =
        std::all_of(a.x.begin(), a.x.end(), [](double v) { return std::isfinite(v); });
    if (accepted && finite) {
      // a step shortened to meet t_end must not make the next ones short
      a.h = last ? std::max(a.h, h) : h;
      state.t = last ? t_end : t;
      std::copy_n(a.x.begin(), n, state.q.begin());
      std::copy_n(a.x.begin() + static_cast<std::ptrdiff_t>(n), n, state.dq.begin());
      return runtime::Status::ok;
    }
    a.h = accepted || a.status != runtime::Status::ok ? tried / 4 : h;
    if (a.h >= h_min) continue;

    if (a.status != runtime::Status::ok) {
      failure = a.mechanism->failure();
    } else {
      failure = {.status = runtime::Status::not_converged,
                 .equation = "step size",
                 .residual = a.h,
                 .tolerance = h_min};
    }
    return failure.status;
  }
}

}  // namespace klingel::mechanism
