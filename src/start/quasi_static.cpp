#include "start/quasi_static.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "dense/least_squares.hpp"
#include "reference/continuous.hpp"
#include "start/start.hpp"

namespace klingel::start {
namespace {

// The unknowns, in units that make them comparable: offset to the left, the coordinates that are
// neither x, y nor spins, rates of spin over speed, normal forces and F over the weight.
class Steady {
 public:
  Steady(step::Simulator& simulator, step::VehicleState& state, const SteadyRun& options)
      : vehicle_(*simulator.description()), o_(options), state_(state), at_(simulator) {
    for (std::size_t i = 0; i < vehicle_.n; ++i) {
      const bool spins = std::find(o_.spins.begin(), o_.spins.end(), i) != o_.spins.end();
      if (i != o_.body[0] && i != o_.body[1] && !spins) free_.push_back(i);
    }
    for (const step::PointState& point : state.tread) weight_ += point.N;
    speed_ = o_.speed;
  }

  Eigen::Index size() const { return 2 + count(free_) + count(o_.spins) + at_.wheels(); }
  double weight() const { return weight_; }
  void set_speed(double speed) { speed_ = speed; }

  Eigen::VectorXd start() {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(size());
    const double dx = state_.q[o_.body[0]] - o_.x, dy = state_.q[o_.body[1]] - o_.y;
    u[0] = -std::sin(o_.heading) * dx + std::cos(o_.heading) * dy;
    Eigen::Index k = 1;
    for (const std::size_t i : free_) u[k++] = state_.q[i];
    for (std::size_t i = 0; i < o_.spins.size(); ++i)
      u[k++] = o_.from_given ? state_.dq[o_.spins[i]] / o_.speed : 1 / radius_of(i);
    for (const step::PointState& point : state_.tread) u[k++] = point.N / weight_;
    at_.begin(state_);
    return u;
  }

  // unbalanced forces over the weight, and phi_n; NaN where a wheel has lost its rail
  Eigen::VectorXd residual(const Eigen::VectorXd& u) {
    spread(u);
    const Eigen::Index n = at_.coordinates(), w = at_.wheels();
    if (!at_.place(q_.data(), dq_.data())) return Eigen::VectorXd::Constant(n + w, std::nan(""));
    const Eigen::VectorXd N = weight_ * u.segment(size() - 1 - w, w);
    at_.contact_forces(N);
    Eigen::VectorXd F(n + w);
    F.head(n) = at_.delta + at_.contact + at_.Phi.transpose() * N - at_.M * ddq_;
    const double forward = weight_ * u[size() - 1];
    F[static_cast<Eigen::Index>(o_.body[0])] += forward * std::cos(o_.heading);
    F[static_cast<Eigen::Index>(o_.body[1])] += forward * std::sin(o_.heading);
    F.head(n) /= weight_;
    F.tail(w) = at_.phi;
    return F;
  }

  // differences that are small against what changes creep forces
  double difference(Eigen::Index k) const {
    const Eigen::Index coordinates = 1 + count(free_);
    return k < coordinates ? 1e-7 : 1e-6;
  }

  // writes the solution
  void finish(const Eigen::VectorXd& u) {
    residual(u);
    at_.N = weight_ * u.segment(size() - 1 - at_.wheels(), at_.wheels());
    state_.q.assign(q_.data(), q_.data() + q_.size());
    state_.dq.assign(dq_.data(), dq_.data() + dq_.size());
    at_.end(state_);
  }
  double forward(const Eigen::VectorXd& u) const { return weight_ * u[size() - 1]; }

 private:
  template <class T>
  static Eigen::Index count(const std::vector<T>& list) {
    return static_cast<Eigen::Index>(list.size());
  }

  double radius_of(std::size_t wheelset) const {
    double sum = 0;
    int wheels = 0;
    for (std::size_t i = 0; i < vehicle_.w; ++i) {
      if (vehicle_.data.wheels[i].wheelset != wheelset) continue;
      sum += vehicle_.data.wheels[i].surface.f_w.value(state_.tread[i].s[1]);
      ++wheels;
    }
    return sum / wheels;
  }

  // q, dq and ddq of the turn about the curve's centre
  void spread(const Eigen::VectorXd& u) {
    const auto n = static_cast<Eigen::Index>(vehicle_.n);
    q_ = Eigen::Map<const Eigen::VectorXd>(state_.q.data(), n);
    dq_ = Eigen::VectorXd::Zero(n);
    ddq_ = Eigen::VectorXd::Zero(n);
    const double c = std::cos(o_.heading), s = std::sin(o_.heading);
    const double left = u[0], turn = speed_ * o_.curvature;
    const double v = speed_ - turn * left;
    const auto set = [&](std::size_t which, Eigen::VectorXd& to, double value) {
      to[static_cast<Eigen::Index>(o_.body[which])] = value;
    };
    set(0, q_, o_.x - s * left), set(1, q_, o_.y + c * left);
    set(0, dq_, v * c), set(1, dq_, v * s), set(5, dq_, turn);
    set(0, ddq_, -turn * v * s), set(1, ddq_, turn * v * c);
    Eigen::Index k = 1;
    for (const std::size_t i : free_) q_[static_cast<Eigen::Index>(i)] = u[k++];
    // further bodies with coordinates in the ground turn about the same centre
    for (const BodyCoordinates& b : o_.grounded) {
      if (*b[0] == o_.body[0]) continue;
      const auto ix = static_cast<Eigen::Index>(*b[0]), iy = static_cast<Eigen::Index>(*b[1]);
      dq_[ix] = speed_ * c - turn * (q_[iy] - o_.y);
      dq_[iy] = speed_ * s + turn * (q_[ix] - o_.x);
      ddq_[ix] = -turn * dq_[iy];
      ddq_[iy] = turn * dq_[ix];
      if (b[5]) dq_[static_cast<Eigen::Index>(*b[5])] = turn;
    }
    for (const std::size_t i : o_.spins) dq_[static_cast<Eigen::Index>(i)] = speed_ * u[k++];
    for (const GearedCoordinate& g : o_.geared) {
      dq_[static_cast<Eigen::Index>(g.coordinate)] =
          g.ratio * dq_[static_cast<Eigen::Index>(g.spin)];
    }
  }

  const step::Description& vehicle_;
  const SteadyRun& o_;
  step::VehicleState& state_;
  reference::Continuous at_;
  std::vector<std::size_t> free_;
  double weight_ = 0, speed_ = 0;
  Eigen::VectorXd q_, dq_, ddq_;
};

// Moves the vehicle to the left until its wheels are centred on the track on average: on
// canted track a body above the centre line has its wheels beside it.
void centre(step::Simulator& simulator, step::VehicleState& state, const SteadyRun& options) {
  find_contacts(simulator, state);
  double offset = 0;
  for (const step::PointState& point : state.tread) offset += point.s[3] - point.s[1];
  offset /= static_cast<double>(state.tread.size());
  state.q[options.body[0]] += std::sin(options.heading) * offset;
  state.q[options.body[1]] -= std::cos(options.heading) * offset;
}

struct Outcome {
  double unbalanced = INFINITY;
  int iterations = 0;
};

// Newton's method, steps halved until they help
Outcome solve(Steady& steady, Eigen::VectorXd& u, const SteadyRun& options) {
  Outcome outcome;
  Eigen::VectorXd F = steady.residual(u);
  for (;; ++outcome.iterations) {
    outcome.unbalanced = F.allFinite() ? F.lpNorm<Eigen::Infinity>() : INFINITY;
    if (outcome.unbalanced < options.tolerance || outcome.iterations == options.most_iterations ||
        !std::isfinite(outcome.unbalanced))
      return outcome;
    Eigen::MatrixXd A(F.size(), u.size());
    for (Eigen::Index k = 0; k < u.size(); ++k) {
      const double d = steady.difference(k);
      Eigen::VectorXd v = u;
      v[k] = u[k] + d;
      const Eigen::VectorXd up = steady.residual(v);
      v[k] = u[k] - d;
      A.col(k) = (up - steady.residual(v)) / (2 * d);
    }
    if (!A.allFinite()) return outcome;
    const Eigen::VectorXd step = dense::LeastSquares(A).solve(-F);
    // offsets of wheels are millimetres: a step of centimetres is out of the linear range
    double share = std::min(1.0, 0.01 / step.lpNorm<Eigen::Infinity>());
    const double before = F.norm();
    Eigen::VectorXd best = u;
    double least = INFINITY;
    for (int halving = 0; halving < 8; ++halving, share /= 2) {
      const Eigen::VectorXd v = u + share * step;
      const Eigen::VectorXd G = steady.residual(v);
      if (G.allFinite() && G.norm() < least) least = G.norm(), best = v;
      if (least < (1 - share / 4) * before) break;
    }
    if (!std::isfinite(least)) return outcome;
    u = best;
    F = steady.residual(u);
  }
}

}  // namespace

SteadyForces settle_in_curve(step::Simulator& simulator, step::VehicleState& state,
                             const SteadyRun& options) {
  const step::Description& vehicle = *simulator.description();
  if (!(std::abs(options.speed) > 0)) {
    base::fail("a steady run needs a speed, found {} m/s; at standstill use the static equilibrium",
               options.speed);
  }
  if (options.spins.size() != vehicle.data.wheelsets.size()) {
    base::fail("a steady run needs the coordinate of spin of each wheelset: expected {}, found {}",
               vehicle.data.wheelsets.size(), options.spins.size());
  }
  if (!options.from_given) {
    Equilibrium held{options.held, 1e-9, 50};
    for (const std::size_t i : {0, 1, 5}) held.held.push_back(options.body[i]);
    held.held.insert(held.held.end(), options.spins.begin(), options.spins.end());
    for (const GearedCoordinate& g : options.geared) held.held.push_back(g.coordinate);
    centre(simulator, state, options);
    settle(simulator, state, held);
  }

  // at once, or by way of lower speeds
  const step::VehicleState static_state = state;
  Outcome outcome;
  Eigen::VectorXd u;
  for (const int parts : {1, 4, 16}) {
    if (options.from_given && parts > 1) break;
    state = static_state;
    Steady steady(simulator, state, options);
    u = steady.start();
    for (int part = 1; part <= parts; ++part) {
      steady.set_speed(options.speed * part / parts);
      const int before = outcome.iterations;
      outcome = solve(steady, u, options);
      outcome.iterations += before;
      if (!(outcome.unbalanced < options.tolerance)) break;
    }
    if (!(outcome.unbalanced < options.tolerance)) continue;
    steady.finish(u);
    for (std::size_t i = 0; i < vehicle.w; ++i) {
      if (vehicle.data.law.unilateral && state.tread[i].N <= 0) {
        base::fail(
            "in the steady curve the wheel '{}' would have to pull at its rail with {:.0f} N",
            vehicle.data.wheels[i].name, -state.tread[i].N);
      }
    }
    simulator.set_state(state);
    return {steady.forward(u), outcome.iterations, outcome.unbalanced};
  }
  base::fail(
      "no steady run of curvature {:.3g} 1/m at {:.3g} m/s was found: {:.3g} of the weight stays "
      "unbalanced (allowed {:.3g}); start nearer to it, or with less speed or curvature",
      options.curvature, options.speed, outcome.unbalanced, options.tolerance);
}

}  // namespace klingel::start
