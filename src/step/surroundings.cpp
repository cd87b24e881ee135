#include "step/surroundings.hpp"

#include "track/rail_frame.hpp"

namespace klingel::step {
namespace {

bool same_zone(const contact::Interval& a, const contact::Interval& b) {
  return a.low == b.low && a.high == b.high;
}

}  // namespace

Surroundings::Surroundings(VehicleData given)
    : data(std::move(given)),
      hertz(data.law.E, data.law.poisson),
      kalker(data.law.poisson, data.law.kalker) {
  const std::size_t w = data.wheels.size();
  if (data.loaded()) return;
  searches.reserve(w), maps.reserve(w), reaches.reserve(w);
  for (const WheelData& wheel : data.wheels) {
    searches.emplace_back(wheel.surface,
                          wheel.side == profile::Side::left ? data.left : data.right);
  }
  // wheels of one kind on one rail have one map
  const spline::Vec3 across = section(data.left.line, data.left.line.begin()).origin -
                              section(data.right.line, data.right.line.begin()).origin;
  for (std::size_t i = 0; i < w; ++i) {
    const WheelData& wheel = data.wheels[i];
    const double rail = norm(across) / (wheel.side == profile::Side::left ? 2 : -2);
    std::size_t same = i;
    for (std::size_t j = 0; j < i && same == i; ++j) {
      if (data.wheels[j].side == wheel.side && data.wheels[j].y_w == wheel.y_w &&
          data.wheels[j].surface.f_w == wheel.surface.f_w &&
          same_zone(data.wheels[j].tread, wheel.tread) &&
          same_zone(data.wheels[j].flange, wheel.flange))
        same = j;
    }
    if (same < i) {
      maps.push_back(maps[same]);
      reaches.push_back(reaches[same]);
      continue;
    }
    const double offset = wheel.y_w - rail;
    maps.emplace_back(searches[i], wheel.tread, offset);
    if (wheel.flange.low <= wheel.flange.high)
      reaches.emplace_back(searches[i], wheel.tread, wheel.flange, offset);
    else
      reaches.emplace_back();
  }
}

}  // namespace klingel::step
