// The phases of a step, one after another.
#include "base/assert.hpp"
#include "step/simulator_parts.hpp"
#include "step/step_time.hpp"

namespace klingel::step {

namespace {

// solutions of a step with loaded treads after the first one
constexpr std::size_t most_attempts = 4;

}  // namespace

runtime::Status Simulator::Parts::go_on(double h, const StepOptions& options) {
  switch (phase) {
    case Phase::forces:
      return begin_step(h, options);
    case Phase::impulse:
      set_right_side(h);
      phase = Phase::solution;
      return runtime::Status::ok;
    case Phase::solution:
      if (!solve_system())
        return fail(runtime::Status::not_finite, "velocities of the step", 0, 0, 0, 0);
      phase = Phase::release;
      return runtime::Status::ok;
    case Phase::release:
      if (!loaded.empty()) {
        if (!settle_loaded(h, options) && attempt++ < most_attempts) {
          assemble_loaded(h, options);
          phase = Phase::impulse;
          return runtime::Status::ok;
        }
        record_loaded(h, options);
        advance_loaded(h);
        phase = Phase::place;
        return runtime::Status::ok;
      }
      // again without the wheels that would have to pull
      if (!check_contacts() && attempt++ < 2 * w) {
        assemble(h, options);
        set_system(h, {h * h, h, h * h});
        phase = Phase::impulse;
        return runtime::Status::ok;
      }
      record_forces(h, options);
      begin_projection(h);
      phase = Phase::place;
      return runtime::Status::ok;
    case Phase::place:
      return loaded.empty() ? project_position(h, options) : end_loaded(h, options);
    case Phase::correct_q:
      if (!correct(next.q)) {
        return fail(runtime::Status::singular, "projection of q", worst, largest_phi,
                    options.phi_tolerance, newton_q);
      }
      at_end().kernels.set(id.q, next.q);
      phase = Phase::place;
      return runtime::Status::ok;
    case Phase::motion:
      return project_velocity(h, options);
    case Phase::correct_dq:
      if (!correct(next.dq)) {
        return fail(runtime::Status::singular, "projection of dq", worst, largest_rate,
                    10 * options.phi_tolerance, iteration);
      }
      at_end().kernels.set(id.dq, next.dq);
      phase = Phase::motion;
      return runtime::Status::ok;
    case Phase::done:
      break;
  }
  return runtime::Status::ok;
}

runtime::Status Simulator::Parts::begin_step(double h, const StepOptions& options) {
  events.clear();
  method = options.method;
  if (method != LinearMethod::partitioning) partition.known = false;
  prepare();
  if (options.balance && balance.start == 0) open_balance();
  next.tread = state.tread;
  next.flange = state.flange;
  if (options.scheme == Scheme::trapezoidal || options.scheme == Scheme::reference) {
    phase = Phase::done;
    KLINGEL_ASSERT(other_scheme != nullptr);  // reference::add_comparison
    return other_scheme->step(h, options);
  }
  attempt = 0;
  if (loaded.empty()) {
    contact_forces(h);
    assemble(h, options);
    set_system(h, {h * h, h, h * h});
  } else {
    yield_rails(h);
    press_loaded();
    assemble_loaded(h, options);
  }
  phase = Phase::impulse;
  return runtime::Status::ok;
}

// the generated factors are asked in the next phase
void Simulator::Parts::ask_solution() {
  if (method == LinearMethod::static_lu) at_t().kernels.set(id.rhs, rhs);
}

// the mid-point rule and predictions of s, from where to go back onto the constraints
void Simulator::Parts::begin_projection(double h) {
  for (std::size_t i = 0; i < n; ++i) next.q[i] = state.q[i] + (state.dq[i] + dq_new[i]) / 2 * h;
  next.dq = dq_new;
  const auto advance = [h](Points& points, const std::vector<PointState>& of) {
    for (std::size_t g = 0; g < points.sets.size(); ++g)
      points.sets[g].advance(points.lanes(g, [&](std::size_t i) { return of[i].found; }), h);
  };
  advance(tread, next.tread);
  advance(flange, next.flange);
  at_end().kernels.set(id.q, next.q);
  for (Points* points : {&tread, &flange})
    std::fill(points->anew.begin(), points->anew.end(), std::uint8_t{0});
  newton_q = newton_s = round = 0;
  moved = true;
}

void Simulator::Parts::end_step(double h, const StepOptions& options) {
  next.t = time_after(state.t, h);
  next.step = state.step + 1;
  std::swap(state, next);
  now = 1 - now;
  fresh = true;
  if (options.balance) add_work(h);
  phase = Phase::done;
}

}  // namespace klingel::step
