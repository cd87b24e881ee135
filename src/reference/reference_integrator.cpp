#include "reference/reference_integrator.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::reference {

ReferenceIntegrator::ReferenceIntegrator(step::VehicleCopy vehicle)
    : at_(std::move(vehicle)),
      n_(at_.vehicle().vehicle.n),
      x_(2 * n_),
      next_(2 * n_),
      dx_(2 * n_),
      next_dx_(2 * n_) {}

runtime::Status ReferenceIntegrator::derivative(const runtime::Dopri5::Vector& x,
                                                runtime::Dopri5::Vector& dx, step::StepLog& log) {
  const double* dq = x.data() + n_;
  if (!at_.place(x.data(), dq))
    return log.fail(runtime::Status::not_converged, "tread contact", at_.lost(), 0,
                    at_.phi_tolerance, 0);
  if (!at_.accelerate()) return log.fail(runtime::Status::singular, "accelerations", 0, 0, 0, 0);
  std::copy_n(dq, n_, dx.data());
  std::copy_n(at_.ddq.data(), n_, dx.data() + n_);
  return runtime::Status::ok;
}

// From x_ and dx_ to an accepted next_, shorter and shorter; h becomes the next proposal.
runtime::Status ReferenceIntegrator::step(runtime::Dopri5& method, double& t, double& h,
                                          step::StepLog& log) {
  runtime::Status status = runtime::Status::ok;
  const runtime::Dopri5::System system = [&](const runtime::Dopri5::Vector& x,
                                             runtime::Dopri5::Vector& dx, double /*t*/) {
    if (status == runtime::Status::ok) status = derivative(x, dx, log);
  };
  while (true) {
    const double tried = h;
    next_ = x_;
    next_dx_ = dx_;
    double end = t;
    const bool accepted = method.attempt(system, next_, next_dx_, end, h);
    if (status != runtime::Status::ok) return status;
    const bool finite =
        std::all_of(next_.begin(), next_.end(), [](double v) { return std::isfinite(v); });
    if (accepted && finite) {
      t = end;
      return runtime::Status::ok;
    }
    ++rejected_;
    if (!finite) h = tried / 5;
    if (h < least_step)
      return log.fail(runtime::Status::not_converged, "step of the reference", 0, h, least_step,
                      rejected_);
  }
}

// A step ends on the constraints, with wheels that press.
runtime::Status ReferenceIntegrator::accept(step::StepLog& log) {
  if (!at_.project(next_.data(), next_.data() + n_))
    return log.fail(runtime::Status::not_converged, "projection of q", at_.lost(), 0,
                    at_.phi_tolerance, 0);
  x_ = next_;
  ++steps_;
  if (const runtime::Status s = derivative(x_, dx_, log); s != runtime::Status::ok) return s;
  Eigen::Index wheel = 0;
  if (at_.vehicle().vehicle.data.law.unilateral && at_.N.minCoeff(&wheel) < 0)
    return log.fail(runtime::Status::not_converged, "normal force of the reference",
                    static_cast<std::size_t>(wheel), at_.N[wheel], 0, steps_);
  return runtime::Status::ok;
}

// Of contact forces, after derivative() of x_.
ReferenceIntegrator::Power ReferenceIntegrator::power() const {
  const Eigen::Map<const Eigen::VectorXd> dq(x_.data() + n_, at_.coordinates());
  const double creep = at_.creep_power();
  return {creep, at_.contact.dot(dq) + at_.N.dot(at_.Phi * dq) - creep};
}

runtime::Status ReferenceIntegrator::advance(step::VehicleState& state, double duration,
                                             step::StepLog& log) {
  at_.begin(state);
  std::copy(state.q.begin(), state.q.end(), x_.begin());
  std::copy(state.dq.begin(), state.dq.end(), x_.data() + n_);
  steps_ = rejected_ = 0;
  work_ = {};
  runtime::Dopri5 method(2 * n_, tolerance);
  double t = 0, h = std::min(first_step, duration);
  if (const runtime::Status s = derivative(x_, dx_, log); s != runtime::Status::ok) return s;
  Power before = power();
  while (t < duration) {
    // the last step ends where it should, not a rounding before
    if (t + 1.001 * h >= duration) h = duration - t;
    const double begin = t;
    if (const runtime::Status s = step(method, t, h, log); s != runtime::Status::ok) return s;
    if (duration - t < least_step) t = duration;
    if (const runtime::Status s = accept(log); s != runtime::Status::ok) return s;
    const Power after = power();
    work_.creep += (t - begin) / 2 * (before.creep + after.creep);
    work_.normal += (t - begin) / 2 * (before.normal + after.normal);
    before = after;
  }
  std::copy_n(x_.data(), n_, state.q.begin());
  std::copy_n(x_.data() + n_, n_, state.dq.begin());
  at_.end(state);
  return runtime::Status::ok;
}

}  // namespace klingel::reference
