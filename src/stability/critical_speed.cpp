#include "stability/critical_speed.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "stability/eigenvalue_change.hpp"
#include "start/wheel_charts.hpp"

namespace klingel::stability {
namespace {

using Complex = std::complex<double>;

struct AtSpeed {
  std::vector<Mode> modes;
  const Mode* worst;
  double growth() const { return worst != nullptr ? worst->lambda.real() : -INFINITY; }
};

AtSpeed at_speed(SteadyMotion& motion, double speed) {
  motion.settle(speed);
  AtSpeed at{modes(motion.small_motions()), nullptr};
  at.worst = least_damped(at.modes);
  return at;
}

Complex by_speed(SteadyMotion& motion, double speed, const EigenvalueChange& change) {
  const double step = 1e-4 * speed;
  const SmallMotions up = motions_at(motion, speed + step), down = motions_at(motion, speed - step);
  return change.of(up, down, 2 * step);
}

}  // namespace

Critical critical_speed(SteadyMotion& motion, const Search& search) {
  Critical result;
  result.lowest = search.lowest, result.largest = search.largest;
  if (!(search.lowest > 0) || !(search.largest > search.lowest))
    base::fail("a critical speed is looked for above {:g} m/s: --max {:g} is not", search.lowest,
               search.largest);
  double stable = 0, unstable = 0;
  for (int i = 0; i <= search.steps; ++i) {
    const double speed = search.lowest + (search.largest - search.lowest) * i / search.steps;
    const AtSpeed at = at_speed(motion, speed);
    if (at.worst != nullptr) result.mode = *at.worst;
    if (at.growth() > search.growth) {
      unstable = speed;
      break;
    }
    stable = speed;
  }
  result.M = motion.small_motions().M;
  result.from_the_first = stable == 0;
  if (unstable == 0 || stable == 0) return result;

  while (unstable - stable > 1e-9 * unstable) {
    const double middle = (stable + unstable) / 2;
    (at_speed(motion, middle).growth() > search.growth ? unstable : stable) = middle;
  }
  const AtSpeed at = at_speed(motion, unstable);
  result.speed = unstable;
  result.mode = *at.worst;
  const SmallMotions here = motion.small_motions();
  result.M = here.M;
  result.slope = by_speed(motion, unstable, {here, result.mode.lambda}).real();
  motion.settle(unstable);
  return result;
}

namespace {

// Charts of loaded contact follow the static loads of the wheels that share them.
class ChartLoads {
 public:
  // How lambda changes with the load of each chart.
  ChartLoads(const SteadyMotion& motion, double V, const EigenvalueChange& change,
             const contact::SheetChoice& sheets) {
    const step::VehicleData& data = motion.vehicle().data;
    if (!data.loaded()) return;
    for (std::size_t i = 0; i < data.wheels.size(); ++i) {
      const auto same = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
        return data.wheels[g.wheels.front()].pair == data.wheels[i].pair;
      });
      if (same == groups_.end())
        groups_.push_back({{i}, data.wheels[i].pair->load, {}});
      else
        same->wheels.push_back(i);
    }
    constexpr double share = 5e-3;
    for (Group& g : groups_) {
      const SmallMotions up = with_load(motion, V, g, 1 + share, sheets);
      const SmallMotions down = with_load(motion, V, g, 1 - share, sheets);
      g.by_load = change.of(up, down, 2 * share * g.load);
    }
  }

  // Of loads that differ by a parameter.
  Complex change(const std::vector<double>& up, const std::vector<double>& down,
                 double step) const {
    Complex sum = 0;
    for (const Group& g : groups_) {
      double by = 0;
      for (const std::size_t i : g.wheels)
        by += (up[i] - down[i]) / step / static_cast<double>(g.wheels.size());
      sum += by * g.by_load;
    }
    return sum;
  }

 private:
  struct Group {
    std::vector<std::size_t> wheels;
    double load;
    Complex by_load;
  };

  static SmallMotions with_load(const SteadyMotion& motion, double V, const Group& group,
                                double factor, const contact::SheetChoice& sheets) {
    simulation::Description vehicle = motion.vehicle();
    std::vector<double> loads;
    for (const step::WheelData& wheel : vehicle.data.wheels) loads.push_back(wheel.pair->load);
    for (const std::size_t i : group.wheels) loads[i] *= factor;
    start::give_charts(vehicle.data, loads, sheets);
    const std::unique_ptr<SteadyMotion> other = motion.with(vehicle);
    return motions_at(*other, V);
  }

  std::vector<Group> groups_;
};

std::vector<double> loads_of(const SteadyMotion& motion) {
  std::vector<double> loads;
  const step::VehicleState& state = motion.state();
  for (std::size_t i = 0; i < state.tread.size(); ++i)
    loads.push_back(state.tread[i].N + state.flange[i].N);
  return loads;
}

// With everything that belongs to the parameter made anew.
Complex of_wheels(const SteadyMotion& motion, double V, std::size_t parameter, double step,
                  const EigenvalueChange& change, const Remaking& remaking) {
  const double value = motion.parameter(parameter);
  const auto at = [&](double other_value) {
    const std::shared_ptr<const simulation::Description> vehicle =
        remaking.make(motion.parameter_names()[parameter], other_value);
    const std::unique_ptr<SteadyMotion> other = motion.with(*vehicle);
    other->set_parameter(parameter, other_value);
    return motions_at(*other, V);
  };
  return change.of(at(value + step), at(value - step), 2 * step);
}

}  // namespace

std::vector<Sensitivity> sensitivities(SteadyMotion& motion, const Critical& critical,
                                       const Remaking& remaking) {
  if (!critical.speed) base::fail("there is no critical speed to differentiate");
  const double V = *critical.speed;
  const EigenvalueChange change(motions_at(motion, V), critical.mode.lambda);
  const ChartLoads charts(motion, V, change, remaking.sheets);
  const std::vector<std::string>& names = motion.parameter_names();
  const std::vector<std::string>& remade = remaking.of_wheels;
  std::vector<Sensitivity> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double value = motion.parameter(i), step = 1e-4 * std::abs(value);
    if (step == 0) continue;
    Complex by_parameter;
    if (std::find(remade.begin(), remade.end(), names[i]) != remade.end()) {
      by_parameter = of_wheels(motion, V, i, step, change, remaking);
    } else {
      motion.set_parameter(i, value + step);
      const SmallMotions up = motions_at(motion, V);
      const std::vector<double> loads_up = loads_of(motion);
      motion.set_parameter(i, value - step);
      const SmallMotions down = motions_at(motion, V);
      by_parameter =
          change.of(up, down, 2 * step) + charts.change(loads_up, loads_of(motion), 2 * step);
      motion.set_parameter(i, value);
    }
    Sensitivity s{names[i], value, -by_parameter.real() / critical.slope, 0};
    s.relative = s.derivative * value / V;
    list.push_back(s);
  }
  motion.settle(V);
  std::stable_sort(list.begin(), list.end(), [](const Sensitivity& a, const Sensitivity& b) {
    return std::abs(a.relative) > std::abs(b.relative);
  });
  return list;
}

}  // namespace klingel::stability
