// The step [fig:integration], as phases: Stepper::do_phase is the page to read. Rigid treads
// (rigid_treads.hpp) and loaded ones (loaded_treads.hpp) go through the same phases. All functions
// at t unless said otherwise.
#include <algorithm>
#include <span>
#include <utility>

#include "base/assert.hpp"
#include "step/partitioned_solver.hpp"
#include "step/step_time.hpp"
#include "step/stepper.hpp"

namespace klingel::step {
namespace {

// A rigid wheel or flange that still pulls after the last solution has pulled in this step, and is
// free in the next one.
void note_limit(const RigidTreads&, StepWork& s) { s.log.note(Event::Kind::limit, 0, 0); }
void note_limit(const LoadedTreads&, StepWork&) {}  // doubts count it

// For messages of failed corrections.
std::size_t worst_wheel(const RigidTreads& treads) { return treads.worst; }
std::size_t worst_wheel(const LoadedTreads&) { return 0; }
double worst_rate(const RigidTreads& treads) { return treads.largest_rate; }
double worst_rate(const LoadedTreads&) { return 0; }
int corrections_of_dq(const RigidTreads& treads) { return treads.iteration; }
int corrections_of_dq(const LoadedTreads&) { return 0; }

// Normal forces of rigid treads.
void take_multipliers(const RigidTreads& treads, StepWork& s) {
  const Column<const double> multipliers = s.system.x.from(s.vehicle.n);
  const std::span tread(s.next.tread);
  for (std::size_t g = 0; g < tread.size(); ++g) {
    PointSetState& next = tread[g];
    const base::Pack lambda_n = treads.tread.gather(g, multipliers);
    next.N = base::select(base::mask(next.on), -lambda_n, base::Pack{});
  }
}
void take_multipliers(const LoadedTreads&, StepWork&) {}

// What the next step begins with, while the contacts are in the cache.
void look_ahead(RigidTreads& treads, const StepWork& s) {
  for (ContactSet& tread : treads.tread.sets) tread.motions();
  const std::span flanges(treads.flange.sets);
  for (std::size_t g = 0; g < flanges.size(); ++g) {
    const PointSetState& flange = s.next.flange[g];
    if ((flange.found & base::bits(flange.gap < base::Pack{})) == 0) continue;
    flanges[g].frames();
    flanges[g].motions();
  }
}
void look_ahead(const LoadedTreads&, const StepWork&) {}

// Points of rigid treads begin as they are at t; forces, coordinates and rates follow. All of
// loaded ones is made anew in each step.
void begin_points(const RigidTreads&, StepWork& s) {
  const auto begin = [](std::span<const PointSetState> from, std::span<PointSetState> to) {
    for (std::size_t g = 0; g < from.size(); ++g) {
      const PointSetState& now = from[g];
      PointSetState& next = to[g];
      next.gap = now.gap;
      next.found = now.found, next.on = now.on, next.steady = now.steady;
    }
  };
  begin(s.state.tread, s.next.tread);
  begin(s.state.flange, s.next.flange);
}
void begin_points(const LoadedTreads&, StepWork&) {}

}  // namespace

template <class T>
Status Stepper::do_phase(T& treads, StepWork& s) {
  switch (phase_) {
    case Phase::forces:
      // 1  normal forces, contact patches and creep forces; what they add to the system
      begin(treads, s);
      find_forces(treads, s);
      ask_velocities(treads, s);
      return Status::ok;
    case Phase::velocities:
      // 2  M_qq + h C_qq and the normal constraints of rigid treads,
      //    solved for dq(t+h) and lambda_n                                  [eq:MphiTPhiZero6]
      coordinates_->find_right_side(s.at_t.kernels);
      if (!solve(treads, s, s.at_t))
        return fail(log.fail(Status::not_finite, "velocities of the step", 0, 0, 0, 0));
      find_dq_end(s);
      take_multipliers(treads, s);
      //    again without the rigid wheels that would have to pull, or with better lines of N and
      //    secants of creep
      system.twists_end = s.at_t.kernels.evaluate(vehicle.id.twist_end);
      if (const bool accepted = accept(treads, s); !accepted || s.options.exhaust) {
        if (attempt_++ < s.options.most_attempts) {
          phase_ = Phase::again;
          return Status::ok;
        }
        if (!accepted) note_limit(treads, s);
      }
      record(treads, s);
      // 3  s(t+h) predicted by s + h ds + h^2/2 dds
      predict(treads, s);
      coordinates_->ask_end(s.at_t.kernels.lane());
      phase_ = Phase::place;
      return Status::ok;
    case Phase::again:
      ask_velocities(treads, s);
      return Status::ok;
    case Phase::correct_q:
      if (!correct(treads, s, vehicle.id.q))
        return fail(log.fail(Status::singular, "projection of q", worst_wheel(treads),
                             log.largest_phi, s.options.phi_tolerance, log.newton_q));
      phase_ = Phase::place;
      return Status::ok;
    case Phase::place:
      // 4  q(t+h) by the mid-point rule
      coordinates_->find_end(s.at_t.kernels, s.at_end.kernels, s.h);
      // 5  phi_d = 0 and phi_n = 0 together, by correcting s and q       [eq:NRs] [eq:NRq]
      s.at_end.find_poses();
      if (const Fit fit = place(treads, s); fit != Fit::good)
        return correct_or_fail(fit, Phase::correct_q, s);
      // contacts are still in the cache, and the kernels have dq(t+h)
      phase_ = Phase::motion;
      [[fallthrough]];
    case Phase::motion:
      // 6  dphi_n_dq dq = 0 and ds at t+h                          [eq:dqproj] [eq:dsproj]
      if (partitions(s) && corrections_of_dq(treads) == 0 && !decompose(treads, s, s.at_end))
        return fail(log.fail(Status::singular, "dphi_n_dq", 0, 0, 0, 0));
      s.at_end.find_motions();
      if (const Fit fit = move(treads, s); fit != Fit::good)
        return correct_or_fail(fit, Phase::correct_dq, s);
      look_ahead(treads, s);
      end(s);
      phase_ = Phase::done;
      return Status::ok;
    case Phase::correct_dq:
      if (!correct(treads, s, vehicle.id.dq))
        return fail(log.fail(Status::singular, "projection of dq", worst_wheel(treads),
                             worst_rate(treads), s.options.rate_tolerance,
                             corrections_of_dq(treads)));
      phase_ = Phase::motion;
      return Status::ok;
    case Phase::done:
      break;
  }
  return Status::ok;
}

Status Stepper::do_phase(double h, const StepOptions& options) {
  StepWork s{vehicle, friction, state_, next_, at_t(), at_end(), system, log, h, options};
  if (phase_ == Phase::forces &&
      (options.scheme == Scheme::trapezoidal || options.scheme == Scheme::reference))
    return step_otherwise(s);
  return std::visit([&](auto& treads) { return do_phase(treads, s); }, treads_);
}

// What follows a place or a motion that is not good: a correction, or the end.
Status Stepper::correct_or_fail(Fit fit, Phase correct, StepWork& s) {
  if (fit != Fit::correct) return fail(log.failure.status);
  ask_solution(s);
  phase_ = correct;
  return Status::ok;
}

Status Stepper::fail(Status status) {
  prepared_ = false;
  phase_ = Phase::done;
  return status;
}

template <class T>
void Stepper::begin(T& treads, StepWork& s) {
  log.begin(state_.t, state_.step + 1);
  attempt_ = 0;
  results_known_ = by_other_ = false;
  if (!partitions(s)) system.forget_partition();
  prepare();
  if (s.options.balance && !meter.is_open())
    meter.open(vehicle, at_t(), stored_energy(treads, vehicle, state_));
  begin_points(treads, s);
}

// Internal states of elements at t+h, by their strokes at both ends of the step.
void Stepper::advance(StepWork& s) {
  const KernelIds& id = vehicle.id;
  if (!id.has_z) return;
  s.at_t.kernels.set(id.strokes_end, s.at_end.kernels.evaluate(id.strokes));
  const std::span<const double> z = s.at_t.kernels.evaluate(id.advance);
  std::copy(z.begin(), z.end(), s.next.z.begin());
  s.at_end.kernels.set(id.z, s.next.z);
}

void Stepper::end(StepWork& s) {
  advance(s);
  s.next.t = time_after(state_.t, s.h);
  s.next.step = state_.step + 1;
  if (s.options.balance) {
    std::visit(
        [&](const auto& treads) {
          meter.add(vehicle, s.at_end, contact_work(treads, s),
                    stored_energy(treads, vehicle, s.next), s.h);
        },
        treads_);
  }
  std::swap(state_, next_);
  unpacked_ = false;
  now_ = 1 - now_;
  prepared_ = has_stepped_ = true;
}

// Other schemes have kernels and contacts of their own, and work wheel by wheel.
Status Stepper::step_otherwise(StepWork& s) {
  KLINGEL_ASSERT(other != nullptr);  // reference::add_comparison
  log.begin(state_.t, state_.step + 1);
  results_known_ = has_stepped_ = false, by_other_ = true;
  prepare();
  const auto stored = [&] {
    return std::visit([&](const auto& treads) { return stored_energy(treads, vehicle, state_); },
                      treads_);
  };
  if (s.options.balance && !meter.is_open()) meter.open(vehicle, at_t(), stored());
  const VehicleState& from = state();
  VehicleState to = from;
  const Status status = other->step(s, from, to);
  if (status != Status::ok) return fail(status);
  to.t = time_after(from.t, s.h);
  to.step = from.step + 1;
  take(to);
  prepared_ = false;  // its own kernels and contacts are not at the new state
  if (s.options.balance) {
    prepare();
    meter.add(vehicle, at_t(), other->work(), stored(), s.h);
  }
  phase_ = Phase::done;
  return Status::ok;
}

// Loaded treads have no constraints to choose coordinates by.
bool Stepper::partitions(const StepWork& s) const {
  return s.options.method == LinearMethod::partitioning && !vehicle.data.loaded();
}

// Of a correction; it is computed in the next phase.
void Stepper::ask_solution(StepWork& s) {
  if (partitions(s)) return;
  s.at_t.kernels.changed(vehicle.id.rhs);
  coordinates_->ask_solution(s.at_t.kernels.lane());
}

template <class T>
bool Stepper::decompose(T& treads, StepWork& s, Instant& contacts_at) {
  return system.partition().decompose(
      contacts_at, [&](std::size_t i) { return normal_now(treads, i); },
      [&](std::size_t i) {
        const auto [set, lane] = treads.tread.lane_of(i);
        return (s.next.tread[set].on >> lane & 1) != 0;
      });
}

// What contacts add to the system; the first phase of its solution is next.
template <class T>
void Stepper::ask_velocities(T& treads, StepWork& s) {
  assemble(treads, s);
  set_constraint_rates(treads, s);
  coordinates_->ask_velocities(s.at_t.kernels.lane());
  phase_ = Phase::velocities;
}

void Stepper::find_dq_end(StepWork& s) {
  if (!partitions(s)) coordinates_->find_dq_end(s.at_t.kernels);
  if (!partitions(s) && !system.by_pivoting) return;
  const Column<const double> dq = std::as_const(s.at_t.kernels).column(vehicle.id.dq);
  for (std::size_t i = 0; i < vehicle.n; ++i) system.dq_end[i] = dq[i] + system.x[i];
  s.at_t.kernels.changed(vehicle.id.dq_end);
}

// x of the system; contacts are evaluated at the given instant.
template <class T>
bool Stepper::solve(T& treads, StepWork& s, Instant& contacts_at) {
  if (!partitions(s)) return system.solve(s.at_t.kernels, *coordinates_, log);
  if (!system.partition().is_current(system.active) && !decompose(treads, s, contacts_at))
    return false;
  return system.partition().solve(s.at_t.kernels, system.x);
}

// q or dq at t+h += the part of the solution of the factored system that belongs to q
template <class T>
bool Stepper::correct(T& treads, StepWork& s, std::uint32_t input) {
  const Column<double> target = s.at_end.kernels.column(input);
  s.at_end.kernels.changed(input);
  if (partitions(s)) {
    // a wheel was caught, or a contact moved far: the Jacobian of where they are now
    if (!system.partition().is_current(system.active) && !decompose(treads, s, s.at_end))
      return false;
    return system.partition().correct(s.at_t.kernels, target);
  }
  if (!system.solve(s.at_t.kernels, *coordinates_, log)) return false;
  for (std::size_t i = 0; i < vehicle.n; ++i) target[i] += system.x[i];
  return true;
}

}  // namespace klingel::step
