#include "study/whole_run.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "record/drive.hpp"
#include "scene/run_page.hpp"
#include "vehicle/scenario_numbers.hpp"

namespace klingel::study {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

record::RecorderOptions recorder_options(const compile::PreparedRun& p, const RunOptions& o) {
  const simulation::Description& d = *p.description;
  record::RecorderOptions options;
  options.step = d.step;
  options.interval = record::nearest_interval(d.step, o.interval.value_or(d.interval));
  options.duration = o.duration.value_or(d.duration);
  options.channels = o.channels.empty() ? d.channels : o.channels;
  if (o.page) options.channels = {"all"};
  options.body = d.start.body;
  return options;
}

Outcome failed(const compile::PreparedRun& p, const std::string& message) {
  Outcome outcome;
  outcome.summary.scenario = p.scenario.name;
  outcome.summary.end = record::RunEnd::failed;
  outcome.summary.message = message;
  return outcome;
}

}  // namespace

// What is recorded and counted of one vehicle while it runs; moves in memory only before begin().
class Watched {
 public:
  Watched(const compile::PreparedRun& p, simulation::Instance& vehicle, const RunOptions& o)
      : p_(p),
        vehicle_(vehicle),
        recorder_(vehicle.simulator(), p.description->track, recorder_options(p, o)),
        tally_(*p.simulator) {  // static loads cannot be found on a lane
    const simulation::Description& d = *p.description;
    options_.step = d.step;
    options_.duration = o.duration.value_or(d.duration);
    options_.method = d.method;
    options_.method.balance = o.balance;
    options_.stop = o.stop;
    wants_page_ = o.page;
    if (o.floor || o.page) page_.emplace(p, d.step, options_.duration);
    options_.inputs = [this](step::Simulator& simulator, double t) {
      vehicle_.set_inputs(t);
      if (page_) page_->add(simulator);
    };
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  const record::DriveOptions& options() const { return options_; }
  record::Recorder& recorder() { return recorder_; }
  record::Tally& tally() { return tally_; }

  Outcome outcome(record::RunSummary summary) {
    const vehicle::Scenario& s = p_.scenario;
    summary.scenario = s.name;
    summary.track = p_.description->track.name;
    summary.integrator = s.integrator;
    summary.law = s.law;
    summary.warnings.insert(summary.warnings.end(), p_.description->warnings.begin(),
                            p_.description->warnings.end());
    if (page_) {
      page_->add(vehicle_.simulator());
      page_->assess(summary.assessment);
      set_friction(summary.assessment);
    }
    std::string page = wants_page_ ? page_->recording(recorder_.recording(), summary) : "";
    return {std::move(recorder_.recording()), std::move(summary), std::move(page)};
  }

 private:
  // The limit of climbing belongs to this vehicle's friction, not to that which started last.
  void set_friction(assess::Assessment& a) const {
    if (!a.flange_angle) return;
    double largest = 0;
    for (std::size_t i = 0; i < vehicle_.simulator().data().wheels.size(); ++i)
      largest = std::max(largest, vehicle_.simulator().friction(i));
    a.friction = largest;
    a.nadal_limit = assess::limit_nadal(*a.flange_angle, largest);
  }

  const compile::PreparedRun& p_;
  simulation::Instance& vehicle_;
  record::Recorder recorder_;
  record::Tally tally_;
  record::DriveOptions options_;
  std::optional<scene::RunPage> page_;
  bool wants_page_ = false;
};

Outcome whole_run(compile::PreparedRun& p, const RunOptions& o) {
  Watched run(p, *p.instance, o);
  return run.outcome(record::drive(*p.simulator, run.recorder(), run.tally(), run.options()));
}

struct CaseRunner::Lane {
  Outcome outcome;
  std::unique_ptr<Watched> watched;  // none: it did not start
  std::optional<record::Drive> drive;
  simulation::Instance* vehicle = nullptr;
  bool runs = false;
};

CaseRunner::CaseRunner(compile::CompiledVehicle vehicle, const exec::Options& kernels,
                       std::size_t lanes)
    : run_(std::move(vehicle)), kernels_(kernels), lanes_(lanes) {
  const step::Scheme scheme = run_.description->method.scheme;
  // methods to compare with run alone
  if (scheme == step::Scheme::trapezoidal || scheme == step::Scheme::reference) lanes_ = 1;
  if (lanes_ != 1 && lanes_ != 4 && lanes_ != 8)
    base::fail("there are kernels on 1, 4 or 8 lanes, found {}", lanes_);
  const simulation::Instance& v = *run_.instance;
  for (std::size_t i = 0; i < v.parameter_names().size(); ++i)
    nominal_.push_back(v.parameter_value(i));
  start_ = run_.instance->start_options();
}

void CaseRunner::set_parameters(const std::vector<std::pair<std::size_t, double>>& parameters) {
  simulation::Instance& v = *run_.instance;
  for (std::size_t i = 0; i < nominal_.size(); ++i)
    if (v.parameter_value(i) != nominal_[i]) v.set_parameter(i, nominal_[i]);
  for (const auto& [index, value] : parameters) v.set_parameter(index, value);
}

void CaseRunner::begin(const Case& c) {
  simulation::Instance& v = *run_.instance;
  set_parameters(c.parameters);
  const simulation::Description& d = *run_.description;
  for (std::size_t i = 0; i < d.data.wheels.size(); ++i)
    v.set_friction(i, c.friction.value_or(d.data.friction));
  if (!c.friction)
    for (const simulation::WheelFriction& f : d.friction) v.set_friction(f.wheel, f.mu);
  for (std::size_t i = 0; i < v.input_names().size(); ++i) v.release_input(i);
  v.start_options() = start_;
  vehicle::Scenario checked;
  if (c.position)
    vehicle::set_number(checked, "scenario.position", *c.position, {"position", 0, 0});
  if (c.speed) vehicle::set_number(checked, "scenario.speed", *c.speed, {"speed", 0, 0});
  if (c.friction) vehicle::set_number(checked, "creep.friction", *c.friction, {"friction", 0, 0});
  if (c.speed) v.start_options().speed = *c.speed;
  if (c.position) v.start_options().position = *c.position;
  for (const auto& [index, value] : c.inputs) v.set_input(index, value);
  v.start();
}

std::vector<Outcome> CaseRunner::run(const std::vector<Case>& cases, const RunOptions& options) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < cases.size(); i += lanes_)
    for (Outcome& o :
         run_together(std::span(cases).subspan(i, std::min(lanes_, cases.size() - i)), options))
      outcomes.push_back(std::move(o));
  return outcomes;
}

// At most as many as there are lanes.
std::vector<Outcome> CaseRunner::run_together(std::span<const Case> cases,
                                              const RunOptions& options) {
  std::vector<Lane> lanes(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    try {
      begin(cases[i]);
      if (cases.size() == 1) {
        lanes[i].outcome = whole_run(run_, options);
        break;
      }
      if (!on_lanes_) {
        on_lanes_ = compile::on_lanes(run_, kernels_, lanes_);
        kind_ = std::make_unique<simulation::Batch>(on_lanes_, *run_.instance);
      }
      lanes[i].vehicle = &(*kind_)[i];
      lanes[i].vehicle->become(*run_.instance);
      kind_->lanes().revive(i);
      // after the start: places at the floor are found from it
      lanes[i].watched = std::make_unique<Watched>(run_, *lanes[i].vehicle, options);
      lanes[i].runs = true;
    } catch (const base::Error& e) {
      lanes[i].outcome = failed(run_, e.what());
    }
  }
  if (cases.size() > 1) side_by_side(lanes, options);
  std::vector<Outcome> outcomes;
  for (Lane& lane : lanes) outcomes.push_back(std::move(lane.outcome));
  return outcomes;
}

void CaseRunner::side_by_side(std::vector<Lane>& lanes, const RunOptions& options) {
  if (!kind_) return;
  step::Batch& batch = kind_->lanes();
  for (Lane& lane : lanes)
    if (lane.runs)
      lane.drive.emplace(lane.vehicle->simulator(), lane.watched->recorder(), lane.watched->tally(),
                         lane.watched->options());
  const Clock::time_point begin = Clock::now();
  step::StepOptions method = run_.description->method;
  method.balance = options.balance;
  std::size_t running = 0;
  const auto end = [&](Lane& lane) {
    lane.outcome = lane.watched->outcome(lane.drive->finish(seconds(Clock::now() - begin)));
    lane.runs = false;
  };
  do {
    running = 0;
    for (Lane& lane : lanes) {
      if (!lane.runs) continue;
      if (lane.drive->before())
        ++running;
      else
        end(lane);
    }
    if (running == 0) break;
    const Clock::time_point start = Clock::now();
    batch.step(run_.description->step, method);
    const double taken = seconds(Clock::now() - start) / static_cast<double>(running);
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (lanes[i].runs) lanes[i].drive->after(batch.status(i), taken);
  } while (running > 0);
}

}  // namespace klingel::study
