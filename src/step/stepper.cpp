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
      treads_(make_treads(vehicle)),
      coordinates_(std::make_shared<Coordinates>(vehicle)) {
  const KernelIds& id = vehicle.id;
  for (Instant& at : instants_)
    for (const std::uint32_t input : {id.q, id.dq, id.rhs, id.dq_end}) at.kernels.use_column(input);
  outside_.q.assign(vehicle.n, 0), outside_.dq.assign(vehicle.n, 0);
  outside_.tread.resize(vehicle.w), outside_.flange.resize(vehicle.w);
  take(outside_);
  std::visit(
      [&](const auto& treads) {
        const std::vector<std::size_t> fours = wheelsets_in_fours(treads.tread, treads.groups);
        if (fours.empty() || vehicle.data.law.foundation.given()) return;
        const std::vector<std::size_t> wheels = treads.tread.wheels();
        for (Instant& at : instants_) system.take_groups(at.kernels, fours, wheels);
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
  prepared_ = has_stepped_ = false;
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
  KernelSet& kernels = at_t().kernels;
  kernels.set(vehicle.id.q, given.q);
  kernels.set(vehicle.id.dq, given.dq);
  state_.z.resize(vehicle.internal_names.size());  // zero if not given
  if (vehicle.id.has_z) kernels.set(vehicle.id.z, state_.z);
  state_.track.resize(vehicle.track_states);
  next_ = state_;
  unpacked_ = false;
}

const VehicleState& Stepper::state() const {
  if (unpacked_) return outside_;
  unpack(state_, points(), outside_);
  const KernelSet& kernels = instants_[now_].kernels;
  const auto take = [&](std::uint32_t input, std::vector<double>& to) {
    const Column<const double> from = kernels.column(input);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
  };
  take(vehicle.id.q, outside_.q), take(vehicle.id.dq, outside_.dq);
  unpacked_ = true;
  return outside_;
}

void Stepper::take_turn(int now) {
  if (now_ == now) return;
  const VehicleState& given = state();
  now_ = now;
  take(given);
  has_stepped_ = false;
  forget();
}

// One look at all numbers: a sum with a NaN or an infinity is not finite.
bool Stepper::is_finite() const {
  double sum = 0;
  for (const std::uint32_t input : {vehicle.id.q, vehicle.id.dq}) {
    const Column<const double> values = instants_[now_].kernels.column(input);
    for (std::size_t i = 0; i < vehicle.n; ++i) sum += values[i] * 1e-9;
  }
  for (const double x : state_.z) sum += x * 1e-9;
  for (const double x : state_.track) sum += x * 1e-9;
  return std::isfinite(sum);
}

void Stepper::share_memory(const Stepper& of) {
  system.share_memory(of.system);
  if (auto* rigid = std::get_if<RigidTreads>(&treads_))
    rigid->share_memory(std::get<RigidTreads>(of.treads_));
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
