#include "step/stepper.hpp"

#include "base/error.hpp"

namespace klingel::step {

Stepper::Stepper(std::shared_ptr<const Description> given, KernelSet first, KernelSet second)
    : description(std::move(given)),
      vehicle(*description),
      friction(vehicle.w, vehicle.data.friction),
      log(vehicle.w),
      system(vehicle),
      instants_{Instant(vehicle, std::move(first)), Instant(vehicle, std::move(second))},
      treads_(make_treads(vehicle)) {
  state.q.assign(vehicle.n, 0), state.dq.assign(vehicle.n, 0);
  state.tread.resize(vehicle.w), state.flange.resize(vehicle.w);
  next_ = state;
  results_.tread.resize(vehicle.w), results_.flange.resize(vehicle.w);
}

void Stepper::set_state(const VehicleState& given) {
  if (given.q.size() != vehicle.n || given.dq.size() != vehicle.n ||
      given.tread.size() != vehicle.w || given.flange.size() != vehicle.w) {
    base::fail(
        "a state of {} coordinates and {} wheels does not fit the vehicle '{}' with {} and {}",
        given.q.size(), given.tread.size(), vehicle.data.name, vehicle.n, vehicle.w);
  }
  state = given;
  next_ = given;
  prepared_ = false;
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

void Stepper::prepare() {
  if (prepared_) return;
  system.partition.known = false;
  at_t().place(state.q);
  at_t().move(state.dq);
  std::visit([&](auto& treads) { take_state(treads, vehicle, state, at_t()); }, treads_);
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
