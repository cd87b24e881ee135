// Minima of the gap at the places a wheel can take above a rail, for maps that are made once.
#pragma once

#include <array>
#include <vector>

#include "contact/contact_search.hpp"

namespace klingel::contact {

// A wheel in the middle of the rail: up to 15 mm off its place and rolled up to 40 mrad, the
// track's cant included.
class UprightWheel {
 public:
  static constexpr double most_y = 0.015, step_y = 2.5e-4;     // m
  static constexpr double most_roll = 0.04, step_roll = 5e-3;  // rad
  static constexpr int places = 121, rolls = 17;

  // Zones of u_w; that of the flange may be empty. offset: the lateral place of the wheel's O_w
  // from the rail's origin when the wheelset stands in the middle of the track, m. The search must
  // outlive it. Takes a few hundredths of a second.
  UprightWheel(const ContactSearch& search, const Interval& tread, const Interval& flange,
               double offset);

  struct Found {
    double u_w = 0, u_r = 0, gap = 0;
    ContactStatus status = ContactStatus::converged;
  };
  struct List {
    std::array<Found, MinimumList::capacity> found;
    int count = 0;

    const Found* begin() const { return found.data(); }
    const Found* end() const { return found.data() + count; }
  };
  struct Place {
    List tread, flange;
  };
  const Place& at(int roll, int place) const {
    return found_[static_cast<std::size_t>(roll * places + place)];
  }

  const WheelSurface& wheel() const { return search_->wheel(); }
  const RailSurface& rail() const { return search_->rail(); }
  const Interval& tread() const { return tread_; }
  const Interval& flange() const { return flange_; }
  double offset() const { return offset_; }

 private:
  const ContactSearch* search_;
  Interval tread_, flange_;
  double offset_;
  std::vector<Place> found_;
};

}  // namespace klingel::contact
