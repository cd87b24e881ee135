// What rigid and loaded treads have in common: creep forces of four points, and how wrenches of
// points get into the system.
#pragma once

#include "step/points.hpp"
#include "step/system.hpp"

namespace klingel::step {

// W . u of each lane
inline base::Pack along(const base::Pack* W, const base::Pack* u) {
  base::Pack sum = W[0] * u[0];
  for (int i = 1; i < 6; ++i) sum += W[i] * u[i];
  return sum;
}

// The motion (v_C, w) of the wheelsets of a set, of six numbers by wheelset.
struct SetMotion {
  base::Pack u[6];
  SetMotion(const Points& points, std::size_t set, std::span<const double> of) {
    const ContactSet::Lanes rows = points.rows(set, of, 6);
    for (std::size_t i = 0; i < 6; ++i)
      u[i] = base::Pack{rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
  }
};

// Patch, Kalker's coefficients and creep law of the points that act, with frame, motion and N_t of
// the forces.
void find_creep(const Description& vehicle, const std::vector<double>& friction, Points& points,
                std::size_t set);

// Adds B and b of some lanes (wrench_size packs) to those of their wheelsets; overwrites them.
void add_wrenches(System& system, const Points& points, std::size_t set, unsigned lanes,
                  base::Pack* wrenches);

}  // namespace klingel::step
