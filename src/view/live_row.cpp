#include "view/live_row.hpp"

namespace klingel::view {

LiveRow::LiveRow(const step::Simulator& simulator, const track::Track& track,
                 const record::BodyCoordinates& body)
    : chosen_(record::vehicle_channels(simulator, body)),
      forces_(simulator, track),
      place_(track),
      body_(body),
      wheelsets_(simulator.data().wheelsets.size()),
      row_(chosen_.size()) {}

std::vector<record::Channel> LiveRow::channels() const {
  std::vector<record::Channel> list;
  for (const record::VehicleChannel& c : chosen_) list.push_back(c.channel);
  return list;
}

std::span<const double> LiveRow::take(step::Simulator& simulator) {
  // the forces in the track's frame of now: a step moves it by centimetres
  forces_.before(simulator);
  forces_.after(simulator);
  const std::vector<double>& q = simulator.state().q;
  if (body_[0] && body_[1]) {
    place_.follow({q[*body_[0]], q[*body_[1]], 0});
  } else if (wheelsets_ > 0) {
    const std::span<const double> pose = simulator.pose(0);
    place_.follow({pose[0], pose[1], pose[2]});
  }
  const record::Sample sample{simulator, forces_, place_, body_, simulator.state().t};
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    row_[i] = chosen_[i].value(sample, chosen_[i].index);
  return row_;
}

bool LiveRow::is_at_end(step::Simulator& simulator) {
  forces_.before(simulator);
  return forces_.at_end_of_track();
}

}  // namespace klingel::view
