#include "cli/shipped.hpp"

#include "base/data.hpp"
#include "examples/mechanisms.hpp"

namespace klingel::cli {

std::vector<std::string> shipped(std::string_view kind) {
  std::vector<std::string> names;
  if (kind == "examples") {
    for (const examples::Mechanism& m : examples::mechanisms()) names.emplace_back(m.name);
    return names;
  }
  names = base::list_data(kind);
  if (kind == "profiles") names.insert(names.begin(), {"S1002", "60E1", "UIC60", "cylinder"});
  return names;
}

}  // namespace klingel::cli
