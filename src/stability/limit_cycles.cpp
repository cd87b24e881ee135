#include "stability/limit_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "record/rail_forces.hpp"

namespace klingel::stability {
namespace {

track::Track long_straight(double rail_distance, double length) {
  track::TrackDescription d;
  d.name = "straight";
  d.rail_distance = rail_distance;
  d.step = 20;  // a straight line needs no knots
  d.start.s = d.start.x = -200;
  track::Section section;
  section.kind = track::SectionKind::straight;
  section.length = length + 400;
  d.sections.push_back(section);
  return track::build_track(d);
}

// One vehicle that is run at one speed after another.
class Runner {
 public:
  // length: all that it may run, m
  Runner(const simulation::Description& vehicle, const std::vector<double>& parameters,
         double length, const CycleOptions& options)
      : vehicle_(vehicle),
        o_(options),
        track_(long_straight(vehicle.track.frame(vehicle.start.position).rail_distance, length)),
        start_(vehicle.start),
        simulator_(on_track()) {
    for (std::size_t i = 0; i < parameters.size(); ++i) simulator_.set_parameter(i, parameters[i]);
    for (const simulation::WheelFriction& f : vehicle.friction)
      simulator_.set_friction(f.wheel, f.mu);
    start_.position = 0;
  }

  // From rest in the springs, so far aside.
  Cycle begin(double speed, double aside) {
    start_.speed = speed;
    start_.held = {{*start_.body[1], aside}};
    start::begin(simulator_, track_, start_);
    return run(speed);
  }

  // Whether a disturbance ends in the larger of two motions, and the amplitude where the run
  // changes least on its way. The windows are half as long.
  struct Way {
    bool larger = false, decided = false;
    Cycle slowest;
  };
  Way way(double speed, double aside, double smaller, double larger) {
    start_.speed = speed;
    start_.held = {{*start_.body[1], aside}};
    start::begin(simulator_, track_, start_);
    Way way;
    way.slowest.speed = speed;
    double least = INFINITY, before = 0;
    for (double t = 0; t < o_.longest; t += o_.window / 2) {
      restore(speed);
      Cycle cycle;
      cycle.speed = speed;
      if (!window(cycle, o_.window / 2)) {
        way.larger = way.decided = true;  // too large
        return way;
      }
      const double place = (cycle.amplitude - smaller) / (larger - smaller);
      way.larger = place > 0.5;
      const double change = std::abs(cycle.amplitude - before) / cycle.amplitude;
      before = cycle.amplitude;
      if (t < o_.window) continue;  // it forgets how it began
      if (place < 0.1 || place > 0.9) {
        way.decided = true;
        return way;
      }
      if (change < least) least = change, way.slowest = cycle;
    }
    return way;
  }

  // With the motion there is, at another speed.
  Cycle go_on(double speed) { return run(speed); }

  const step::VehicleState& state() const { return simulator_.state(); }
  void set_state(const step::VehicleState& state) { simulator_.set_state(state); }

 private:
  step::VehicleData on_track() const {
    step::VehicleData data = vehicle_.data;
    data.left.line = track_.left, data.right.line = track_.right;
    return data;
  }

  void restore(double speed) {
    step::VehicleState state = simulator_.state();
    const double factor = speed / state.dq[*start_.body[0]];
    for (double& rate : state.dq) rate *= factor;
    for (std::vector<step::PointState>* list : {&state.tread, &state.flange})
      for (step::PointState& p : *list) {
        for (double& rate : p.ds) rate *= factor;
        p.forget_changes();
      }
    simulator_.set_state(state);
  }

  // Half of what a wheelset moves across the track in a window: the largest, and how often it
  // swings.
  bool window(Cycle& cycle, double length) {
    const std::size_t wheelsets = vehicle_.data.wheelsets.size();
    const int steps = static_cast<int>(std::round(length / o_.step));
    std::vector<std::vector<double>> y(wheelsets);
    for (int i = 0; i < steps; ++i) {
      if (simulator_.step(o_.step, vehicle_.method) != runtime::Status::ok) {
        cycle.failure = simulator_.failure_text();
        return false;
      }
      for (std::size_t k = 0; k < wheelsets; ++k) {
        const std::span<const double> p = simulator_.pose(k);
        y[k].push_back(p[1] - record::y_rel_lever * p[10]);
      }
    }
    cycle.amplitude = 0;
    for (const std::vector<double>& one : y) {
      const auto [low, high] = std::minmax_element(one.begin(), one.end());
      if ((*high - *low) / 2 <= cycle.amplitude) continue;
      cycle.amplitude = (*high - *low) / 2;
      cycle.frequency = frequency(one, (*high + *low) / 2);
    }
    return true;
  }

  double frequency(const std::vector<double>& y, double middle) const {
    double first = 0, last = 0;
    int swings = -1;
    for (std::size_t i = 1; i < y.size(); ++i) {
      if (!(y[i - 1] < middle && y[i] >= middle)) continue;
      const double at = static_cast<double>(i - 1) + (middle - y[i - 1]) / (y[i] - y[i - 1]);
      if (swings < 0) first = at;
      last = at, ++swings;
    }
    return swings > 0 ? swings / ((last - first) * o_.step) : 0;
  }

  Cycle run(double speed) {
    Cycle cycle;
    cycle.speed = speed;
    double before = 0;
    for (double t = 0; t < o_.longest; t += o_.window) {
      restore(speed);
      if (!window(cycle, o_.window)) return cycle;
      if (t > 0 && cycle.amplitude < o_.counts) {
        cycle.amplitude = cycle.frequency = 0;
        return cycle;
      }
      if (t > 0 && std::abs(cycle.amplitude - before) < o_.same * cycle.amplitude) {
        cycle.fades = false;
        return cycle;
      }
      cycle.fades = cycle.amplitude < before;
      before = cycle.amplitude;
    }
    cycle.settled = false;
    return cycle;
  }

  const simulation::Description& vehicle_;
  CycleOptions o_;
  track::Track track_;
  start::Start start_;
  step::Simulator simulator_;
};

double length_of(const std::vector<double>& speeds, const CycleOptions& o, int more) {
  return o.longest * (std::accumulate(speeds.begin(), speeds.end(), 0.0) + more * speeds.back());
}

void go_up(Runner& runner, const std::vector<double>& speeds, const CycleOptions& o,
           CycleBranches& to) {
  bool goes_on = false;
  for (const double speed : speeds) {
    to.up.push_back(goes_on ? runner.go_on(speed) : runner.begin(speed, o.small));
    if (!to.up.back().failure.empty()) return;
    goes_on = to.up.back().amplitude > 0;
  }
}

void go_down(Runner& runner, const std::vector<double>& speeds, const CycleOptions& o, int halvings,
             CycleBranches& to) {
  step::VehicleState last;
  double lasts = 0, fades = 0;
  for (auto speed = speeds.rbegin(); speed != speeds.rend(); ++speed) {
    to.down.push_back(lasts > 0 ? runner.go_on(*speed) : runner.begin(*speed, o.large));
    const Cycle& cycle = to.down.back();
    if (!cycle.failure.empty()) {  // too large or too fast: again, more slowly
      if (lasts > 0) runner.set_state(last);
      continue;
    }
    if (cycle.amplitude > 0 && !cycle.fades) {
      lasts = *speed, last = runner.state();
    } else if (lasts > 0) {
      fades = *speed;
      break;
    }
  }
  to.to_the_end = lasts > 0 && fades == 0;
  if (fades == 0) return;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (lasts + fades) / 2;
    runner.set_state(last);
    const Cycle cycle = runner.go_on(middle);
    to.down.push_back(cycle);
    if (cycle.failure.empty() && cycle.amplitude > 0 && !cycle.fades)
      lasts = middle, last = runner.state();
    else
      fades = middle;
  }
  to.lowest = (lasts + fades) / 2;
}

// Speeds at which both ways ended in motions that last and differ: with the smaller and the larger
// amplitude.
struct Between {
  double speed, smaller, larger;
};

std::vector<Between> between(const CycleBranches& b) {
  const auto lasts = [](const Cycle& c) { return c.failure.empty() && c.settled; };
  std::vector<Between> list;
  for (const Cycle& up : b.up)
    for (const Cycle& down : b.down)
      if (up.speed == down.speed && lasts(up) && lasts(down) && !down.fades &&
          down.amplitude > 1.25 * up.amplitude)
        list.push_back({up.speed, up.amplitude, down.amplitude});
  return list;
}

// None if even the large disturbance ends in the smaller motion, or the small one in the larger.
std::optional<Cycle> unstable_cycle(Runner& runner, const Between& b, const CycleOptions& o) {
  double low = o.small, high = o.large;
  if (runner.way(b.speed, low, b.smaller, b.larger).larger) return {};
  // further aside, to where flanges are
  constexpr double most = 9e-3;  // m
  while (!runner.way(b.speed, high, b.smaller, b.larger).larger) {
    if (high >= most) return {};
    low = high, high = std::min(1.3 * high, most);
  }
  Cycle best;
  for (int i = 0; i < 12 && high - low > 1e-3 * high; ++i) {
    const double middle = (low + high) / 2;
    const Runner::Way way = runner.way(b.speed, middle, b.smaller, b.larger);
    if (way.slowest.amplitude > 0) best = way.slowest;  // the later the nearer
    if (!way.decided) break;
    (way.larger ? high : low) = middle;
  }
  if (!(best.amplitude > 0)) return {};
  best.speed = b.speed;
  best.aside = (low + high) / 2;
  return best;
}

// Calls both in threads of their own; throws what they throw.
template <class First, class Second>
void both(First first, Second second) {
  std::exception_ptr failed;
  std::thread thread([&] {
    try {
      first();
    } catch (...) {
      failed = std::current_exception();
    }
  });
  try {
    second();
  } catch (...) {
    thread.join();
    throw;
  }
  thread.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace

CycleBranches limit_cycles(const simulation::Description& vehicle,
                           const std::vector<double>& parameters, const std::vector<double>& speeds,
                           const CycleOptions& options, int halvings) {
  if (!vehicle.start.body[0] || !vehicle.start.body[1])
    base::fail("limit cycles need a reference body with coordinates x and y");
  if (speeds.empty() || !(speeds.front() > 0) || !std::is_sorted(speeds.begin(), speeds.end()))
    base::fail("limit cycles need speeds above zero, the lowest first");
  if (!(options.step > 0 && options.step <= options.window / 100))
    base::fail("a time step of {:g} s: expected above 0 and at most {:g} s", options.step,
               options.window / 100);
  // two windows are compared
  if (!(options.longest >= 3 * options.window))
    base::fail("runs of {:g} s do not show whether a motion lasts: expected at least {:g} s",
               options.longest, 3 * options.window);
  for (const double aside : {options.small, options.large})
    if (!(aside > 0 && aside < 0.02))
      base::fail("a disturbance of {:g} mm: expected above 0 and below 20 mm", 1e3 * aside);
  const double length = length_of(speeds, options, halvings);
  Runner up(vehicle, parameters, length, options), down(vehicle, parameters, length, options);
  CycleBranches result;
  both([&] { go_up(up, speeds, options, result); },
       [&] { go_down(down, speeds, options, halvings, result); });

  const std::vector<Between> gaps = between(result);
  std::vector<std::optional<Cycle>> found(gaps.size());
  const auto every_other = [&](Runner& runner, std::size_t from) {
    for (std::size_t i = from; i < gaps.size(); i += 2)
      found[i] = unstable_cycle(runner, gaps[i], options);
  };
  both([&] { every_other(up, 0); }, [&] { every_other(down, 1); });
  for (const std::optional<Cycle>& cycle : found)
    if (cycle) result.unstable.push_back(*cycle);
  return result;
}

}  // namespace klingel::stability
