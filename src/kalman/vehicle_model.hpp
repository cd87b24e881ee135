// A vehicle on its track as a filter sees it. x is made of
//
//   chosen numbers of what the step remembers (simulation/variable.hpp); what is not chosen goes
//   along with the model and counts as known,
//   parameters, friction and inputs as random walks,
//   coefficients of the rails under the vehicle (rail_noise.hpp), one stretch for wheelsets that
//   are near each other, such as those of a bogie. They belong to places of the track: wheelsets
//   run over them, and every now and then a new one comes in front and the last one is dropped.
//
// The step is the vehicle's own. Its derivatives are generated where the description has kernels of
// them and they know all that is asked for (step_derivative.hpp); else, and in single steps that
// these do not describe, they are differences on lanes (step_map.hpp), in rounds if so many columns
// are too long for a step. Those by coefficients follow from those by the place and rate of the
// rail under each wheelset: the rail moves from e to e(t+h) in a straight line.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kalman/filter.hpp"
#include "kalman/rail_noise.hpp"
#include "simulation/linearise.hpp"

namespace klingel::kalman {

struct Setup {
  // Standard deviation at the start, and of what is added per square root of a second.
  struct State {
    std::string pattern;  // of variables of x; a later one that fits replaces an earlier one
    double sigma = 0, noise = 0;
  };
  struct Walk {
    std::string name;  // p.NAME, friction.WHEEL, friction.all or u.NAME
    double sigma = 0, noise = 0;
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
  };
  struct Irregularity {
    std::size_t part = simulation::lateral;  // or vertical, cross_level
    track::Spectrum spectrum;
    std::string wheelsets = "*";        // pattern
    double shortest = 3, longest = 70;  // waves, m
    double reach = 5;     // m: wheelsets that follow each other within it run on the same stretch
    double start = 0.01;  // standard deviation at the start, in that of the spectrum
  };
  struct Sensor {
    std::string channel;
    double sigma = 0;
    std::size_t delay = 0;  // steps until a sample arrives
  };
  std::vector<State> states;
  std::vector<std::string> without;  // patterns: not estimated, though a pattern of states fits
  std::vector<Walk> walks;
  std::vector<Irregularity> irregularities;
  std::vector<Sensor> sensors;
  std::vector<std::string> outputs;  // patterns of channels
  // Columns of differences that are renewed in a step, in rounds; a round is used when all of it is
  // there. 0: all in every step. Generated derivatives always are.
  std::size_t columns = 0;
  FilterOptions filter;
};

// Parameters ("p.NAME"), friction and inputs that begin with other values than the vehicle's.
using StartValues = std::vector<std::pair<std::string, double>>;
// Parameters and friction act on the start and come before it, inputs after it. Unknown names are
// Errors.
void give_before_start(simulation::Instance& vehicle, const StartValues& values);
void give_after_start(simulation::Instance& vehicle, const StartValues& values);

class VehicleModel : public Model {
 public:
  // The vehicle has been started and must outlive it: the filter steps it. on_lanes: the same on
  // lanes, or its own description. Wrong names and numbers are Errors. Allocates.
  VehicleModel(std::shared_ptr<const simulation::Description> on_lanes,
               simulation::Instance& vehicle, const Setup& setup);

  void prepare(double* x, Array& S) override;
  bool go(const double* x, double* result, Array& J) override;
  void spread(std::size_t count, const double* points, double* results, char* good) override;
  void settle(double* x) override;
  void make_slots(std::size_t count) override;
  void remember(std::size_t slot) override;
  void recall(std::size_t slot) override;
  void write(base::ByteWriter& bytes) override;
  void read(base::ByteReader& bytes) override;

  const std::vector<std::string>& names() const { return names_; }  // of x
  // The names of sensors and outputs.
  const std::vector<std::string>& sensor_names() const { return sensor_names_; }
  const std::vector<std::string>& output_names() const { return output_names_; }
  std::size_t states() const { return states_.size(); }
  const simulation::Variable& state(std::size_t i) const { return states_[i]; }
  std::size_t walks() const { return walks_.size(); }
  const simulation::Variable& walk(std::size_t i) const { return walks_[i]; }

  // One kind of irregularity under one wheelset.
  struct Rail {
    std::size_t wheelset, part, stretch;
    std::string name;  // "lateral.front.front"
  };
  const std::vector<Rail>& rails() const { return rails_; }
  // Where the wheelset is now, of x; its standard deviation by the root of the covariance.
  double irregularity(const Rail& rail, const double* x) const;
  double irregularity_sigma(const Rail& rail, const Array& root) const;

  // Where the filter begins.
  const std::vector<double>& start() const { return start_; }
  const Array& start_root() const { return start_root_; }
  const Array& noise() const { return noise_; }
  const std::vector<double>& sensor_sigma() const { return sensor_sigma_; }
  const std::vector<std::size_t>& sensor_delays() const { return sensor_delays_; }
  const FilterOptions& options() const { return options_; }

  // What sensors learn of each element of x within so many steps, with derivatives of now: how much
  // its variance at the start falls, as 1/(1 - information) - 1. Zero: nothing at all.
  std::vector<double> information(const Array& J, std::size_t steps) const;

  simulation::Instance& vehicle() { return *vehicle_; }
  std::uint64_t events() const { return events_; }  // columns across an event
  // Whether derivatives are generated, and steps that were differenced.
  bool generates() const { return derivative_ != nullptr; }
  std::uint64_t differenced() const { return differenced_; }

 private:
  void choose_states(const Setup& setup);
  void choose_walks(const Setup& setup);
  void choose_rails(const Setup& setup);
  void choose_channels(const Setup& setup);
  void set_start(const Setup& setup);
  void to_point(const double* x, double* point) const;
  void to_result(const double* x, const double* raw, double* result) const;
  void renew_columns();
  // Four coefficients of x and their weights.
  struct Weights {
    std::size_t first = 0;
    std::array<double, 4> by{};
    double of(const double* x) const {
      return by[0] * x[first] + by[1] * x[first + 1] + by[2] * x[first + 2] + by[3] * x[first + 3];
    }
  };
  Weights weights(const Rail& rail, double s) const;
  double place(std::size_t wheelset) const;  // along the track
  double speed() const;
  void place_rails();
  void fill(Array& J) const;

  simulation::Instance* vehicle_;
  std::vector<simulation::Variable> states_, walks_;
  std::vector<Setup::State> state_noise_;
  std::vector<Setup::Walk> walk_limits_;
  // Coefficients of one kind under some wheelsets.
  struct Stretch {
    RailNoise noise;
    std::size_t first, count, column;  // of x; column of the noise
    std::size_t head;                  // the wheelset in front
    double start;
    std::int64_t begin = 0;  // which coefficient of the track is the first
  };
  std::vector<Stretch> stretches_;
  std::vector<Rail> rails_;
  std::vector<Weights> now_, then_;    // of each rail, at the beginning and the end of a step
  std::vector<std::size_t> wheel_of_;  // one of each wheelset
  std::size_t speed_channel_ = 0;
  std::vector<std::size_t> channels_;  // sensors, then outputs
  std::vector<std::string> names_, sensor_names_, output_names_;
  std::vector<double> start_, sensor_sigma_;
  std::vector<std::size_t> sensor_delays_;
  Array start_root_, noise_;
  FilterOptions options_;
  double h_;

  std::unique_ptr<simulation::StepMap> map_;
  std::unique_ptr<simulation::StepDerivative> derivative_;
  std::uint64_t differenced_ = 0;
  std::vector<double> point_, raw_, points_, results_;
  // Derivatives by columns of the map: those in use, and those of the round that goes on, all taken
  // at one place. Columns of different places would contradict each other: the filter would believe
  // to know what nobody can know, such as the place of vehicle and rails together.
  std::vector<double> D_, D_next_, middle_point_, middle_;
  simulation::StepMap::Branch middle_branch_ = 0;
  std::vector<simulation::StepMap::Branch> branches_;
  std::size_t columns_, next_column_ = 0;
  bool all_known_ = false;
  std::uint64_t events_ = 0;
  step::VehicleState state_;

  struct Slot {
    step::VehicleState state;
    std::vector<double> inputs;
    std::vector<std::int64_t> begin;  // of stretches
  };
  std::vector<Slot> slots_;

  // The vehicle as it was, with what walks and callers change of it.
  struct Snapshot {
    step::VehicleState state;
    std::vector<double> parameters, friction, inputs, given;
  };
  void take(Snapshot& to, const step::VehicleState& state) const;
  void put(const Snapshot& from);
  template <class Bytes>
  void fields(Bytes& bytes, Snapshot& now);
  Snapshot round_;  // where the round of differences that goes on began
};

}  // namespace klingel::kalman
