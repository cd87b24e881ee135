#include "reduce/inertias.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mech/inertia.hpp"
#include "mech/kinematics.hpp"

namespace klingel::reduce {
namespace {

bool is_constant(Expr x) {
  constexpr sym::KindMask parameters = bit(sym::SymbolKind::parameter);
  return (x.graph().node(x.id()).kinds & ~parameters) == 0;
}

template <class List>
bool are_constant(const List& list) {
  return std::all_of(list.begin(), list.end(), is_constant);
}

// r.s E - (r s^T + s r^T)/2, twice: what a first moment at r adds to the inertia
Block shifted(const Triple& r, const Triple& s) {
  const Triple d = {r[0] * s[0], r[1] * s[1], r[2] * s[2]};
  Block J;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Expr across = d[j] + d[k];
    J[4 * i] = 2 * across;
    const Expr x = r[i] * s[j];
    const Expr y = s[i] * r[j];
    J[3 * i + j] = J[3 * j + i] = -(x + y);
  }
  return J;
}

// m (r.r E - r r^T)
Block of_point_mass(Expr m, const Triple& r) {
  const Triple s = mech::scaled(m, r);
  const Triple d = {r[0] * s[0], r[1] * s[1], r[2] * s[2]};
  Block J;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    J[4 * i] = d[j] + d[k];
    J[3 * i + j] = J[3 * j + i] = -(r[i] * s[j]);
  }
  return J;
}

}  // namespace

std::size_t turning_axis(const mech::BaseNode& base) {
  std::size_t k = 0;
  while (k < 3 && !base.R_PB[4 * k].is(1)) ++k;
  return k;
}

Moves Moves::all(const mech::Model& model) {
  return {std::vector<bool>(model.points().size(), true),
          std::vector<bool>(model.bases().size(), true)};
}

Inertias::Inertias(mech::Model& model)
    : model_(model),
      used_{std::vector<bool>(model.points().size(), false),
            std::vector<bool>(model.bases().size(), false)} {
  for (const mech::Body& body : model.bodies()) add(body);
}

Block Inertias::no_block() const {
  Block J;
  J.fill(zero());
  return J;
}

void Inertias::add_mass(std::uint32_t point, Expr m) {
  const auto [at, is_new] = m_.emplace(point, m);
  if (!is_new) at->second += m;
}

void Inertias::add_moment(Pair pair, const Triple& s) {
  if (mech::is_zero(s)) return;
  const auto [at, is_new] = s_.emplace(pair, s);
  if (!is_new) at->second = mech::plus(at->second, s);
}

void Inertias::add_inertia(std::uint32_t base, const Block& J) {
  if (mech::is_zero(J)) return;
  const auto [at, is_new] = J_.emplace(base, J);
  if (!is_new) at->second = mech::plus(at->second, J);
}

void Inertias::add(const mech::Body& body) {
  const std::uint32_t D = body.inertia.base.index;
  add_mass(body.point.index, body.mass);
  add_moment({body.point.index, D}, mech::scaled(body.mass, body.com.c));
  add_inertia(D, of_point_mass(body.mass, body.com.c));
  if (body.inertia.base == body.base) {
    add_inertia(D, body.inertia.c);
    return;
  }
  // of revolution, described in a base that does not spin: only the axial part spins
  const std::size_t k = mech::spin_axis(body);
  Block across = body.inertia.c, along = no_block();
  std::swap(across[4 * k], along[4 * k]);
  add_inertia(D, across);
  add_inertia(body.base.index, along);
}

// The power of s is s . (v_P x w) and its weight g . s.
void Inertias::drop_without_effect(Pair at, Triple& s) const {
  const mech::Point P{&model_, at.first};
  const mech::Base D{&model_, at.second};
  const Triple v = in_base(velocity(model_.ground(), P), D).c;
  const Triple w = in_base(angular_velocity(model_.ground_base(), D), D).c;
  const Triple effect = mech::cross(v, w);
  Triple g = no_triple();
  if (model_.gravity()) g = in_base(*model_.gravity(), D).c;
  for (std::size_t i = 0; i < 3; ++i)
    if (effect[i].is(0) && is_constant(g[i])) s[i] = zero();
}

void Inertias::drop_without_effect(std::uint32_t base, Block& J) const {
  const mech::Base D{&model_, base};
  const Triple w = in_base(angular_velocity(model_.ground_base(), D), D).c;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (w[i].is(0) || w[j].is(0)) J[3 * i + j] = zero();
}

void Inertias::move_mass(std::uint32_t point) {
  const mech::PointNode& node = model_.points()[point];
  const Expr m = m_.at(point);
  if (m.is(0) || !are_constant(node.r)) return;
  m_.erase(point);
  add_mass(node.parent, m);
  add_moment({node.parent, node.base.index}, mech::scaled(m, node.r));
  add_inertia(node.base.index, of_point_mass(m, node.r));
  used_.points[point] = true;
}

void Inertias::move_moment(Pair at, const Moves& moves) {
  const auto [P, D] = at;
  Triple s = s_.at(at);
  s_.erase(at);
  if (D == 0) return;
  drop_without_effect(at, s);
  if (mech::is_zero(s)) return;
  const mech::PointNode& node = model_.points()[P];
  const mech::BaseNode& base = model_.bases()[D];
  if (P != 0 && moves.points[P] && node.base.index == D && are_constant(node.r)) {
    add_moment({node.parent, D}, s);
    add_inertia(D, shifted(node.r, s));
    used_.points[P] = true;
    return;
  }
  if (moves.bases[D] && are_constant(base.R_PB)) {
    add_moment({P, base.parent}, mech::product(base.R_PB, s));
    used_.bases[D] = true;
    return;
  }
  const std::size_t k = turning_axis(base);
  if (moves.bases[D] && k < 3 && !s[k].is(0)) {
    Triple along = no_triple();
    std::swap(along[k], s[k]);
    add_moment({P, base.parent}, along);
    used_.bases[D] = true;
  }
  if (!mech::is_zero(s)) s_[at] = s;
}

void Inertias::move_inertia(std::uint32_t D, const Moves& moves) {
  Block J = J_.at(D);
  J_.erase(D);
  if (D == 0) return;
  drop_without_effect(D, J);
  const mech::BaseNode& base = model_.bases()[D];
  if (moves.bases[D] && are_constant(base.R_PB)) {
    add_inertia(base.parent, mech::rotated(base.R_PB, J));
    used_.bases[D] = true;
    return;
  }
  const std::size_t k = turning_axis(base);
  if (moves.bases[D] && k < 3) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const Expr a = J[4 * j];
    if (!a.is(0)) {
      Block across = no_block();
      across[4 * i] = across[4 * j] = a;
      J[4 * i] -= a;
      J[4 * j] = zero();
      add_inertia(base.parent, across);
      used_.bases[D] = true;
    }
  }
  if (!mech::is_zero(J)) J_[D] = J;
}

void Inertias::regroup(const Moves& moves) {
  for (auto P = static_cast<std::uint32_t>(model_.points().size()); P-- > 1;)
    if (moves.points[P] && m_.contains(P)) move_mass(P);
  m_.erase(0);
  // what moves gets a smaller index: one way down is enough
  std::optional<Pair> last;
  while (true) {
    const auto above = last ? s_.lower_bound(*last) : s_.end();
    if (above == s_.begin()) break;
    last = std::prev(above)->first;
    move_moment(*last, moves);
  }
  for (auto D = static_cast<std::uint32_t>(model_.bases().size()); D-- > 0;)
    if (J_.contains(D)) move_inertia(D, moves);
}

// Any point will do for what only turns: one where something is written in the base is on the way
// of other masses.
std::uint32_t Inertias::point_for(std::uint32_t base) const {
  for (const mech::Body& body : model_.bodies())
    if (body.base.index == base) return body.point.index;
  for (const mech::PointNode& p : model_.points())
    if (p.base.index == base && base != 0) return p.parent;
  for (const mech::Body& body : model_.bodies())
    if (body.inertia.base.index == base) return body.point.index;
  return 0;
}

std::vector<mech::Body> Inertias::bodies() const {
  std::map<Pair, mech::Body> list;
  const auto at = [&](Pair pair) -> mech::Body& {
    const mech::Base base{&model_, pair.second};
    return list
        .try_emplace(pair, mech::Body{"",
                                      mech::Point{&model_, pair.first},
                                      base,
                                      zero(),
                                      {base, no_triple()},
                                      {base, no_block()}})
        .first->second;
  };
  for (const auto& [pair, s] : s_) at(pair).first_moment = s;
  for (const auto& [base, J] : J_) {
    if (mech::is_zero(J)) continue;
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const auto& b) { return b.first.second == base; });
    mech::Body& body = found == list.end() ? at({point_for(base), base}) : found->second;
    body.inertia.c = J;
  }
  for (const auto& [point, m] : m_) {
    if (m.is(0)) continue;
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const auto& b) { return b.first.first == point; });
    mech::Body& body =
        found == list.end() ? at({point, model_.points()[point].base.index}) : found->second;
    body.mass = m;
  }
  std::vector<mech::Body> result;
  std::set<std::string> names;
  for (auto& [pair, body] : list) {
    body.name = model_.bases()[pair.second].name;
    if (pair.second == 0) body.name = model_.points()[pair.first].name;
    for (const mech::Body& b : model_.bodies())
      if (b.point == body.point && b.base == body.base) body.name = b.name;
    std::string name = body.name;
    for (int i = 2; !names.insert(name).second; ++i) name = fmt::format("{}.{}", body.name, i);
    body.name = name;
    result.push_back(body);
  }
  return result;
}

std::vector<InertialParameter> inertial_parameters(const std::deque<mech::Body>& bodies) {
  constexpr const char* axes = "xyz";
  std::vector<InertialParameter> list;
  for (const mech::Body& b : bodies) {
    if (!b.mass.is(0)) list.push_back({fmt::format("m({})", b.name), b.mass});
    const Triple s = b.first_moment ? *b.first_moment : mech::scaled(b.mass, b.com.c);
    Block J = b.inertia.c;
    if (!b.first_moment && !mech::is_zero(b.com.c))
      J = mech::plus(J, of_point_mass(b.mass, b.com.c));
    for (std::size_t i = 0; i < 3; ++i)
      if (!s[i].is(0)) list.push_back({fmt::format("s_{}({})", axes[i], b.name), s[i]});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i; j < 3; ++j)
        if (!J[3 * i + j].is(0))
          list.push_back({fmt::format("J_{}{}({})", axes[i], axes[j], b.name), J[3 * i + j]});
  }
  return list;
}

}  // namespace klingel::reduce
