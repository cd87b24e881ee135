#include "step/batch.hpp"

#include <algorithm>

#include "base/flush_subnormals.hpp"
#include "step/stepper.hpp"

namespace klingel::step {

// at t and at t+h, as an Instant of each vehicle
struct Batch::Kernels {
  explicit Kernels(const klingel_kernel& kernel) : first(kernel), second(kernel) {}
  Kernels(const klingel_kernel& kernel, const Kernels& neighbour)
      : first(kernel, neighbour.first.workspace()), second(kernel, neighbour.second.workspace()) {}
  KernelSet first, second;
};

Batch::Batch(VehicleData data) : Batch(std::make_shared<const Description>(std::move(data))) {}

Batch::Batch(std::shared_ptr<const Description> description)
    : Batch(description, std::make_unique<Kernels>(*description->data.vehicle)) {}

Batch Batch::beside(const Batch& neighbour) {
  const std::shared_ptr<const Description>& description = neighbour[0].description();
  Batch batch(description,
              std::make_unique<Kernels>(*description->data.vehicle, *neighbour.kernels_));
  for (Simulator& v : batch.vehicles_) v.stepper().share_memory(neighbour[0].stepper());
  return batch;
}

Batch::Batch(std::shared_ptr<const Description> description, std::unique_ptr<Kernels> kernels)
    : kernels_(std::move(kernels)) {
  const std::size_t lanes = description->data.vehicle->lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    vehicles_.emplace_back(std::make_unique<Stepper>(description, KernelSet(kernels_->first, lane),
                                                     KernelSet(kernels_->second, lane)));
  }
  for (Simulator& v : vehicles_) {
    v.stepper().share_coordinates(vehicles_.front().stepper());
    if (&v != &vehicles_.front()) v.stepper().share_memory(vehicles_.front().stepper());
  }
  // what a step may need, so that it allocates nothing
  for (Simulator& v : vehicles_)
    for (Instant& at : v.stepper().instants()) at.kernels.reserve(description->id.step_matrix);
  status_.assign(lanes, Status::ok);
}

Batch::Batch(Batch&&) noexcept = default;
Batch::~Batch() = default;

void Batch::give_states() {
  for (std::size_t i = 0; i < vehicles_.size(); ++i)
    if (status_[i] == Status::ok) vehicles_[i].stepper().take_turn(turn_);
}

bool Batch::step(double h, const StepOptions& options) {
  const base::FlushSubnormals flush;
  give_states();
  for (std::size_t i = 0; i < vehicles_.size(); ++i)
    if (status_[i] == Status::ok) vehicles_[i].stepper().begin_step();
  for (;;) {
    // vehicles that are ahead wait, so that as many as possible share one call of the kernels
    Phase first = Phase::done;
    for (Simulator& v : vehicles_) first = std::min(first, v.stepper().phase());
    if (first == Phase::done) break;
    for (std::size_t i = 0; i < vehicles_.size(); ++i) {
      Stepper& stepper = vehicles_[i].stepper();
      if (stepper.phase() == first) status_[i] = stepper.do_phase(h, options);
    }
  }
  turn_ = 1 - turn_;
  return std::any_of(status_.begin(), status_.end(), [](Status s) { return s == Status::ok; });
}

}  // namespace klingel::step
