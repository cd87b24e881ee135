// How much material a contact loses, from the energy that its creep forces lose per metre, T-gamma,
// and the area A of its patch.
//
//   usfd    twin-disc tests of the University of Sheffield, wheel steel R8T on rail 900A (Braghin,
//           Lewis and others, Wear 261, 2006). With I = T-gamma/A in N/mm^2, the loss in micrograms
//           per metre rolled and mm^2 of contact is 5.3 I below 10.4 (mild), 55 up to 77.2
//           (severe), then 55 + 61.9 (I - 77.2) (catastrophic).
//   pearce  British Rail (Pearce and Sherratt, Wear 144, 1991): the section a wheel of diameter D
//           (mm) loses in mm^2/km is 0.25 T/D below T-gamma = 100 N, 25/D up to 200 N, then
//           (1.19 T - 154)/D. It jumps at 200 N, as published.
//
// Constants are from general knowledge of these papers: check them before you rely on numbers.
#pragma once

#include <string_view>

namespace klingel::wear {

enum class WearLaw { usfd, pearce };
inline constexpr double density = 7850;  // kg/m^3, of steel

// Mass that a wheel loses per metre rolled, kg/m; area in m^2, radius in m.
double mass_lost(WearLaw law, double T_gamma, double area, double radius);

// The same as section of its profile: the loss is spread over the circumference, m^2 per metre.
double wheel_section(double mass, double radius);
// And of a rail, which loses as much, over which one wheel passes: m^2 per passage.
double rail_section(double mass);

std::string_view name(WearLaw law);

}  // namespace klingel::wear
