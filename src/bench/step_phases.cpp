#include "bench/step_phases.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "step/vehicle_copy.hpp"

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double us_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::micro>(end - begin).count();
}

// The time that reading the clock adds to every measurement.
double clock_us() {
  double shortest = 1;
  for (int i = 0; i < 1000; ++i) {
    const Clock::time_point begin = Clock::now();
    shortest = std::min(shortest, us_between(begin, Clock::now()));
  }
  return shortest;
}

struct Sums {
  StepPhases phases;
  double clock = clock_us();
  bool in_system = false;  // between the right side of the dynamics and its solution
  double factors = 0;      // time of an elimination; the next call shows its purpose
  bool listening = false;
  std::vector<std::string> calls;  // while listening

  double& of(StepRow row) { return phases.us[static_cast<std::size_t>(row)]; }
};

// A kernel table that forwards to another one and times the calls.
class Metered {
 public:
  Metered(const klingel_kernel& kernel, Sums& sums)
      : stages_(kernel.stages, kernel.stages + kernel.n_stages),
        functions_(kernel.functions, kernel.functions + kernel.n_functions),
        table_(kernel) {
    entries_.reserve(stages_.size() + functions_.size());
    const bool vehicle = kernel.lanes == 1;
    for (klingel_stage& s : stages_) take(s, "stage", vehicle, sums);
    for (klingel_function& f : functions_) take(f, "", vehicle, sums);
    table_.stages = stages_.data();
    table_.functions = functions_.data();
  }
  const klingel_kernel& abi() const { return table_; }

 private:
  enum class Role : std::uint8_t { plain, right_side, factors, solution };
  struct Entry {
    std::string name;
    klingel_call* call;
    const void* context;
    Sums* sums;
    StepRow row;
    Role role;
  };

  static StepRow row_of(std::string_view what, std::string_view name, bool vehicle) {
    if (vehicle) {
      const bool places = name == "place" || name == "pose" || name == "movement" ||
                          (what.empty() && name == "motion");
      return places ? StepRow::constraints : StepRow::equations;
    }
    if (name == "rates" || (!what.empty() && name == "velocity")) return StepRow::projection;
    return name == "motion" ? StepRow::equations : StepRow::constraints;
  }

  template <class Item>
  void take(Item& item, std::string_view what, bool vehicle, Sums& sums) {
    const std::string_view name = item.name;
    Role role = Role::plain;
    if (vehicle && name == "impulse") role = Role::right_side;
    if (vehicle && name == "system") role = Role::factors;
    if (vehicle && name == "solve") role = Role::solution;
    const std::string full = std::string(vehicle ? "vehicle: " : "contact: ") + std::string(what) +
                             (what.empty() ? "" : " ") + item.name;
    entries_.push_back({full, item.call, item.context, &sums, row_of(what, name, vehicle), role});
    item.call = &Metered::call;
    item.context = &entries_.back();
  }

  static void call(const void* context, const double* const* in, double* w, double* const* out) {
    const Entry& e = *static_cast<const Entry*>(context);
    Sums& sums = *e.sums;
    if (sums.listening) sums.calls.push_back(e.name);
    const Clock::time_point begin = Clock::now();
    e.call(e.context, in, w, out);
    const double us = us_between(begin, Clock::now()) - sums.clock;
    if (e.role == Role::factors) {
      sums.factors += us;
      return;
    }
    // the same factors solve for the dynamics first, then for corrections
    if (e.role == Role::right_side) sums.in_system = true;
    const StepRow solving = sums.in_system ? StepRow::dynamics : StepRow::projection;
    if (e.role == Role::right_side || e.role == Role::solution)
      sums.of(solving) += std::exchange(sums.factors, 0.0);
    if (e.role == Role::solution) sums.in_system = false, ++sums.phases.solutions;
    sums.of(e.role == Role::solution ? solving : e.row) += us;
  }

  std::vector<Entry> entries_;
  std::vector<klingel_stage> stages_;
  std::vector<klingel_function> functions_;
  klingel_kernel table_;
};

// While an object exists, the run uses another simulator with timed kernels.
class Clocked {
 public:
  explicit Clocked(compile::PreparedRun& p)
      : p_(p),
        vehicle_(*p.simulator->data().vehicle, *sums),
        contact_(*p.simulator->data().contact, *sums) {
    step::VehicleData data = p.simulator->data();
    data.vehicle = &vehicle_.abi();
    data.contact = &contact_.abi();
    other_ = std::make_unique<step::Simulator>(std::move(data));
    for (std::size_t i = 0; i < other_->data().wheels.size(); ++i)
      other_->set_friction(i, p.simulator->friction(i));
    p_.simulator = other_.get();
  }
  ~Clocked() { p_.simulator = &p_.instance->simulator(); }
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  std::unique_ptr<Sums> sums = std::make_unique<Sums>();

 private:
  compile::PreparedRun& p_;
  Metered vehicle_, contact_;
  std::unique_ptr<step::Simulator> other_;
};

// The mean of some calls, us.
template <class Work>
double mean_us(Work work) {
  constexpr int calls = 20;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < calls; ++i) work();
  return us_between(begin, Clock::now()) / calls;
}

// The parts that are not in kernels, for a vehicle in the simulator's current state.
class Rest {
 public:
  explicit Rest(const step::Simulator& simulator)
      : copy_(simulator), end_(simulator), system_(copy_.vehicle), log_(copy_.vehicle.w) {}

  void time(const step::Simulator& simulator, double h, Sums& sums) {
    const step::Description& vehicle = copy_.vehicle;
    copy_.take_state(simulator.state());
    step::RigidTreads& treads = *copy_.rigid();
    step::PackedState state;
    pack(simulator.state(), treads.tread, state);
    next_ = state;
    const step::StepOptions options;
    step::StepWork work{vehicle, copy_.friction, state, next_, copy_.at,
                        end_.at, system_,        log_,  h,     options};
    const auto forces = [&] {
      find_forces(treads, work);
      assemble(treads, work);
    };
    forces();  // kernels that have to be called are called now
    sums.of(StepRow::contact) += mean_us(forces);
    const std::span<const double> dq_end = simulator.dq_end();
    const std::vector<double>&q = simulator.state().q, &dq = simulator.state().dq;
    q_end_.resize(vehicle.n);
    sums.of(StepRow::integration) += mean_us([&] {
      for (std::size_t i = 0; i < vehicle.n; ++i) q_end_[i] = q[i] + (dq[i] + dq_end[i]) / 2 * h;
    });
    sums.of(StepRow::look_up) += mean_us([&] {
      for (std::size_t i = 0; i < vehicle.w; ++i) treads.tread[i].set_s(treads.tread[i].s());
    });
  }

 private:
  step::VehicleCopy copy_, end_;
  step::System system_;
  step::StepLog log_;
  step::PackedState next_;
  std::vector<double> q_end_;
};

}  // namespace

StepPhases time_phases(compile::PreparedRun& p, std::int64_t steps, int repetitions) {
  const step::VehicleState start = p.simulator->state();
  const double h = p.scenario.step;
  const auto run_all = [&](auto after) {
    p.simulator->set_state(start);
    for (std::int64_t i = 0; i < steps; ++i) {
      simulation::set_inputs(*p.description, *p.simulator, p.simulator->time());
      if (p.simulator->step(h) != runtime::Status::ok) break;
      after(i);
    }
    std::vector<double> q = p.simulator->state().q;
    p.simulator->set_state(start);
    return q;
  };
  const std::vector<double> end = run_all([](std::int64_t) {});

  constexpr std::int64_t samples = 200;
  const std::int64_t every = std::max<std::int64_t>(1, steps / samples);
  Rest rest(*p.simulator);  // its kernels are not timed
  const Clocked clocked(p);
  Sums& sums = *clocked.sums;
  StepPhases best;
  best.us.fill(std::numeric_limits<double>::infinity());
  best.same = true;
  for (int k = 0; k < repetitions; ++k) {
    sums.phases = {};
    std::int64_t looks = 0;
    const std::vector<double> reached = run_all([&](std::int64_t i) {
      if (i % every == 0) rest.time(*p.simulator, h, sums), ++looks;
    });
    best.same = best.same && reached == end;
    best.solutions = sums.phases.solutions / static_cast<double>(steps);
    for (std::size_t r = 0; r < step_rows; ++r) {
      const auto row = static_cast<StepRow>(r);
      const bool sampled =
          row == StepRow::contact || row == StepRow::integration || row == StepRow::look_up;
      best.us[r] =
          std::min(best.us[r], sums.phases.us[r] / static_cast<double>(sampled ? looks : steps));
    }
  }
  return best;
}

std::vector<std::string> calls_of_step(compile::PreparedRun& p, double t) {
  const step::VehicleState start = p.simulator->state();
  const Clocked clocked(p);
  p.simulator->set_state(start);
  for (bool last = false; !last;) {
    last = p.simulator->time() >= t;
    clocked.sums->listening = last;
    simulation::set_inputs(*p.description, *p.simulator, p.simulator->time());
    if (p.simulator->step(p.scenario.step) != runtime::Status::ok) break;
  }
  return clocked.sums->calls;
}

}  // namespace klingel::bench
