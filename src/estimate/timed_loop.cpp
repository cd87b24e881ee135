// The filter in time with the clock.
#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "estimate/experiment.hpp"
#include "realtime/loop.hpp"
#include "realtime/permissions.hpp"

namespace klingel::estimate {
namespace {

// What the loop steps: the filter, with measurements that lie ready.
class FilterPlant : public realtime::Plant {
 public:
  FilterPlant(kalman::Filter& filter, const std::vector<std::vector<double>>& samples, double h)
      : filter_(filter), samples_(samples), h_(h) {}

  void set_inputs(std::span<const double>) noexcept override {}
  runtime::Status step() noexcept override {
    const bool fine = filter_.step(samples_[next_++]);
    return fine ? runtime::Status::ok : runtime::Status::not_finite;
  }
  void read_outputs(std::span<double>) noexcept override {}
  double time() const noexcept override { return static_cast<double>(next_) * h_; }
  bool ended() const noexcept override { return next_ >= samples_.size(); }
  bool begin_again() noexcept override { return false; }

 private:
  kalman::Filter& filter_;
  const std::vector<std::vector<double>>& samples_;
  double h_;
  std::size_t next_ = 0;
};

StepTimes sorted(std::vector<double>& us) {
  if (us.empty()) return {};
  std::sort(us.begin(), us.end());
  return {us[us.size() / 2], us[us.size() * 99 / 100], us.back()};
}

}  // namespace

LoopTimes Experiment::run_in_loop(double seconds) const {
  const auto vehicle = filter_vehicle();
  kalman::VehicleModel model(on_lanes_, *vehicle, file_.setup);
  kalman::Filter filter(model, model.start(), model.start_root(), model.noise(),
                        model.sensor_sigma(), model.options());
  const double h = model_.description->step;
  std::vector<std::vector<double>> samples = this->samples(static_cast<std::size_t>(seconds / h));
  // what would come late counts as missing: repeating steps is no work for a loop
  for (std::vector<double>& row : samples)
    for (std::size_t i = 0; i < model.m; ++i)
      if (model.sensor_delays()[i] > 0) row[i] = std::numeric_limits<double>::quiet_NaN();
  LoopTimes times;
  times.period = h * 1e6;
  realtime::LoopOptions options;
  options.period = static_cast<std::int64_t>(h * 1e9);
  options.at_end = realtime::AtEnd::stop;
  options.periods = static_cast<std::int64_t>(samples.size());
  FilterPlant plant(filter, samples, h);
  realtime::SystemClock clock;
  realtime::Queue<realtime::Period> periods(samples.size() + 1);
  realtime::Loop loop(plant, nullptr, {}, clock, options, periods, nullptr);
  std::thread thread([&] {
    for (const realtime::Limit& l : realtime::ask_permissions({}))
      if (!l.permitted) times.limits.push_back(l.text);
    const std::atomic<bool> stop = false;
    const realtime::Ending ending = loop.run(stop);
    if (ending.why != realtime::Ending::Why::done &&
        ending.why != realtime::Ending::Why::end_of_run)
      times.failure = "the filter failed: " + vehicle->failure();
  });
  thread.join();
  std::vector<double> wall, own;
  for (realtime::Period p; periods.pop(p);) {
    wall.push_back(static_cast<double>(p.step) * 1e-3);
    own.push_back(static_cast<double>(p.step_own) * 1e-3);
  }
  times.periods = loop.counts().periods, times.overruns = loop.counts().overruns;
  times.wall = sorted(wall), times.own = sorted(own);
  return times;
}

}  // namespace klingel::estimate
