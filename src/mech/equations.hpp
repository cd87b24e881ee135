// The equations of motion of a model, as lists and matrices of atoms:
//
//   M_qq ddq + dphi_dq^T lambda = delta_q      [eq:MphiTPhiZero4]
//   dphi_dq ddq + dphi_ds dds   = gamma
//
// by the principle of virtual power with grouping (projection.hpp), the mass matrix by composite
// sums (mass_matrix.hpp), delta_q from the accelerations that are left at ddq = 0.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mech/model.hpp"
#include "sym/function.hpp"

namespace klingel::mech {

struct Equations {
  std::vector<Expr> q, dq, ddq;  // coordinates in the order of definition
  std::vector<Expr> s, ds, dds;  // contact coordinates
  sym::Matrix M_qq{0, 0};
  std::vector<Expr> delta_q;  // applied, elastic, gyroscopic, centrifugal and gravity terms
  std::vector<Expr> phi;      // constraints
  sym::Matrix dphi_dq{0, 0}, dphi_ds{0, 0};
  std::vector<Expr> beta;   // dphi_dq dq + dphi_ds ds = beta = -dphi/dt
  std::vector<Expr> gamma;  // minus the second time derivative of phi at ddq = dds = 0
  Expr kinetic_energy, potential_energy;
};

Equations equations(Model& model);

// delta_q alone and without the cost of the rest.
std::vector<Expr> generalized_forces(Model& model);

// The part of delta_q that comes from the actions of the named elements: actions called as the
// element, or as the element and a suffix after a dot. An unknown name is an error.
std::vector<Expr> element_forces(Model& model, std::span<const std::string> elements);

// delta = rest + d(delta)/d(tagged) tagged, for symbols that delta is linear in: the article's
// split into delta_NK and delta_K by the symbols of the creep forces. Not linear: an error that
// names the symbol.
struct Split {
  std::vector<Expr> rest;  // delta at tagged = 0
  sym::Matrix by_tagged;   // d(delta)/d(tagged)
};
Split split(std::span<const Expr> delta, std::span<const Expr> tagged);

// The same equations as named functions in stages (setup, position, velocity, force), ready for the
// code generator: M_qq, delta_q, energy, and where there are constraints phi, dphi_dq, dphi_ds,
// beta, gamma; then the outputs of the model. Inputs: p; q, s, t; dq, ds; u (inputs), f (forces).
sym::Interface interface(Model& model, const Equations& equations);

}  // namespace klingel::mech
