// Where a wheel touches a rail: all pairs of points in which the gap has a local minimum.
//
// A search looks along the rail. Seen along its tangent t the wheel is a curve, its silhouette:
// for each u_w the angle theta_w follows in closed form from n_w . t = 0. On a straight rail the
// stationary points of the gap are those of two plane curves. The gap's slope along the silhouette
// is sampled at points chosen once from the wheel's curvature; every change of sign from falling to
// rising is enclosed, refined, and finished by Newton's method on the full phi_d = 0, which knows
// the curvature, cant and twist of the rail.
//
// Two questions, two distances. `minima` measures along the rail's normal: that is phi_n, what
// forces and two-point contact need, and it stays meaningful on a flank of 70 degrees and for
// overlapping surfaces. `drop` measures along a direction, usually down: which point of the wheel
// touches first, and after which travel.
//
// Nothing here allocates or throws once constructed; queries are const and may run in threads.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/contact_equations.hpp"
#include "contact/surfaces.hpp"

namespace klingel::contact {

enum class ContactStatus : std::uint8_t {
  converged,      // phi_d = 0 with a regular minimum of the gap
  profile_end,    // a profile or the given interval ends here and the gap still falls
  not_converged,  // a minimum by the silhouette; Newton's method found no regular one (fold)
};

// u_w, in m.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool empty() const { return !(low <= high); }
  bool contains(double u) const { return low <= u && u <= high; }
};

struct Minimum {
  ContactPoint point;
  double distance = 0;  // what the list is sorted by: the gap, or the travel of a drop; m
  ContactStatus status = ContactStatus::converged;
};

// Sorted by distance; points at ends come after all others, because where a profile stops the
// distance is to something that does not exist.
struct MinimumList {
  static constexpr int capacity = 8;
  std::array<Minimum, capacity> minima;
  int count = 0;

  const Minimum* begin() const { return minima.data(); }
  const Minimum* end() const { return minima.data() + count; }
  bool empty() const { return count == 0; }
  const Minimum& front() const { return minima[0]; }
};

enum class FollowStatus : std::uint8_t {
  followed,      // the point moved continuously
  branch_ended,  // the minimum vanished (fold) or left the interval: the point is the lowest other
  lost,          // no minimum in the interval; the point is unchanged
};

class ContactSearch {
 public:
  // The surfaces are not copied and must outlive the search.
  ContactSearch(const WheelSurface& wheel, const RailSurface& rail);
  ContactSearch(WheelSurface&&, const RailSurface&) = delete;
  ContactSearch(const WheelSurface&, RailSurface&&) = delete;
  ContactSearch(WheelSurface&&, RailSurface&&) = delete;

  // All minima of the gap with u_w in the interval, for a wheel near abscissa s_near (a few metres
  // are near enough). If there are more than the list holds, the nearest ones are kept.
  MinimumList minima(const WheelPose& pose, double s_near, const Interval& u_w = {}) const noexcept;
  // Only those that are regular contacts: a good deal less to do where the gap falls to an end.
  MinimumList contacts(const WheelPose& pose, double s_near, const Interval& u_w) const noexcept;

  // All minima of the travel along -up until the surfaces touch; up is a unit vector in the ground
  // across the rail. Travel is negative for surfaces that overlap. The points are those of the
  // wheel where it stands: their gap is measured along up's foot, not along the normal, and equals
  // it only in contact; move the wheel by the travel and refine for the touching point.
  MinimumList drop(const WheelPose& pose, double s_near, const spline::Vec3& up,
                   const Interval& u_w = {}) const noexcept;

  // Newton's method from point.s, bounded in iterations and step lengths. On success the point is
  // replaced; otherwise it is left as it was: not_converged also means a minimum that is none
  // (det <= 0), profile_end that the solution lies outside a profile.
  ContactStatus refine(const WheelPose& pose, ContactPoint& point) const noexcept;

  // refine, staying on the branch of local minima the point is on: a solution farther than
  // `reach` from the point is not believed; then the interval is searched for the branch.
  FollowStatus follow(const WheelPose& pose, const Interval& u_w, ContactPoint& point,
                      double reach = 2e-3) const noexcept;

  const WheelSurface& wheel() const { return *wheel_; }
  const RailSurface& rail() const { return *rail_; }

 private:
  struct Sample {
    double u, f, df;
  };
  struct Plane;
  struct Slope;

  Plane plane(const WheelPose& pose, double s_near) const noexcept;
  void seek(const WheelPose& pose, const Plane& plane, const Interval& u_w,
            MinimumList& list) const noexcept;
  void add(const WheelPose& pose, const Plane& plane, Slope low, Slope high,
           MinimumList& list) const noexcept;
  ContactStatus newton(const WheelPose& pose, ContactPoint& point, double reach) const noexcept;

  const WheelSurface* wheel_;
  const RailSurface* rail_;
  std::vector<Sample> wheel_samples_, rail_samples_;
};

}  // namespace klingel::contact
