#include "capi/filter_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "capi/filter_description.hpp"

namespace klingel::capi {
namespace {

using runtime::Status;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// What a filter is made of while it runs.
struct Running {
  std::unique_ptr<simulation::Instance> vehicle;
  std::unique_ptr<kalman::VehicleModel> model;
  std::unique_ptr<kalman::Filter> filter;

  explicit Running(const FilterDescription& d)
      : vehicle(std::make_unique<simulation::Instance>(d.vehicle.description)) {
    kalman::give_before_start(*vehicle, d.start);
    vehicle->start_at(*d.vehicle.start);
    kalman::give_after_start(*vehicle, d.start);
    model = std::make_unique<kalman::VehicleModel>(d.on_lanes, *vehicle, d.setup);
    filter =
        std::make_unique<kalman::Filter>(*model, model->start(), model->start_root(),
                                         model->noise(), model->sensor_sigma(), model->options());
  }
};

// Where an output comes from.
struct Source {
  enum class Kind { output, state, rail, residual, used, nis, count, outliers, differenced } kind;
  std::size_t index = 0;
  bool sigma = false;  // its standard deviation
};

class FilterModel : public Model, public std::enable_shared_from_this<FilterModel> {
 public:
  FilterModel(FilterDescription given, std::string_view bytes);
  std::unique_ptr<Runner> make() const override;

  FilterDescription description;
  std::vector<std::size_t> vehicle_inputs;  // by index of the vehicle
  std::size_t sensors = 0;
  std::vector<Source> sources;
};

// Inputs: those of the vehicle, then the sensors, then whether these are valid.
class FilterRunner : public Runner {
 public:
  explicit FilterRunner(std::shared_ptr<const FilterModel> model)
      : model_(std::move(model)),
        running_(model_->description),
        values_(model_->of(Kind::input).size()),
        given_(values_.size(), 0),
        arrived_(model_->sensors, nan) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = model_->of(Kind::input)[i].start;
  }

  void set_parameter(std::size_t, double) override { base::fail("a filter has no parameters"); }
  double parameter(std::size_t) const override { return nan; }
  void set_input(std::size_t index, double value) noexcept override {
    values_[index] = value;
    given_[index] = 1;
    if (index < vehicle_inputs()) running_.vehicle->set_input(model_->vehicle_inputs[index], value);
  }
  double input(std::size_t index) const override {
    if (index < vehicle_inputs())
      return running_.vehicle->input_value(model_->vehicle_inputs[index]);
    return values_[index];
  }
  void release_input(std::size_t index) override {
    given_[index] = 0;
    values_[index] = model_->of(Kind::input)[index].start;
    if (index < vehicle_inputs()) running_.vehicle->release_input(model_->vehicle_inputs[index]);
  }

  void start() override {
    running_ = Running(model_->description);
    for (std::size_t i = 0; i < vehicle_inputs(); ++i)
      if (given_[i] != 0) running_.vehicle->set_input(model_->vehicle_inputs[i], values_[i]);
    started_ = true;
    stepped_ = false;
    failed_ = Status::ok;
  }
  bool started() const override { return started_; }
  void measure(bool on) noexcept override { measures_ = on; }
  Status step(double) noexcept override;
  double time() const override { return running_.vehicle->time(); }
  std::string failure() const override {
    const std::string of_vehicle = running_.vehicle->failure();
    return of_vehicle.empty() ? "the covariance of the filter is not finite"
                              : "the filter's vehicle: " + of_vehicle;
  }
  bool at_end() noexcept override;
  void look_ahead(bool) override {}  // estimates belong to the last step
  double output(std::size_t index) noexcept override;
  void save(base::ByteWriter& bytes) override;
  void restore(base::ByteReader& bytes) override;

 private:
  std::size_t vehicle_inputs() const { return model_->vehicle_inputs.size(); }

  std::shared_ptr<const FilterModel> model_;
  Running running_;
  std::vector<double> values_;  // of inputs
  std::vector<char> given_;
  std::vector<double> arrived_;
  bool started_ = false, stepped_ = false, measures_ = true;
  Status failed_ = Status::ok;  // it cannot go on after that
};

FilterModel::FilterModel(FilterDescription given, std::string_view bytes)
    : description(std::move(given)) {
  const simulation::Description& d = *description.vehicle.description;
  name = description.name;
  step = d.step;
  duration = d.duration;
  whole_steps = true;
  std::string what;
  for (const klingel_kernel* k :
       {d.data.vehicle, d.data.contact, description.on_lanes->data.vehicle,
        description.on_lanes->derivatives})
    if (k != nullptr) what += k->hash;
  what += bytes;
  token = base::sha256(what);

  const Running one(description);  // or an Error
  const simulation::Instance& vehicle = *one.vehicle;
  const kalman::VehicleModel& m = *one.model;
  std::vector<Variable>& inputs = variables[1];
  std::vector<Variable>& outputs = variables[2];  // parameters are first, and there are none
  const auto unit_of = [&](const std::string& channel) {
    return vehicle.channels()[vehicle.channel(channel)].unit;
  };
  for (std::size_t i = 0; i < vehicle.input_names().size(); ++i) {
    // what is estimated is not given
    bool estimated = false;
    for (std::size_t k = 0; k < m.walks(); ++k)
      estimated |= m.walk(k).kind == simulation::Variable::Kind::input && m.walk(k).index == i;
    if (estimated) continue;
    vehicle_inputs.push_back(i);
    inputs.push_back({vehicle.input_names()[i], i < d.input_units.size() ? d.input_units[i] : "",
                      "input of the vehicle; follows the scenario until it is set",
                      vehicle.input_value(i)});
  }
  sensors = m.m;
  for (std::size_t i = 0; i < m.m; ++i) {
    std::string about = "measured at the end of the step; NaN, or never set: missing";
    if (m.sensor_delays()[i] > 0)
      about = "arrives at the end of the step, measured " + std::to_string(m.sensor_delays()[i]) +
              " steps before; NaN, or never set: missing";
    inputs.push_back({m.sensor_names()[i], unit_of(m.sensor_names()[i]), about, 0});
    inputs.back().may_miss = true;
  }
  for (const std::string& sensor : m.sensor_names())
    inputs.push_back({"valid." + sensor, "1", "below 0.5: the measurement is missing", 1});

  using From = Source::Kind;
  const auto add = [&](const std::string& of, const std::string& unit, const char* about,
                       Source source) {
    // an output may be a state, too
    for (const Variable& known : outputs)
      if (known.name == of) return;
    outputs.push_back({of, unit, about, 0, true});
    sources.push_back(source);
  };
  const auto with_sigma = [&](const std::string& of, const std::string& unit, From kind,
                              std::size_t i) {
    add(of, unit, "estimate", {kind, i});
    add(of + ".sigma", unit, "its standard deviation", {kind, i, true});
  };
  for (std::size_t i = 0; i < m.p; ++i)
    with_sigma(m.output_names()[i], unit_of(m.output_names()[i]), From::output, i);
  for (std::size_t i = 0; i < m.walks(); ++i) {
    const simulation::Variable& v = m.walk(i);
    std::string unit;
    if (v.kind == simulation::Variable::Kind::friction) unit = "1";
    if (v.kind == simulation::Variable::Kind::parameter && v.index < d.parameter_units.size())
      unit = d.parameter_units[v.index];
    if (v.kind == simulation::Variable::Kind::input && v.index < d.input_units.size())
      unit = d.input_units[v.index];
    with_sigma(v.name, unit, From::state, m.states() + i);
  }
  for (std::size_t i = 0; i < m.rails().size(); ++i)
    with_sigma(m.rails()[i].name, "m", From::rail, i);
  for (std::size_t i = 0; i < m.states(); ++i) {
    const std::vector<record::Channel>& all = vehicle.channels();
    const auto channel = std::find_if(
        all.begin(), all.end(), [&](const record::Channel& c) { return c.name == m.names()[i]; });
    with_sigma(m.names()[i], channel != all.end() ? channel->unit : "", From::state, i);
  }
  for (std::size_t i = 0; i < m.m; ++i) {
    const std::string& of = m.sensor_names()[i];
    add(of + ".innovation", unit_of(of), "measured less predicted; 0 where nothing was measured",
        {From::residual, i});
    add(of + ".innovation.sigma", unit_of(of), "its standard deviation", {From::residual, i, true});
    add(of + ".used", "1", "1: used, 0: missing, 2: left out as an outlier", {From::used, i});
  }
  add("nis", "1", "normalized innovation squared of the last step", {From::nis});
  add("nis.freedom", "1", "how many measurements that is of", {From::count});
  add("outliers", "1", "measurements left out since the start", {From::outliers});
  add("differenced", "1", "steps since the start whose derivatives were differences",
      {From::differenced});
}

std::unique_ptr<Runner> FilterModel::make() const {
  return std::make_unique<FilterRunner>(shared_from_this());
}

Status FilterRunner::step(double) noexcept {
  if (failed_ != Status::ok) return failed_;
  const std::size_t first = vehicle_inputs(), n = model_->sensors;
  for (std::size_t i = 0; i < n; ++i) {
    const bool there = measures_ && given_[first + i] != 0 && values_[first + n + i] >= 0.5;
    arrived_[i] = there ? values_[first + i] : nan;
  }
  if (running_.filter->take(arrived_, running_.model->sensor_delays())) {
    stepped_ = true;
    return Status::ok;
  }
  const Status of_vehicle = running_.vehicle->simulator().failure().status;
  failed_ = of_vehicle != Status::ok ? of_vehicle : Status::not_finite;
  return failed_;
}

// As record::RailForces has it: within a metre of the end after one more step.
bool FilterRunner::at_end() noexcept {
  const step::Simulator& simulator = running_.vehicle->simulator();
  const track::Track& track = model_->description.vehicle.description->track;
  for (const step::PointState& tread : simulator.state().tread) {
    const double ds = tread.ds[2] * model_->step;
    if (ds > 0 && tread.s[2] + ds > track.end() - 1) return true;
    if (ds < 0 && tread.s[2] + ds < track.begin() + 1) return true;
  }
  return false;
}

double FilterRunner::output(std::size_t index) noexcept {
  const Source& from = model_->sources[index];
  const kalman::Filter& f = *running_.filter;
  const kalman::VehicleModel& m = *running_.model;
  const kalman::Innovations& e = f.innovations();
  // forces, accelerations and innovations belong to steps: there is none yet
  const bool of_step = from.kind != Source::Kind::state && from.kind != Source::Kind::rail;
  if (of_step && !stepped_) return 0;
  switch (from.kind) {
    case Source::Kind::output:
      return from.sigma ? f.output_sigma()[from.index] : f.outputs()[from.index];
    case Source::Kind::state:
      return from.sigma ? f.sigma(from.index) : f.x()[from.index];
    case Source::Kind::rail: {
      const kalman::VehicleModel::Rail& rail = m.rails()[from.index];
      return from.sigma ? m.irregularity_sigma(rail, f.root()) : m.irregularity(rail, f.x().data());
    }
    case Source::Kind::residual:
      if (from.sigma) return e.sigma[from.index];
      return e.used[from.index] != 0 ? e.residual[from.index] : 0;
    case Source::Kind::used:
      return e.used[from.index];
    case Source::Kind::nis:
      return e.nis;
    case Source::Kind::count:
      return static_cast<double>(e.count);
    case Source::Kind::outliers:
      return static_cast<double>(f.outliers());
    case Source::Kind::differenced:
      return static_cast<double>(m.differenced());
  }
  return nan;
}

void FilterRunner::save(base::ByteWriter& bytes) {
  std::vector<double> own = values_;
  for (const char given : given_) own.push_back(given);
  own.insert(own.end(), {started_ ? 1.0 : 0.0, stepped_ ? 1.0 : 0.0, static_cast<double>(failed_)});
  base::field(bytes, own);
  running_.filter->write(bytes);
}

void FilterRunner::restore(base::ByteReader& bytes) {
  std::vector<double> own;
  base::field(bytes, own);
  const std::size_t n = values_.size();
  if (own.size() != 2 * n + 3) base::fail("the state is that of another model");
  Running fresh(model_->description);
  fresh.filter->read(bytes);
  running_ = std::move(fresh);
  std::copy_n(own.begin(), n, values_.begin());
  for (std::size_t i = 0; i < n; ++i) given_[i] = own[n + i] != 0 ? 1 : 0;
  started_ = own[2 * n] != 0, stepped_ = own[2 * n + 1] != 0;
  failed_ = static_cast<Status>(static_cast<int>(own[2 * n + 2]));
}

}  // namespace

std::shared_ptr<const Model> filter_model(FilterDescription description, std::string_view bytes) {
  return std::make_shared<FilterModel>(std::move(description), bytes);
}

std::shared_ptr<const Model> filter_model_of(std::string_view bytes,
                                             std::span<const klingel_kernel* const> kernels,
                                             const std::string& what) {
  return filter_model(read_filter(bytes, kernels, what), bytes);
}

}  // namespace klingel::capi
