// The choice of a creep law and its settings, behind one call.
#pragma once

#include <array>
#include <string_view>

#include "creep/creep.hpp"
#include "creep/fastsim.hpp"
#include "creep/polach.hpp"

namespace klingel::creep {

enum class CreepLaw { linear, she, polach, fastsim };

inline constexpr std::array<CreepLaw, 4> creep_laws = {CreepLaw::linear, CreepLaw::she,
                                                       CreepLaw::polach, CreepLaw::fastsim};

std::string_view name(CreepLaw law);

// The law of that name. Throws Error with the names there are.
CreepLaw creep_law(std::string_view name);

struct CreepModel {
  CreepLaw law = CreepLaw::she;
  PolachParameters polach;
  Fastsim fastsim;

  CreepResult operator()(const CreepInput& in) const noexcept;
  // Side by side where the law allows it.
  CreepPack operator()(const CreepInputOf<base::Pack>& in) const noexcept;
};

// Sets a further number of the model's law by its name: k_A, k_S, A and B of polach, strips of
// fastsim. A name that the law does not have, or a value that it cannot take, is an Error.
void set_value(CreepModel& model, std::string_view name, double value);

// An Error unless the numbers of the law fit together, once all are set.
void check_values(const CreepModel& model);

}  // namespace klingel::creep
