// Sets whose lanes are wheels of the same wheelsets, lane by lane, as the left and the right wheels
// of four axles: places and motions of these wheelsets are the same, and what the wheels add to
// them is summed before it is handed out.
#pragma once

#include <algorithm>
#include <vector>

#include "step/points.hpp"

namespace klingel::step {

using WheelsetGroups = std::vector<std::vector<std::size_t>>;

inline WheelsetGroups wheelset_groups(const Points& points) {
  WheelsetGroups groups;
  for (std::size_t g = 0; g < points.forces.size(); ++g) {
    const auto same = [&](const std::vector<std::size_t>& group) {
      const std::size_t first = group.front();
      bool equal = points.occupied(first) == points.occupied(g);
      for (std::size_t lane = 0; lane < ContactSet::lanes; ++lane)
        equal = equal && points.wheelset(first, lane) == points.wheelset(g, lane);
      return equal;
    };
    const auto found = std::find_if(groups.begin(), groups.end(), same);
    (found == groups.end() ? groups.emplace_back() : *found).push_back(g);
  }
  return groups;
}

}  // namespace klingel::step
