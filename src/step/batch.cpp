#include "step/batch.hpp"

#include <algorithm>

#include "step/simulator_parts.hpp"

namespace klingel::step {

// at t and at t+h, as an Instant of each vehicle
struct Batch::Kernels {
  explicit Kernels(const klingel_kernel& kernel) : first(kernel), second(kernel) {}
  runtime::KernelSet first, second;
};

Batch::Batch(VehicleData data) : kernels_(std::make_unique<Kernels>(*data.vehicle)) {
  const std::size_t lanes = data.vehicle->lanes;
  const auto around = std::make_shared<const Surroundings>(std::move(data));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    vehicles_.emplace_back(
        std::make_unique<Simulator::Parts>(around, runtime::KernelSet(kernels_->first, lane),
                                           runtime::KernelSet(kernels_->second, lane)));
  }
  status_.assign(lanes, runtime::Status::ok);
}

Batch::Batch(Batch&&) noexcept = default;
Batch::~Batch() = default;

bool Batch::step(double h, const StepOptions& options) {
  for (std::size_t i = 0; i < vehicles_.size(); ++i)
    if (status_[i] == runtime::Status::ok) vehicles_[i].parts().phase = Phase::forces;
  for (;;) {
    // who is ahead waits: then as many as possible ask the kernels the same
    Phase first = Phase::done;
    for (Simulator& v : vehicles_) first = std::min(first, v.parts().phase);
    if (first == Phase::done) break;
    for (std::size_t i = 0; i < vehicles_.size(); ++i) {
      Simulator::Parts& p = vehicles_[i].parts();
      if (p.phase == first) status_[i] = p.go_on(h, options);
    }
  }
  return std::any_of(status_.begin(), status_.end(),
                     [](runtime::Status s) { return s == runtime::Status::ok; });
}

}  // namespace klingel::step
