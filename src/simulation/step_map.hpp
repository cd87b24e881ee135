// The step as a function: from chosen variables at t to chosen variables of x and channels at t+h,
// for many points at once on the lanes of a batch. Everything that is not chosen is as in one
// vehicle. What differs from point to point is the step's own input, so that this is the step as it
// is computed, bit for bit. linearise.hpp and the filters of room kalman stand on it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simulation/batch.hpp"
#include "simulation/variable.hpp"

namespace klingel::simulation {

class StepMap {
 public:
  // on_lanes: the description of `like` on any number of lanes, one included. from: variables of x
  // and given ones; to: variables of x. channels: by index, of Instance::channels(). Allocates.
  StepMap(std::shared_ptr<const Description> on_lanes, const Instance& like,
          std::vector<Variable> from, std::vector<Variable> to, std::vector<std::size_t> channels);

  const std::vector<Variable>& from() const { return from_; }
  const std::vector<Variable>& to() const { return to_; }
  std::size_t inputs() const { return from_.size(); }
  std::size_t outputs() const { return to_.size() + channels_.size(); }
  std::size_t lanes() const { return batch_.size(); }

  // All points are like this vehicle, at its state, from now on. Neither this nor what follows
  // allocates or throws.
  void begin_at(const Instance& vehicle);
  // Irregularity under a wheelset that is part of no point, by ShiftPart; zero at first.
  void set_shift(std::size_t wheelset, std::size_t part, double value) {
    shift_[wheelset * shift_parts + part] = value;
  }
  // What the vehicle has of `from`: the point that repeats its step.
  void point(std::span<double> x) const;

  // Which way a step went: wheels in contact, flanges in contact, solutions and corrections. Two
  // steps of one branch are on the same side of every event. Never zero.
  using Branch = std::uint64_t;
  static constexpr Branch failed = 0;
  static Branch branch_of_last_step(const step::Simulator& simulator);

  // `count` points one after another, and what follows from them. A point whose step fails has the
  // branch `failed` and NaN.
  void evaluate(std::size_t count, const double* points, double* results, Branch* branches);
  // As of Instance, one lane after another.
  std::vector<double> places() const;
  void follow_from(const std::vector<double>& places);
  // Where the first point of the last evaluate() led to, as a whole.
  const step::VehicleState& after_first() const { return first_; }

 private:
  struct Lane {
    record::RailForces forces;
    start::TrackPlace place;
    step::VehicleState state;
    std::vector<double> shift;
    bool shifted = false;
  };
  void put(std::size_t lane, const double* point);
  void put_friction(step::Simulator& simulator, const double* point) const;
  Branch take(std::size_t lane, double* results);

  std::shared_ptr<const Description> description_;
  std::vector<Variable> from_, to_;
  std::vector<record::VehicleChannel> channels_;
  bool needs_forces_ = false, needs_y_rel_ = false, needs_place_ = false;
  bool has_shift_ = false, has_friction_ = false;
  Batch batch_;
  std::vector<Lane> lanes_;
  step::VehicleState base_, first_;
  std::vector<double> parameters_, friction_, inputs_, shift_;
};

}  // namespace klingel::simulation
