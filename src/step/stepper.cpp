#include "step/stepper.hpp"

#include <cmath>

#include "base/error.hpp"
#include "step/contact_forces.hpp"

namespace klingel::step {

Stepper::Stepper(std::shared_ptr<const Description> given, KernelSet first, KernelSet second)
    : description(std::move(given)),
      vehicle(*description),
      friction(vehicle.w, vehicle.data.friction),
      log(vehicle.w),
      system(vehicle),
      instants_{Instant(vehicle, std::move(first)), Instant(vehicle, std::move(second))},
      treads_(make_treads(vehicle)) {
  outside_.q.assign(vehicle.n, 0), outside_.dq.assign(vehicle.n, 0);
  outside_.tread.resize(vehicle.w), outside_.flange.resize(vehicle.w);
  take(outside_);
  std::visit(
      [&](const auto& treads) {
        const std::vector<std::size_t> fours = wheelsets_in_fours(treads.tread, treads.groups);
        if (fours.empty() || vehicle.data.law.foundation.given()) return;
        for (Instant& at : instants_) system.take_groups(at.kernels, fours);
      },
      treads_);
  system.use(at_t().kernels);
  results_.tread.resize(vehicle.w), results_.flange.resize(vehicle.w);
}

void Stepper::set_state(const VehicleState& given) {
  if (given.q.size() != vehicle.n || given.dq.size() != vehicle.n ||
      given.tread.size() != vehicle.w || given.flange.size() != vehicle.w) {
    base::fail(
        "a state of {} coordinates and {} wheels does not fit the vehicle '{}' with {} and {}",
        given.q.size(), given.tread.size(), vehicle.data.name, vehicle.n, vehicle.w);
  }
  if (!given.z.empty() && given.z.size() != vehicle.internal_names.size())
    base::fail("a state with {} internal states does not fit the vehicle '{}' with {}",
               given.z.size(), vehicle.data.name, vehicle.internal_names.size());
  if (!given.track.empty() && given.track.size() != vehicle.track_states)
    base::fail("a state with {} values of the track does not fit '{}' with {}", given.track.size(),
               vehicle.data.name, vehicle.track_states);
  take(given);
  prepared_ = given_ = has_stepped_ = false;
  meter.close();
  // forces of contacts are those of a step; of a state only N and gaps are known
  results_known_ = true, by_other_ = false;
  for (std::size_t i = 0; i < vehicle.w; ++i) {
    results_.tread[i] = results_.flange[i] = {};
    results_.tread[i].N = given.tread[i].N, results_.tread[i].gap = given.tread[i].gap;
    results_.flange[i].N = given.flange[i].N, results_.flange[i].gap = given.flange[i].gap;
  }
  log.doubts = {};
}

const Points& Stepper::points() const {
  return std::visit([](const auto& treads) -> const Points& { return treads.tread; }, treads_);
}

void Stepper::take(const VehicleState& given) {
  pack(given, points(), state_);
  state_.z.resize(vehicle.internal_names.size());  // zero if not given
  state_.track.resize(vehicle.track_states);
  next_ = state_;
  unpacked_ = false;
}

const VehicleState& Stepper::state() const {
  if (!unpacked_) unpack(state_, points(), outside_);
  unpacked_ = true;
  return outside_;
}

// One look at all numbers: a sum with a NaN or an infinity is not finite.
bool Stepper::is_finite() const {
  double sum = 0;
  for (const double x : state_.q) sum += x * 1e-9;
  for (const double x : state_.dq) sum += x * 1e-9;
  for (const double x : state_.z) sum += x * 1e-9;
  for (const double x : state_.track) sum += x * 1e-9;
  return std::isfinite(sum);
}

void Stepper::give_state() {
  if (prepared_ || given_) return;
  KernelSet& kernels = at_t().kernels;
  kernels.set(vehicle.id.q, state_.q);
  kernels.set(vehicle.id.dq, state_.dq);
  if (vehicle.id.has_z) kernels.set(vehicle.id.z, state_.z);
  given_ = true;
}

void Stepper::shift_rail(std::size_t wheel, const RailShift& by) {
  if (auto* loaded = std::get_if<LoadedTreads>(&treads_)) {
    const auto [set, lane] = loaded->tread.lane_of(wheel);
    loaded->sets[set].at.shift(lane, by);
    prepared_ = false;
  }
}

void Stepper::prepare() {
  if (prepared_) return;
  system.forget_partition();
  give_state();
  at_t().find_poses();
  at_t().find_motions();
  std::visit([&](auto& treads) { take_state(treads, vehicle, state_, at_t()); }, treads_);
  prepared_ = true;
}

const PointResults& Stepper::results() {
  if (results_known_) return results_;
  results_known_ = true;
  if (by_other_)
    other->find_results(results_);
  else
    find_results(treads_, results_);
  return results_;
}

}  // namespace klingel::step
