// The reductions of a model by name, and their order:
//
//   base_parameters  other inertias for the same equations (base_parameters.hpp), and
//   elimination      some of them left out, both before equations are made;
//   linearisation    functions of the equations to first order in small coordinates
//                    (sym/first_order.hpp), then
//   trigonometric    sines and cosines (sym/trigonometric.hpp) of all functions.
//
// All are off by default. What the article's run computes is not touched by this room.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reduce/base_parameters.hpp"
#include "sym/function.hpp"

namespace klingel::reduce {

struct Options {
  bool trigonometric = false, base_parameters = false;
  std::vector<std::string> small;  // coordinates by name: linearisation
  std::vector<std::string> drop;   // inertial parameters by name: elimination
  bool any() const { return trigonometric || base_parameters || !small.empty() || !drop.empty(); }
};

// Regroups and drops inertias of the model. An unknown parameter, or one without which a coordinate
// moves no mass, is an Error.
void reduce_inertias(mech::Model& model, const Options& options);

// Shortens functions. Linearisation changes those named in `linear` alone: what geometry needs
// stays exact. A small coordinate that does not exist, does not start near zero, or stands in a
// constraint is an Error.
void reduce_functions(mech::Model& model, const Options& options,
                      std::span<const std::string> linear, sym::Interface& interface);

}  // namespace klingel::reduce
