#include "start/free_coordinates.hpp"

namespace klingel::start {

FreeCoordinates::FreeCoordinates(const step::Description& vehicle,
                                 const std::vector<std::size_t>& held)
    : place(vehicle.n) {
  for (const std::size_t c : held) place[c] = -1;
  const std::vector<std::size_t>& unit = vehicle.data.units.of;
  for (std::size_t i = 0; i < vehicle.n; ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<int>(list.size());
    list.push_back(i);
    units.push_back(unit.empty() ? 0 : unit[i]);
  }
}

Eigen::VectorXd FreeCoordinates::part(const Eigen::VectorXd& all) const {
  Eigen::VectorXd some(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i)
    some[static_cast<Eigen::Index>(i)] = all[static_cast<Eigen::Index>(list[i])];
  return some;
}

void FreeCoordinates::keep_rows(Triplets& entries) const {
  Triplets kept;
  kept.reserve(entries.size());
  for (const Eigen::Triplet<double>& e : entries) {
    const int row = place[static_cast<std::size_t>(e.row())];
    if (row >= 0) kept.emplace_back(row, e.col(), e.value());
  }
  entries = std::move(kept);
}

std::vector<std::size_t> wheelset_units(const step::Description& vehicle) {
  std::vector<std::size_t> units(vehicle.data.wheelsets.size());
  if (vehicle.data.units.of.empty()) return units;
  const klingel_output& J = vehicle.data.vehicle->functions[vehicle.id.twist_dq].outputs[0];
  for (std::uint32_t c = 0; c < J.cols; ++c) {
    for (std::uint32_t e = J.col_start[c]; e < J.col_start[c + 1]; ++e)
      units[J.row[e] / 9] = vehicle.data.units.of[c];
  }
  return units;
}

}  // namespace klingel::start
