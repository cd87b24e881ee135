// Charts of a wheel where rail profiles change along the track: the two that its place is between.
#pragma once

#include <span>

#include "step/vehicle_data.hpp"

namespace klingel::step {

// One chart where profiles do not change, and outside of the places.
struct ChartBetween {
  const contact::ChartedSheet *one, *two = nullptr;
  double share = 0, per_length = 0;  // of the second; 1/m
};

inline ChartBetween chart_between(std::span<const ChartPlace> places,
                                  const contact::ChartedSheet* chart, bool flange, double s) {
  if (places.empty()) return {chart};
  const auto sheet = [&](std::size_t i) {
    const contact::ChartedPair& pair = *places[i].pair;
    return flange ? &*pair.flange : &pair.tread;
  };
  std::size_t next = 0;
  while (next < places.size() && places[next].s <= s) ++next;
  if (next == 0) return {sheet(0)};
  if (next == places.size()) return {sheet(next - 1)};
  const double length = places[next].s - places[next - 1].s;
  return {sheet(next - 1), sheet(next), (s - places[next - 1].s) / length, 1 / length};
}

// Part of the second chart in the first.
inline void blend(contact::Charted& one, const contact::Charted& two, double share) {
  for (base::Pack contact::Charted::*field :
       {&contact::Charted::f, &contact::Charted::f_a, &contact::Charted::f_rho,
        &contact::Charted::f_tau, &contact::Charted::f_aa, &contact::Charted::f_a_rho,
        &contact::Charted::f_rho_rho, &contact::Charted::f_a_tau})
    one.*field += share * (two.*field - one.*field);
  one.inside = one.inside && two.inside;
}

}  // namespace klingel::step
