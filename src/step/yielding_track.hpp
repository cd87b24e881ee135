// Track that gives way under each wheelset ([foundation] of a track file): a piece of track moves
// with the wheelset, with three displacements in the frames of the rails,
//
//   x = (y, z_left, z_right)     of both rails to the left, of each rail upwards, m
//   m d2x/dt2 = -k x - c dx/dt + f                                             [eq:foundation]
//
// m is the mass of the piece across, and half of it under each rail; k and c likewise. f are the
// forces of the wheels. x counts from the rails without load. Contacts are those of the relative
// motion u - T v of wheel and rail, v = dx/dt and T the directions of y and z: the wrench of a
// wheel is b - B (u - T v), and f = -sum of T^T of the wrenches. With the forces of the track at t
// + theta h and x(t+h) by the mid-point rule,
//
//   A v(t+h) = r + f,   A = m/h + theta (h k/2 + c)
//   r = (m/h - theta h k/2 - (1 - theta) c) v - k x
//
// the piece is eliminated: v(t+h) = v0 + V u(t+h) with S = A + sum of T^T B T,
//   v0 = S^-1 (r - sum of T^T b),   V = S^-1 sum of T^T B
// and the wheelset gets the wrench b + G v0 - (B - G V) u, G = sum of B T. So the system of the
// vehicle stays as it is, and no stiffness of the track limits the time step.
#pragma once

#include <span>
#include <vector>

#include "step/contact_forces.hpp"
#include "step/loaded_set.hpp"
#include "step/loaded_share.hpp"

namespace klingel::step {

class YieldingTrack {
 public:
  // Numbers of a wheelset in the state: x and v.
  static constexpr std::size_t size = 6;

  YieldingTrack(const Description& vehicle, const Points& points);
  bool given() const { return !pieces_.empty(); }

  // Rails of a set where a state has them. Rates may be left out: rails at rest.
  void place(const Points& points, std::size_t set, std::span<const double> track, bool moving,
             LoadedSet& at) const;

  // The step, from the state at t.
  void begin(std::span<const double> track, double h, double theta);
  // What the wheels of a set add, before it is given to the system.
  void add(const Points& points, std::size_t set, const LoadedSet& at, const LoadedShare& share);
  // Eliminates the pieces; the system has the wrenches of all sets.
  void eliminate(System& system);
  // v(t+h), with the motion of the wheelsets.
  void find_end(std::span<const double> twists_end);
  // The motion at t+h of the wheelsets of a set, relative to their rails.
  SetMotion relative(const Points& points, std::size_t set, const LoadedSet& at,
                     std::span<const double> twists_end) const;
  // The state at t+h. Returns the work of the rails on the wheels, J.
  double end(std::span<const double> track, double h, std::span<double> next) const;

 private:
  struct Piece {
    double A[3] = {}, r[3] = {};
    double S[3][3] = {}, G[6][3] = {}, F[3][6] = {}, b[3] = {};  // F: sum of T^T B
    double v0[3] = {}, V[3][6] = {};
    double v_end[3] = {};
  };
  double k_[3] = {}, c_[3] = {}, m_[3] = {};
  std::vector<std::size_t> rail_;  // by wheel: 1 left, 2 right
  std::vector<Piece> pieces_;      // by wheelset
};

// Displacements in equilibrium with forces f of the wheels, by wheelset.
void rest_under(const Foundation& foundation, const double f[3], double* track);

}  // namespace klingel::step
