#include "model/place_tree.hpp"

#include "mech/kinematics.hpp"
#include "sym/depends.hpp"
#include "sym/jacobian.hpp"

namespace klingel::model {

using mech::Triple;
using sym::Expr;

PlaceTree::PlaceTree(mech::Model& model) : model_(model) {
  const Expr zero = model.number(0);
  places_.push_back({0, model.ground_base(), {}, {zero, zero, zero}, {}});
  by_pair_[{0, 0}] = 0;
  by_base_[0] = 0;
  for (std::uint32_t j = 0; j < model.coordinates().size(); ++j) {
    coordinate_[model.coordinates()[j].q.id()] = j;
    coordinate_[model.coordinates()[j].dq.id()] = j;
  }
}

bool PlaceTree::above(std::uint32_t base, std::uint32_t below) const {
  while (below > base) below = model_.bases()[below].parent;
  return below == base;
}

bool PlaceTree::reaches_ground(mech::Point point, mech::Base base) const {
  std::uint32_t b = base.index;
  for (std::uint32_t p = point.index; p != 0; p = model_.points()[p].parent) {
    const std::uint32_t edge = model_.points()[p].base.index;
    if (!above(edge, b)) return false;
    b = edge;
  }
  return true;
}

std::uint32_t PlaceTree::place(mech::Point point, mech::Base base, mech::Base in) {
  const std::pair pair(point.index, base.index);
  if (const auto found = by_pair_.find(pair); found != by_pair_.end()) return found->second;
  const mech::PointNode& node = model_.points()[point.index];
  const bool turns = point.index == 0 || node.base != base;
  const mech::Base up{&model_, model_.bases()[base.index].parent};
  const std::uint32_t parent = turns ? place(point, up, above(in.index, up.index) ? in : up)
                                     : place({&model_, node.parent}, base, base);
  const Expr zero = model_.number(0);
  const Triple r = turns ? Triple{zero, zero, zero} : in_base({base, node.r}, in).c;
  const std::uint32_t made = add({parent, in, {}, r, {}});
  steps_.push_back({made, turns ? base.index : point.index, turns});
  by_pair_[pair] = made;
  by_base_.emplace(base.index, made);
  return made;
}

std::uint32_t PlaceTree::add(Place place) {
  places_.push_back(std::move(place));
  return static_cast<std::uint32_t>(places_.size() - 1);
}

// Rotary inertia turns with its base, wherever it is: it joins a place that has this base.
std::uint32_t PlaceTree::turning_place(const mech::Body& body) {
  std::vector<std::uint32_t> bases;
  std::uint32_t b = body.base.index;
  for (; !by_base_.contains(b); b = model_.bases()[b].parent) bases.push_back(b);
  std::uint32_t last = by_base_[b];
  const Expr zero = model_.number(0);
  for (std::size_t k = bases.size(); k-- > 0;) {
    mech::Base in{&model_, bases[k]};
    if (k == 0 && above(body.inertia.base.index, bases[k])) in = body.inertia.base;
    last = add({last, in, {}, {zero, zero, zero}, {}});
    steps_.push_back({last, bases[k], true});
    by_base_[bases[k]] = last;
  }
  return last;
}

bool PlaceTree::add(const mech::Body& body) {
  if (reaches_ground(body.point, body.base)) {
    const bool revolution = above(body.inertia.base.index, body.base.index);
    const std::uint32_t at =
        place(body.point, body.base, revolution ? body.inertia.base : body.base);
    places_[at].bodies.push_back({&body, true, true});
    return true;
  }
  const bool central = mech::is_zero(body.com.c) && !body.first_moment;
  const mech::Base of_mass = central ? model_.points()[body.point.index].base : body.inertia.base;
  if (!reaches_ground(body.point, of_mass)) return false;
  places_[place(body.point, of_mass, of_mass)].bodies.push_back({&body, true, false});
  places_[turning_place(body)].bodies.push_back({&body, false, true});
  return true;
}

void PlaceTree::find_columns() {
  for (const Step& step : steps_) places_[step.place].columns = columns(step);
}

std::vector<PlaceColumn> PlaceTree::columns(const Step& step) const {
  const mech::Base base =
      step.turns ? mech::Base{&model_, step.from} : model_.points()[step.from].base;
  const Triple& moving = step.turns ? model_.bases()[step.from].w_PB : model_.points()[step.from].r;
  const sym::SymbolKind kind = step.turns ? sym::SymbolKind::velocity : sym::SymbolKind::coordinate;
  std::vector<Expr> symbols;
  for (const Expr& x : sym::symbols_below(moving)) {
    if (model_.graph().symbol_of(x).kind == kind && coordinate_.contains(x.id()))
      symbols.push_back(x);
  }
  if (symbols.empty()) return {};
  const Expr zero = model_.number(0);
  const Triple nothing = {zero, zero, zero};
  std::vector<Triple> list(symbols.size(), nothing);
  const sym::Matrix J = sym::jacobian(moving, symbols);
  for (const sym::Entry& e : J.entries()) list[e.col][e.row] = e.value;
  std::vector<PlaceColumn> result;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (mech::is_zero(list[k])) continue;
    const Triple c = in_base({base, list[k]}, places_[step.place].in).c;
    result.push_back(
        {coordinate_.at(symbols[k].id()), step.turns ? joined(nothing, c) : joined(c, nothing)});
  }
  return result;
}

SixBySix PlaceTree::inertia(const PlaceBody& part, const mech::Base& in) const {
  const mech::Body& body = *part.body;
  const Expr zero = model_.number(0);
  Expr mass = zero;
  Triple s = {zero, zero, zero};
  mech::Block J;
  J.fill(zero);
  if (part.inertia) J = mech::rotated(base_change(in, body.inertia.base), body.inertia.c);
  if (part.mass) {
    const Triple c = in_base(body.com, in).c;
    mass = body.mass;
    s = mech::scaled(mass, c);
    J = moved(J, mass, c);
    if (body.first_moment) s = in_base({body.inertia.base, *body.first_moment}, in).c;
  }
  return model::inertia(mass, s, J);
}

}  // namespace klingel::model
