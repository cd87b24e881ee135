#include "kalman/vehicle_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::kalman {

using simulation::StepMap;
using simulation::Variable;
using Kind = Variable::Kind;

namespace {

// Inside the limits, by enough that differences (1e-6 of a parameter) stay inside, too: a damping
// of zero would be tried with a negative one.
double within(const Setup::Walk& walk, double value) {
  const auto room = [](double limit) {
    return std::isfinite(limit) ? 2e-6 * std::max(std::abs(limit), 1e-6) : 0;
  };
  return std::clamp(value, walk.least + room(walk.least), walk.most - room(walk.most));
}

}  // namespace

VehicleModel::VehicleModel(std::shared_ptr<const simulation::Description> on_lanes,
                           simulation::Instance& vehicle, const Setup& setup)
    : vehicle_(&vehicle),
      options_(setup.filter),
      h_(vehicle.description().step),
      state_(vehicle.simulator().state()) {
  choose_states(setup);
  choose_walks(setup);
  choose_rails(setup);
  choose_channels(setup);
  set_start(setup);
  std::vector<Variable> from = states_;
  from.insert(from.end(), walks_.begin(), walks_.end());
  const std::vector<Variable> given = simulation::given_variables(vehicle.simulator());
  for (const Rail& rail : rails_)
    for (const std::size_t part : {rail.part, rail.part + simulation::dlateral})
      for (const Variable& v : given)
        if (v.kind == Kind::shift && v.index == rail.wheelset && v.part == part) from.push_back(v);
  if (options_.method == Method::extended &&
      simulation::StepDerivative::describes(*on_lanes, vehicle, from, states_, channels_))
    derivative_ =
        std::make_unique<simulation::StepDerivative>(on_lanes, vehicle, from, states_, channels_);
  map_ =
      std::make_unique<StepMap>(std::move(on_lanes), vehicle, std::move(from), states_, channels_);
  const std::size_t columns = map_->inputs();
  columns_ = setup.columns == 0 ? columns : std::min(setup.columns, columns);
  // as many points at once as a spread of a filter has
  const std::size_t points = std::max(2 * columns, 2 * n);
  point_.assign(columns, 0);
  raw_.assign(map_->outputs(), 0);
  points_.assign(points * columns, 0);
  results_.assign(points * map_->outputs(), 0);
  branches_.assign(points, 0);
  D_.assign(map_->outputs() * columns, 0);
  D_next_ = D_, middle_point_ = point_, middle_ = raw_;
  now_.resize(rails_.size()), then_.resize(rails_.size());
  take(round_, state_);
  place_rails();
}

double VehicleModel::place(std::size_t wheelset) const {
  return vehicle_->simulator().state().tread[wheel_of_[wheelset]].s[2];
}

double VehicleModel::speed() const { return vehicle_->value(speed_channel_); }

VehicleModel::Weights VehicleModel::weights(const Rail& rail, double s) const {
  const Stretch& stretch = stretches_[rail.stretch];
  const double at = s / stretch.noise.spacing, whole = std::floor(at);
  const std::int64_t last = static_cast<std::int64_t>(stretch.count) - 4;
  const std::int64_t first = static_cast<std::int64_t>(whole) - 1 - stretch.begin;
  return {stretch.first + static_cast<std::size_t>(std::clamp<std::int64_t>(first, 0, last)),
          RailNoise::weights(at - whole)};
}

void VehicleModel::place_rails() {
  for (std::size_t r = 0; r < rails_.size(); ++r) {
    const double s = place(rails_[r].wheelset);
    now_[r] = weights(rails_[r], s);
    then_[r] = weights(rails_[r], s + h_ * speed());
  }
}

void VehicleModel::prepare(double* x, Array& S) {
  if (stretches_.empty()) return;
  const std::size_t columns = S.columns();
  for (Stretch& stretch : stretches_) {
    const RailNoise& noise = stretch.noise;
    const std::size_t end = stretch.first + stretch.count, last = end - 1;
    const std::size_t own = n + stretch.column;
    S(last, own) = 0;
    const double head = (place(stretch.head) + h_ * speed()) / noise.spacing;
    const auto needed = static_cast<std::int64_t>(std::floor(head)) + 2;
    while (stretch.begin + static_cast<std::int64_t>(stretch.count) <= needed) {
      // the new one from those in front, in the place of the one that is dropped [eq:rail]
      double *row = S.row(stretch.first), ahead = 0;
      std::fill_n(row, columns, 0.0);
      for (std::size_t j = 0; j < RailNoise::order; ++j) {
        const double a = noise.a[j], *from = S.row(last - j);
        ahead += a * x[last - j];
        for (std::size_t c = 0; c < columns; ++c) row[c] += a * from[c];
      }
      row[own] += noise.b;
      x[stretch.first] = ahead;
      std::rotate(x + stretch.first, x + stretch.first + 1, x + end);
      std::rotate(row, row + columns, row + stretch.count * columns);
      ++stretch.begin;
    }
  }
  place_rails();
}

double VehicleModel::irregularity(const Rail& rail, const double* x) const {
  return weights(rail, place(rail.wheelset)).of(x);
}

double VehicleModel::irregularity_sigma(const Rail& rail, const Array& root) const {
  const Weights w = weights(rail, place(rail.wheelset));
  double variance = 0;
  for (std::size_t c = 0; c < n; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += w.by[i] * root(w.first + i, c);
    variance += sum * sum;
  }
  return std::sqrt(variance);
}

// From x to what the step takes.
void VehicleModel::to_point(const double* x, double* point) const {
  const std::size_t direct = states_.size() + walks_.size();
  std::copy_n(x, direct, point);
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    double& value = point[states_.size() + i];
    value = within(walk_limits_[i], value);
  }
  for (std::size_t r = 0; r < rails_.size(); ++r) {
    const double e = now_[r].of(x);
    point[direct + 2 * r] = e;
    point[direct + 2 * r + 1] = (then_[r].of(x) - e) / h_;
  }
}

// And from what it gives to x, y and o at t+h.
void VehicleModel::to_result(const double* x, const double* raw, double* result) const {
  std::copy_n(raw, states_.size(), result);
  // walks and rails stay as they are
  std::copy(x + states_.size(), x + n, result + states_.size());
  std::copy_n(raw + states_.size(), m + p, result + n);
}

bool VehicleModel::go(const double* x, double* result, Array& J) {
  step::Simulator& simulator = vehicle_->simulator();
  state_ = simulator.state();
  to_point(x, point_.data());
  // the place where the derivatives of this round are taken
  const bool renews = options_.method == Method::extended;
  const bool begins = !renews || next_column_ == 0;
  if (begins) map_->begin_at(*vehicle_);

  // the step itself
  const double* shifts = &point_[states_.size() + walks_.size()];
  const step::VehicleData& data = simulator.data();
  for (std::size_t w = 0; w < data.wheels.size() && !rails_.empty(); ++w) {
    step::RailShift shift;
    const double half = data.wheels[w].side == profile::Side::left ? 0.5 : -0.5;
    for (std::size_t r = 0; r < rails_.size(); ++r) {
      if (rails_[r].wheelset != data.wheels[w].wheelset) continue;
      const double e = shifts[2 * r], rate = shifts[2 * r + 1];
      if (rails_[r].part == simulation::lateral) shift.y += e, shift.dy += rate;
      if (rails_[r].part == simulation::vertical) shift.z += e, shift.dz += rate;
      if (rails_[r].part == simulation::cross_level) shift.z += half * e, shift.dz += half * rate;
    }
    simulator.shift_rail(w, shift);
    if (derivative_) derivative_->shift_rail(w, shift);
  }
  if (!vehicle_->step()) {
    simulator.set_state(state_);
    return false;
  }
  const step::VehicleState& after = simulator.state();
  for (std::size_t i = 0; i < states_.size(); ++i)
    raw_[i] = simulation::value_in(after, states_[i]);
  for (std::size_t i = 0; i < channels_.size(); ++i)
    raw_[states_.size() + i] = vehicle_->value(channels_[i]);
  to_result(x, raw_.data(), result);
  if (!renews) return true;
  if (begins) {
    middle_point_ = point_, middle_ = raw_;
    middle_branch_ = StepMap::branch_of_last_step(simulator);
  }
  if (derivative_ && derivative_->find(simulator, state_, D_.data())) {
    all_known_ = true, next_column_ = 0;
  } else {
    ++differenced_;
    renew_columns();
    if (begins && next_column_ != 0) take(round_, state_);
  }
  fill(J);
  return true;
}

void VehicleModel::renew_columns() {
  const std::size_t columns = map_->inputs(), size = map_->outputs();
  const std::size_t first = next_column_;
  const std::size_t count = all_known_ ? std::min(columns_, columns - first) : columns;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t j = first + k;
    const Variable& v = map_->from()[j];
    double *ahead = &points_[2 * k * columns], *behind = ahead + columns;
    std::copy_n(middle_point_.data(), columns, ahead);
    std::copy_n(middle_point_.data(), columns, behind);
    const double size_of =
        v.kind == Kind::parameter ? std::max(std::abs(middle_point_[j]), 1e-6) : 1;
    ahead[j] += v.delta * size_of;
    behind[j] -= v.delta * size_of;
  }
  map_->evaluate(2 * count, points_.data(), results_.data(), branches_.data());
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t j = first + k;
    const double delta = (points_[2 * k * columns + j] - points_[(2 * k + 1) * columns + j]) / 2;
    const StepMap::Branch branches[] = {middle_branch_, branches_[2 * k], branches_[2 * k + 1]};
    const simulation::Side side = simulation::difference(middle_.data(), &results_[2 * k * size],
                                                         &results_[(2 * k + 1) * size], branches,
                                                         delta, size, &D_next_[j * size]);
    events_ += side != simulation::Side::both;
  }
  next_column_ = (first + count) % columns;
  if (next_column_ == 0) std::swap(D_, D_next_), all_known_ = true;
}

// Derivatives by x from those by what the step takes.
void VehicleModel::fill(Array& J) const {
  J.clear();
  const std::size_t size = map_->outputs(), direct = states_.size() + walks_.size();
  const auto add = [&](std::size_t column, const double* from, double factor) {
    for (std::size_t i = 0; i < states_.size(); ++i) J(i, column) += factor * from[i];
    for (std::size_t i = 0; i < m + p; ++i) J(n + i, column) += factor * from[states_.size() + i];
  };
  for (std::size_t j = 0; j < direct; ++j) add(j, &D_[j * size], 1);
  for (std::size_t i = states_.size(); i < n; ++i) J(i, i) = 1;
  for (std::size_t r = 0; r < rails_.size(); ++r) {
    const double *by_e = &D_[(direct + 2 * r) * size], *by_rate = by_e + size;
    for (std::size_t i = 0; i < 4; ++i) {
      add(now_[r].first + i, by_e, now_[r].by[i]);
      add(now_[r].first + i, by_rate, -now_[r].by[i] / h_);
      add(then_[r].first + i, by_rate, then_[r].by[i] / h_);
    }
  }
}

void VehicleModel::spread(std::size_t count, const double* points, double* results, char* good) {
  const std::size_t columns = map_->inputs(), size = map_->outputs();
  for (std::size_t k = 0; k < count; ++k) to_point(points + k * n, &points_[k * columns]);
  map_->evaluate(count, points_.data(), results_.data(), branches_.data());
  for (std::size_t k = 0; k < count; ++k) {
    good[k] = branches_[k] != StepMap::failed ? 1 : 0;
    to_result(points + k * n, &results_[k * size], results + k * this->results());
  }
}

void VehicleModel::settle(double* x) {
  step::Simulator& simulator = vehicle_->simulator();
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    double& value = x[states_.size() + i];
    value = within(walk_limits_[i], value);
    const Variable& v = walks_[i];
    if (v.kind == Kind::parameter && vehicle_->parameter_value(v.index) != value)
      vehicle_->set_parameter(v.index, value);
    if (v.kind == Kind::input) vehicle_->set_input(v.index, value);
    const std::size_t wheels = simulator.data().wheels.size();
    for (std::size_t w = 0; v.kind == Kind::friction && w < wheels; ++w)
      if (v.index == w || v.index == wheels) vehicle_->set_friction(w, value);
  }
  state_ = simulator.state();
  for (std::size_t i = 0; i < states_.size(); ++i) simulation::put_in(state_, states_[i], x[i]);
  simulator.set_state(state_);
}

void VehicleModel::make_slots(std::size_t count) {
  slots_.assign(count, {state_, std::vector<double>(vehicle_->input_names().size(), 0),
                        std::vector<std::int64_t>(stretches_.size(), 0)});
}

void VehicleModel::remember(std::size_t slot) {
  slots_[slot].state = vehicle_->simulator().state();
  for (std::size_t i = 0; i < slots_[slot].inputs.size(); ++i)
    slots_[slot].inputs[i] = vehicle_->input_given(i) ? vehicle_->input_value(i) : 0;
  for (std::size_t i = 0; i < stretches_.size(); ++i) slots_[slot].begin[i] = stretches_[i].begin;
}

// Parameters and the like follow from x: the filter settles after every step.
void VehicleModel::recall(std::size_t slot) {
  next_column_ = 0;  // a new round
  vehicle_->simulator().set_state(slots_[slot].state);
  for (std::size_t i = 0; i < slots_[slot].inputs.size(); ++i)
    if (vehicle_->input_given(i)) vehicle_->set_input(i, slots_[slot].inputs[i]);
  for (std::size_t i = 0; i < stretches_.size(); ++i) stretches_[i].begin = slots_[slot].begin[i];
}

std::vector<double> VehicleModel::information(const Array& J, std::size_t steps) const {
  // rows C A^k R^-1/2, columns in units of the standard deviation at the start
  std::vector<double> sum(n, 0), scale(n);
  for (std::size_t j = 0; j < n; ++j) scale[j] = std::sqrt(square(start_root_.row(j), j + 1));
  Array row(m, n), next(m, n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) row(i, j) = J(n + i, j) / sensor_sigma_[i];
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) sum[j] += row(i, j) * scale[j] * row(i, j) * scale[j];
    multiply(row, m, n, J, n, next, 0, 0);
    std::swap(row, next);
  }
  return sum;
}

}  // namespace klingel::kalman
