#include "reference/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "step/step_time.hpp"

namespace klingel::reference {

Comparison::Comparison(step::Simulator::Parts& parts)
    : p_(parts),
      at_(parts),
      reference_(parts),
      q_(static_cast<Eigen::Index>(parts.n)),
      dq_(q_.size()),
      ddq_(q_.size()),
      residual_(q_.size()),
      rate_(static_cast<Eigen::Index>(parts.w)) {}

void add_comparison(step::Simulator& simulator) {
  simulator.parts().other_scheme = std::make_unique<Comparison>(simulator.parts());
}

// dq(t+h) in dq_, q(t+h) in q_; the wheels that are on their rails stay so
runtime::Status Comparison::iterate_trapezoidal(double h, const step::StepOptions& options) {
  const auto count = static_cast<Eigen::Index>(p_.n);
  const Eigen::Map<const Eigen::VectorXd> q(p_.state.q.data(), count),
      dq(p_.state.dq.data(), count);
  // changes of velocity that matter less than the projection's tolerance in a tenth of a second
  const double tolerance = 10 * options.phi_tolerance;
  const int most = 5 * options.most_iterations;
  const auto lost = [&] {
    return p_.fail(runtime::Status::not_converged, "tread contact", at_.lost(), 0,
                   options.phi_tolerance, 0);
  };
  if (!at_.place(p_.state.q.data(), p_.state.dq.data())) return lost();
  if (!at_.accelerate(h / 2))
    return p_.fail(runtime::Status::singular, "accelerations", 0, 0, 0, 0);
  ddq_ = at_.ddq;
  dq_ = dq;
  for (p_.newton_q = 0;; ++p_.newton_q) {
    q_ = q + h / 2 * (dq + dq_);
    if (!at_.place(q_.data(), dq_.data())) return lost();
    if (!at_.accelerate(h / 2))
      return p_.fail(runtime::Status::singular, "accelerations", 0, 0, 0, 0);
    residual_ = dq + h / 2 * (ddq_ + at_.ddq) - dq_;
    const double largest = residual_.lpNorm<Eigen::Infinity>();
    if (largest <= tolerance) return runtime::Status::ok;
    if (p_.newton_q == most || !std::isfinite(largest))
      return p_.fail(runtime::Status::not_converged, "trapezoidal rule", 0, largest, tolerance,
                     p_.newton_q);
    rate_.noalias() = at_.Phi * residual_;
    q_.noalias() = at_.M * residual_;
    if (!at_.solve_implicit(h / 2, q_, rate_))
      return p_.fail(runtime::Status::singular, "trapezoidal rule", 0, largest, tolerance,
                     p_.newton_q);
    dq_ += q_;
  }
}

runtime::Status Comparison::step_trapezoidal(double h, const step::StepOptions& options) {
  at_.begin(p_.state);
  // again without the wheels that would have to pull
  for (p_.attempt = 0; p_.attempt <= p_.w; ++p_.attempt) {
    if (const runtime::Status s = iterate_trapezoidal(h, options); s != runtime::Status::ok)
      return s;
    bool good = true;
    for (std::size_t i = 0; i < p_.w && p_.data.law.unilateral; ++i) {
      const double N = at_.N[static_cast<Eigen::Index>(i)];
      if (at_.on[i] == 0 || N >= 0) continue;
      p_.note(step::Event::Kind::release, i, N);
      at_.on[i] = 0;
      at_.N[static_cast<Eigen::Index>(i)] = 0;
      good = false;
    }
    if (good) break;
  }
  for (std::size_t i = 0; i < p_.w && p_.loaded.empty(); ++i) {
    if (at_.on[i] != 0 || !p_.next.tread[i].found) continue;
    const double gap = p_.tread[i].phi_n();
    if (gap >= 0) continue;
    p_.note(step::Event::Kind::touch, i, gap);
    at_.on[i] = 1;
  }
  if (!at_.project(q_.data(), dq_.data(), options.phi_tolerance))
    return p_.fail(runtime::Status::not_converged, "projection of q", at_.lost(), 0,
                   options.phi_tolerance, 0);
  p_.largest_phi = at_.phi.lpNorm<Eigen::Infinity>();
  std::copy(q_.begin(), q_.end(), p_.next.q.begin());
  std::copy(dq_.begin(), dq_.end(), p_.next.dq.begin());
  at_.end(p_.next);
  return runtime::Status::ok;
}

// Steps of these schemes leave contacts and kernels wherever they ended.
runtime::Status Comparison::step(double h, const step::StepOptions& options) {
  p_.newton_q = p_.newton_s = 0;
  p_.largest_phi = 0;
  runtime::Status status;
  if (options.scheme == step::Scheme::reference) {
    p_.next.q = p_.state.q;
    p_.next.dq = p_.state.dq;
    status = reference_.advance(p_.next, h);
  } else {
    status = step_trapezoidal(h, options);
  }
  p_.fresh = false;
  if (status != runtime::Status::ok) return status;
  for (std::size_t i = 0; i < p_.w; ++i) {
    const bool before = p_.state.flange[i].N > 0, after = p_.next.flange[i].N > 0;
    if (before != after)
      p_.note(after ? step::Event::Kind::flange_on : step::Event::Kind::flange_off, i,
              p_.state.flange[i].gap);
  }
  p_.next.t = step::time_after(p_.state.t, h);
  p_.next.step = p_.state.step + 1;
  std::swap(p_.state, p_.next);
  return runtime::Status::ok;
}

}  // namespace klingel::reference
