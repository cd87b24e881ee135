// What the C interface (include/klingel.h) is made of: a model, constant and shared, and a runner,
// which is one instance of it. Vehicles and mechanisms implement both. Functions throw base::Error
// where not said otherwise; klingel.cpp turns that into a status.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "runtime/status.hpp"

struct klingel_model;
struct klingel_instance;
namespace klingel::simulation {
class Instance;
}

namespace klingel::capi {

enum class Kind { parameter, input, output };

struct Variable {
  std::string name, unit, about;
  double start = 0;
  bool of_state = false;  // of outputs: does not depend on present inputs
  bool may_miss = false;  // of inputs: a measurement, NaN where there is none
};

// What the last step had to do, for those who ask why it took long.
struct Story {
  unsigned jumps = 0;      // tread points at other places
  unsigned flanges = 0;    // flanges that began or ended to press
  unsigned releases = 0;   // treads that let go or held again
  unsigned fallbacks = 0;  // full pivoting
  unsigned limits = 0;     // corrections that ended at their largest number
  int newton_q = 0, newton_s = 0;
};

class Runner {
 public:
  virtual ~Runner() = default;

  virtual void set_parameter(std::size_t index, double value) = 0;
  virtual double parameter(std::size_t index) const = 0;
  virtual void set_input(std::size_t index, double value) noexcept = 0;
  virtual double input(std::size_t index) const = 0;
  virtual void release_input(std::size_t index) = 0;

  virtual void start() = 0;
  virtual bool started() const = 0;
  // Of a started one; h is at most the step of the model. Neither throws nor allocates.
  virtual runtime::Status step(double h) noexcept = 0;
  // Whether the next steps have measurements at their end; of filters.
  virtual void measure(bool on) noexcept { static_cast<void>(on); }
  virtual double time() const = 0;
  virtual std::string failure() const = 0;
  virtual Story story() const noexcept { return {}; }
  // Whether the next step would lead beyond the end of its track.
  virtual bool at_end() noexcept { return false; }

  // A vehicle as it is now; null of mechanisms. What step() has done ahead is undone.
  virtual simulation::Instance* vehicle() { return nullptr; }

  // Whether forces are those of the next step.
  virtual void look_ahead(bool on) = 0;
  virtual double output(std::size_t index) noexcept = 0;

  // All that changes; always of the same size. Reading changes nothing if it throws.
  virtual void save(base::ByteWriter& bytes) = 0;
  virtual void restore(base::ByteReader& bytes) = 0;

  // The continuous form: q, then dq; only where the model has continuous states.
  virtual std::vector<double> continuous() const;
  virtual void set_continuous(double t, const std::vector<double>& x);
  virtual runtime::Status derivatives(std::vector<double>& dx);
  // ddq of the continuous equations; where the model has coordinates.
  virtual runtime::Status accelerations(std::vector<double>& ddq);
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::unique_ptr<Runner> make() const = 0;

  std::string name, token;
  double step = 1e-3, duration = 10;
  bool whole_steps = false;                        // of filters: steps have one length
  std::array<std::vector<Variable>, 3> variables;  // by kind
  std::size_t continuous_states = 0;
  std::size_t coordinates = 0;  // of vehicles
  const std::vector<Variable>& of(Kind kind) const {
    return variables[static_cast<std::size_t>(kind)];
  }
};

Runner& runner_of(klingel_instance& instance);

// A model for C from one of ours; klingel_model_free ends it.
klingel_model* for_c(std::shared_ptr<const Model> model);

}  // namespace klingel::capi
