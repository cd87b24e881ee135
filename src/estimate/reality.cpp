#include "estimate/reality.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::estimate {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
using Kind = simulation::Variable::Kind;

class Twin : public RealVehicle {
 public:
  Twin(std::shared_ptr<const simulation::Description> description, const Reality& reality,
       double step, const std::vector<std::string>& channels, const track::Track& filter_track)
      : vehicle_(std::move(description)), filter_track_(&filter_track) {
    const double own = vehicle_.description().step, ratio = step / own;
    substeps_ = static_cast<int>(std::lround(ratio));
    if (substeps_ < 1 || std::abs(ratio - substeps_) > 1e-9 * ratio)
      base::fail("the filter's step {} s is no multiple of the twin's {} s", step, own);
    const auto all =
        record::vehicle_channels(vehicle_.simulator(), vehicle_.description().start.body);
    for (const std::string& name : channels) {
      channels_.push_back(vehicle_.channel(name));  // an Error with near names
      is_mean_.push_back(all[channels_.back()].of_step ? 1 : 0);
    }
    for (const Change& c : reality.events) changes_.push_back(found(c));
    values_.assign(channels_.size(), missing);
    vehicle_.start();
  }

  bool advance() override {
    std::fill(values_.begin(), values_.end(), 0);
    for (int i = 0; i < substeps_; ++i) {
      apply_changes();
      if (!vehicle_.step()) return false;
      for (std::size_t k = 0; k < channels_.size(); ++k)
        if (is_mean_[k] != 0) values_[k] += vehicle_.value(channels_[k]) / substeps_;
    }
    for (std::size_t k = 0; k < channels_.size(); ++k)
      if (is_mean_[k] == 0) values_[k] = vehicle_.value(channels_[k]);
    return true;
  }
  std::string why() const override { return vehicle_.failure(); }
  double value(std::size_t channel) override { return values_[channel]; }

  double truth(const simulation::Variable& v) override {
    switch (v.kind) {
      case Kind::parameter:
        return vehicle_.parameter_value(v.index);
      case Kind::input:
        return vehicle_.input_value(v.index);
      case Kind::friction:
        return friction(v.index);
      case Kind::shift:
        return missing;
      default:
        return simulation::value_in(vehicle_.simulator().state(), v);
    }
  }

  double irregularity(std::size_t wheelset, std::size_t part) override {
    const step::Simulator& simulator = vehicle_.simulator();
    for (std::size_t w = 0; w < simulator.data().wheels.size(); ++w) {
      if (simulator.data().wheels[w].wheelset != wheelset) continue;
      const double s = simulator.state().tread[w].s[2];
      const track::RailDeviation real = vehicle_.description().track.deviation(s);
      const track::RailDeviation known = filter_track_->deviation(s);
      const double left_y = real.left_lateral - known.left_lateral;
      const double right_y = real.right_lateral - known.right_lateral;
      const double left_z = real.left_vertical - known.left_vertical;
      const double right_z = real.right_vertical - known.right_vertical;
      if (part == simulation::lateral) return (left_y + right_y) / 2;
      if (part == simulation::vertical) return (left_z + right_z) / 2;
      return left_z - right_z;
    }
    return missing;
  }

 private:
  struct Event {
    Kind kind;
    std::size_t index;
    Change change;
    double from = 0;
    bool begun = false, done = false;
  };

  Event found(const Change& c) {
    const std::vector<simulation::Variable> all = simulation::given_variables(vehicle_.simulator());
    std::vector<std::string> names;
    for (const simulation::Variable& v : all) {
      if (v.kind == Kind::shift) continue;
      if (v.name == c.name) return {v.kind, v.index, c};
      names.push_back(v.name);
    }
    base::fail_at(c.place, "the twin has no parameter, friction or input '{}'{}", c.name,
                  base::did_you_mean(c.name, names));
  }

  double friction(std::size_t index) {
    const step::Simulator& simulator = vehicle_.simulator();
    if (index < simulator.data().wheels.size()) return simulator.friction(index);
    double sum = 0;
    for (std::size_t w = 0; w < simulator.data().wheels.size(); ++w) sum += simulator.friction(w);
    return sum / static_cast<double>(simulator.data().wheels.size());
  }

  void apply_changes() {
    const double t = vehicle_.time();
    for (Event& e : changes_) {
      if (e.done || t < e.change.t) continue;
      if (!e.begun) {
        e.begun = true;
        e.from = e.kind == Kind::parameter ? vehicle_.parameter_value(e.index)
                 : e.kind == Kind::input   ? vehicle_.input_value(e.index)
                                           : friction(e.index);
      }
      const double part = e.change.over > 0 ? std::min((t - e.change.t) / e.change.over, 1.0) : 1;
      const double value = e.from + part * (e.change.value - e.from);
      if (e.kind == Kind::parameter) vehicle_.set_parameter(e.index, value);
      if (e.kind == Kind::input) vehicle_.set_input(e.index, value);
      const std::size_t wheels = vehicle_.simulator().data().wheels.size();
      for (std::size_t w = 0; e.kind == Kind::friction && w < wheels; ++w)
        if (e.index == w || e.index == wheels) vehicle_.set_friction(w, value);
      e.done = part >= 1;
    }
  }

  simulation::Instance vehicle_;
  const track::Track* filter_track_;
  int substeps_ = 1;
  std::vector<std::size_t> channels_;
  std::vector<char> is_mean_;
  std::vector<double> values_;
  std::vector<Event> changes_;
};

class Replay : public RealVehicle {
 public:
  Replay(const std::string& file, double step, const std::vector<std::string>& channels,
         const std::vector<char>& of_step, std::size_t needed)
      : rows_(std::filesystem::path(file).extension() == ".h5" ? record::read_hdf5(file)
                                                               : record::read_csv(file)),
        step_(step),
        of_step_(of_step) {
    std::vector<std::string> names;
    for (const record::Channel& c : rows_.channels()) names.push_back(c.name);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const auto at = std::find(names.begin(), names.end(), channels[i]);
      if (at == names.end() && i < needed)
        base::fail("the recording '{}' has no channel '{}'{}", file, channels[i],
                   base::did_you_mean(channels[i], names));
      column_.push_back(at == names.end() ? npos : static_cast<std::size_t>(at - names.begin()));
    }
    t_ = rows_.column("t");
    if (t_.empty()) base::fail("the recording '{}' has no rows", file);
    begin_ = t_.front();
  }

  bool advance() override {
    ++steps_;
    const double t = begin_ + static_cast<double>(steps_) * step_;
    while (row_ + 1 < t_.size() && t_[row_ + 1] < t - step_ / 2) before_ = ++row_;
    at_ = row_ + 1 < t_.size() && std::abs(t_[row_ + 1] - t) <= step_ / 2 ? row_ + 1 : npos;
    if (at_ != npos) before_ = row_;
    if (at_ != npos) row_ = at_;
    return t_[t_.size() - 1] >= t - step_ / 2;
  }
  std::string why() const override { return {}; }
  double value(std::size_t channel) override {
    if (column_[channel] == npos || at_ == npos) return missing;
    return rows_.column(column_[channel])[of_step_[channel] != 0 ? before_ : at_];
  }
  double truth(const simulation::Variable& v) override {
    if (at_ == npos || (v.kind != Kind::q && v.kind != Kind::dq)) return missing;
    for (std::size_t i = 0; i < rows_.channels().size(); ++i)
      if (rows_.channels()[i].name == v.name) return rows_.column(i)[at_];
    return missing;
  }
  double irregularity(std::size_t, std::size_t) override { return missing; }

 private:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  record::Recording rows_;
  double step_, begin_ = 0;
  std::vector<char> of_step_;
  std::vector<std::size_t> column_;
  std::span<const double> t_;
  std::size_t steps_ = 0, row_ = 0, at_ = npos, before_ = 0;
};

// Adds to each "seed = N" of a track file.
std::string with_other_seeds(std::string_view text, std::int64_t more) {
  constexpr std::string_view key = "seed", digits = "0123456789";
  std::string changed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find(key, at), end = text.find_first_not_of(" =", found + 4);
    if (found == text.npos || end == text.npos) {
      changed += text.substr(at);
      break;
    }
    changed += text.substr(at, end - at);
    at = end;
    const bool is_key = (found == 0 || text[found - 1] == '\n' || text[found - 1] == ' ') &&
                        text.substr(found, end - found).find('=') != text.npos;
    if (!is_key || digits.find(text[end]) == digits.npos) continue;
    at = std::min(text.find_first_not_of(digits, end), text.size());
    changed += std::to_string(std::stoll(std::string(text.substr(end, at - end))) + more);
  }
  return changed;
}

}  // namespace

std::shared_ptr<const simulation::Description> on_track_of_seed(
    const simulation::Description& description, const std::string& track_file, std::int64_t seed) {
  const auto d = std::make_shared<simulation::Description>(description);
  const std::string text = base::read_file(track_file);
  const std::string changed = with_other_seeds(text, seed);
  d->track = track::build_track(vehicle::parse_track(changed, track_file));
  d->data.left.line = d->track.left;
  d->data.right.line = d->track.right;
  return d;
}

std::unique_ptr<RealVehicle> make_twin(std::shared_ptr<const simulation::Description> description,
                                       const Reality& reality, double step,
                                       const std::vector<std::string>& channels,
                                       const track::Track& filter_track) {
  return std::make_unique<Twin>(std::move(description), reality, step, channels, filter_track);
}

std::unique_ptr<RealVehicle> make_replay(const std::string& file, double step,
                                         const std::vector<std::string>& channels,
                                         const std::vector<char>& of_step,
                                         std::size_t needed_channels) {
  return std::make_unique<Replay>(file, step, channels, of_step, needed_channels);
}

}  // namespace klingel::estimate
