// One vehicle, step by step: its constant description, kernels at both ends of a step, treads,
// state. step.cpp has the step. Others see the Simulator.
#pragma once

#include <array>
#include <memory>

#include "step/coordinates.hpp"
#include "step/energy_meter.hpp"
#include "step/other_scheme.hpp"
#include "step/treads.hpp"

namespace klingel::step {

// The phases of a step. A phase sets the inputs of the vehicle's kernels at its end, and the next
// phase reads the results at its beginning, so that vehicles on lanes go through the phases side by
// side.
enum class Phase : std::uint8_t {
  forces,      // contact forces and their wrenches
  velocities,  // dq(t+h) and N; forces and motion go together, or on to `again`
  again,       // better forces, and back to `velocities`
  place,       // contacts at q(t+h), and on to `motion` if they fit
  correct_q,   // q onto phi_n = 0, and back to `place`
  motion,      // contacts with dq(t+h)
  correct_dq,  // dq onto dphi_n_dq dq = 0, and back to `motion`
  done
};

class Stepper {
 public:
  // Kernels of the instants t and t+h. Allocates.
  Stepper(std::shared_ptr<const Description> description, KernelSet first, KernelSet second);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // Gives the state to the kernels, without evaluating them: vehicles on lanes that have all done
  // so share an evaluation.
  void set_state(const VehicleState& given);
  // Moves the rail under a wheel (loaded_set.hpp). Of loaded treads only.
  void shift_rail(std::size_t wheel, const RailShift& by);
  // Evaluates contacts and kernels at the state, as if a step had just ended there.
  void prepare();
  void forget() { prepared_ = false; }  // kernels or data have changed
  // Which of its two instants is t in the next step. Vehicles on lanes must agree, or nothing that
  // is evaluated for one serves the others; one that failed and was revived has lost a turn.
  void take_turn(int now);
  // Vehicles on lanes do what they do with coordinates at once.
  void share_coordinates(const Stepper& with) { coordinates_ = with.coordinates_; }
  // Works in the memory of another one that the same thread uses in turn.
  void share_memory(const Stepper& of);

  // A step is begin_step() and do_phase() until phase() is done or the status is not ok.
  void begin_step() { phase_ = Phase::forces; }
  Status do_phase(double h, const StepOptions& options);
  Phase phase() const { return phase_; }

  const PointResults& results();

  Instant& at_t() { return instants_[now_]; }
  Instant& at_end() { return instants_[1 - now_]; }
  std::array<Instant, 2>& instants() { return instants_; }

  const VehicleState& state() const;  // wheel by wheel; made when asked for
  double time() const { return state_.t; }
  bool is_finite() const;
  // Whether the state was reached by a step of this scheme: the other instant is then its
  // beginning.
  bool has_stepped() const { return has_stepped_; }

  const std::shared_ptr<const Description> description;
  const Description& vehicle;
  std::vector<double> friction;  // by wheel
  StepLog log;
  EnergyMeter meter;
  System system;
  std::unique_ptr<OtherScheme> other;  // or null

 private:
  template <class T>
  Status do_phase(T& treads, StepWork& s);
  template <class T>
  void begin(T& treads, StepWork& s);
  Status step_otherwise(StepWork& s);
  const Points& points() const;
  void take(const VehicleState& given);
  template <class T>
  bool solve(T& treads, StepWork& s, Instant& contacts_at);
  template <class T>
  bool correct(T& treads, StepWork& s, std::uint32_t input);
  template <class T>
  void ask_velocities(T& treads, StepWork& s);
  void find_dq_end(StepWork& s);
  template <class T>
  bool decompose(T& treads, StepWork& s, Instant& contacts_at);
  void advance(StepWork& s);
  void end(StepWork& s);
  bool partitions(const StepWork& s) const;
  void ask_solution(StepWork& s);
  Status correct_or_fail(Fit fit, Phase correct, StepWork& s);
  Status fail(Status status);

  std::array<Instant, 2> instants_;
  int now_ = 0;
  Treads treads_;
  std::shared_ptr<Coordinates> coordinates_;
  // Contacts and the rest of the state at t and, as the step builds it, at t+h; q and dq are in the
  // kernels of both instants
  PackedState state_, next_;
  mutable VehicleState outside_;  // state_ for others, if unpacked
  mutable bool unpacked_ = false;
  bool prepared_ = false;  // kernels and contacts are evaluated at `state`
  Phase phase_ = Phase::done;
  int attempt_ = 0;  // solutions of this step after the first one
  PointResults results_;
  bool results_known_ = false, by_other_ = false, has_stepped_ = false;
};

}  // namespace klingel::step
