#include "record/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "start/static_loads.hpp"

namespace klingel::record {
namespace {

// A vehicle that does not come to rest on level track has none: it is judged without them.
std::vector<std::optional<double>> static_loads(const step::VehicleData& data) {
  std::vector<std::optional<double>> loads(data.wheels.size());
  try {
    const std::vector<double> found = start::static_loads(data);
    for (std::size_t i = 0; i < found.size(); ++i) loads[i] = found[i];
  } catch (const base::Error&) {
    // the assessment then says that limits are not known
  }
  return loads;
}

}  // namespace

Tally::Tally(const step::Simulator& simulator, std::size_t most_events)
    : static_loads_(static_loads(simulator.data())),
      forces_(simulator.data().wheels.size()),
      lifts_(simulator.data().wheels.size()) {
  constexpr double inf = HUGE_VAL;
  counts_.vehicle = simulator.data().name;
  counts_.loaded = simulator.data().loaded();
  counts_.t_begin = simulator.time();
  for (const step::WheelData& w : simulator.data().wheels) {
    WheelSummary wheel;
    wheel.name = w.name;
    wheel.min_N = wheel.min_Q = inf;
    wheel.max_N = wheel.max_Q = wheel.max_YQ = -inf;
    counts_.wheels.push_back(std::move(wheel));
    wheelset_of_.push_back(w.wheelset);
  }
  wheelsets_ = simulator.data().wheelsets;
  counts_.newton_q.assign(most_iterations + 2, 0);
  counts_.newton_s.assign(most_iterations + 2, 0);
  counts_.events.reserve(most_events);
}

void Tally::begin(double h) {
  std::vector<assess::ForceAssessor::Wheel> wheels;
  for (std::size_t i = 0; i < counts_.wheels.size(); ++i)
    wheels.push_back({counts_.wheels[i].name, wheelset_of_[i], static_loads_[i]});
  assessor_.emplace(std::move(wheels), wheelsets_, h);
}

void Tally::add(const step::Simulator& simulator, const RailForces& forces, double h,
                double seconds) {
  counts_.step = h;
  ++counts_.steps;
  times_.add(seconds);
  counts_.max_phi = std::max(counts_.max_phi, simulator.largest_phi());
  const auto cell = [](int n) {
    return static_cast<std::size_t>(std::min(n, most_iterations + 1));
  };
  ++counts_.newton_q[cell(simulator.newton_q())];
  ++counts_.newton_s[cell(simulator.newton_s())];

  for (std::size_t i = 0; i < lifts_.size(); ++i) {
    const double N = simulator.tread()[i].N, Nf = simulator.flange()[i].N;
    const RailForces::Wheel& f = forces.wheel(i);
    WheelSummary& w = counts_.wheels[i];
    // the sheets of a loaded tread carry together
    const double carried = simulator.data().loaded() ? N + Nf : N;
    w.min_N = std::min(w.min_N, carried), w.max_N = std::max(w.max_N, carried);
    w.max_Nf = std::max(w.max_Nf, Nf);
    w.max_Y = std::max(w.max_Y, std::abs(f.Y));
    w.min_Q = std::min(w.min_Q, f.Q), w.max_Q = std::max(w.max_Q, f.Q);
    w.max_YQ = std::max(w.max_YQ, f.YQ);
    // a released wheel has exactly no force; a bilateral one may be pulled
    Lift& lift = lifts_[i];
    lift.now = N == 0 && Nf == 0 ? lift.now + 1 : 0;
    lift.longest = std::max(lift.longest, lift.now);
  }
  if (assessor_ && !wheelsets_.empty()) {
    for (std::size_t i = 0; i < forces_.size(); ++i) {
      const RailForces::Wheel& f = forces.wheel(i);
      forces_[i] = {f.Y, f.Q, f.inwards, f.T_gamma};
    }
    assessor_->add(simulator.state().t - h, forces.wheelset(0).ds, forces_);
  }
  add_events(simulator);
}

void Tally::add_events(const step::Simulator& simulator) {
  for (const step::Event& e : simulator.events()) {
    if (counts_.events.size() < counts_.events.capacity()) {
      counts_.events.push_back(e);
    } else {
      ++counts_.events_left_out;
    }
  }
}

namespace {

void add_warnings(const step::Simulator& simulator, RunSummary& s) {
  const auto doubt = [&](const step::Doubt& d, const char* what) {
    if (d.steps == 0) return;
    s.warnings.push_back(fmt::format("{}: {} steps, first at {:.4g} s, wheel {}", what, d.steps,
                                     d.first, simulator.data().wheels[d.wheel].name));
  };
  const step::Doubts& doubts = simulator.doubts();
  doubt(doubts.chart, "contact beyond the ends of its chart, continued straight");
  doubt(doubts.flank, "contact on the flank of a flange, where the model is not validated");
  doubt(doubts.creep, "creep force above friction");
  const step::ContactLaw& law = simulator.data().law;
  double most = 0;
  for (std::size_t i = 0; i < s.wheels.size(); ++i)
    if (s.wheels[i].max_Nf > 0) most = std::max(most, simulator.friction(i));
  if (simulator.data().loaded() && law.rail_stiffness == 0 && most > 0.35) {
    s.warnings.push_back(fmt::format(
        "flanges touch rigid rails with friction {:g}: they may flutter at about 100 Hz, which a "
        "time step of 1 ms does not show; set rail_stiffness (5e7 N/m) and rail_damping (1e5 N "
        "s/m) "
        "in [contact]",
        most));
  }
  const step::EnergyBalance& b = s.energy;
  constexpr double rounding = 1;  // J
  if (!(b.exchanged > 0)) return;
  if (b.creep > rounding)
    s.warnings.push_back(fmt::format("creep forces have added energy: {:.3g} J", b.creep));
  if (simulator.data().loaded() && b.normal_gain() > 1e-3 * b.exchanged + rounding) {
    s.warnings.push_back(fmt::format("normal forces have added energy: {:.3g} J", b.normal_gain()));
  }
}

}  // namespace

RunSummary Tally::summary(const step::Simulator& simulator) const {
  RunSummary s = counts_;
  s.t_end = simulator.time();
  for (std::size_t i = 0; i < lifts_.size(); ++i) {
    s.wheels[i].lift = static_cast<double>(lifts_[i].longest) * s.step;
    // no step, no extremes
    if (s.steps == 0) s.wheels[i] = {.name = s.wheels[i].name};
  }
  s.step_mean = times_.mean(), s.step_max = times_.largest();
  s.step_p50 = times_.quantile(0.5), s.step_p99 = times_.quantile(0.99);
  s.step_bars = times_.bars();
  s.energy = simulator.balance();
  if (assessor_) s.assessment = assessor_->assessment();
  add_warnings(simulator, s);
  return s;
}

}  // namespace klingel::record
