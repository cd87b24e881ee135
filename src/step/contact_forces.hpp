// What rigid and loaded treads have in common: creep forces of four points, and how wrenches of
// points get into the system.
#pragma once

#include "base/multiply_add.hpp"
#include "step/points.hpp"
#include "step/step_work.hpp"
#include "step/wheelset_groups.hpp"

namespace klingel::step {

// W . u of each lane
inline base::Pack along(const base::Pack* W, const base::Pack* u) {
  base::Pack sum = W[0] * u[0];
  for (int i = 1; i < 6; ++i) sum = base::multiply_add(W[i], u[i], sum);
  return sum;
}

// Patch, Kalker's coefficients and creep law of the points that act, with frame, motion and N_t of
// the forces; secants and forces are those of the slip nu.
void find_creep(const Description& vehicle, const std::vector<double>& friction, Points& points,
                std::size_t set, const base::Pack* nu);

// The same for some of these points: better secants for the step that is being solved. The others
// keep theirs.
void renew_creep(const Description& vehicle, const std::vector<double>& friction, Points& points,
                 std::size_t set, unsigned who, const base::Pack* nu);

// A step in which one of these lanes creeps with more than friction allows, after all attempts.
void count(Doubt& doubt, unsigned lanes, const Points& points, std::size_t set, double t);

// Adds B and b of some lanes (wrench_size packs) to those of their wheelsets; overwrites them.
void add_wrenches(System& system, const Points& points, std::size_t set, unsigned lanes,
                  base::Pack* wrenches);

// All that acts on the wheelsets of a group, zero in lanes where nothing does, where four wheelsets
// are not side by side; overwrites it.
void give_wrenches(System& system, const Points& points, const WheelsetGroups& groups,
                   std::size_t group, base::Pack* wrenches);

// Wheelsets by group and lane if none is left out and none is in two lanes; else nothing.
std::vector<std::size_t> wheelsets_in_fours(const Points& points, const WheelsetGroups& groups);

// W_n of the wheels of a set, zero of others than these lanes.
void set_normals(System& system, const Points& points, std::size_t set, unsigned lanes,
                 const base::Pack* W_n);

// Events of flanges that began or ended to press in the step.
void note_flanges(StepWork& s, const Points& flange, std::size_t set, const base::Pack& gap);

}  // namespace klingel::step
