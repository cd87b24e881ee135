#include "stability/limit_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
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
        p.dds = {};
      }
    simulator_.set_state(state);
  }

  // Half of what a wheelset moves across the track in a window: the largest, and how often it
  // swings.
  bool window(Cycle& cycle) {
    const std::size_t wheelsets = vehicle_.data.wheelsets.size();
    const int steps = static_cast<int>(std::round(o_.window / o_.step));
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
      if (!window(cycle)) return cycle;
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

}  // namespace

CycleBranches limit_cycles(const simulation::Description& vehicle,
                           const std::vector<double>& parameters, const std::vector<double>& speeds,
                           const CycleOptions& options, int halvings) {
  if (!vehicle.start.body[0] || !vehicle.start.body[1])
    base::fail("limit cycles need a reference body with coordinates x and y");
  if (speeds.empty() || !(speeds.front() > 0) || !std::is_sorted(speeds.begin(), speeds.end()))
    base::fail("limit cycles need speeds above zero, the lowest first");
  if (!(options.step > 0 && options.step <= options.window / 100 && options.longest > 0))
    base::fail(
        "a time step of {:g} s and runs of {:g} s: expected 0 < step <= {:g} s and longer runs",
        options.step, options.longest, options.window / 100);
  for (const double aside : {options.small, options.large})
    if (!(aside > 0 && aside < 0.02))
      base::fail("a disturbance of {:g} mm: expected above 0 and below 20 mm", 1e3 * aside);
  const double length = length_of(speeds, options, halvings);
  Runner up(vehicle, parameters, length, options), down(vehicle, parameters, length, options);
  CycleBranches result;
  std::exception_ptr failed;
  std::thread thread([&] {
    try {
      go_up(up, speeds, options, result);
    } catch (...) {
      failed = std::current_exception();
    }
  });
  try {
    go_down(down, speeds, options, halvings, result);
  } catch (...) {
    thread.join();
    throw;
  }
  thread.join();
  if (failed) std::rethrow_exception(failed);
  return result;
}

}  // namespace klingel::stability
