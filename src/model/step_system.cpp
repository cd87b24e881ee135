#include "model/step_system.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "mech/kinematics.hpp"
#include "sym/ordering.hpp"

namespace klingel::model {

using mech::Triple;
using sym::Expr;

namespace {

// Whether minimum degree takes these coordinates and the normal forces of their wheels before what
// they are coupled with.
bool are_first(const std::vector<std::uint32_t>& own, std::size_t wheels,
               const std::vector<sym::Entry>& entries) {
  std::map<std::uint32_t, std::set<std::uint32_t>> around;
  for (const sym::Entry& e : entries) {
    around[e.row].insert(e.col);
    around[e.col].insert(e.row);
  }
  std::set<std::uint32_t> others;
  for (const std::uint32_t j : own) others.insert(around[j].begin(), around[j].end());
  for (const std::uint32_t j : own) others.erase(j);
  return std::all_of(others.begin(), others.end(), [&](std::uint32_t j) {
    return around[j].size() >= own.size() + wheels + others.size();
  });
}

}  // namespace

StepSystem::StepSystem(mech::Model& model, std::size_t coordinates,
                       std::span<const Wheelset> wheelsets, std::span<const WheelsetMotion> motions,
                       const StepSymbols& symbols, const StiffTangent& stiff)
    : model_(model),
      wheelsets_(wheelsets),
      motions_(motions),
      symbols_(symbols),
      n_(coordinates),
      tree_(model),
      left_(model.number(0)) {
  find_parts();
  find_carriers();
  make_places();
  find_groups(stiff);
  find_wheel_motions();
  eliminate_places();
  make_outer();
}

Six StepSystem::nothing() const {
  Six u;
  u.fill(zero());
  return u;
}

// Mass and moments of some bodies about the wheelset's centre, in the ground. Summed in the base
// that does not spin, where they are constant, and turned once.
SixBySix StepSystem::inertia(const Wheelset& wheelset, std::span<const std::string> bodies) const {
  Expr mass = zero();
  Triple s = {zero(), zero(), zero()};
  mech::Block J;
  J.fill(zero());
  for (const std::string& name : bodies) {
    const mech::Body& body = model_.body(name);
    const Triple r = in_base(position(wheelset.centre, body.point), wheelset.still).c;
    const Triple c = mech::plus(r, in_base(body.com, wheelset.still).c);
    const Triple own = mech::scaled(body.mass, c);
    mass += body.mass;
    s = mech::plus(s, own);
    J = mech::plus(J,
                   mech::rotated(base_change(wheelset.still, body.inertia.base), body.inertia.c));
    const Expr square = mech::dot(c, own);
    for (std::size_t i = 0; i < 3; ++i) {
      J[4 * i] += square;
      for (std::size_t j = 0; j < 3; ++j) J[3 * i + j] -= c[i] * own[j];
    }
  }
  const mech::Block R = base_change(model_.ground_base(), wheelset.still);
  J = mech::rotated(R, J);
  s = mech::product(R, s);
  return model::inertia(mass, s, J);
}

// h B and the bodies that turn with the wheelset
void StepSystem::load_contact(std::size_t k, Branch& branch) const {
  const mech::Base in = tree_.places()[parts_[k].turning].in, ground = model_.ground_base();
  SixBySix K;
  std::copy_n(symbols_.B.begin() + static_cast<std::ptrdiff_t>(36 * k), 36, K.begin());
  if (in != ground) K = turned(base_change(in, ground), K);
  for (Expr& e : K) e = symbols_.h * e;
  branch.front.add(inertia(wheelsets_[k], parts_[k].with_turning));
  branch.front.add(K);
}

// Normal forces act on the base that does not spin. Their unknowns are h lambda_n: row and column
// are then the same atoms.
void StepSystem::load_wheels(std::size_t k, Branch& branch) const {
  const mech::Base in = tree_.places()[parts_[k].still].in, ground = model_.ground_base();
  branch.front.add(inertia(wheelsets_[k], parts_[k].with_still));
  for (const std::uint32_t i : parts_[k].wheels) {
    const auto unknown = static_cast<std::uint32_t>(n_ + i);
    const Expr active = symbols_.active[i];
    Six W;
    std::copy_n(symbols_.W_n.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, W.begin());
    if (in != ground) W = turned(base_change(in, ground), W);
    for (Expr& e : W) e = active * e;
    branch.front.add(unknown, W);
    branch.front.add(unknown, unknown, (1 - active) * (1 / symbols_.h));
  }
  branch.wheelsets.push_back(k);
}

void StepSystem::load(std::uint32_t place, Branch& branch) const {
  const Place& here = tree_.places()[place];
  for (const PlaceBody& part : here.bodies) branch.front.add(tree_.inertia(part, here.in));
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].turning == place) load_contact(k, branch);
    if (parts_[k].still == place) load_wheels(k, branch);
  }
}

void StepSystem::eliminate_places() {
  const std::vector<Place>& places = tree_.places();
  std::vector<Branch> branches(places.size(), Branch{Front(zero()), {}, {}, {}, {}, {}});
  pivots_.resize(places.size());
  for (auto place = static_cast<std::uint32_t>(places.size()); place-- > 1;) {
    Branch branch = std::move(branches[place]);
    const std::uint32_t parent = places[place].parent;
    load(place, branch);
    if (!late_[place]) eliminate_ready(branch, pivots_[place].before);
    for (const PlaceColumn& c : places[place].columns) {
      branch.front.join(c.coordinate, c.motion);
      ++branch.columns[c.coordinate];
    }
    if (parent == 0) branch.front.stop();
    if (!late_[parent]) eliminate_ready(branch, pivots_[place].after);
    if (parent == 0) {  // only unknowns are left
      eliminate_first(branch, pivots_[place].after);
      for (const std::uint32_t i : branch.front.unknowns())
        for (const std::uint32_t j : branch.front.unknowns()) left_(i, j) += branch.front.at(i, j);
      continue;
    }
    climb(place, branch.front);
    merge(branch, branches[parent]);
  }
}

void StepSystem::merge(const Branch& from, Branch& to) {
  const auto append = [](auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  to.front.add(from.front);
  for (const auto& [coordinate, columns] : from.columns) to.columns[coordinate] += columns;
  append(to.ready, from.ready);
  append(to.wheelsets, from.wheelsets);
  append(to.gone, from.gone);
  append(to.gone_wheels, from.gone_wheels);
}

bool StepSystem::complete(const Branch& branch, std::uint32_t coordinate) const {
  const auto found = branch.columns.find(coordinate);
  return found != branch.columns.end() && found->second == columns_[coordinate];
}

// groups of coordinates all of whose columns are below, and then normal forces
void StepSystem::eliminate_ready(Branch& branch, std::vector<Front::Block>& blocks) {
  for (const auto& [coordinate, columns] : branch.columns) {
    Group& group = groups_[group_of_[coordinate]];
    const bool ready = std::all_of(group.members.begin(), group.members.end(),
                                   [&](std::uint32_t j) { return complete(branch, j); });
    if (group.entered || !ready) continue;
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
  const auto mine = [&own](std::uint32_t j) {
    return std::find(own.begin(), own.end(), j) != own.end();
  };
  std::erase_if(entries, [&](const sym::Entry& e) {
    const bool enters = mine(e.row) || mine(e.col);
    if (enters) branch.front.add(e.row, e.col, e.value);
    return enters;
  });
  std::erase_if(own, [&block](std::uint32_t j) {
    return std::find(block.begin(), block.end(), j) != block.end();
  });
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
    for (const std::uint32_t j : coordinates) rows.back().push_back(wheel_motions_[i * n_ + j]);
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

void StepSystem::climb(std::uint32_t place, Front& front) const {
  const Place& here = tree_.places()[place];
  const mech::Base above = tree_.places()[here.parent].in;
  front.shift(here.r);
  if (above != here.in) front.turn(base_change(above, here.in));
}

void StepSystem::make_outer() {
  std::vector<bool> inner(n_ + w_, false);
  for (const Pivots& of_place : pivots_) {
    for (const auto* blocks : {&of_place.before, &of_place.after})
      for (const Front::Block& block : *blocks)
        for (const Front::Pivot& pivot : block) inner[pivot.unknown] = true;
  }
  for (std::uint32_t i = 0; i < inner.size(); ++i) {
    if (!inner[i]) outer_.push_back(i);
  }
  if (outer_.empty()) return;
  for (const Group& group : groups_)
    for (const sym::Entry& e : group.entries) left_(e.row, e.col) += e.value;
  const sym::Matrix A = left_.matrix(outer_, n_ + w_);
  factors_ = std::make_unique<sym::Factors>(
      A, sym::SolveOptions{sym::Elimination::lu, sym::stable_order(A)});
}

}  // namespace klingel::model
