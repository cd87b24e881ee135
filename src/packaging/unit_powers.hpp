// Units as products of powers, as FMI wants them: "N m", "kg m2", "m/s2", "N s/m", "1".
#pragma once

#include <optional>
#include <string_view>

namespace klingel::packaging {

struct UnitPowers {
  int kg = 0, m = 0, s = 0, rad = 0;
};

// None where the text is not made of kg, m, s, rad, N, Nm, J, W, Pa, Hz and 1, separated by spaces,
// with powers behind them ("m2"), and at most one '/': all behind it divides.
std::optional<UnitPowers> unit_powers(std::string_view text);

}  // namespace klingel::packaging
