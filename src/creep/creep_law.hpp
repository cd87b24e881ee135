// The choice of a creep law and its settings, behind one call.
#pragma once

#include <array>
#include <string_view>

#include "creep/creep.hpp"
#include "creep/fastsim.hpp"
#include "creep/polach.hpp"
#include "creep/she.hpp"

namespace klingel::creep {

enum class CreepLaw { linear, she, polach, fastsim };

inline constexpr std::array<CreepLaw, 4> creep_laws = {CreepLaw::linear, CreepLaw::she,
                                                       CreepLaw::polach, CreepLaw::fastsim};

std::string_view name(CreepLaw law);

// The law of that name. Throws Error with the names there are.
CreepLaw creep_law(std::string_view name);

// Friction that falls with the slip velocity w = |(nu_x, nu_y)|, as Polach has it:
//   mu = mu_0 ((1 - A) exp(-B w) + A)
struct FallingFriction {
  double A = 1;  // friction at high slip over friction at none
  double B = 0;  // s/m; zero: friction does not fall

  double share(const double nu[3]) const noexcept;
};

struct CreepModel {
  CreepLaw law = CreepLaw::she;
  PolachParameters polach;
  Fastsim fastsim;
  FallingFriction falling{};  // of every law but the linear one, which has no friction

  CreepResult operator()(const CreepInput& in) const noexcept;
  // Side by side where the law allows it.
  CreepPack operator()(const CreepInputOf<base::Pack>& in) const noexcept {
    return law == CreepLaw::she && !(falling.B > 0) ? she(in) : of_four(in);
  }

 private:
  CreepPack of_four(const CreepInputOf<base::Pack>& in) const noexcept;
  CreepResult force(const CreepInput& in) const noexcept;
};

// Sets a further number of the model's law by its name: A and B of all but the linear law, k_A and
// k_S of polach, strips of fastsim. A name that the law does not have, or a value that it cannot
// take, is an Error.
void set_value(CreepModel& model, std::string_view name, double value);

// An Error unless the numbers of the law fit together, once all are set.
void check_values(const CreepModel& model);

}  // namespace klingel::creep
