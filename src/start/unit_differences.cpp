#include "start/unit_differences.hpp"

namespace klingel::start {
namespace {

using Lists = std::vector<std::vector<std::size_t>>;

// Units of one colour have no neighbour in common and are no neighbours.
std::vector<std::size_t> colours(const Lists& neighbours) {
  std::vector<std::size_t> colour(neighbours.size());
  std::vector<bool> taken;
  for (std::size_t unit = 0; unit < colour.size(); ++unit) {
    taken.assign(unit + 1, false);
    const auto take = [&](std::size_t other) {
      if (other < unit) taken[colour[other]] = true;
    };
    for (const std::size_t near : neighbours[unit]) {
      take(near);
      for (const std::size_t next : neighbours[near]) take(next);
    }
    while (taken[colour[unit]]) ++colour[unit];
  }
  return colour;
}

}  // namespace

UnitDifferences::UnitDifferences(const step::Units& units, std::size_t coordinates,
                                 const std::vector<std::size_t>& moved)
    : of_(units.of), moved_(moved), rows_(units.count()), neighbours_(units.count()) {
  for (std::size_t i = 0; i < coordinates; ++i) rows_[unit_of(i)].push_back(i);
  for (const auto& [a, b] : units.joined) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  Lists columns(rows_.size());
  for (std::size_t k = 0; k < moved_.size(); ++k) columns[unit_of(moved_[k])].push_back(k);
  // the k-th columns of all units of a colour
  const std::vector<std::size_t> colour = colours(neighbours_);
  std::vector<Lists> by_colour(colour.size());
  for (std::size_t unit = 0; unit < columns.size(); ++unit) {
    Lists& groups = by_colour[colour[unit]];
    if (groups.size() < columns[unit].size()) groups.resize(columns[unit].size());
    for (std::size_t k = 0; k < columns[unit].size(); ++k) groups[k].push_back(columns[unit][k]);
  }
  for (const Lists& groups : by_colour) groups_.insert(groups_.end(), groups.begin(), groups.end());
}

}  // namespace klingel::start
