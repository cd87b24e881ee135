// Vehicles of one kind that step together on the lanes of one set of kernels, faster than one after
// the other. Each does bit for bit what it would do alone; when one fails the others continue.
#pragma once

#include <memory>
#include <vector>

#include "simulation/instance.hpp"
#include "step/batch.hpp"

namespace klingel::simulation {

class Batch {
 public:
  // As many vehicles as the description's kernels have lanes, all at the state of `like`, with its
  // parameters, friction and inputs. Let them differ by restore(), set_parameter() and the like.
  Batch(std::shared_ptr<const Description> on_lanes, const Instance& like);

  // Another one of the same kind: both share all that does not change.
  Batch(Batch& kind, const Instance& like);
  // And also the memory their steps work in: for batches that one thread steps in turn.
  static Batch beside(const Batch& neighbour, const Instance& like);

  std::size_t size() const { return vehicles_.size(); }
  Instance& operator[](std::size_t i) { return vehicles_[i]; }
  Instance& at(std::size_t i);  // an Error if there are fewer
  step::Batch& lanes() { return batch_; }

  // A step of every vehicle that has not failed. False if none is left. Neither allocates nor
  // throws.
  bool step();
  bool failed(std::size_t i) const { return batch_.status(i) != runtime::Status::ok; }
  // Puts a vehicle at a saved state; one that had failed steps again.
  void restore(std::size_t i, std::string_view state);

 private:
  Batch(std::shared_ptr<const Description> description, step::Batch batch, const Instance& like);
  void fill(const Instance& like);

  std::shared_ptr<const Description> description_;
  step::Batch batch_;
  std::vector<Instance> vehicles_;
};

}  // namespace klingel::simulation
