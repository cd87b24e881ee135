// An ordinary mechanism as kernels describe it: accelerations, constraint forces, energies, and the
// return to the constraints. All matrices are allocated in the constructor; afterwards nothing
// allocates and numeric failures are a Status with a record.
//
//   mechanism::Mechanism mechanism(kernel, {"loop.x [m]", "loop.z [m]"});
//   mechanism::State state = mechanism.nominal_state();
//   mechanism.coordinate(state, "crank") = 0.3;
//   mechanism::assemble(mechanism, state, {.coordinates = {"crank"}});     // assemble.hpp
//   mechanism::Integrator integrator(mechanism, {.h = 1e-3});              // integrate.hpp
//
// The kernels must have the inputs q and dq (p, t, u and f if the model needs them) and the
// functions M_qq, delta_q, energy, and with constraints phi, dphi, beta and gamma, as
// mech::interface makes them. Contact coordinates s belong to the vehicle simulator.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/abi.h"
#include "runtime/status.hpp"

namespace klingel::mechanism {

struct State {
  double t = 0;               // s
  std::vector<double> q, dq;  // coordinates and their rates, SI
};

struct Energy {
  double kinetic = 0, potential = 0;  // J
};

// How well and how hard the constraints are met.
struct Projection {
  double position_tolerance = 1e-11;  // largest |phi|, in the unit of each constraint
  double velocity_tolerance = 1e-10;  // largest |dphi/dt|
  int max_iterations = 20;
};

// For one thread at a time; make one for each thread. The kernel table must outlive it.
class Mechanism {
 public:
  // Constraint names in the order of phi, each possibly with its unit: "loop.x [m]"; without them
  // they are called phi[0], phi[1], ... An Error names a missing function, input or wrong shape.
  explicit Mechanism(const klingel_kernel& kernel, std::vector<std::string> constraint_names = {});
  Mechanism(Mechanism&&) noexcept;
  Mechanism& operator=(Mechanism&&) noexcept;
  ~Mechanism();

  const std::string& name() const;
  std::size_t coordinates() const { return coordinate_names().size(); }
  std::size_t constraints() const { return constraint_names().size(); }
  const std::vector<std::string>& coordinate_names() const;
  const std::vector<std::string>& rate_names() const;
  const std::vector<std::string>& constraint_names() const;
  const std::vector<std::string>& parameter_names() const;
  const std::vector<std::string>& input_names() const;   // of u, then of f
  const std::vector<std::string>& output_names() const;  // functions the user added

  // The kernel's own values at t = 0; not assembled.
  State nominal_state() const;
  // An element by its name; an unknown name is an Error that suggests near ones.
  double& coordinate(State& state, std::string_view name) const;
  double& rate(State& state, std::string_view name) const;
  double parameter(std::string_view name) const;
  void set_parameter(std::string_view name, double value);
  double input(std::string_view name) const;
  void set_input(std::string_view name, double value);

  // Solves [M_qq, dphi_dq^T; dphi_dq, 0] [ddq; lambda] = [delta_q; gamma] as saddle_point.hpp says.
  // The generalized force of the constraints on the mechanism is -dphi_dq^T lambda.
  runtime::Status accelerations(const State& state, std::span<double> ddq,
                                std::span<double> lambda);

  Energy energy(const State& state);
  // All elements of an output of the model; valid until the next call.
  std::span<const double> output(const State& state, std::string_view name);

  // Constraints as numbers, valid until the next call: phi, its Jacobian (column major), and
  // dphi/dt = dphi_dq dq - beta.
  std::span<const double> phi(const State& state);
  std::span<const double> dphi_dq(const State& state);
  std::span<const double> phi_rates(const State& state);
  double largest_phi(const State& state);  // the residual; 0 for a tree, NaN if any is NaN

  // Moves q onto phi = 0 by Newton, each correction the smallest in the mass metric (least
  // dq^T M_qq dq), so that units and heavy bodies are weighed as in the motion. On failure q is
  // as it was.
  runtime::Status project_position(State& state, const Projection& options = {});
  // The same for dq onto dphi_dq dq = beta.
  runtime::Status project_velocity(State& state, const Projection& options = {});

  // Moves q towards phi = 0 along the constraint forces of the last accelerations() call, with its
  // factors: cheap, and what a symplectic step needs. Stops at the tolerance or when it no longer
  // helps; project_position() does the rest.
  void follow_constraints(State& state, const Projection& options = {});

  // How many constraints count as independent at most; assemble() sets it. All at first.
  std::size_t rank() const;
  void set_rank(std::size_t rank);

  // Of the last call that did not return ok; `step` is 0 here.
  const runtime::Failure& failure() const;
  std::string failure_text() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace klingel::mechanism
