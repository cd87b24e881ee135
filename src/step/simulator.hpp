// A vehicle on a track, step by step.
//
//   step::Simulator simulator(data);                 // allocates; errors in the data are thrown
//   simulator.set_state(state);
//   while (simulator.state().t < 18) {
//     if (simulator.step(1e-3) != step::Status::ok) ... simulator.failure_text();
//   }
//
// With rigid treads a step is the article's implicit-explicit scheme with its projections,
// unilateral wheels and elastic flanges. With loaded treads, the default of scenarios, wheels have
// no constraints. step.cpp has both on one page.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "step/description.hpp"
#include "step/energy_balance.hpp"
#include "step/point_results.hpp"
#include "step/rail_shift.hpp"
#include "step/step_log.hpp"
#include "step/step_options.hpp"
#include "step/vehicle_state.hpp"

namespace klingel::step {

class OtherScheme;
class Stepper;

class Simulator {
 public:
  explicit Simulator(VehicleData data);
  // A vehicle on a lane of a batch.
  explicit Simulator(std::unique_ptr<Stepper> stepper);
  Simulator(Simulator&&) noexcept;
  ~Simulator();

  const VehicleData& data() const;
  std::size_t coordinates() const;
  const std::vector<std::string>& coordinate_names() const;

  // The state may come from anywhere: contact coordinates are where Newton's method begins.
  // start::find_contacts() finds them from q alone.
  void set_state(const VehicleState& state);
  const VehicleState& state() const;
  double time() const;     // s
  bool is_finite() const;  // all of q and dq

  void set_input(std::size_t index, double value);
  const std::vector<std::string>& input_names() const;
  double input(std::size_t index) const;
  void set_friction(std::size_t wheel, double mu);
  double friction(std::size_t wheel) const;
  void set_parameter(std::size_t index, double value);
  const std::vector<std::string>& parameter_names() const;

  // Moves the rail under a wheel for the next step, and after it by its rates, until the next call;
  // for filters that estimate irregularities. Vehicles with loaded treads only, others ignore it.
  // No part of state().
  void shift_rail(std::size_t wheel, const RailShift& by);

  Status step(double h, const StepOptions& options = {});

  // Places of the wheelsets at state(): r_C (3), axes of the non-spinning base by columns (9); and
  // their motion v_C, w, rate of spin. Valid until the next call.
  std::span<const double> pose(std::size_t wheelset);
  std::span<const double> twist(std::size_t wheelset);

  // An output of the vehicle's kernels at state(), by function; for channels and reports.
  std::span<const double> evaluate(std::string_view function);

  // Channels that the kernels compute (VehicleData::measures): at state(), and of the step that was
  // just done; the latter are NaN before the first step and with other schemes than imex.
  double measured(std::size_t index);
  double felt(std::size_t index);

  // Energy at state() and the work done since set_state, if StepOptions::balance is on.
  const EnergyBalance& balance() const;
  const Doubts& doubts() const;

  // Of the step that was just done; by wheel. Computed on request: not for several threads at once.
  const std::vector<PointResult>& tread() const;
  const std::vector<PointResult>& flange() const;
  int newton_q() const;  // corrections of q
  int newton_s() const;  // most corrections of s of one wheel
  double largest_phi() const;
  // Events of the last step, oldest first.
  std::span<const Event> events() const;

  // Of the last call that did not return ok.
  const Failure& failure() const;
  std::string failure_text() const;

  // For methods with kernels and contacts of their own (vehicle_copy.hpp): what the vehicle is, and
  // kernels that hold its parameters and inputs.
  const std::shared_ptr<const Description>& description() const;
  const KernelSet& kernels() const;
  // The kernels in which the last step began, with its matrix; dq(t+h) before its projections.
  KernelSet& kernels_of_last_step();
  std::span<const double> dq_end() const;
  // From now on Scheme::trapezoidal and Scheme::reference are done by it.
  void set_other_scheme(std::unique_ptr<OtherScheme> scheme);

  Stepper& stepper() { return *stepper_; }  // for Batch
  const Stepper& stepper() const { return *stepper_; }

 private:
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace klingel::step
