#include "mechanism/integrate.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "mechanism/adaptive_step.hpp"

namespace klingel::mechanism {
namespace {

constexpr Method all_methods[] = {Method::semi_implicit_euler, Method::rk4,
                                  Method::implicit_midpoint, Method::dopri5};

// y <- x + h * k
void add(std::span<const double> x, double h, std::span<const double> k, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + h * k[i];
}

// copies without allocating
void assign(const State& from, State& to) {
  to.t = from.t;
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
  std::copy(from.dq.begin(), from.dq.end(), to.dq.begin());
}

void check_positive(double value, const char* what) {
  if (!(value > 0))
    base::fail("{} of the integrator is {}, expected a positive number", what, value);
}

}  // namespace

std::string_view name(Method method) {
  switch (method) {
    case Method::semi_implicit_euler:
      return "semi_implicit_euler";
    case Method::rk4:
      return "rk4";
    case Method::implicit_midpoint:
      return "implicit_midpoint";
    case Method::dopri5:
      return "dopri5";
  }
  return "";
}

Method method_by_name(std::string_view wanted) {
  std::vector<std::string> names;
  std::string list;
  for (const Method method : all_methods) {
    if (name(method) == wanted) return method;
    names.emplace_back(name(method));
    (list += list.empty() ? "" : ", ") += name(method);
  }
  base::fail("there is no integrator '{}'{}; there are: {}", wanted,
             base::did_you_mean(wanted, names), list);
}

Integrator::Integrator(Mechanism& mechanism, const IntegratorOptions& options)
    : mechanism_(&mechanism),
      options_(options),
      start_(mechanism.nominal_state()),
      stage_(start_),
      next_(start_),
      ddq_(mechanism.coordinates()),
      lambda_(mechanism.constraints()) {
  check_positive(options.h, "the step h");
  check_positive(options.h_max, "the longest step h_max");
  check_positive(options.tolerance, "the tolerance");
  if (options.method == Method::dopri5) {
    adaptive_ =
        std::make_unique<AdaptiveStep>(mechanism, options.tolerance, options.h, options.h_max);
  }
}
Integrator::Integrator(Integrator&&) noexcept = default;
Integrator::~Integrator() = default;

std::string Integrator::failure_text() const {
  return text(failure_, mechanism_->coordinate_names(), mechanism_->constraint_names());
}

runtime::Status Integrator::accelerations(const State& at) {
  const runtime::Status status = mechanism_->accelerations(at, ddq_, lambda_);
  if (status != runtime::Status::ok) failure_ = mechanism_->failure();
  return status;
}

runtime::Status Integrator::semi_implicit_euler(double h) {
  const runtime::Status status = accelerations(start_);
  if (status != runtime::Status::ok) return status;
  add(start_.dq, h, ddq_, next_.dq);
  add(start_.q, h, next_.dq, next_.q);
  if (mechanism_->constraints() == 0) return runtime::Status::ok;

  // constraint forces of the start bring q back, and dq gets their impulse, as in RATTLE.
  // Projecting q at the end instead would speed up a turning body by (h w)^2 / 2 in every step
  mechanism_->follow_constraints(next_, options_.projection);
  for (std::size_t i = 0; i < next_.q.size(); ++i) next_.dq[i] = (next_.q[i] - start_.q[i]) / h;
  return runtime::Status::ok;
}

runtime::Status Integrator::rk4(double h) {
  const double weight[] = {h / 6, h / 3, h / 3, h / 6}, reach[] = {h / 2, h / 2, h, 0};
  assign(start_, stage_);
  for (int i = 0; i < 4; ++i) {
    const runtime::Status status = accelerations(stage_);
    if (status != runtime::Status::ok) return status;
    add(next_.q, weight[i], stage_.dq, next_.q);
    add(next_.dq, weight[i], ddq_, next_.dq);
    // q before dq: the next stage's q goes along this stage's dq
    add(start_.q, reach[i], stage_.dq, stage_.q);
    add(start_.dq, reach[i], ddq_, stage_.dq);
    stage_.t = start_.t + reach[i];
  }
  return runtime::Status::ok;
}

// 1. dq_m = dq_0 + h/2 ddq(q_0 + h/2 dq_m, dq_m) by fixed-point iteration
// 2. q_1 = q_0 + h dq_m, dq_1 = dq_0 + h ddq
runtime::Status Integrator::implicit_midpoint(double h) {
  constexpr int most = 60;
  // relative; iterates that only flicker below it have converged. Rounding in the solution grows
  // with the condition of the constraints
  constexpr double tolerance = 1e-12;
  stage_.t = start_.t + h / 2;
  std::copy(start_.dq.begin(), start_.dq.end(), stage_.dq.begin());
  double change = std::numeric_limits<double>::infinity(), scale = 0;
  std::size_t worst = 0;
  for (int iteration = 0; iteration < most; ++iteration) {
    add(start_.q, h / 2, stage_.dq, stage_.q);
    const runtime::Status status = accelerations(stage_);
    if (status != runtime::Status::ok) return status;
    const double last = change;
    change = scale = 0;
    for (std::size_t i = 0; i < ddq_.size(); ++i) {
      const double dq = start_.dq[i] + h / 2 * ddq_[i];
      if (std::abs(dq - stage_.dq[i]) > change) {
        change = std::abs(dq - stage_.dq[i]);
        worst = i;
      }
      scale = std::max({scale, std::abs(dq), std::abs(start_.dq[i])});
      stage_.dq[i] = dq;
    }
    if (change > 4e-16 * scale && !(change <= tolerance * scale && change >= last)) continue;
    add(start_.q, h, stage_.dq, next_.q);
    add(start_.dq, h, ddq_, next_.dq);
    return runtime::Status::ok;
  }
  failure_ = {.status = runtime::Status::not_converged,
              .equation = "implicit midpoint",
              .where = runtime::Failure::Where::coordinate,
              .index = static_cast<std::uint32_t>(worst),
              .residual = change,
              .tolerance = tolerance * scale,
              .iterations = most};
  return runtime::Status::not_converged;
}

runtime::Status Integrator::fixed_step(double h) {
  switch (options_.method) {
    case Method::semi_implicit_euler:
      return semi_implicit_euler(h);
    case Method::implicit_midpoint:
      return implicit_midpoint(h);
    default:
      return rk4(h);
  }
}

runtime::Status Integrator::step_to(State& state, double t_end) {
  KLINGEL_ASSERT_EQ(state.q.size(), next_.q.size());
  KLINGEL_ASSERT_EQ(state.dq.size(), next_.dq.size());
  assign(state, next_);
  runtime::Status status = runtime::Status::ok;
  if (adaptive_) {
    status = adaptive_->step(next_, t_end, failure_);
  } else {
    // a rest that is only rounding belongs to this step
    const double left = t_end - state.t;
    const bool last = left <= options_.h * (1 + 1e-9);
    assign(state, start_);
    next_.t = last ? t_end : state.t + options_.h;
    status = fixed_step(last ? left : options_.h);
  }

  // back to the constraints
  if (status == runtime::Status::ok) {
    status = mechanism_->project_position(next_, options_.projection);
    if (status == runtime::Status::ok)
      status = mechanism_->project_velocity(next_, options_.projection);
    if (status != runtime::Status::ok) failure_ = mechanism_->failure();
  }
  // a state is handed over only if it can be continued from
  for (std::size_t i = 0; status == runtime::Status::ok && i < next_.q.size(); ++i) {
    if (std::isfinite(next_.q[i]) && std::isfinite(next_.dq[i])) continue;
    status = runtime::Status::not_finite;
    failure_ = {.status = status,
                .equation = "step",
                .where = runtime::Failure::Where::coordinate,
                .index = static_cast<std::uint32_t>(i)};
  }
  if (status != runtime::Status::ok) {
    failure_.t = state.t;
    failure_.step = steps_ + 1;
    return status;
  }
  assign(next_, state);
  ++steps_;
  return runtime::Status::ok;
}

runtime::Status Integrator::step(State& state) {
  const double infinity = std::numeric_limits<double>::infinity();
  return step_to(state, adaptive_ ? infinity : state.t + options_.h);
}

runtime::Status Integrator::advance(State& state, double t_end) {
  if (!(t_end >= state.t)) base::fail("cannot integrate from t = {} s to {} s", state.t, t_end);
  while (state.t < t_end) {
    const runtime::Status status = step_to(state, t_end);
    if (status != runtime::Status::ok) return status;
  }
  return runtime::Status::ok;
}

std::size_t rows_for(double t_begin, double t_end, double interval) {
  if (!(interval > 0) || !(t_end >= t_begin)) {
    base::fail("cannot record from t = {} s to {} s every {} s", t_begin, t_end, interval);
  }
  return 1 + static_cast<std::size_t>(std::ceil((t_end - t_begin) / interval - 1e-9));
}

runtime::Status Integrator::simulate(State& state, double t_end, double interval,
                                     Trajectory& trajectory) {
  const double t_begin = state.t;
  const std::size_t rows = rows_for(t_begin, t_end, interval);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row > 0) {
      const double t = row + 1 == rows ? t_end : t_begin + static_cast<double>(row) * interval;
      const runtime::Status status = advance(state, t);
      if (status != runtime::Status::ok) return status;
    }
    if (!trajectory.add(*mechanism_, state)) break;
  }
  return runtime::Status::ok;
}

}  // namespace klingel::mechanism
