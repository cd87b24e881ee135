#include "reference/reference_integrator.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::reference {
namespace {

// weights of the earlier stages in each stage; the last row is the solution of order 5
constexpr double a[7][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// that solution less the one of order 4
constexpr double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

}  // namespace

ReferenceIntegrator::ReferenceIntegrator(step::Simulator::Parts& parts)
    : p_(parts),
      at_(parts),
      n_(static_cast<Eigen::Index>(parts.n)),
      y_(2 * n_),
      stage_(2 * n_),
      next_(2 * n_),
      error_(2 * n_) {
  for (Eigen::VectorXd& k : k_) k.resize(2 * n_);
}

runtime::Status ReferenceIntegrator::derivative(const Eigen::VectorXd& y, Eigen::VectorXd& dy) {
  if (!at_.place(y.data(), y.data() + n_))
    return p_.fail(runtime::Status::not_converged, "tread contact", at_.lost(), 0,
                   at_.phi_tolerance, 0);
  if (!at_.accelerate()) return p_.fail(runtime::Status::singular, "accelerations", 0, 0, 0, 0);
  dy.head(n_) = y.tail(n_);
  dy.tail(n_) = at_.ddq;
  return runtime::Status::ok;
}

runtime::Status ReferenceIntegrator::advance(step::VehicleState& state, double duration) {
  at_.begin(state);
  std::copy(state.q.begin(), state.q.end(), y_.data());
  std::copy(state.dq.begin(), state.dq.end(), y_.data() + n_);
  steps_ = rejected_ = 0;
  double t = 0, h = std::min(first_step, duration);
  if (const runtime::Status s = derivative(y_, k_[0]); s != runtime::Status::ok) return s;
  while (t < duration) {
    // the last step ends where it should, not a rounding before
    const bool last = t + 1.001 * h >= duration;
    if (last) h = duration - t;
    for (int i = 1; i < stages; ++i) {
      stage_ = y_;
      for (int j = 0; j < i; ++j) stage_ += h * a[i][j] * k_[static_cast<std::size_t>(j)];
      if (i == stages - 1) next_ = stage_;
      if (const runtime::Status s = derivative(stage_, k_[static_cast<std::size_t>(i)]);
          s != runtime::Status::ok)
        return s;
    }
    error_.setZero();
    for (int i = 0; i < stages; ++i) error_ += h * e[i] * k_[static_cast<std::size_t>(i)];
    const double error =
        (error_.array().abs() / (1 + y_.array().abs().max(next_.array().abs()))).maxCoeff() /
        tolerance;
    const double change = 0.9 * std::pow(std::max(error, 1e-10), -0.2);
    if (!(error <= 1)) {
      ++rejected_;
      h *= std::isfinite(error) ? std::max(change, 0.2) : 0.2;
      if (h < least_step)
        return p_.fail(runtime::Status::not_converged, "step of the reference", 0,
                       error * tolerance, tolerance, rejected_);
      continue;
    }
    if (!at_.project(next_.data(), next_.data() + n_))
      return p_.fail(runtime::Status::not_converged, "projection of q", at_.lost(), 0,
                     at_.phi_tolerance, 0);
    y_ = next_;
    t = last ? duration : t + h;
    ++steps_;
    if (const runtime::Status s = derivative(y_, k_[0]); s != runtime::Status::ok) return s;
    Eigen::Index wheel = 0;
    if (p_.data.law.unilateral && at_.N.minCoeff(&wheel) < 0)
      return p_.fail(runtime::Status::not_converged, "normal force of the reference",
                     static_cast<std::size_t>(wheel), at_.N[wheel], 0, steps_);
    h *= std::clamp(change, 0.2, 5.0);
  }
  std::copy_n(y_.data(), n_, state.q.begin());
  std::copy_n(y_.data() + n_, n_, state.dq.begin());
  at_.end(state);
  return runtime::Status::ok;
}

}  // namespace klingel::reference
