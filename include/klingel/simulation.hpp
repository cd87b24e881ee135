// A vehicle that runs. Made from files by klingel/compile.hpp.
//
//   klingel::Simulation vehicle = klingel::load("coach_300m");
//   vehicle.start();
//   while (!vehicle.finished() && vehicle.step()) use(vehicle.value("Q.front.front.left"));
//
// SI units, radians. Wrong input is a std::runtime_error that says what was expected; unknown names
// come with the nearest known ones. step() neither throws nor allocates. A Simulation belongs to
// one thread at a time; several are independent of each other.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace klingel {

namespace simulation {
class Instance;
class Batch;
}  // namespace simulation

// A column of a recording; valid until the simulation steps, starts or ends.
struct Column {
  const double* data = nullptr;
  std::size_t size = 0;

  const double* begin() const { return data; }
  const double* end() const { return data + size; }
  double operator[](std::size_t row) const { return data[row]; }
};

class Simulation {
 public:
  explicit Simulation(std::unique_ptr<simulation::Instance> instance);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  // Parameters of the vehicle file by full name; set before start() or between steps.
  std::vector<std::string> parameters() const;
  double parameter(std::string_view name) const;
  void set_parameter(std::string_view name, double value);

  // Inputs of the vehicle file: they keep what they are given; all others follow the scenario. By
  // index, in the order of inputs(), for loops.
  std::vector<std::string> inputs() const;
  double input(std::string_view name) const;
  void set_input(std::string_view name, double value);
  void set_input(std::size_t index, double value);
  // Friction coefficient of a wheel, or of all.
  void set_friction(std::string_view wheel, double mu);
  void set_friction(double mu);

  // Puts the vehicle at the start of its scenario, or at another place (m along the track) with
  // another speed (m/s). May be called again.
  void start();
  void start(double position, double speed);

  // One time step. False: it failed, the state is that before the step and failure() says why.
  bool step();
  // Steps to the end of the scenario; false if a step failed.
  bool run();
  bool finished() const;
  std::string failure() const;
  double time() const;       // s
  double time_step() const;  // s
  double duration() const;   // s

  // Channels: what can be seen of a vehicle ("N.rear.front.right", "s", "q.y"), docs/report.md. The
  // value at time(); forces are those of the last step. By index for loops: channel() once, then
  // value(), which neither throws nor allocates.
  std::vector<std::string> channels() const;
  std::size_t channel(std::string_view name) const;
  double value(std::size_t channel);
  double value(std::string_view name) { return value(channel(name)); }

  // The state as text; a run goes on from it bit for bit, also with `klingel run --state`.
  // Parameters are not part of it.
  std::string save() const;
  void restore(std::string_view state);

  // Records from now on: channels that fit the patterns ("Q.*"), or those of the scenario; a row
  // every `interval` seconds, or as often as the scenario says. `t` is always recorded.
  void record(const std::vector<std::string>& patterns = {}, double interval = 0);
  std::vector<std::string> recorded() const;
  Column recorded(std::string_view channel);

  // For klingel's own programs.
  simulation::Instance& instance() { return *instance_; }

 private:
  std::unique_ptr<simulation::Instance> instance_;
};

// Vehicles of one kind that step together on the lanes of the processor, faster than one after the
// other; each does bit for bit what it would do alone.
class Batch {
 public:
  explicit Batch(std::unique_ptr<simulation::Batch> batch);
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  std::size_t size() const;

  // As those of a Simulation, of one vehicle.
  void set_parameter(std::size_t vehicle, std::string_view name, double value);
  void set_input(std::size_t vehicle, std::string_view name, double value);
  void set_friction(std::size_t vehicle, double mu);
  std::string save(std::size_t vehicle) const;
  void restore(std::size_t vehicle, std::string_view state);  // one that failed steps again
  std::size_t channel(std::string_view name) const;
  double value(std::size_t vehicle, std::size_t channel);
  double time(std::size_t vehicle) const;

  // A step of all that have not failed; false if none is left.
  bool step();
  bool failed(std::size_t vehicle) const;
  std::string failure(std::size_t vehicle) const;

 private:
  std::unique_ptr<simulation::Batch> batch_;
};

}  // namespace klingel
