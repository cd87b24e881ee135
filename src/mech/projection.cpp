#include "mech/projection.hpp"

#include "mech/inertia.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"

namespace klingel::mech {
namespace {

// coordinates among the symbols below, by index
std::vector<std::uint32_t> coordinates_below(const Triple& u, sym::SymbolKind kind,
                                             const std::map<sym::Id, std::uint32_t>& index) {
  std::vector<std::uint32_t> found;
  const auto kinds = [](Expr x) { return x.graph().node(x.id()).kinds; };
  if (((kinds(u[0]) | kinds(u[1]) | kinds(u[2])) & bit(kind)) == 0) return found;
  for (const Expr& x : sym::symbols_below(std::span<const Expr>(u))) {
    if (const auto it = index.find(x.id()); it != index.end()) found.push_back(it->second);
  }
  return found;
}

Triple derivative(const Triple& u, Expr x) {
  return {sym::derivative(u[0], x), sym::derivative(u[1], x), sym::derivative(u[2], x)};
}

}  // namespace

std::vector<Motion> motions_of(Model& m) {
  std::map<sym::Id, std::uint32_t> q, dq;
  for (std::uint32_t j = 0; j < m.coordinates().size(); ++j) {
    q[m.coordinates()[j].q.id()] = j;
    dq[m.coordinates()[j].dq.id()] = j;
  }
  std::vector<Motion> motions;
  for (std::uint32_t k = 1; k < m.points().size(); ++k) {
    const Triple r = m.points()[k].r;
    for (const std::uint32_t j : coordinates_below(r, sym::SymbolKind::coordinate, q)) {
      motions.push_back({j, false, k, derivative(r, m.coordinates()[j].q)});
    }
  }
  for (std::uint32_t b = 1; b < m.bases().size(); ++b) {
    const Triple w = m.bases()[b].w_PB;
    for (const std::uint32_t j : coordinates_below(w, sym::SymbolKind::velocity, dq)) {
      motions.push_back({j, true, b, derivative(w, m.coordinates()[j].dq)});
    }
  }
  return motions;
}

Projection::Projection(Model& model, const std::vector<PointNode>& points,
                       const std::vector<Motion>& motions)
    : model_(model),
      points_(points),
      motions_(motions),
      of_point_(points.size()),
      of_base_(model.bases().size()) {
  for (std::size_t i = 0; i < motions.size(); ++i) {
    (motions[i].rotation ? of_base_ : of_point_)[motions[i].edge].push_back(i);
  }
}

void Projection::accumulate(Sums& sums, std::uint32_t index, const Triple& value) {
  const auto [it, is_new] = sums.emplace(index, value);
  if (!is_new) it->second = plus(it->second, value);
}

void Projection::add_force(std::uint32_t point, const Vector& force) {
  if (point == 0 || is_zero(force.c)) return;
  accumulate(forces_, point, in_base(force, points_[point].base).c);
}

void Projection::add_moment(std::uint32_t base, const Vector& moment) {
  if (base == 0 || is_zero(moment.c)) return;
  accumulate(moments_, base, in_base(moment, {&model_, base}).c);
}

void Projection::add_moment(const Body& body, const Triple& moment) {
  const Base D = body.inertia.base;
  Triple along = model_.zero_vector().c, across = moment;
  if (D == body.base) {
    add_moment(D.index, {D, moment});
    return;
  }
  const std::size_t k = spin_axis(body);
  std::swap(along[k], across[k]);
  add_moment(body.base.index, {body.base, along});
  add_moment(D.index, {D, across});
}

void Projection::project(const Report& report) {
  while (!forces_.empty()) {
    const auto [k, F] = *forces_.begin();
    forces_.erase(forces_.begin());
    const PointNode& p = points_[k];
    for (const std::size_t i : of_point_[k]) report(i, dot(motions_[i].direction, F));
    add_moment(p.base.index, {p.base, cross(p.r, F)});
    add_force(p.parent, {p.base, F});
  }
  while (!moments_.empty()) {
    const auto [b, M] = *moments_.begin();
    moments_.erase(moments_.begin());
    for (const std::size_t i : of_base_[b]) report(i, dot(motions_[i].direction, M));
    add_moment(model_.bases()[b].parent, {{&model_, b}, M});
  }
}

}  // namespace klingel::mech
