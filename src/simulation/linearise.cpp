#include "simulation/linearise.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::simulation {
namespace {

std::vector<std::string> names_of(const std::vector<Variable>& variables) {
  std::vector<std::string> names;
  for (const Variable& v : variables) names.push_back(v.name);
  return names;
}

}  // namespace

Side difference(const double* middle, const double* ahead, const double* behind,
                const StepMap::Branch* branches, double delta, std::size_t size, double* out) {
  const bool a = branches[1] == branches[0], b = branches[2] == branches[0];
  const bool both_failed = branches[1] == StepMap::failed && branches[2] == StepMap::failed;
  Side side = a && b ? Side::both : a ? Side::ahead : b ? Side::behind : Side::across;
  // across an event, but not across a failure
  if (side == Side::across && !both_failed && branches[1] == StepMap::failed) side = Side::behind;
  if (side == Side::across && !both_failed && branches[2] == StepMap::failed) side = Side::ahead;
  const double* high = side == Side::behind ? middle : ahead;
  const double* low = side == Side::ahead ? middle : behind;
  const double over = side == Side::both || side == Side::across ? 2 * delta : delta;
  for (std::size_t i = 0; i < size; ++i) out[i] = both_failed ? 0 : (high[i] - low[i]) / over;
  return side;
}

Lineariser::Lineariser(std::shared_ptr<const Description> on_lanes, const Instance& like,
                       const LineariseOptions& options)
    : one_sided_(options.one_sided) {
  const step::Simulator& simulator = like.simulator();
  std::vector<Variable> states = remembered_variables(simulator);
  if (!options.states.empty()) states = select(states, options.states);
  const std::vector<Variable> given = options.given.empty()
                                          ? std::vector<Variable>{}
                                          : select(given_variables(simulator), options.given);
  std::vector<std::size_t> channels;
  if (!options.channels.empty()) channels = record::select(like.channels(), options.channels);
  state_names_ = names_of(states), given_names_ = names_of(given);
  for (const std::size_t i : channels) channel_names_.push_back(like.channels()[i].name);
  std::vector<Variable> from = states;
  from.insert(from.end(), given.begin(), given.end());
  result_.states = states.size(), result_.given = given.size();
  result_.channels = channels.size();
  states_ = states, channels_ = channels;
  if (!options.differences && StepDerivative::describes(*on_lanes, like, from, states, channels)) {
    one_ = std::make_unique<Instance>(std::make_shared<const Description>(like.description()));
    derivative_ = std::make_unique<StepDerivative>(on_lanes, *one_, from, states, channels);
  }
  map_ = std::make_unique<StepMap>(std::move(on_lanes), like, from, std::move(states),
                                   std::move(channels));
  const std::size_t n = map_->inputs(), points = 1 + (one_sided_ ? 1 : 2) * n;
  points_.assign(points * n, 0);
  results_.assign(points * map_->outputs(), 0);
  branches_.assign(points, 0);
  deltas_.assign(n, 0);
  result_.J.assign(map_->outputs() * n, 0);
  result_.x.assign(result_.states, 0), result_.y.assign(result_.channels, 0);
  result_.sides.assign(n, Side::both);
}

// The step itself is done aside.
bool Lineariser::generate(const Instance& at) {
  one_->become(at);
  step::Simulator& stepped = one_->simulator();
  const Description& d = one_->description();
  if (channels_.empty()) {  // nobody asks for places along the track
    one_->set_inputs(one_->time());
    if (stepped.step(d.step, d.method) != runtime::Status::ok) return false;
  } else if (!one_->step()) {
    return false;
  }
  if (!derivative_->find(stepped, at.simulator().state(), result_.J.data())) return false;
  for (std::size_t i = 0; i < result_.states; ++i)
    result_.x[i] = value_in(stepped.state(), states_[i]);
  for (std::size_t i = 0; i < result_.channels; ++i) result_.y[i] = one_->value(channels_[i]);
  std::fill(result_.sides.begin(), result_.sides.end(), Side::both);
  result_.one_sided = result_.across = 0;
  return true;
}

bool Lineariser::linearise(const Instance& at) {
  result_.generated = derivative_ != nullptr && generate(at);
  if (result_.generated) return true;
  differenced_ += derivative_ != nullptr ? 1 : 0;
  map_->begin_at(at);
  const std::size_t n = map_->inputs(), m = map_->outputs(), points = branches_.size();
  map_->point({points_.data(), n});
  for (std::size_t k = 1; k < points; ++k) std::copy_n(points_.data(), n, &points_[k * n]);
  for (std::size_t j = 0; j < n; ++j) {
    const Variable& v = map_->from()[j];
    const double x = points_[j];
    double delta = v.delta;
    if (v.kind == Variable::Kind::parameter) delta *= x != 0 ? std::abs(x) : 1;
    double& ahead = points_[(1 + j) * n + j];
    ahead = x + delta;
    deltas_[j] = ahead - x;  // as it is in the numbers
    if (!one_sided_) points_[(1 + n + j) * n + j] = x - deltas_[j];
  }
  map_->evaluate(points, points_.data(), results_.data(), branches_.data());
  if (branches_[0] == StepMap::failed) return false;
  std::copy_n(results_.data(), result_.states, result_.x.data());
  std::copy_n(results_.data() + result_.states, result_.channels, result_.y.data());
  result_.one_sided = result_.across = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t a = 1 + j, b = one_sided_ ? a : 1 + n + j;
    // a forward difference has no other side to choose
    const StepMap::Branch branches[] = {branches_[0], branches_[a],
                                        one_sided_ ? StepMap::failed : branches_[b]};
    Side side = difference(results_.data(), &results_[a * m], &results_[b * m], branches,
                           deltas_[j], m, &result_.J[j * m]);
    if (one_sided_ && branches_[a] != branches_[0]) side = Side::across;
    result_.sides[j] = side;
    result_.one_sided += side == Side::ahead || side == Side::behind;
    result_.across += side == Side::across;
  }
  return true;
}

}  // namespace klingel::simulation
