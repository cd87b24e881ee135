#include "reference/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::reference {

using runtime::Status;
using step::StepWork;

namespace {

constexpr double phi_tolerance = 1e-8;  // m, of phi_n: these schemes project in every step

// Few runs use these schemes: no start waits for their memory.
class MadeWhenUsed : public step::OtherScheme {
 public:
  explicit MadeWhenUsed(std::shared_ptr<const step::Description> vehicle)
      : vehicle_(std::move(vehicle)) {}

  Status step(StepWork& s, const step::VehicleState& state, step::VehicleState& next) override {
    if (made_ == nullptr) made_ = std::make_unique<Comparison>(vehicle_);
    return made_->step(s, state, next);
  }
  void find_results(step::PointResults& results) const override { made_->find_results(results); }
  step::ContactWork work() const override { return made_->work(); }

 private:
  std::shared_ptr<const step::Description> vehicle_;
  std::unique_ptr<Comparison> made_;
};

}  // namespace

Comparison::Comparison(std::shared_ptr<const step::Description> vehicle)
    : at_(step::VehicleCopy(vehicle)),
      reference_(step::VehicleCopy(vehicle)),
      q_(static_cast<Eigen::Index>(vehicle->n)),
      dq_(q_.size()),
      ddq_(q_.size()),
      force_(q_.size()),
      residual_(q_.size()),
      rate_(at_.wheels()) {}

void add_comparison(step::Simulator& simulator) {
  simulator.set_other_scheme(std::make_unique<MadeWhenUsed>(simulator.description()));
}

// dq(t+h) in dq_, q(t+h) in q_; the wheels that are on their rails stay so
Status Comparison::iterate_trapezoidal(StepWork& s, const step::VehicleState& state) {
  const Eigen::Map<const Eigen::VectorXd> q(state.q.data(), q_.size()),
      dq(state.dq.data(), q_.size());
  const double h = s.h;
  // changes of velocity that matter less than the projection's tolerance in a tenth of a second
  const double tolerance = 10 * phi_tolerance;
  const int most = 10 * s.options.most_iterations;
  const auto evaluate = [&](const double* position, const double* velocity) {
    if (!at_.place(position, velocity)) {
      return s.log.fail(Status::not_converged, "tread contact", at_.lost(), 0, phi_tolerance, 0);
    }
    if (!at_.accelerate(h / 2)) return s.log.fail(Status::singular, "accelerations", 0, 0, 0, 0);
    return Status::ok;
  };
  if (const Status status = evaluate(q.data(), dq.data()); status != Status::ok) return status;
  ddq_ = at_.ddq;
  force_ = at_.contact + at_.Phi.transpose() * at_.N;
  const double creep_power = at_.creep_power();
  dq_ = dq;
  for (int& iteration = s.log.newton_q = 0;; ++iteration) {
    q_ = q + h / 2 * (dq + dq_);
    if (const Status status = evaluate(q_.data(), dq_.data()); status != Status::ok) return status;
    residual_ = dq + h / 2 * (ddq_ + at_.ddq) - dq_;
    const double largest = residual_.lpNorm<Eigen::Infinity>();
    if (largest <= tolerance) {
      // mean force times way: with a constant mass matrix the kinetic energy changes by that
      force_ += at_.contact + at_.Phi.transpose() * at_.N;
      work_ = {};
      work_.creep = h / 2 * (creep_power + at_.creep_power());
      work_.normal = h / 4 * force_.dot(dq + dq_) - work_.creep;
      return Status::ok;
    }
    if (iteration == most || !std::isfinite(largest)) {
      return s.log.fail(Status::not_converged, "trapezoidal rule", 0, largest, tolerance,
                        iteration);
    }
    rate_.noalias() = at_.Phi * residual_;
    q_.noalias() = at_.M * residual_;
    if (!at_.solve_implicit(h / 2, q_, rate_))
      return s.log.fail(Status::singular, "trapezoidal rule", 0, largest, tolerance, iteration);
    dq_ += q_;
  }
}

// Releases wheels that would have to pull. False if there were any.
bool Comparison::release_pulling(StepWork& s) {
  bool good = true;
  for (std::size_t i = 0; i < s.vehicle.w && s.vehicle.data.law.unilateral; ++i) {
    double& N = at_.N[static_cast<Eigen::Index>(i)];
    if (at_.on[i] == 0 || N >= 0) continue;
    s.log.note(step::Event::Kind::release, i, N);
    at_.on[i] = 0;
    N = 0;
    good = false;
  }
  return good;
}

// Wheels whose gap has closed are on their rails again. True if there were any.
bool Comparison::catch_falling(StepWork& s) {
  step::RigidTreads* treads = at_.vehicle().rigid();
  if (treads == nullptr) return false;
  bool caught = false;
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    if (at_.on[i] != 0 || !at_.has_tread(i)) continue;
    const double gap = treads->tread[i].phi_n();
    if (gap >= 0) continue;
    s.log.note(step::Event::Kind::touch, i, gap);
    at_.on[i] = 1;
    caught = true;
  }
  return caught;
}

Status Comparison::step_trapezoidal(StepWork& s, const step::VehicleState& state,
                                    step::VehicleState& next) {
  at_.begin(state);
  for (std::size_t attempt = 0; attempt <= s.vehicle.w; ++attempt) {
    if (const Status status = iterate_trapezoidal(s, state); status != Status::ok) return status;
    if (release_pulling(s)) break;
  }
  if (catch_falling(s)) {
    const std::span<const double> energy = at_.vehicle().at.kernels.evaluate(s.vehicle.id.energy);
    work_.before_impact = energy[0] + energy[1];
  }
  if (!at_.project(q_.data(), dq_.data(), phi_tolerance)) {
    return s.log.fail(Status::not_converged, "projection of q", at_.lost(), 0, phi_tolerance, 0);
  }
  s.log.largest_phi = at_.phi.lpNorm<Eigen::Infinity>();
  std::copy(q_.begin(), q_.end(), next.q.begin());
  std::copy(dq_.begin(), dq_.end(), next.dq.begin());
  at_.end(next);
  return Status::ok;
}

Status Comparison::step(StepWork& s, const step::VehicleState& state, step::VehicleState& next) {
  const bool reference = s.options.scheme == step::Scheme::reference;
  last_ = reference ? &reference_.continuous() : &at_;
  last_->vehicle().take_settings(s.at_t.kernels, s.friction);
  Status status;
  if (reference) {
    next.q = state.q;
    next.dq = state.dq;
    status = reference_.advance(next, s.h, s.log);
    work_ = reference_.work();
  } else {
    status = step_trapezoidal(s, state, next);
  }
  if (status != Status::ok) return status;
  for (std::size_t i = 0; i < s.vehicle.w; ++i)
    s.log.note_flange(i, state.flange[i].N, next.flange[i].N, state.flange[i].gap);
  return Status::ok;
}

void Comparison::find_results(step::PointResults& results) const {
  step::find_results(last_->vehicle().treads, results);
}

}  // namespace klingel::reference
