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

}  // namespace klingel::creep
