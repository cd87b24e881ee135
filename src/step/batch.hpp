// Several vehicles of one kind that step together on the lanes of one set of kernels: as many at
// once as the kernels have lanes, with different states, parameters, inputs and friction. Each does
// to the last bit what it would do alone; when one fails the others continue.
//
//   step::Batch batch(data);              // data.vehicle on several lanes
//   batch[0].set_state(...);
//   batch.step(1e-3);                    // batch.status(i), batch[i].failure_text()
//
// For one thread; threads have batches of their own.
#pragma once

#include <memory>
#include <vector>

#include "step/simulator.hpp"

namespace klingel::step {

class Batch {
 public:
  explicit Batch(VehicleData data);
  // Of vehicles that others have, too; kernels of the description on lanes.
  explicit Batch(std::shared_ptr<const Description> description);
  // Like another one, with working memory in common: for many batches that one thread steps in
  // turn.
  static Batch beside(const Batch& neighbour);
  Batch(Batch&&) noexcept;
  ~Batch();

  std::size_t size() const { return vehicles_.size(); }
  Simulator& operator[](std::size_t i) { return vehicles_[i]; }
  const Simulator& operator[](std::size_t i) const { return vehicles_[i]; }

  // Vehicles whose state was set share an evaluation of their kernels, if this is called before one
  // of them is asked for something; step() does it, too.
  void give_states();
  // A step of every vehicle that has not failed. False if none is left.
  bool step(double h, const StepOptions& options = {});
  Status status(std::size_t i) const { return status_[i]; }
  // Lets a vehicle that failed step again, after set_state.
  void revive(std::size_t i) { status_[i] = Status::ok; }

 private:
  struct Kernels;
  Batch(std::shared_ptr<const Description> description, std::unique_ptr<Kernels> kernels);

  std::unique_ptr<Kernels> kernels_;
  std::vector<Simulator> vehicles_;
  std::vector<Status> status_;
  int turn_ = 0;  // the instant that is t in the next step, for all
};

}  // namespace klingel::step
