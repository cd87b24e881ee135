// What a place can eliminate, and in which order.
#include <algorithm>
#include <cmath>
#include <set>

#include "model/step_system.hpp"

namespace klingel::model {
namespace {

bool contains(std::span<const std::uint32_t> list, std::uint32_t x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

// Whether minimum degree takes these coordinates and the normal forces of their wheels before what
// they are coupled with.
bool are_first(std::span<const std::uint32_t> own, std::size_t wheels,
               std::span<const sym::Entry> entries) {
  std::map<std::uint32_t, std::set<std::uint32_t>> around;  // of coordinates coupled with own ones
  for (const sym::Entry& e : entries) {
    if (contains(own, e.row) && !contains(own, e.col)) around[e.col];
    if (contains(own, e.col) && !contains(own, e.row)) around[e.row];
  }
  for (const sym::Entry& e : entries) {
    if (const auto it = around.find(e.row); it != around.end()) it->second.insert(e.col);
    if (const auto it = around.find(e.col); it != around.end()) it->second.insert(e.row);
  }
  return std::all_of(around.begin(), around.end(), [&](const auto& other) {
    return other.second.size() >= own.size() + wheels + around.size();
  });
}

}  // namespace

bool StepSystem::complete(const Branch& branch, std::uint32_t coordinate) const {
  const auto found = branch.columns.find(coordinate);
  return found != branch.columns.end() && found->second == columns_[coordinate];
}

// groups of coordinates all of whose columns are below, and then normal forces
void StepSystem::eliminate_ready(Branch& branch, std::vector<Front::Block>& blocks) {
  for (const auto& [coordinate, columns] : branch.columns) {
    Group& group = groups_[group_of_[coordinate]];
    if (group.entered) continue;
    const bool ready = std::all_of(group.members.begin(), group.members.end(),
                                   [&](std::uint32_t j) { return complete(branch, j); });
    if (!ready) continue;
    group.entered = true;
    for (const sym::Entry& e : group.entries) branch.front.add(e.row, e.col, e.value);
    group.entries.clear();
    branch.ready.insert(branch.ready.end(), group.members.begin(), group.members.end());
  }
  // the cheapest first; one without a pivot waits for the others to make it
  while (true) {
    std::size_t best = branch.ready.size(), least = 0;
    for (std::size_t i = 0; i < branch.ready.size(); ++i) {
      const std::uint32_t j = branch.ready[i];
      if (branch.front.at(j, j).is(0)) continue;
      const std::size_t cost = branch.front.cost(j);
      if (best < branch.ready.size() && cost >= least) continue;
      best = i;
      least = cost;
    }
    if (best == branch.ready.size()) break;
    blocks.push_back(branch.front.eliminate(branch.ready[best]));
    branch.gone.push_back(branch.ready[best]);
    branch.ready.erase(branch.ready.begin() + static_cast<std::ptrdiff_t>(best));
  }
  eliminate_wheels(branch, blocks);
}

// Coordinates that are gone can meet the normal constraints of a wheelset whatever the rest does,
// together with the constraints they meet already.
void StepSystem::eliminate_wheels(Branch& branch, std::vector<Front::Block>& blocks) const {
  std::erase_if(branch.wheelsets, [&](std::size_t k) {
    std::vector<std::uint32_t> wheels = branch.gone_wheels;
    wheels.insert(wheels.end(), parts_[k].wheels.begin(), parts_[k].wheels.end());
    if (meeting(wheels, branch.gone).size() < wheels.size()) return false;
    for (const std::uint32_t i : parts_[k].wheels)
      blocks.push_back(branch.front.eliminate(static_cast<std::uint32_t>(n_ + i)));
    branch.gone_wheels = std::move(wheels);
    return true;
  });
}

// A wheelset at the ground, coupled by stiff elements with what minimum degree takes later: the
// coordinates that meet its normal constraints go first, in one block with the normal forces.
void StepSystem::eliminate_first(Branch& branch, std::vector<Front::Block>& blocks) {
  if (branch.wheelsets.size() != 1) return;
  std::vector<std::uint32_t> own;
  for (const std::uint32_t i : branch.front.unknowns()) {
    if (i < n_ && complete(branch, i) && !groups_[group_of_[i]].entered) own.push_back(i);
  }
  if (own.empty()) return;
  const std::vector<std::uint32_t>& wheels = parts_[branch.wheelsets.front()].wheels;
  std::vector<std::uint32_t> block = meeting(wheels, own);
  std::vector<sym::Entry>& entries = groups_[group_of_[own.front()]].entries;
  if (block.size() < wheels.size() || !are_first(own, wheels.size(), entries)) return;
  std::erase_if(entries, [&](const sym::Entry& e) {
    const bool enters = contains(own, e.row) || contains(own, e.col);
    if (enters) branch.front.add(e.row, e.col, e.value);
    return enters;
  });
  std::erase_if(own, [&block](std::uint32_t j) { return contains(block, j); });
  for (const std::uint32_t i : wheels) block.push_back(static_cast<std::uint32_t>(n_ + i));
  blocks.push_back(branch.front.eliminate(block));
  branch.ready = std::move(own);
  branch.wheelsets.clear();
  eliminate_ready(branch, blocks);
}

// One coordinate per wheel, by whose motion the normal constraints can be met: dphi_n has full rank
// in these, at nominal values. Fewer if there are none.
std::vector<std::uint32_t> StepSystem::meeting(std::span<const std::uint32_t> wheels,
                                               std::span<const std::uint32_t> coordinates) const {
  std::vector<std::vector<double>> rows;
  for (const std::uint32_t i : wheels) {
    rows.emplace_back();
    for (const std::uint32_t j : coordinates) {
      const auto motion = wheel_motions_[i].find(j);
      rows.back().push_back(motion == wheel_motions_[i].end() ? 0 : motion->second);
    }
  }
  std::vector<std::uint32_t> found;
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  std::vector<double> sizes;  // of rows as they are given
  for (const std::vector<double>& row : rows)
    sizes.push_back(row.empty() ? 0 : std::abs(*std::max_element(row.begin(), row.end(), smaller)));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto largest = std::max_element(rows[k].begin(), rows[k].end(), smaller);
    if (largest == rows[k].end() || !(std::abs(*largest) > 1e-3 * sizes[k])) return found;
    const auto column = static_cast<std::size_t>(largest - rows[k].begin());
    found.push_back(coordinates[column]);
    for (std::size_t i = k + 1; i < rows.size(); ++i) {
      const double l = rows[i][column] / rows[k][column];
      for (std::size_t j = 0; j < rows[i].size(); ++j) rows[i][j] -= l * rows[k][j];
      rows[i][column] = 0;
    }
  }
  return found;
}

}  // namespace klingel::model
