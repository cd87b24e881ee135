// What a step does with coordinates and their rates, number by number: of one vehicle, or of all
// vehicles on lanes at once. All of them stand in the memory of the kernels, where the kernels read
// them, so nothing is copied. A vehicle asks for what it needs next; the first one that goes on
// does it for all that have asked.
#pragma once

#include "step/description.hpp"

namespace klingel::step {

class Coordinates {
 public:
  explicit Coordinates(const Description& vehicle) : vehicle_(vehicle) {}

  // The wrenches of a vehicle are new: so will be its right side, its solution and dq(t+h).
  void ask_velocities(std::size_t lane) { rhs_ |= bit(lane), dq_end_ |= bit(lane); }
  // Its right side is another one: so will be its solution.
  void ask_solution(std::size_t lane) { checked_ &= ~bit(lane); }
  // Its velocities are accepted: q and dq at t+h are wanted.
  void ask_end(std::size_t lane) { end_ |= bit(lane); }

  // Kernels of a vehicle at t and at t+h; done for all that share them.
  void find_right_side(KernelSet& at_t);                        // of coordinates: the impulse
  bool has_finite_solution(KernelSet& at_t);                    // of this vehicle
  void find_dq_end(KernelSet& at_t);                            // dq + x
  void find_end(KernelSet& at_t, KernelSet& at_end, double h);  // q by the mid-point rule, and dq

 private:
  static unsigned bit(std::size_t lane) { return 1u << lane; }
  template <class Visit>
  void each(unsigned& asked, std::size_t lanes, Visit visit) const;

  const Description& vehicle_;
  unsigned rhs_ = 0, dq_end_ = 0, end_ = 0;  // lanes that have asked
  unsigned checked_ = 0, finite_ = 0;        // lanes whose solution was looked at, and is finite
};

}  // namespace klingel::step
