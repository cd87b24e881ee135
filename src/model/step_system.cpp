#include "model/step_system.hpp"

#include <algorithm>

#include "mech/kinematics.hpp"
#include "sym/ordering.hpp"

namespace klingel::model {

using mech::Triple;
using sym::Expr;

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
    const mech::Body& body =
        *std::find_if(model_.inertias().begin(), model_.inertias().end(),
                      [&name](const mech::Body& inertia) { return inertia.name == name; });
    const Triple r = in_base(position(wheelset.centre, body.point), wheelset.still).c;
    const Triple c = mech::plus(r, in_base(body.com, wheelset.still).c);
    if (body.first_moment) {
      const Triple own = in_base({body.inertia.base, *body.first_moment}, wheelset.still).c;
      s = mech::plus(s, own);
      J = moved(J, own, r);
    }
    mass += body.mass;
    s = mech::plus(s, mech::scaled(body.mass, c));
    J = mech::plus(J,
                   mech::rotated(base_change(wheelset.still, body.inertia.base), body.inertia.c));
    J = moved(J, body.mass, c);
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
