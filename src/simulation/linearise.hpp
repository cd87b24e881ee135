// The step's own Jacobians. With x what the step remembers, v what it is given and y channels,
//
//   x(t+h) = F(x, v),   y(t+h) = G(x, v)
//   A = dF/dx,  B = dF/dv,  C = dG/dx,  D = dG/dv                                  [eq:linearise]
//
// of the step as it is computed, contacts, creep, implicit matrix and internal states included.
// Two ways lead there. Generated derivatives (step_derivative.hpp) are the fast one: for loaded
// treads, of a description that has their kernels (compile::with_derivatives), by what
// StepDerivative knows. Central differences of the step itself on lanes know everything: what the
// generated ones do not know, and single steps that they do not describe, such as those that were
// solved again when a flange hit. docs/estimation.md has errors and costs of both.
//
// y has the values that channels have after the step: states at t+h, forces and accelerations of
// the step that led there. Inputs that the scenario drives follow it: with a driver, A contains the
// driver.
//
// Events. A step goes one of several ways: wheels lift, flanges touch, secants are renewed. Where
// both sides of a difference went the way of the step itself the difference is central; where one
// side did, it is one-sided, and the derivative is that of the way the step went; where neither
// did, it is central across the event and marked. Sides of failed steps count as other ways.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/status.hpp"
#include "simulation/step_derivative.hpp"
#include "simulation/step_map.hpp"

namespace klingel::simulation {

// What derivatives are taken of, by patterns of names (variable.hpp, channels). No pattern: all of
// x, nothing given, no channels.
struct LineariseOptions {
  std::vector<std::string> states, given, channels;
  bool one_sided = false;    // forward differences: half the time, and errors of some 1e-4
  bool differences = false;  // never generated derivatives
};

enum class Side : std::uint8_t { both, ahead, behind, across };

// Matrices by columns.
struct Linearisation {
  std::size_t states = 0, given = 0, channels = 0;
  std::vector<double> x, y;  // at t+h
  std::vector<double> J;     // (states + channels) x (states + given)
  std::vector<Side> sides;   // by column
  std::size_t one_sided = 0, across = 0;
  bool generated = false;  // not differenced

  double A(std::size_t i, std::size_t j) const { return at(i, j); }
  double B(std::size_t i, std::size_t j) const { return at(i, states + j); }
  double C(std::size_t i, std::size_t j) const { return at(states + i, j); }
  double D(std::size_t i, std::size_t j) const { return at(states + i, states + j); }

 private:
  double at(std::size_t i, std::size_t j) const { return J[j * (states + channels) + i]; }
};

class Lineariser {
 public:
  // on_lanes: the vehicle of `like` on lanes (compile::on_lanes), or its own description. Names
  // that do not exist are Errors. Allocates.
  Lineariser(std::shared_ptr<const Description> on_lanes, const Instance& like,
             const LineariseOptions& options = {});

  const std::vector<std::string>& state_names() const { return state_names_; }
  const std::vector<std::string>& given_names() const { return given_names_; }
  const std::vector<std::string>& channel_names() const { return channel_names_; }

  // Of the step that begins at the vehicle's state, which stays. False if that step fails.
  // Neither allocates nor throws.
  bool linearise(const Instance& at);
  // Whether the request is one for generated derivatives, and how many calls had to take
  // differences nevertheless.
  bool generates() const { return derivative_ != nullptr; }
  std::size_t differenced() const { return differenced_; }
  const Linearisation& result() const { return result_; }

 private:
  std::vector<std::string> state_names_, given_names_, channel_names_;
  bool generate(const Instance& at);

  std::unique_ptr<StepMap> map_;
  std::unique_ptr<Instance> one_;  // does the step for the generated derivatives
  std::unique_ptr<StepDerivative> derivative_;
  std::size_t differenced_ = 0;
  std::vector<Variable> states_;
  std::vector<std::size_t> channels_;
  bool one_sided_;
  std::vector<double> points_, results_, deltas_;
  std::vector<StepMap::Branch> branches_;
  Linearisation result_;
};

// The quotient of one column by what both sides led to; `out` has map outputs.
Side difference(const double* middle, const double* ahead, const double* behind,
                const StepMap::Branch* branches, double delta, std::size_t size, double* out);

}  // namespace klingel::simulation
