// Which places wheelsets and bodies have, and which coordinates must be eliminated together.
#include <algorithm>
#include <numeric>

#include "mech/kinematics.hpp"
#include "mech/mass_matrix.hpp"
#include "model/step_system.hpp"
#include "sym/depends.hpp"
#include "sym/tape.hpp"

namespace klingel::model {

using sym::Expr;

void StepSystem::make_places() {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Wheelset& wheelset = wheelsets_[k];
    const std::vector<mech::BaseNode>& bases = model_.bases();
    std::uint32_t base = wheelset.turning.index;
    while (base > wheelset.still.index) base = bases[base].parent;
    // components in the base of the wheelset pay where something carries it
    const bool climbs = !parts_[k].carried.empty() && !parts_[k].spun &&
                        base == wheelset.still.index &&
                        tree_.reaches_ground(wheelset.centre, wheelset.turning) &&
                        tree_.reaches_ground(wheelset.centre, wheelset.still);
    climbs ? place_on_tree(k) : place_in_ground(k);
  }
  for (const mech::Body& body : model_.inertias()) {
    const bool placed = std::find(on_tree_.begin(), on_tree_.end(), body.name) != on_tree_.end();
    if (!placed && tree_.add(body)) on_tree_.push_back(body.name);
  }
  tree_.find_columns();
  late_.resize(tree_.places().size(), false);
}

void StepSystem::place_on_tree(std::size_t k) {
  const Wheelset& wheelset = wheelsets_[k];
  parts_[k].still = tree_.place(wheelset.centre, wheelset.still, wheelset.still);
  parts_[k].turning = tree_.place(wheelset.centre, wheelset.turning, wheelset.still);
}

// Three places at most, about its centre in the ground: what spins, what does not, and the carrier.
void StepSystem::place_in_ground(std::size_t k) {
  Part& part = parts_[k];
  const mech::Base ground = model_.ground_base();
  const mech::Triple here = {zero(), zero(), zero()};
  Place still{0, ground, {}, here, {}};
  const bool carried = !part.carried.empty() && !part.spun;
  if (carried) {
    Carrier& carrier = carriers_[part.carrier];
    if (carrier.place == 0) {
      Place place{0, ground, {}, here, {}};
      for (const std::uint32_t j : carrier.coordinates)
        place.columns.push_back({j, column(carrier.first, j)});
      carrier.place = tree_.add(std::move(place));
    }
    still.parent = carrier.place;
    still.r = part.r;
  }
  Place turning{0, ground, {}, here, {}};
  for (const std::uint32_t j : motions_[k].moving) {
    const bool of_carrier =
        carried && std::binary_search(part.carried.begin(), part.carried.end(), j);
    const Six c = still_column(k, j);
    const mech::Triple spin = mech::minus(motions_[k].w_total[j], motions_[k].w_still[j]);
    if (!of_carrier && !(mech::is_zero(head(c)) && mech::is_zero(tail(c))))
      still.columns.push_back({j, c});
    if (!mech::is_zero(spin)) turning.columns.push_back({j, joined(here, spin)});
  }
  part.still = tree_.add(std::move(still));
  turning.parent = part.still;
  part.turning = tree_.add(std::move(turning));
  // fewer unknowns than components of motion: eliminated when the motion is gone
  late_.resize(tree_.places().size(), false);
  late_[part.still] = late_[part.turning] = !carried;
  find_bodies(part, wheelsets_[k]);
  for (const auto* bodies : {&part.with_turning, &part.with_still})
    on_tree_.insert(on_tree_.end(), bodies->begin(), bodies->end());
}

// Stiff elements couple coordinates, and masses of bodies without a place do.
void StepSystem::find_groups(const StiffTangent& stiff) {
  MatrixSum coupling(zero());
  if (on_tree_.size() < model_.inertias().size()) {
    const sym::Matrix M = mech::mass_matrix_without(model_, on_tree_);
    for (const sym::Entry& e : M.entries()) coupling(e.row, e.col) = e.value;
  }
  for (const sym::Entry& e : stiff.entries()) coupling(e.row, e.col) += e.value;
  const sym::Matrix entries = coupling.matrix(n_, n_);

  std::vector<std::uint32_t> first(n_);  // of the group, found from member to member
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&first](std::uint32_t j) {
    while (first[j] != j) j = first[j] = first[first[j]];
    return j;
  };
  for (const sym::Entry& e : entries.entries()) {
    const std::uint32_t a = root(e.row), b = root(e.col);
    first[std::max(a, b)] = std::min(a, b);
  }
  columns_.assign(n_, 0);
  for (const Place& place : tree_.places())
    for (const PlaceColumn& c : place.columns) ++columns_[c.coordinate];
  group_of_.resize(n_);
  for (std::uint32_t j = 0; j < n_; ++j) {
    if (root(j) == j) {
      group_of_[j] = static_cast<std::uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    group_of_[j] = group_of_[root(j)];
    groups_[group_of_[j]].members.push_back(j);
  }
  for (const sym::Entry& e : entries.entries()) groups_[group_of_[e.row]].entries.push_back(e);
}

void StepSystem::find_wheel_motions() {
  std::vector<Expr> list;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> at;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    for (const std::uint32_t i : parts_[k].wheels) {
      Six W;
      std::copy_n(symbols_.W_n.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, W.begin());
      for (const std::uint32_t j : motions_[k].moving) {
        list.push_back(dot(still_column(k, j), W));
        at.push_back({i, j});
      }
    }
  }
  wheel_motions_.resize(w_);
  if (list.empty()) return;
  const std::vector<Expr> leaves = sym::symbols_below(list);
  const sym::Tape tape(leaves, list);
  std::vector<double> in, out(list.size()), registers(tape.registers());
  for (const Expr& x : leaves) in.push_back(model_.graph().symbol_of(x).value);
  tape.run(in.data(), out.data(), registers.data());
  for (std::size_t i = 0; i < at.size(); ++i) wheel_motions_[at[i].first][at[i].second] = out[i];
}

}  // namespace klingel::model
