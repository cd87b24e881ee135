// Arguments that commands about vehicles share.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::cli {

// "name=value" as given to --set.
inline std::vector<vehicle::Setting> settings_of(const std::vector<std::string>& texts) {
  std::vector<vehicle::Setting> settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      base::fail("--set takes name=value, found '{}'", text);
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return settings;
}

}  // namespace klingel::cli
