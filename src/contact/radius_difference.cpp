#include "contact/radius_difference.hpp"

#include <cmath>

#include "base/error.hpp"

namespace klingel::contact {
namespace {

// delta-r of a wheelset, rigid or loaded, 0.05 mm apart: a contact that jumps does so within a
// tenth of what matters for a wave of 1 mm. Different sides swing about another place than y = 0:
// then farther than the amplitude, where the wheels still stand. Sides that are alike differ at -y
// as they do at y, with the other sign.
RadiusDifference sampled(const auto& wheelset, bool sides_differ, double amplitude,
                         std::optional<double> roll) {
  constexpr double step = 5e-5, aside = 0.01;
  const int n = static_cast<int>(std::ceil((amplitude + 1e-4) / step));
  const int most = n + (sides_differ ? static_cast<int>(aside / step) : 0);
  const bool odd = !sides_differ && roll.value_or(0) == 0;
  RadiusDifference f;
  for (int i = odd ? 0 : -most; i <= most; ++i) {
    const auto contact = wheelset.at(step * i, 0, roll);
    if (!contact && i < -n) {
      f = {};
      continue;
    }
    if (!contact && i > n) break;
    if (!contact) {
      base::fail(
          "at y = {:.2f} mm the wheels do not touch their rails\n"
          "    use smaller amplitudes",
          1e3 * step * i);
    }
    f.y.push_back(step * i);
    f.delta_r.push_back(contact->delta_r());
  }
  if (odd) {
    RadiusDifference whole;
    for (std::size_t i = f.y.size(); i-- > 1;) {
      whole.y.push_back(-f.y[i]);
      whole.delta_r.push_back(-f.delta_r[i]);
    }
    whole.y.insert(whole.y.end(), f.y.begin(), f.y.end());
    whole.delta_r.insert(whole.delta_r.end(), f.delta_r.begin(), f.delta_r.end());
    return whole;
  }
  return f;
}

}  // namespace

RadiusDifference radius_difference(const WheelsetGeometry& wheelset, bool sides_differ,
                                   double amplitude, std::optional<double> roll) {
  return sampled(wheelset, sides_differ, amplitude, roll);
}

RadiusDifference radius_difference(const LoadedWheelset& wheelset, bool sides_differ,
                                   double amplitude, std::optional<double> roll) {
  return sampled(wheelset, sides_differ, amplitude, roll);
}

}  // namespace klingel::contact
