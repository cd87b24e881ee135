// Derivatives of the time step: what estimation and control need of a vehicle.
//
//   klingel::Simulation vehicle = klingel::load("coach_300m");
//   vehicle.start();
//   klingel::Lineariser step(vehicle, {"q.*", "dq.*"}, {"u.*"}, {"Q.*"});
//   if (step.linearise()) use(step.A(i, j), step.C(i, j));
//
//   x(t+h) = F(x, v), y(t+h) = G(x, v);  A = dF/dx, B = dF/dv, C = dG/dx, D = dG/dv
//
// x is what the step remembers, v what it is given, y are channels; names and patterns are in
// docs/estimation.md.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "klingel/simulation.hpp"

namespace klingel {

namespace simulation {
class Lineariser;
}

class Lineariser {
 public:
  // The simulation has been started and must outlive it. No states: all. Unknown names are
  // std::runtime_errors.
  explicit Lineariser(Simulation& vehicle, const std::vector<std::string>& states = {},
                      const std::vector<std::string>& given = {},
                      const std::vector<std::string>& channels = {});
  Lineariser(Lineariser&&) noexcept;
  ~Lineariser();

  const std::vector<std::string>& states() const;
  const std::vector<std::string>& given() const;
  const std::vector<std::string>& channels() const;

  // Of the step that begins now; the simulation stays where it is. False if that step fails.
  // Neither throws nor allocates.
  bool linearise();
  double A(std::size_t i, std::size_t j) const;
  double B(std::size_t i, std::size_t j) const;
  double C(std::size_t i, std::size_t j) const;
  double D(std::size_t i, std::size_t j) const;
  // Columns whose difference is one-sided because the other side goes another way (a wheel lifts, a
  // flange touches), and those with no side that goes the step's way.
  std::size_t one_sided() const;
  std::size_t across_events() const;

 private:
  Simulation* vehicle_;
  std::unique_ptr<simulation::Lineariser> of_;
};

}  // namespace klingel
