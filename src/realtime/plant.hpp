// What the loop steps: a vehicle, or in tests something simpler.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capi/model.hpp"
#include "realtime/layout.hpp"

namespace klingel::realtime {

// Called by the real-time thread; none of them waits, allocates or throws.
class Plant {
 public:
  virtual ~Plant() = default;
  virtual void set_inputs(std::span<const double> values) noexcept = 0;
  virtual runtime::Status step() noexcept = 0;
  virtual void read_outputs(std::span<double> values) noexcept = 0;
  // All outputs there are, for a view; as many as all_outputs().
  virtual void read_all(std::span<double>) noexcept {}
  virtual std::size_t all_outputs() const noexcept { return 0; }
  virtual double time() const noexcept = 0;
  virtual bool ended() const noexcept = 0;  // the scenario or its track is over
  // From the saved start; false if that is not ready yet.
  virtual bool begin_again() noexcept = 0;
  // A step of a copy, which brings code and tables of the step into the caches.
  virtual void rehearse() noexcept {}
  virtual capi::Story story() const noexcept { return {}; }
  virtual std::string failure() const { return ""; }
};

// A part of the track with another friction, by the vehicle's abscissa.
struct WetSection {
  double from = 0, to = 0;  // m
  double mu = 0;
};
// "FROM:TO:MU"
WetSection wet_section(const std::string& text);

// A model with two spare instances: one waits at the start, one is rehearsed with. tend() brings
// those that were used back to the start, in another thread.
class ModelPlant : public Plant {
 public:
  // Starts the instances; Errors are thrown.
  ModelPlant(std::shared_ptr<const capi::Model> model, const Layout& layout,
             std::vector<WetSection> wet = {});

  void set_inputs(std::span<const double> values) noexcept override;
  runtime::Status step() noexcept override;
  void read_outputs(std::span<double> values) noexcept override;
  void read_all(std::span<double> values) noexcept override;
  std::size_t all_outputs() const noexcept override {
    return model_->of(capi::Kind::output).size();
  }
  double time() const noexcept override { return runner_->time(); }
  bool ended() const noexcept override;
  bool begin_again() noexcept override;
  void rehearse() noexcept override;
  capi::Story story() const noexcept override { return runner_->story(); }
  std::string failure() const override { return runner_->failure(); }

  void tend();

 private:
  struct Spare {
    std::unique_ptr<capi::Runner> runner;
    std::atomic<bool> ready = true;
  };

  bool is_over(capi::Runner& runner) const noexcept;
  void restart(Spare& spare);
  void wet_rails() noexcept;

  std::shared_ptr<const capi::Model> model_;
  std::vector<std::size_t> inputs_, outputs_;
  std::vector<WetSection> wet_;
  std::vector<std::size_t> friction_;  // inputs of all wheels
  std::vector<double> dry_;
  std::size_t abscissa_ = 0;  // output
  std::string start_;         // the state
  std::unique_ptr<capi::Runner> runner_;
  Spare next_, rehearsed_;
};

}  // namespace klingel::realtime
