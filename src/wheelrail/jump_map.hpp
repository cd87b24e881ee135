// Where on a wheel's tread another point could touch instead: found once, so that a step needs to
// search only there. Precomputed on a straight rail for the places and rolls a wheel can take; what
// it marks is looked at exactly later, so the map may be coarse but not too narrow.
#pragma once

#include <vector>

#include "wheelrail/contact_search.hpp"

namespace klingel::wheelrail {

class JumpMap {
 public:
  JumpMap() = default;
  // For contacts with u_w in `tread`; `offset` is the lateral place of the wheel's O_w from the
  // rail's origin when the wheelset stands in the middle of the track, m. Takes a few hundredths of
  // a second.
  JumpMap(const ContactSearch& search, const Interval& tread, double offset);

  // Where a rival of a contact at u_w may be, if anywhere: another minimum of the gap on the tread
  // that is less than `rivalry` higher or lower. An empty interval (low > high) if there is none.
  Interval rivals(double u_w) const noexcept;

  static constexpr double rivalry = 2e-4;  // m

 private:
  static constexpr double cell = 5e-4;  // m
  double begin_ = 0;
  std::vector<Interval> cells_;
};

}  // namespace klingel::wheelrail
