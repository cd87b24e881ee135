// Schemes for comparison that need forces at t+h: the implicit trapezoidal rule
//
//   dq(t+h) = dq + h/2 (ddq(q, dq) + ddq(q(t+h), dq(t+h)))
//   q(t+h)  = q  + h/2 (dq + dq(t+h))
//
// by Newton's method with the matrix M + h/2 C, C the secants of the creep forces, and the
// reference integrator. Both end on the constraints. They take their memory when first used.
#include <algorithm>
#include <cmath>

#include "run/comparison.hpp"
#include "run/step_time.hpp"

namespace klingel::run {

Comparison::Comparison(Simulator::Parts& parts)
    : at(parts),
      reference(parts),
      q(static_cast<Eigen::Index>(parts.n)),
      dq(q.size()),
      ddq(q.size()),
      residual(q.size()),
      rate(static_cast<Eigen::Index>(parts.w)) {}

// dq(t+h) in c.dq, q(t+h) in c.q; the wheels that are on their rails stay so
Status Simulator::Parts::iterate_trapezoidal(double h, const StepOptions& options) {
  Comparison& c = *comparison;
  const auto count = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Eigen::VectorXd> q(state.q.data(), count), dq(state.dq.data(), count);
  // changes of velocity that matter less than the projection's tolerance in a tenth of a second
  const double tolerance = 10 * options.phi_tolerance;
  const int most = 5 * options.most_iterations;
  const auto lost = [&] {
    return fail(Status::not_converged, "tread contact", c.at.lost(), 0, options.phi_tolerance, 0);
  };
  if (!c.at.place(state.q.data(), state.dq.data())) return lost();
  if (!c.at.accelerate(h / 2)) return fail(Status::singular, "accelerations", 0, 0, 0, 0);
  c.ddq = c.at.ddq;
  c.dq = dq;
  for (newton_q = 0;; ++newton_q) {
    c.q = q + h / 2 * (dq + c.dq);
    if (!c.at.place(c.q.data(), c.dq.data())) return lost();
    if (!c.at.accelerate(h / 2)) return fail(Status::singular, "accelerations", 0, 0, 0, 0);
    c.residual = dq + h / 2 * (c.ddq + c.at.ddq) - c.dq;
    const double largest = c.residual.lpNorm<Eigen::Infinity>();
    if (largest <= tolerance) return Status::ok;
    if (newton_q == most || !std::isfinite(largest))
      return fail(Status::not_converged, "trapezoidal rule", 0, largest, tolerance, newton_q);
    c.rate.noalias() = c.at.Phi * c.residual;
    c.q.noalias() = c.at.M * c.residual;
    if (!c.at.solve_implicit(h / 2, c.q, c.rate))
      return fail(Status::singular, "trapezoidal rule", 0, largest, tolerance, newton_q);
    c.dq += c.q;
  }
}

Status Simulator::Parts::step_trapezoidal(double h, const StepOptions& options) {
  Comparison& c = *comparison;
  c.at.begin(state);
  // again without the wheels that would have to pull
  for (attempt = 0; attempt <= w; ++attempt) {
    if (const Status s = iterate_trapezoidal(h, options); s != Status::ok) return s;
    bool good = true;
    for (std::size_t i = 0; i < w && data.law.unilateral; ++i) {
      const double N = c.at.N[static_cast<Eigen::Index>(i)];
      if (c.at.on[i] == 0 || N >= 0) continue;
      note(Event::Kind::release, i, N);
      c.at.on[i] = 0;
      c.at.N[static_cast<Eigen::Index>(i)] = 0;
      good = false;
    }
    if (good) break;
  }
  for (std::size_t i = 0; i < w && loaded.empty(); ++i) {
    if (c.at.on[i] != 0 || !next.tread[i].found) continue;
    const double gap = tread[i].phi_n();
    if (gap >= 0) continue;
    note(Event::Kind::touch, i, gap);
    c.at.on[i] = 1;
  }
  if (!c.at.project(c.q.data(), c.dq.data(), options.phi_tolerance))
    return fail(Status::not_converged, "projection of q", c.at.lost(), 0, options.phi_tolerance, 0);
  largest_phi = c.at.phi.lpNorm<Eigen::Infinity>();
  std::copy(c.q.begin(), c.q.end(), next.q.begin());
  std::copy(c.dq.begin(), c.dq.end(), next.dq.begin());
  c.at.end(next);
  return Status::ok;
}

// Steps of these schemes leave contacts and kernels wherever they ended.
Status Simulator::Parts::step_compared(double h, const StepOptions& options) {
  if (!comparison) comparison = std::make_unique<Comparison>(*this);
  newton_q = newton_s = 0;
  largest_phi = 0;
  Status status;
  if (options.scheme == Scheme::reference) {
    next.q = state.q;
    next.dq = state.dq;
    status = comparison->reference.advance(next, h);
  } else {
    status = step_trapezoidal(h, options);
  }
  fresh = false;
  if (status != Status::ok) return status;
  for (std::size_t i = 0; i < w; ++i) {
    const bool before = state.flange[i].N > 0, after = next.flange[i].N > 0;
    if (before != after)
      note(after ? Event::Kind::flange_on : Event::Kind::flange_off, i, state.flange[i].gap);
  }
  next.t = time_after(state.t, h);
  next.step = state.step + 1;
  std::swap(state, next);
  return Status::ok;
}

}  // namespace klingel::run
