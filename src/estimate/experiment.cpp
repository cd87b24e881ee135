#include "estimate/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "estimate/chi_square.hpp"
#include "estimate/reality.hpp"
#include "estimate/samples.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::estimate {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Sums over steps, for Errors.
struct Sums {
  std::size_t count = 0, inside = 0;
  double truth = 0, truth2 = 0, error = 0, error2 = 0, largest = 0, sigma = 0;

  void add(double real, double estimate, double s) {
    const double e = estimate - real;
    if (!std::isfinite(e) || !std::isfinite(s)) return;
    ++count;
    truth += real, truth2 += real * real, error += e, error2 += e * e, sigma += s;
    largest = std::max(largest, std::abs(e));
    inside += std::abs(e) <= 2 * s ? 1 : 0;
  }
  Errors errors(std::string name, std::string unit) const {
    Errors r;
    r.name = std::move(name), r.unit = std::move(unit), r.count = count;
    if (count == 0) return r;
    const auto n = static_cast<double>(count);
    r.truth_mean = truth / n;
    r.truth_deviation = std::sqrt(std::max(truth2 / n - r.truth_mean * r.truth_mean, 0.0));
    r.mean = error / n, r.rms = std::sqrt(error2 / n), r.largest = largest;
    r.sigma = sigma / n, r.inside = static_cast<double>(inside) / n;
    return r;
  }
};

struct Squares {
  std::size_t count = 0, inside = 0;
  double sum = 0, freedom = 0;
  std::vector<std::pair<double, double>> bounds;  // of single ones, by degrees of freedom

  void add(double value, std::size_t degrees) {
    if (degrees == 0 || !std::isfinite(value)) return;
    if (bounds.size() <= degrees) bounds.resize(degrees + 1, {nan, nan});
    auto& [low, high] = bounds[degrees];
    if (std::isnan(low)) {
      low = chi_square_quantile(0.025, static_cast<double>(degrees));
      high = chi_square_quantile(0.975, static_cast<double>(degrees));
    }
    ++count;
    sum += value, freedom += static_cast<double>(degrees);
    inside += value >= low && value <= high ? 1 : 0;
  }
  Consistency result() const {
    Consistency c;
    c.count = count;
    if (count == 0) return c;
    const auto n = static_cast<double>(count);
    c.mean = sum / n, c.expected = freedom / n;
    c.low = chi_square_quantile(0.025, freedom) / n;
    c.high = chi_square_quantile(0.975, freedom) / n;
    c.inside = static_cast<double>(inside) / n;
    return c;
  }
};

// Whether the estimate is beyond the limit, for so long.
class Watch {
 public:
  explicit Watch(const Alarm& alarm) : alarm_(alarm) {}
  void look(double t, double x, double sigma, double h, RunResult& result) {
    const bool beyond = alarm_.below ? x + alarm_.sigmas * sigma < *alarm_.below
                                     : x - alarm_.sigmas * sigma > *alarm_.above;
    since_ = beyond ? since_ + h : 0;
    if (since_ < alarm_.hold + h / 2) return;
    std::optional<double>& first = t < alarm_.event ? result.false_alarm : result.alarm;
    if (!first) first = t;
  }

 private:
  const Alarm& alarm_;
  double since_ = 0;
};

StepTimes times_of(std::vector<double>& times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  return {at(0.5), at(0.99), times.back()};
}

}  // namespace

double Errors::dynamic() const {
  return truth_deviation > 0 ? std::sqrt(std::max(rms * rms - mean * mean, 0.0)) / truth_deviation
                             : nan;
}

Experiment::Experiment(Estimate file, const exec::Options& kernels, std::size_t lanes)
    : file_(std::move(file)) {
  const std::filesystem::path folder = std::filesystem::path(file_.file).parent_path();
  const auto scenario = [&](const std::string& what, const study::ScenarioChanges& changes) {
    // a file beside this one first
    const std::filesystem::path beside = folder / what;
    const bool is_file = !folder.empty() && std::filesystem::exists(beside);
    return study::changed(vehicle::load_scenario(is_file ? beside.string() : what), changes);
  };
  model_ = compile::compile(scenario(file_.run, file_.changes), kernels);
  on_lanes_ = compile::on_lanes(model_, kernels, lanes);
  if (file_.setup.filter.method == kalman::Method::extended)
    on_lanes_ = compile::with_derivatives(model_, on_lanes_, kernels);
  if (file_.reality.recording.empty()) {
    // the twin is the filter's vehicle where the file does not say otherwise
    study::ScenarioChanges changes = file_.reality.changes;
    const study::ScenarioChanges& own = file_.changes;
    if (file_.reality.run.empty()) {
      if (changes.track.empty()) changes.track = own.track;
      if (changes.law.empty()) changes.law = own.law;
      for (auto field : {&study::ScenarioChanges::speed, &study::ScenarioChanges::position,
                         &study::ScenarioChanges::step, &study::ScenarioChanges::friction})
        if (!(changes.*field)) changes.*field = own.*field;
      changes.parameters.insert(changes.parameters.begin(), own.parameters.begin(),
                                own.parameters.end());
    }
    real_ = compile::compile(
        scenario(file_.reality.run.empty() ? file_.run : file_.reality.run, changes), kernels);
    track_file_ = vehicle::find_track(real_.scenario.track, real_.scenario.folder()).string();
  }
  kalman::Setup& setup = file_.setup;
  for (std::size_t i = 0; i < setup.sensors.size(); ++i) {
    const std::size_t delay = Samples::delay_of(file_.sensors[i], model_.description->step);
    setup.sensors[i].delay = delay;
    setup.filter.most_delay = std::max(setup.filter.most_delay, delay);
  }
  const auto vehicle = filter_vehicle();
  for (std::size_t i = 0; i < setup.sensors.size(); ++i) {
    try {
      vehicle->channel(setup.sensors[i].channel);
    } catch (const base::Error& e) {
      base::fail_at(file_.sensors[i].place, "{}", e.what());
    }
  }
  const kalman::VehicleModel model(on_lanes_, *vehicle, setup);
  quantities_ = model.output_names();
  for (std::size_t i = 0; i < model.walks(); ++i) quantities_.push_back(model.walk(i).name);
  for (const auto& rail : model.rails()) quantities_.push_back(rail.name);
  check_observed();
}

std::unique_ptr<simulation::Instance> Experiment::filter_vehicle() const {
  auto vehicle = std::make_unique<simulation::Instance>(model_.description);
  try {
    kalman::give_before_start(*vehicle, file_.start);
  } catch (const base::Error& e) {
    base::fail_at({file_.file, 0, 0}, "{}", e.what());
  }
  vehicle->start();
  kalman::give_after_start(*vehicle, file_.start);
  return vehicle;
}

// Every element of x must show in some sensor, at a state beside the start: at the start itself a
// damper does nothing.
void Experiment::check_observed() const {
  const auto vehicle = filter_vehicle();
  kalman::Setup setup = file_.setup;
  setup.filter.method = kalman::Method::extended;
  kalman::VehicleModel model(on_lanes_, *vehicle, setup);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> x = model.start(), result(model.results());
  for (std::size_t i = 0; i < model.states(); ++i)
    x[i] += 0.05 * model.start_root()(i, i) * normal(random);
  model.settle(x.data());
  kalman::Array J(model.results(), model.n);
  if (!model.go(x.data(), result.data(), J)) return;
  const std::vector<double> information = model.information(J, 400);
  std::string blind;
  for (std::size_t i = 0; i < model.states() + model.walks(); ++i)
    if (!(information[i] > 1e-10)) blind += (blind.empty() ? "'" : ", '") + model.names()[i] + "'";
  if (!blind.empty())
    base::fail_at({file_.file, 0, 0},
                  "no sensor tells anything about {}: it is not observed; leave it out (without = "
                  "[...]) or add a sensor",
                  blind);
}

std::unique_ptr<RealVehicle> Experiment::real_vehicle(kalman::VehicleModel& model,
                                                      std::size_t index) const {
  const simulation::Description& description = *model_.description;
  // sensors, then outputs
  std::vector<std::string> channels = model.sensor_names();
  channels.insert(channels.end(), model.output_names().begin(), model.output_names().end());
  if (file_.reality.recording.empty()) {
    const std::int64_t seed = file_.reality.track_seed + static_cast<std::int64_t>(index);
    return make_twin(
        seed == 0 ? real_.description : on_track_of_seed(*real_.description, track_file_, seed),
        file_.reality, description.step, channels, description.track);
  }
  const auto all = record::vehicle_channels(model.vehicle().simulator(), description.start.body);
  std::vector<char> of_step;
  for (const std::string& name : channels)
    of_step.push_back(all[model.vehicle().channel(name)].of_step ? 1 : 0);
  return make_replay(file_.reality.recording, description.step, channels, of_step, model.m);
}

std::vector<std::vector<double>> Experiment::samples(std::size_t steps, std::size_t index) const {
  const auto vehicle = filter_vehicle();
  kalman::VehicleModel model(on_lanes_, *vehicle, file_.setup);
  const std::unique_ptr<RealVehicle> real = real_vehicle(model, index);
  Samples take(file_, model_.description->step, file_.seed + 1000003 * index);
  std::vector<std::vector<double>> rows;
  RunResult unused;
  for (std::size_t k = 0; k < steps && real->advance(); ++k) {
    rows.emplace_back(model.m, nan);
    take.take(k, *real, rows.back(), unused);
  }
  return rows;
}

RunResult Experiment::run(std::size_t index, bool keep_rows) const {
  const simulation::Description& description = *model_.description;
  const double h = description.step;
  const auto vehicle = filter_vehicle();
  kalman::VehicleModel model(on_lanes_, *vehicle, file_.setup);
  kalman::Filter filter(model, model.start(), model.start_root(), model.noise(),
                        model.sensor_sigma(), model.options());

  const std::unique_ptr<RealVehicle> real = real_vehicle(model, index);
  Samples samples(file_, h, file_.seed + 1000003 * index);

  RunResult result;
  result.run = index;
  result.elements = model.n, result.sensors = model.m;
  std::vector<std::string> units;
  for (const std::string& name : model.output_names())
    units.push_back(vehicle->channels()[vehicle->channel(name)].unit);
  for (std::size_t i = 0; i < model.walks(); ++i)
    units.push_back(model.walk(i).name.starts_with("friction") ? "1" : "SI");
  for (std::size_t i = 0; i < model.rails().size(); ++i) units.push_back("m");
  const auto steps = static_cast<std::size_t>(std::llround(description.duration / h));
  const auto every =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(file_.interval / h)));
  std::vector<record::Channel> columns = {{"t", "s", "time"}};
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    columns.push_back({quantities_[i] + ".true", units[i], "truth"});
    columns.push_back({quantities_[i], units[i], "estimate"});
    columns.push_back({quantities_[i] + ".sigma", units[i], "its standard deviation"});
  }
  for (const std::string& name : model.sensor_names()) {
    const std::string unit = vehicle->channels()[vehicle->channel(name)].unit;
    columns.push_back({name + ".measured", unit, "sample"});
    columns.push_back({name + ".innovation", unit, "measured less predicted"});
    columns.push_back({name + ".innovation_sigma", unit, "its standard deviation"});
  }
  columns.push_back({"nis", "1", "normalized innovation squared"});
  columns.push_back({"nis_freedom", "1", "measurements in it"});
  columns.push_back({"nees", "1", "normalized estimation error squared"});
  record::Recording rows(columns, keep_rows ? steps / every + 2 : 0);

  std::vector<Sums> sums(quantities_.size());
  Squares nis, nees;
  std::vector<double> squares(model.n, 0);
  std::vector<double> arrived(model.m, nan), row, times;
  times.reserve(steps);
  std::vector<std::size_t> compared;
  std::vector<double> truth;
  std::size_t alarmed = 0;
  std::optional<Watch> watch;
  if (file_.alarm) {
    watch.emplace(*file_.alarm);
    for (std::size_t i = 0; i < model.n; ++i)
      if (model.names()[i] == file_.alarm->name) alarmed = i;
  }
  for (std::size_t k = 0; k < steps; ++k) {
    if (!real->advance()) {
      if (!real->why().empty()) result.failure = "the real vehicle: " + real->why();
      break;
    }
    samples.take(k, *real, arrived, result);
    const auto begin = std::chrono::steady_clock::now();
    const bool fine = filter.take(arrived, model.sensor_delays());
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
            .count());
    if (!fine) {
      result.failure = vehicle->failure().empty() ? "the covariance of the filter is not finite"
                                                  : "the filter's vehicle: " + vehicle->failure();
      break;
    }
    const double t = static_cast<double>(k + 1) * h;
    result.t_end = t;
    const bool counts = t > file_.settle;
    if (counts) nis.add(filter.innovations().nis, filter.innovations().count);
    const std::vector<double>& x = filter.x();
    row.assign(1, t);
    std::size_t q = 0;
    const auto quantity = [&](double real_value, double estimate, double sigma) {
      if (counts) sums[q].add(real_value, estimate, sigma);
      row.insert(row.end(), {real_value, estimate, sigma});
      ++q;
    };
    for (std::size_t i = 0; i < model.p; ++i)
      quantity(real->value(model.m + i), filter.outputs()[i], filter.output_sigma()[i]);
    for (std::size_t i = 0; i < model.walks(); ++i) {
      const std::size_t at = model.states() + i;
      quantity(real->truth(model.walk(i)), x[at], filter.sigma(at));
    }
    for (const auto& rail : model.rails()) {
      quantity(real->irregularity(rail.wheelset, rail.part), model.irregularity(rail, x.data()),
               model.irregularity_sigma(rail, filter.root()));
    }
    if (watch && counts) watch->look(t, x[alarmed], filter.sigma(alarmed), h, result);
    if ((k + 1) % every != 0) continue;
    compared.clear(), truth.clear();
    for (std::size_t i = 0; i < model.states() + model.walks(); ++i) {
      const double value =
          real->truth(i < model.states() ? model.state(i) : model.walk(i - model.states()));
      if (std::isfinite(value)) compared.push_back(i), truth.push_back(value);
    }
    const double error = compared.empty() ? nan : filter.nees(compared, truth);
    if (counts) nees.add(error, compared.size());
    for (std::size_t i = 0; counts && i < compared.size(); ++i) {
      const double e = (x[compared[i]] - truth[i]) / filter.sigma(compared[i]);
      squares[compared[i]] += e * e;
    }
    for (std::size_t i = 0; i < model.m; ++i)
      row.insert(row.end(),
                 {arrived[i], filter.innovations().residual[i], filter.innovations().sigma[i]});
    row.insert(row.end(),
               {filter.innovations().nis, static_cast<double>(filter.innovations().count), error});
    if (keep_rows) rows.add(row);
  }
  for (std::size_t i = 0; i < quantities_.size(); ++i)
    result.errors.push_back(sums[i].errors(quantities_[i], units[i]));
  for (const auto& rail : model.rails()) {
    if (rows.rows() == 0) break;
    const auto t = rows.column("t"), truth_of = rows.column(rail.name + ".true");
    const auto first =
        static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), file_.settle) - t.begin());
    for (Errors& e : result.errors)
      if (e.name == rail.name)
        e.bands = wave_bands(truth_of.subspan(first), rows.column(rail.name).subspan(first),
                             description.start.speed * h * static_cast<double>(every));
  }
  result.nis = nis.result(), result.nees = nees.result();
  for (std::size_t i = 0; i < model.states() + model.walks() && result.nees.count > 0; ++i)
    result.worst.emplace_back(model.names()[i],
                              squares[i] / static_cast<double>(result.nees.count));
  std::stable_sort(result.worst.begin(), result.worst.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  result.late = filter.late_samples();
  result.outliers = filter.outliers(), result.lost_points = filter.lost_points();
  result.one_sided = model.events();
  result.times = times_of(times);
  for (std::size_t i = 0; i < model.walks(); ++i) {
    const std::size_t at = model.states() + i;
    const double begin = model.start_root()(at, at);
    if (result.failure.empty() && filter.sigma(at) > 0.99 * begin)
      result.warnings.push_back(
          fmt::format("the measurements told nothing about '{}': its standard "
                      "deviation was {:.3g} and is {:.3g}",
                      model.names()[at], begin, filter.sigma(at)));
  }
  result.rows = std::move(rows);
  return result;
}

}  // namespace klingel::estimate
