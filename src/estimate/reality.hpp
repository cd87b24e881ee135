// Where measurements come from: the twin, a vehicle that runs with its own step, track, parameters
// and errors made on purpose; or a recording. advance() goes on by a step of the filter, and what
// is asked then is at its end. Channels of steps (forces, accelerations) are means over the
// filter's step, as a sensor behind an anti-alias filter shows them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "estimate/estimate_file.hpp"
#include "record/recording.hpp"
#include "simulation/instance.hpp"

namespace klingel::estimate {

class RealVehicle {
 public:
  virtual ~RealVehicle() = default;
  // False: it has ended; why() says how.
  virtual bool advance() = 0;
  virtual std::string why() const = 0;
  virtual double value(std::size_t channel) = 0;  // in the order given to the constructor
  // What an element of the filter's x really is; NaN if that is not known.
  virtual double truth(const simulation::Variable& variable) = 0;
  virtual double irregularity(std::size_t wheelset, std::size_t part) = 0;
};

// A description on another track, with seeds of irregularities that are larger by `seed`.
std::shared_ptr<const simulation::Description> on_track_of_seed(
    const simulation::Description& description, const std::string& track_file, std::int64_t seed);

// The twin, started. `step`: of the filter, a multiple of the twin's. `filter_track`: what the
// filter knows of irregularities.
std::unique_ptr<RealVehicle> make_twin(std::shared_ptr<const simulation::Description> description,
                                       const Reality& reality, double step,
                                       const std::vector<std::string>& channels,
                                       const track::Track& filter_track);

// Rows of a recording: those at t for what is at an instant; forces and accelerations are of the
// row before, whose step led there. Missing channels are Errors.
std::unique_ptr<RealVehicle> make_replay(const std::string& file, double step,
                                         const std::vector<std::string>& channels,
                                         const std::vector<char>& of_step,
                                         std::size_t needed_channels);

}  // namespace klingel::estimate
