// Inputs for tests of creep laws: a tread contact, and contacts over the whole range of shapes and
// creepages.
#pragma once

#include <cmath>
#include <vector>

#include "creep/creep_law.hpp"

namespace klingel::creep {

inline constexpr double muN = 0.3 * 80e3;

// Creepages at 20 m/s on an ellipse of a mean semi-axis of 5 mm.
inline CreepInput contact(double ratio, double xi_x, double xi_y, double spin) {
  static const KalkerTable table(0.28);
  CreepInput in;
  in.a = 5e-3 * std::sqrt(ratio);
  in.b = 5e-3 / std::sqrt(ratio);
  in.N = 80e3;
  in.mu = 0.3;
  in.G = 82e9;
  in.c = table.at(in.a, in.b);
  in.V = 20;
  in.nu[0] = in.V * xi_x;
  in.nu[1] = in.V * xi_y;
  in.nu[2] = in.V * spin;
  return in;
}

inline CreepModel model(CreepLaw law) {
  CreepModel m;
  m.law = law;
  return m;
}

// From stick to full slip, every mixture of the three creepages, both signs.
inline std::vector<CreepInput> many_contacts() {
  std::vector<CreepInput> all;
  for (const double ratio : {0.05, 0.4, 1.0, 2.5, 20.0}) {
    for (const double size : {1e-7, 1e-4, 1e-3, 3e-3, 1e-2, 0.3}) {
      for (const double x : {-1.0, 0.0, 0.3, 1.0}) {
        for (const double y : {-1.0, 0.0, 0.3, 1.0}) {
          for (const double z : {-200.0, -30.0, 0.0, 200.0})
            all.push_back(contact(ratio, size * x, size * y, size * z));
        }
      }
    }
  }
  return all;
}

}  // namespace klingel::creep
