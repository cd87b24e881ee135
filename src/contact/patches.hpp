// The patches in which a loaded wheel touches its rail: how many, how wide, what each carries.
//
// The surfaces of a wheel that is lowered under load overlap as if they were rigid. What lies
// deepest in the overlap touches: with the overlap p of a point, along the normal, and the largest
// overlap P within 8 mm of it, a point belongs to a patch where
//
//   p - 0.45 P > 0                                                        [virtual penetration]
//
// Kik and Piotrowski take 0.45 of the largest overlap everywhere; a flange that carries little
// beside a tread that carries much then gets no patch. The largest overlap nearby gives the number
// of patches of CONTACT in almost all cases and their widths to some percent (docs/contact.md).
//
// Along the rail a patch reaches as far as the overlap does, and its pressure is a semi-ellipse in
// that direction:
//
//   x = sqrt(2 R (p - 0.45 P)),   pressure ~ x,  their sum is the force
#pragma once

#include <span>
#include <vector>

#include "contact/hertz.hpp"
#include "contact/loaded_gap.hpp"
#include "contact/loaded_pair.hpp"

namespace klingel::contact {

// Points next to each other that touch, along the profiles of a left wheel.
struct Zone {
  struct Point {
    double u_w, u_r;  // m
    double arc;       // along the wheel's profile, m
    double depth;     // p - 0.45 P, m; zero at both ends
  };
  std::vector<Point> points;

  double length() const { return points.back().arc - points.front().arc; }  // m
};

// The zones of a wheel where it stands under load, in ascending u.
std::vector<Zone> zones(std::span<const LoadedGap::Gap> gaps);

struct Patch {
  Zone zone;
  double N = 0;             // normal force, N
  double share = 0;         // of the normal forces of all patches
  double u_w = 0, u_r = 0;  // weighted means, m
  double a = 0, b = 0;  // semi-axes of the ellipse of Hertz with B = eps / 2 Var: along, across, m
  double x = 0;         // half length along the rail where it is longest, m
  double pressure = 0;  // the largest, Pa

  double rail_low() const { return zone.points.front().u_r; }
  double rail_high() const { return zone.points.back().u_r; }
};

// The patches of a wheel lowered at `pose`, the one that carries most first. `whole`: the gap over
// all of the profile. What a sheet carries goes to its nearest patches by the weights of its soft
// minimum, so that means over patches are the means of the wheel.
std::vector<Patch> patches(const LoadedPair& pair, const LoadedGap& whole, const SectionPose& pose,
                           const LoadedWheel& wheel, const HertzTable& hertz);

}  // namespace klingel::contact
