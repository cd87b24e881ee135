#include "start/track_place.hpp"

#include <algorithm>
#include <cmath>

#include "start/start.hpp"

namespace klingel::start {

void TrackPlace::follow(const spline::Vec3& point) noexcept {
  const track::RailLine& line = track_->centre;
  constexpr int most = 10;
  constexpr double close = 1e-9;  // m, a thousandth of what any result shows
  constexpr double far = 20;      // m: not a movement of one step, search again

  const double before = s_;
  bool found = false;
  for (int i = 0; known_ && i < most && !found; ++i) {
    const std::size_t k = line.x.index(s_);
    const spline::CubicPiece &x = line.x.pieces()[k], &y = line.y.pieces()[k];
    const double dx = x.derivative(s_), dy = y.derivative(s_);
    const double along = (point.x - x.value(s_)) * dx + (point.y - y.value(s_)) * dy;
    const double next = std::clamp(s_ + along / (dx * dx + dy * dy), line.begin(), line.end());
    found = std::abs(next - s_) < close;
    s_ = next;
  }
  if (!found || std::abs(s_ - before) > far) s_ = nearest_abscissa(line, point);
  known_ = true;
  frame_ = track_->frame(s_);
}

void TrackPlace::go_on_from(double s) noexcept {
  s_ = s;
  known_ = true;
  frame_ = track_->frame(s_);
}

}  // namespace klingel::start
