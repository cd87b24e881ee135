// The channels of a vehicle as they are now, for a frame of a live view: the state, and the forces
// of the step that led to it. (A row of a recording has those of the step that follows.)
#pragma once

#include <span>
#include <vector>

#include "record/vehicle_channels.hpp"
#include "step/simulator.hpp"

namespace klingel::view {

class LiveRow {
 public:
  // The track must outlive it.
  LiveRow(const step::Simulator& simulator, const track::Track& track,
          const record::BodyCoordinates& body);

  std::vector<record::Channel> channels() const;

  // After a step. Valid until the next call; does not allocate.
  std::span<const double> take(step::Simulator& simulator);

  // Whether the track ends here. After every step; does not allocate.
  bool is_at_end(step::Simulator& simulator);
  record::RailForces& forces() { return forces_; }
  void forget() { forces_.forget(); }  // the vehicle was put elsewhere

 private:
  std::vector<record::VehicleChannel> chosen_;
  record::RailForces forces_;
  start::TrackPlace place_;
  record::BodyCoordinates body_;
  std::size_t wheelsets_;
  std::vector<double> row_;
};

}  // namespace klingel::view
