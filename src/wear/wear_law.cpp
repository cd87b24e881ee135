#include "wear/wear_law.hpp"

#include <numbers>

namespace klingel::wear {
namespace {

// micrograms per metre and mm^2, I in N/mm^2
double sheffield(double I) {
  if (I < 10.4) return 5.3 * I;
  if (I < 77.2) return 55.0;
  return 55.0 + 61.9 * (I - 77.2);
}

// mm^2/km times the diameter in mm, T in N
double pearce(double T) {
  if (T < 100) return 0.25 * T;
  if (T < 200) return 25;
  return 1.19 * T - 154;
}

}  // namespace

double mass_lost(WearLaw law, double T_gamma, double area, double radius) {
  if (!(T_gamma > 0) || !(area > 0)) return 0;
  if (law == WearLaw::usfd) {
    const double mm2 = 1e6 * area;
    return 1e-9 * sheffield(T_gamma / mm2) * mm2;
  }
  const double section = 1e-9 * pearce(T_gamma) / (2e3 * radius);  // m^2 per m
  return section * density * 2 * std::numbers::pi * radius;
}

double wheel_section(double mass, double radius) {
  return mass / (density * 2 * std::numbers::pi * radius);
}

double rail_section(double mass) { return mass / density; }

std::string_view name(WearLaw law) { return law == WearLaw::usfd ? "usfd" : "pearce"; }

}  // namespace klingel::wear
