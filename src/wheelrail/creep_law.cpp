#include "wheelrail/creep_law.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "wheelrail/linear_law.hpp"
#include "wheelrail/she.hpp"

namespace klingel::wheelrail {

std::string_view name(CreepLaw law) {
  switch (law) {
    case CreepLaw::linear:
      return "linear";
    case CreepLaw::she:
      return "she";
    case CreepLaw::polach:
      return "polach";
    case CreepLaw::fastsim:
      return "fastsim";
  }
  return "";
}

CreepLaw creep_law(std::string_view wanted) {
  std::vector<std::string> names;
  std::string list;
  for (const CreepLaw law : creep_laws) {
    if (name(law) == wanted) return law;
    names.emplace_back(name(law));
    list += (list.empty() ? "" : ", ") + names.back();
  }
  base::fail("unknown creep law '{}'{}\n    there are {}", wanted,
             base::did_you_mean(wanted, names), list);
}

CreepResult CreepModel::operator()(const CreepInput& in) const noexcept {
  switch (law) {
    case CreepLaw::linear:
      return linear_law(in);
    case CreepLaw::she:
      return she(in);
    case CreepLaw::polach:
      return wheelrail::polach(in, polach);
    case CreepLaw::fastsim:
      return fastsim(in);
  }
  return {};
}

}  // namespace klingel::wheelrail
