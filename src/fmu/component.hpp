// One instance of an FMU, whatever the version of FMI: its model behind klingel.h, the order of
// calls, and values by reference. fmi2.cpp and fmi3.cpp translate.
//
// References of values: 0 is the time; then kind and index of klingel.h, reference() below.
// Derivatives of continuous states have a kind of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <klingel.h>

// What an FMU is made of; defined in the C that `klingel fmu` generates and links.
extern "C" const klingel_package* klingel_fmu_package(void);

namespace klingel::fmu {

enum class Status { ok, warning, discard, error };

// Where in its life an instance is. With Model Exchange `running` is event mode first; `event` is
// that of Co-Simulation.
enum class Mode { instantiated, initialization, running, continuous, terminated, failed, event };

constexpr unsigned reference(unsigned kind, std::size_t index) {
  return (kind << 20) + static_cast<unsigned>(index) + 1;
}
constexpr unsigned derivative_kind = 3;

// Tells the importer: status, category, text.
class Log {
 public:
  virtual ~Log() = default;
  virtual void say(Status status, const char* category, const char* text) = 0;
};

class Component {
 public:
  // Null after a message if the token is another one, or the resources cannot be read. `exchange`:
  // Model Exchange.
  static Component* make(const std::string& token, const std::string& resources, bool exchange,
                         Log& log);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  // An error with a message unless the mode is one of these (bits 1 << mode).
  bool allowed(const char* function, unsigned modes);
  Status refuse(const char* function, const char* why);

  Status setup(double start_time, bool stop_defined, double stop_time);
  Status enter_initialization();
  Status exit_initialization();
  Status terminate();
  Status reset();

  Status get(unsigned reference, double& value);
  Status set(unsigned reference, double value);

  // A communication step: whole inner steps and, if it is no multiple of them, a shorter one.
  Status do_step(double now, double size);
  double time() const;
  bool over() const { return over_; }

  // Saved states; the caller owns the bytes.
  std::size_t state_size() const { return klingel_state_size(model_) + own_size; }
  Status save(std::string& bytes);
  Status restore(const std::string& bytes);

  // Model Exchange
  bool exchange() const { return exchange_; }
  std::size_t states() const { return klingel_continuous_states(model_); }
  Status set_time(double t);
  Status get_states(double* x, std::size_t n);
  Status set_states(const double* x, std::size_t n);
  Status derivatives(double* dx, std::size_t n);
  // Of the continuous form at the present state, never of the discrete step: by central differences
  // along the seed, about nine digits. Knowns are inputs and, of mechanisms without constraints,
  // states; unknowns are derivatives of states (of vehicles: of dq) and, of mechanisms, outputs.
  Status directional(const unsigned* unknowns, std::size_t n_unknowns, const unsigned* knowns,
                     std::size_t n_knowns, const double* seed, double* result);

  Mode mode = Mode::instantiated;
  Log* log = nullptr;

 private:
  static constexpr std::size_t own_size = 5 * sizeof(double);

  Component() = default;
  Status start_if_needed();
  std::size_t rates() const;  // derivatives of states that have a reference
  Status find_rates(double* dx);
  bool is_state(unsigned output) const;
  double reach(unsigned known) const;
  Status evaluate(const unsigned* unknowns, std::size_t n, std::vector<double>& values);
  Status move(const unsigned* knowns, std::size_t n, const double* seed, double by);
  Status fail(const char* text);
  bool at_stop() const;

  klingel_model* model_ = nullptr;
  klingel_instance* instance_ = nullptr;
  bool exchange_ = false;
  bool started_ = false;  // with the parameters and inputs as they are now
  bool over_ = false;
  double start_time_ = 0;
  double stop_time_ = 0;  // given, or the end of the scenario; set by setup()
};

}  // namespace klingel::fmu
