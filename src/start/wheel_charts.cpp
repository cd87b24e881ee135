#include "start/wheel_charts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "track/rail_line.hpp"

namespace klingel::start {
namespace {

using profile::Side;
using spline::CubicSpline;

constexpr double alike = 7.0 / 6;  // largest over smallest load of wheels that share charts

// a profile's function as a left wheel or rail has it
CubicSpline as_left(const CubicSpline& f, Side side) {
  return side == Side::left ? f : f.mirrored();
}

struct Kind {
  CubicSpline f_w, f_r;
  double y_rest;
  std::vector<std::size_t> wheels;
};

}  // namespace

ChartCosts give_charts(step::VehicleData& data, const std::vector<double>& loads,
                       const contact::SheetChoice& choice) {
  const spline::Vec3 across = section(data.left.line, data.left.line.begin()).origin -
                              section(data.right.line, data.right.line.begin()).origin;
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < data.wheels.size(); ++i) {
    const step::WheelData& wheel = data.wheels[i];
    const CubicSpline f_w = as_left(wheel.surface.f_w, wheel.side);
    const CubicSpline f_r = as_left(data.rail(wheel).f_r, wheel.side);
    const double y_rest = std::abs(wheel.y_w) - norm(across) / 2;
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) {
      return std::abs(k.y_rest - y_rest) < 1e-9 && k.f_w == f_w && k.f_r == f_r;
    });
    if (same != kinds.end())
      same->wheels.push_back(i);
    else
      kinds.push_back({f_w, f_r, y_rest, {i}});
  }

  const contact::HertzTable hertz(data.law.E, data.law.poisson);
  ChartCosts costs;
  for (Kind& kind : kinds) {
    std::sort(kind.wheels.begin(), kind.wheels.end(),
              [&](std::size_t a, std::size_t b) { return loads[a] < loads[b]; });
    for (auto first = kind.wheels.begin(); first != kind.wheels.end();) {
      const auto last = std::find_if(first, kind.wheels.end(), [&](std::size_t i) {
        return loads[i] > alike * loads[*first];
      });
      const double sum = std::accumulate(
          first, last, 0.0, [&](double total, std::size_t i) { return total + loads[i]; });
      const double mean = sum / static_cast<double>(last - first);
      const auto pair = std::make_shared<const contact::ChartedPair>(
          charted(loaded_pair(kind.f_w, kind.f_r, kind.y_rest, mean, hertz, choice), kind.f_w));
      for (; first != last; ++first) data.wheels[*first].pair = pair;
      ++costs.pairs;
      costs.bytes += pair->bytes();
    }
  }
  return costs;
}

ChartCosts give_charts(step::VehicleData& data, const std::vector<RailProfiles>& rails,
                       const std::vector<double>& loads, contact::SheetChoice choice) {
  ChartCosts costs;
  step::VehicleData there = data;
  std::vector<std::vector<step::ChartPlace>> places(data.wheels.size());
  for (const RailProfiles& rail : rails) {
    there.left.f_r = rail.left, there.right.f_r = rail.right;
    const ChartCosts more = give_charts(there, loads, choice);
    costs.pairs += more.pairs, costs.bytes += more.bytes;
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i].push_back({rail.s, there.wheels[i].pair});
  }
  // a wheel whose flange is a sheet of its own on one profile and not on the next: nowhere
  const auto flanges = [](const std::vector<step::ChartPlace>& list) {
    return std::count_if(list.begin(), list.end(),
                         [](const step::ChartPlace& p) { return p.pair->flange.has_value(); });
  };
  const bool mixed = std::any_of(places.begin(), places.end(), [&](const auto& list) {
    const auto count = flanges(list);
    return count != 0 && count != static_cast<std::ptrdiff_t>(list.size());
  });
  if (mixed && choice.flange) {
    choice.flange = false;
    return give_charts(data, rails, loads, choice);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    data.wheels[i].pair = places[i].front().pair;
    data.wheels[i].places = std::move(places[i]);
  }
  return costs;
}

}  // namespace klingel::start
