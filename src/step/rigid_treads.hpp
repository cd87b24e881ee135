// Treads as the article has them: one point on each wheel, on its rail by a constraint phi_n = 0,
// which may let go; and an elastic point on the flange. Contact coordinates s are followed by
// Newton's method on phi_d = 0.
//
// Functions of the step with such treads are in rigid_forces.cpp, steps 1 and 2 of step.cpp, and
// rigid_projection.cpp, steps 4 to 6.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "step/points.hpp"
#include "step/step_work.hpp"
#include "step/wheelset_groups.hpp"

namespace klingel::step {

struct RigidTreads {
  explicit RigidTreads(const Description& vehicle);
  // Works in the memory of another one of the same vehicle: used in turn, by one thread.
  void share_memory(const RigidTreads& of);

  // Four wheels, as masks of lanes.
  struct Set {
    base::Pack low{}, high{};                // zone of the tread, u_w
    base::Pack reach_side{}, reach_least{};  // where flanges may be near: FlangeReach
    unsigned has_flange = 0;
    std::size_t group = 0;
    std::array<unsigned, 4> turn{};  // wheels whose unknown flange is looked for, by step
    // of the projection that is going on
    unsigned on_branch = 0, unsettled = 0;  // lanes still there, lanes off phi_d = 0
    unsigned stalled = 0;                   // lanes whose branch has ended
    unsigned kept = 0;                      // lanes that stay where they are: no search was left
    unsigned looked = 0;                    // the flange is looked at in this step
  };

  Points tread, flange;
  WheelsetGroups groups;
  std::vector<SetMotion> end;  // by group: motion with dq(t+h) before projections
  std::vector<Set> sets;
  int renewals = 0;              // of secants of creep, in this step
  bool creep_known = false;      // creep forces of the step are those of its solution
  double load = 0;               // mean N of all treads at t
  int round = 0, iteration = 0;  // of the projections of q and dq
  int searches = 0;              // that are left in this step
  bool moved = false;            // q was corrected in the last round
  std::size_t worst = 0;         // the wheel with the largest residual
  double largest_rate = 0;       // m/s, that residual of dq
  // If wheels hit their rails or points jumped in this step: energy before, J. The potential one is
  // of q, the kinetic one of dq before they are corrected.
  bool hit = false;
  double potential = 0, kinetic = 0;
};

inline std::array<double, 4> as_array(const contact::ContactCoordinates& s) {
  return {s.theta_w, s.u_w, s.s_r, s.u_r};
}

// The minimum with the smallest gap that is a regular contact, or null.
const contact::Minimum* lowest(const contact::MinimumList& list);

// A contact point at a state: place and motion of its wheelset, s and its rates.
void take_state(const Contact& contact, const PointState& point, const Instant& at,
                std::size_t wheelset);
// All points, as if a step had just ended there.
void take_state(RigidTreads& treads, const Description& vehicle, const PackedState& state,
                const Instant& at);

// How points of a set are pressed: rigid ones with given forces, elastic ones by their law.
struct NormalForces {
  unsigned rigid = 0, elastic = 0;  // lanes
  base::Pack N{};                   // of rigid ones
  const contact::ElasticContact* law = nullptr;
  bool ahead = false;  // creep of elastic ones belongs to the N they will have at the end
  // How slip changed in the last step, two packs, or null: creep belongs to the slip at the end
  // where it goes on to grow.
  const base::Pack* slip_rate = nullptr;
};
// Forces at the points of a set for a step of h.
void find_point_forces(const Description& vehicle, const std::vector<double>& friction,
                       Points& points, std::size_t set, const NormalForces& by, double h);

// Moves a tread point to the place of the instant. The point stays on its branch. Where the branch
// ends (fold), Newton's method cycles or the point leaves the tread, the lowest minimum of the
// tread is taken instead, near where the point was before: last_u_w, last_u_r.
struct Locating {
  double tolerance;          // of phi_d
  int most_on_branch, most;  // corrections
  bool search = false;       // the whole tread, whether needed or not
  int* searches = nullptr;   // how many are left, and counted down; null: any number
  // m: flanges known to be farther from their rail are not searched for
  double far = std::numeric_limits<double>::infinity();
  double jump_tolerance = 0;  // of phi_d after a jump, if larger: corrections follow
};
struct Located {
  bool found = true, jumped = false;
  bool kept = false;   // no search was left: the point has lost its branch
  int iterations = 0;  // on the branch
};
Located locate_tread(RigidTreads& treads, const Description& vehicle, const Instant& at,
                     std::size_t wheel, double last_u_w, double last_u_r, const Locating& how);

// The second point, where the gap has its lowest minimum in the zone of the flange: followed if it
// was found before, else where the chart knows it, else searched for.
enum class FlangeLocated : std::uint8_t { none, found, kept };  // kept: no search was left
FlangeLocated locate_flange(RigidTreads& treads, const Description& vehicle, const Instant& at,
                            std::size_t wheel, bool was_found, bool tread_found,
                            const Locating& how);

// The step, in the order of step.cpp.
void find_forces(RigidTreads& treads, StepWork& s);
void assemble(RigidTreads& treads, StepWork& s);
void set_constraint_rates(RigidTreads& treads, StepWork& s);
bool accept(RigidTreads& treads, StepWork& s);
void record(RigidTreads& treads, StepWork& s);
void predict(RigidTreads& treads, StepWork& s);
Fit place(RigidTreads& treads, StepWork& s);
Fit move(RigidTreads& treads, StepWork& s);

// W_n of a tread point at its current position.
inline Wrench normal_now(RigidTreads& treads, std::size_t wheel) {
  return treads.tread[wheel].W_n();
}

ContactWork contact_work(const RigidTreads& treads, const StepWork& s);
// Energy in elastic contacts: a rigid tread stores none.
inline double stored_energy(const RigidTreads&, const Description&, const PackedState&) {
  return 0;
}

}  // namespace klingel::step
