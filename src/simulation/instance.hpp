// One running vehicle: parameters and inputs, start, steps, channels by name, save and restore,
// recording. Packages, FMUs and the public header klingel/simulation.hpp wrap this class.
//
//   simulation::Instance vehicle(description);      // allocates
//   vehicle.start();                                // on its track; allocates
//   const std::size_t Q = vehicle.channel("Q.front.front.left");
//   while (!vehicle.finished()) {
//     if (!vehicle.step()) ... vehicle.failure();   // neither allocates nor throws
//     use(vehicle.value(Q));
//   }
//
// Unknown names are Errors that suggest near ones. For one thread; the description may be shared.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/rail_forces.hpp"
#include "record/recorder.hpp"
#include "record/vehicle_channels.hpp"
#include "simulation/description.hpp"

namespace klingel::simulation {

class Instance {
 public:
  explicit Instance(std::shared_ptr<const Description> description);
  // A vehicle whose simulator is owned and stepped by the caller: a lane of a batch. Its channels
  // are those of another one of the same kind.
  Instance(std::shared_ptr<const Description> description, step::Simulator& lane,
           const Instance& like);
  Instance(Instance&&) noexcept;
  ~Instance();

  const Description& description() const { return *description_; }
  step::Simulator& simulator() { return *simulator_; }
  const step::Simulator& simulator() const { return *simulator_; }

  // Parameters take effect at the next start or step; initially they are nominal.
  const std::vector<std::string>& parameter_names() const;
  std::size_t parameter(std::string_view name) const;
  void set_parameter(std::size_t index, double value);
  double parameter_value(std::size_t index) const { return parameters_[index]; }

  // An input keeps the value it is given; the others follow the scenario's signals.
  const std::vector<std::string>& input_names() const;
  std::size_t input(std::string_view name) const;
  void set_input(std::size_t index, double value);
  double input_value(std::size_t index) const { return simulator_->input(index); }
  bool input_given(std::size_t index) const { return input_given_[index] != 0; }
  void release_input(std::size_t index);  // follows its signal again, or its first value
  void set_inputs(double t);

  std::size_t wheel(std::string_view name) const;
  void set_friction(std::size_t wheel, double mu) { simulator_->set_friction(wheel, mu); }
  // The same, kept where the scenario gives friction along the track; an Error where it cannot be.
  void give_friction(std::size_t wheel, double mu);
  bool friction_given(std::size_t wheel) const { return friction_given_[wheel] != 0; }
  void release_friction(std::size_t wheel) { friction_given_[wheel] = 0; }

  // Position and speed of the next start(); initially those of the description.
  start::Start& start_options() { return start_; }
  // Puts the vehicle at its start, in equilibrium or steady motion as the description says. May be
  // called again. Inputs act only after the start. Throws an Error if no start is found.
  void start();
  // The same from a state that such a start led to, found earlier.
  void start_at(const step::VehicleState& state);
  bool started() const { return started_; }

  // One time step of the description. False: it failed, the state is the last good one and
  // failure() says why.
  bool step();
  // step() in two halves, for callers that step the simulator themselves.
  void before_step();
  void after_step(bool succeeded);

  double time() const { return simulator_->time(); }
  bool finished() const;  // the duration is reached
  std::string failure() const;

  // A channel has its value at time(); forces are those of the step that led there.
  const std::vector<record::Channel>& channels() const { return channels_->described; }
  std::size_t channel(std::string_view name) const;
  double value(std::size_t channel);

  // The state as text, inputs and friction included: a state file of `klingel run --state`. From
  // it a run goes on bit for bit. Parameters are not part of it. Inputs that were given keep being
  // given, with the saved values; in another instance inputs with signals follow their signals.
  std::string save() const;
  void restore(std::string_view text);

  // Where places of channels on the track were found last: they are followed from there, and with
  // them a copy goes on bit for bit. follow_from() is for an instance that has found none.
  std::vector<double> places() const;
  void follow_from(const std::vector<double>& places);

  // Copies state, parameters, friction and inputs of another instance of the same vehicle.
  void become(const Instance& other);

  // Records from now on the channels that match the patterns ("Q.*"; none: the scenario's, or
  // the default ones), a row every `interval` seconds (zero: the scenario's) for the duration.
  void record(const std::vector<std::string>& patterns = {}, double interval = 0);
  bool recording() const { return recorder_.has_value(); }
  // What was recorded so far, with a last row of the present state, which the next step replaces.
  // An Error without record().
  const record::Recording& recorded();
  const std::vector<record::Channel>& recorded_channels() const;

 private:
  struct Channels {
    std::vector<record::VehicleChannel> all;
    std::vector<record::Channel> described;
  };

  void prepare();
  void forget_inputs();
  void started_now();
  void record_again();

  std::shared_ptr<const Description> description_;
  std::unique_ptr<step::Simulator> own_;  // none on a lane
  step::Simulator* simulator_;
  start::Start start_;
  std::vector<double> parameters_, first_inputs_;
  std::vector<char> input_given_;
  std::vector<double> given_;
  std::vector<char> friction_given_;  // by wheel
  std::vector<double> given_friction_;
  std::shared_ptr<const Channels> channels_;  // of all vehicles of a kind
  record::RailForces forces_;  // what channels are taken from, with the place of the vehicle
  start::TrackPlace place_;
  bool places_are_old_ = true, started_ = false, failed_ = false;
  std::optional<record::RecorderOptions> recording_;
  std::optional<record::Recorder> recorder_;
};

}  // namespace klingel::simulation
