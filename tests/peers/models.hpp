// The three mechanisms on which Klingel is compared with other libraries, with definite numbers,
// and the random states used for it.

#pragma once

#include <vector>

#include "tree.hpp"

namespace klingel::peers {

// Seven revolute joints, axes z y z y z y z, generic masses, centres of mass and full inertias.
Tree arm7();

// A planar chain of n links hanging down -z, every joint about y; each link a little different.
Tree pendulum(int n);

// The shape of the FEVE 3000 locomotive: 30 coordinates in depth-first order,
//     0- 5  vehicle body: x y z, then yaw (z), roll (x), pitch (y)
//     6-19  rear half, 20-29 front half, each in turn
//           slider yaw (z); bogie z, pitch (y), roll (x);
//           front wheelset, rear wheelset: z, roll (x), spin (y), and at the rear half only
//           motor housing (y) and rotor (y)
// It differs from the vehicle of the article where an ordinary tree library forces it:
// the housing turns about the centre of its wheelset (there: about a point of the bogie), and the
// rotor's angle is counted from the housing (there: from the non-spinning wheelset base, which is
// the sum of both angles here because the axes are parallel).
Tree tree30();

// The same mechanism with every axle box a body of its own, welded to a massless wheelset frame
// and listed after all moving bodies. Must give the same M and c as tree30().
Tree tree30_welded();

struct State {
  std::vector<double> q, dq;
};

// A generic state, the same for the same seed: angles within +-pi, lengths within +-1 m,
// velocities within +-3 rad/s or m/s.
State random_state(const Tree& tree, unsigned seed);

}  // namespace klingel::peers
