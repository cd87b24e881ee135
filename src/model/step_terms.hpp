// What the step of a vehicle is made of, in symbols, for those that make other functions of it: for
// the change D of dq in a step, with wrenches of contacts w on wheelsets in the mean of the step,
//
//   impulse + h sum J^T w = matrix D + sum of L^T weight L D                     [eq:MphiTPhiZero6]
//
// with the columns L of the laws of stiff elements. Wheels are free, as under load
// (vehicle_interface.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/step_system.hpp"
#include "model/vehicle_interface.hpp"
#include "model/wheelset_motion.hpp"

namespace klingel::model {

// How a deflection changes with coordinates, and what answers its change in the step.
struct StiffLaw {
  sym::Expr weight;
  std::vector<std::pair<std::uint32_t, sym::Expr>> columns;
};

struct StepTerms {
  StepSymbols symbols;
  std::vector<sym::Expr> dq_end;        // symbols: dq at t+h
  std::vector<WheelsetMotion> motions;  // by wheelset
  sym::Matrix matrix{0, 0};             // M_qq and tangents of stiff elements that have no law
  std::vector<StiffLaw> laws;
  std::vector<sym::Expr> impulse;  // h delta_NK and what stiff elements push
  // Internal states of elements: z, strokes at t, symbols of strokes at t+h, z at t+h.
  std::vector<sym::Expr> z, strokes, strokes_end, advance;
  std::vector<sym::Expr> measured, felt;  // channels: known at t, and with accelerations
};

StepTerms step_terms(mech::Model& model, const mech::Equations& equations,
                     std::span<const Wheelset> wheelsets, std::span<const std::string> stiff,
                     Tangents tangents);

}  // namespace klingel::model
