#include "examples/mechanisms.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::examples {
namespace {

constexpr Mechanism all[] = {
    {"pendulum", "a rod that swings", build_pendulum, 10, 1e-3, "rk4", ""},
    {"double_pendulum", "two rods: small causes, large effects", build_double_pendulum, 10, 1e-3,
     "rk4", ""},
    {"top", "a heavy top that precesses", build_top, 5, 1e-3, "rk4", ""},
    {"free_body", "a thrown body that flips about its intermediate axis", build_free_body, 20, 1e-3,
     "rk4", ""},
    {"slider_crank", "crank, rod and piston: a closed loop", build_slider_crank, 4, 1e-3, "rk4",
     "phi"},
    {"four_bar", "the four-bar linkage of the article's figure", build_four_bar, 4, 1e-3, "rk4",
     "theta1"},
    {"arm", "a robot arm with seven joints", build_arm, 3, 1e-3, "rk4", ""},
    {"chain", "a hanging chain of twenty links", build_chain, 5, 1e-3, "rk4", ""},
    {"locomotive_tree", "the locomotive's 30 coordinates without contact, falling",
     build_locomotive_tree, 0.5, 1e-3, "rk4", ""},
};

}  // namespace

std::span<const Mechanism> mechanisms() { return all; }

const Mechanism& mechanism(std::string_view name) {
  std::vector<std::string> names;
  for (const Mechanism& m : all) {
    if (m.name == name) return m;
    names.emplace_back(m.name);
  }
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  base::fail("there is no example '{}'{}\n    there are: {}", name, base::did_you_mean(name, names),
             known);
}

}  // namespace klingel::examples
