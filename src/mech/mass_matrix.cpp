// Every body is a point mass at its centre of mass, on the tree of points, and a rotary inertia, on
// the tree of bases. Column j of M is the force that one unit of ddq_j needs, projected
// (projection.hpp) on the motions above it; M is symmetric, so these are enough.
//
// Let E_b be the edges written in base b or below. A rotation of b turns exactly these. Where E_b
// is *closed* (no edge of another base hangs below one of E_b: point and base branches agree), E_b
// falls into clusters that turn as rigid bodies about their origins, and the force of a cluster
// follows from its composite mass, first moment and inertia, summed once from the leaves to the
// root. Where E_b or an E of a base below b is not closed, as with absolute angles, the column is
// made from the unit accelerations of all masses. A translation along a ground axis needs no moment
// and is always the simple case.
//
// The force of a column climbs: it is turned into and moved to every base above. Deep in a chain it
// is cheaper to bring it to the ground once, with A its moment about a point Q. Rotations above,
// with axes e through points p from Q, then have the power
//
//   e . (A - p x F) = e . A - (e x p) . F                                            [deep columns]
#include "mech/mass_matrix.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "mech/kinematics.hpp"
#include "mech/projection.hpp"

namespace klingel::mech {
namespace {

// Mass, first moment and inertia of some masses about a point, components in some base.
struct Composite {
  Expr m;
  Triple s;
  Block J;
};

class MassMatrix {
 public:
  MassMatrix(Model& model, std::span<const std::string> without)
      : model_(model), points_(model.points()), motions_(motions_of(model)) {
    for (const Body& body : model.inertias()) {
      if (std::find(without.begin(), without.end(), body.name) == without.end())
        bodies_.push_back(body);
    }
    place_masses();
    find_closed_bases();
    place_rotary_inertia();
    of_point_.resize(points_.size()), of_base_.resize(model.bases().size());
    for (std::size_t i = 0; i < motions_.size(); ++i)
      (motions_[i].rotation ? of_base_ : of_point_)[motions_[i].edge].push_back(i);
  }

  sym::Matrix build() {
    Projection projection(model_, points_, motions_);
    const std::size_t n = motions_.size();
    Powers power;
    std::vector<bool> general(n);
    for (std::size_t j = 0; j < n; ++j) {
      general[j] = base_of(motions_[j]) != 0 && !closed_[base_of(motions_[j])];
    }
    for (std::size_t j = 0; j < n; ++j) {
      const auto report = [&](std::size_t i, Expr value) {
        // a general column is complete; a composite one holds for composite partners only
        if (!general[j] && general[i]) return;
        if (general[j] && general[i] && i > j) return;
        power[{i, j}] = power[{j, i}] = value;
      };
      if (!general[j] && is_deep(motions_[j])) {
        project_from_ground(motions_[j], report);
        continue;
      }
      if (general[j]) {
        load_unit_acceleration(motions_[j], projection);
      } else {
        load_composite(motions_[j], projection);
      }
      projection.project(report);
    }
    return assemble(power);
  }

 private:
  // by two motions: most pairs have nothing in common
  using Powers = std::map<std::pair<std::size_t, std::size_t>, Expr>;

  Expr number(double x) { return model_.number(x); }
  Triple zero_triple() { return {number(0), number(0), number(0)}; }
  Composite nothing() {
    Block J;
    J.fill(number(0));
    return {number(0), zero_triple(), J};
  }

  std::uint32_t base_of(const Motion& motion) const {
    return motion.rotation ? motion.edge : points_[motion.edge].base.index;
  }

  // a body without mass may still turn: its centre of mass carries nothing
  static bool has_edge(const Body& body) {
    return body.first_moment || (!is_zero(body.com.c) && !body.mass.is(0));
  }

  void place_masses() {
    mass_.assign(points_.size(), number(0));
    for (const Body& body : bodies_) {
      std::uint32_t at = body.point.index;
      if (has_edge(body)) {
        at = static_cast<std::uint32_t>(points_.size());
        points_.push_back({body.name + ".G", body.point.index, body.inertia.base, body.com.c});
        mass_.push_back(number(0));
        Composite own = nothing();
        if (body.inertia.base == body.base) own.J = body.inertia.c;
        if (body.first_moment) own.s = *body.first_moment;  // at an edge without length
        at_edge_[at] = own;
      }
      mass_[at] += body.mass;
    }
    below_ = mass_;  // total mass at or below a point
    carries_.assign(points_.size(), false);
    edges_.resize(points_.size());
    for (std::uint32_t k = static_cast<std::uint32_t>(points_.size()); k-- > 1;) {
      const auto own = at_edge_.find(k);
      if (!below_[k].is(0) || (own != at_edge_.end() && !is_zero(own->second.s)))
        carries_[k] = true;
      if (!carries_[k]) continue;
      carries_[points_[k].parent] = true;
      below_[points_[k].parent] += below_[k];
    }
    for (std::uint32_t k = 1; k < points_.size(); ++k) {
      if (carries_[k]) edges_[points_[k].parent].push_back(k);
    }
  }

  bool is_below(std::uint32_t base, std::uint32_t ancestor) const {
    while (base > ancestor) base = model_.bases()[base].parent;
    return base == ancestor;
  }

  void find_closed_bases() {
    const std::size_t n = model_.bases().size();
    closed_.assign(n, true);
    clusters_.resize(n);
    for (std::uint32_t b = 0; b < n; ++b) {
      std::vector<bool> in(points_.size(), false);  // the edge to this point is in E_b
      std::set<std::uint32_t> origins;
      for (std::uint32_t k = 1; k < points_.size(); ++k) {
        if (!carries_[k]) continue;
        in[k] = is_below(points_[k].base.index, b);
        const bool parent_in = in[points_[k].parent];
        if (parent_in && !in[k]) closed_[b] = false;
        if (in[k] && !parent_in) origins.insert(points_[k].parent);
      }
      clusters_[b].assign(origins.begin(), origins.end());
    }
    for (std::size_t b = n; b-- > 1;) {
      if (!closed_[b]) closed_[model_.bases()[b].parent] = false;
    }
  }

  // rotary inertia travels with the edge to the body's centre of mass; without one, with the first
  // cluster of its base; without one, up to the parent
  void place_rotary_inertia() {
    rotary_.assign(model_.bases().size(), nothing().J);
    for (const Body& body : bodies_) {
      const std::uint32_t b = body.base.index;
      if (!has_edge(body) || body.inertia.base != body.base)
        rotary_[b] = plus(rotary_[b], body.inertia.c);
    }
    for (std::uint32_t b = static_cast<std::uint32_t>(rotary_.size()); b-- > 1;) {
      const BaseNode& node = model_.bases()[b];
      if (!clusters_[b].empty() || is_zero(rotary_[b])) continue;
      rotary_[node.parent] = plus(rotary_[node.parent], rotated(node.R_PB, rotary_[b]));
    }
  }

  // masses below P reached by edges of E_b, about P, in base b
  const Composite& composite(std::uint32_t P, std::uint32_t b) {
    if (const auto it = composites_.find({P, b}); it != composites_.end()) return it->second;
    Composite sum = nothing();
    std::set<std::uint32_t> children;  // child bases of b with edges from P
    for (const std::uint32_t k : edges_[P]) {
      std::uint32_t base = points_[k].base.index;
      if (!is_below(base, b)) continue;
      if (base == b) {
        add(sum, shifted(k));
        continue;
      }
      while (model_.bases()[base].parent != b) base = model_.bases()[base].parent;
      children.insert(base);
    }
    for (const std::uint32_t child : children)
      add(sum, turned(composite(P, child), model_.bases()[child].R_PB));
    if (!clusters_[b].empty() && clusters_[b].front() == P) sum.J = plus(sum.J, rotary_[b]);
    return composites_.emplace(std::pair{P, b}, sum).first->second;
  }

  static void add(Composite& sum, const Composite& c) {
    sum.m += c.m;
    sum.s = plus(sum.s, c.s);
    sum.J = plus(sum.J, c.J);
  }

  static Composite turned(const Composite& c, const Block& R) {
    return {c.m, product(R, c.s), rotated(R, c.J)};
  }

  // the composite at the end of edge k, taken about its start: with r the edge and s' = s + m r
  //   J' = J + tr(T) E - T,  T = r s'^T + s r^T
  Composite shifted(std::uint32_t k) {
    Composite c = composite(k, points_[k].base.index);
    if (const auto it = at_edge_.find(k); it != at_edge_.end()) add(c, it->second);
    const Expr m = c.m + mass_[k];
    const Triple& r = points_[k].r;
    Composite out{m, plus(c.s, scaled(m, r)), c.J};
    Triple d;  // diagonal of T
    for (std::size_t i = 0; i < 3; ++i) {
      const Expr sum = c.s[i] + out.s[i];
      d[i] = r[i] * sum;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      out.J[4 * i] += d[j] + d[l];
      const Expr x = r[i] * out.s[j];
      const Expr y = c.s[i] * r[j];
      out.J[3 * i + j] -= x + y;
      out.J[3 * j + i] = out.J[3 * i + j];
    }
    return out;
  }

  void load_composite(const Motion& motion, Projection& projection) {
    const Base b{&model_, base_of(motion)};
    const Triple& e = motion.direction;
    if (!motion.rotation) {  // everything below the edge moves by e
      if (!carries_[motion.edge]) return;
      projection.add_force(motion.edge, {b, scaled(below_[motion.edge], e)});
      if (b.index != 0)
        projection.add_moment(b.index, {b, cross(composite(motion.edge, b.index).s, e)});
      return;
    }
    Block J = clusters_[b.index].empty() ? rotary_[b.index] : nothing().J;
    for (const std::uint32_t origin : clusters_[b.index]) {
      const Composite& c = composite(origin, b.index);
      projection.add_force(origin, {b, cross(e, c.s)});
      J = plus(J, c.J);
    }
    projection.add_moment(b.index, {b, product(J, e)});
  }

  // Rotations that many others are above, each of one cluster, on a path of points that only they
  // turn.
  bool is_deep(const Motion& motion) const {
    constexpr std::size_t deep = 12;  // in space; in a plane the ground pays from four on
    if (!motion.rotation) return false;
    std::size_t above = 0;
    for (std::uint32_t a = motion.edge; a != 0; a = model_.bases()[a].parent) {
      if (of_base_[a].empty()) continue;
      if (clusters_[a].size() != 1) return false;
      ++above;
    }
    if (above < deep) return false;
    for (std::uint32_t k = clusters_[motion.edge].front(); k != 0; k = points_[k].parent)
      if (!is_below(motion.edge, points_[k].base.index)) return false;
    return true;
  }

  void project_from_ground(const Motion& motion, const Projection::Report& report) {
    const std::uint32_t b = motion.edge, origin = clusters_[b].front();
    std::uint32_t first = b;  // the outermost base that turns: Q is where it does
    for (std::uint32_t a = b; a != 0; a = model_.bases()[a].parent)
      if (!of_base_[a].empty()) first = a;
    const std::uint32_t Q = clusters_[first].front();
    const Composite& c = composite(origin, b);
    const Triple F = in_ground(b, cross(motion.direction, c.s));
    const Triple M = product(c.J, motion.direction);
    const Triple A = plus(in_ground(b, M), cross(from(Q, origin), F));
    for (const std::size_t i : of_base_[b]) report(i, dot(motions_[i].direction, M));
    for (std::uint32_t a = model_.bases()[b].parent; a != 0; a = model_.bases()[a].parent) {
      for (const std::size_t i : of_base_[a]) {
        const Axis& axis = axis_of(Q, i);
        Expr power = dot(axis.e, A);
        for (std::size_t k = 0; k < 3; ++k) power -= axis.e_p[k] * F[k];
        report(i, power);
      }
    }
    for (std::uint32_t k = origin; k != 0; k = points_[k].parent) {
      for (const std::size_t i : of_point_[k])
        report(i, dot(in_ground(points_[k].base.index, motions_[i].direction), F));
    }
  }

  struct Axis {
    Triple e, e_p;  // the axis, and its product with the lever p from Q
  };
  const Axis& axis_of(std::uint32_t Q, std::size_t rotation) {
    if (const auto it = axes_.find({Q, rotation}); it != axes_.end()) return it->second;
    const std::uint32_t a = motions_[rotation].edge;
    const Triple e = in_ground(a, motions_[rotation].direction);
    const Axis axis{e, cross(e, from(Q, clusters_[a].front()))};
    return axes_.emplace(std::pair{Q, rotation}, axis).first->second;
  }

  Triple in_ground(std::uint32_t base, const Triple& u) {
    return product(base_change(model_.ground_base(), {&model_, base}), u);
  }

  // r_QP in the ground, P below Q
  const Triple& from(std::uint32_t Q, std::uint32_t P) {
    if (const auto it = levers_.find({Q, P}); it != levers_.end()) return it->second;
    Triple r = zero_triple();
    if (P != Q)
      r = plus(from(Q, points_[P].parent), in_ground(points_[P].base.index, points_[P].r));
    return levers_.emplace(std::pair{Q, P}, r).first->second;
  }

  // no composite: unit acceleration of each mass, unit angular acceleration of each rotary inertia
  void load_unit_acceleration(const Motion& motion, Projection& projection) {
    const Base b{&model_, base_of(motion)};
    std::vector<std::optional<Vector>> acceleration(points_.size());
    for (std::uint32_t k = 1; k < points_.size(); ++k) {
      const PointNode& p = points_[k];
      if (!carries_[k]) continue;
      acceleration[k] = acceleration[p.parent];
      if (motion.rotation ? !is_below(p.base.index, b.index) : k != motion.edge) continue;
      if (k >= model_.points().size() && is_zero(p.r)) continue;  // of a first moment
      const Vector e = in_base({b, motion.direction}, p.base);
      const Vector own{p.base, motion.rotation ? cross(e.c, p.r) : e.c};
      acceleration[k] =
          acceleration[k] ? in_base(*acceleration[k], p.base) : Vector{p.base, zero_triple()};
      acceleration[k]->c = plus(acceleration[k]->c, own.c);
    }
    for (std::uint32_t k = 1; k < points_.size(); ++k) {
      if (acceleration[k] && !mass_[k].is(0)) projection.add_force(k, mass_[k] * *acceleration[k]);
    }
    load_first_moments(motion, acceleration, projection);
    if (!motion.rotation) return;
    for (const Body& body : bodies_) {
      if (!is_below(body.base.index, b.index) || is_zero(body.inertia.c)) continue;
      const Vector e = in_base({b, motion.direction}, body.inertia.base);
      projection.add_moment(body, product(body.inertia.c, e.c));
    }
  }

  // Of regrouped parameters: force dw x s, moment s x a_P.
  void load_first_moments(const Motion& motion,
                          const std::vector<std::optional<Vector>>& acceleration,
                          Projection& projection) {
    const Base b{&model_, base_of(motion)};
    for (const Body& body : bodies_) {
      if (!body.first_moment) continue;
      const Base D = body.inertia.base;
      if (motion.rotation && is_below(D.index, b.index)) {
        const Vector e = in_base({b, motion.direction}, D);
        projection.add_force(body.point.index, {D, cross(e.c, *body.first_moment)});
      }
      if (const auto& a_P = acceleration[body.point.index])
        projection.add_moment(D.index, {D, cross(*body.first_moment, in_base(*a_P, D).c)});
    }
  }

  // several motions may belong to one coordinate
  sym::Matrix assemble(const Powers& power) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> M;
    for (const auto& [pair, value] : power) {
      const std::uint32_t a = motions_[pair.first].coordinate, b = motions_[pair.second].coordinate;
      if (a > b) continue;  // the upper triangle; its mirror follows
      const auto [entry, is_new] = M.emplace(std::pair{a, b}, value);
      if (!is_new) entry->second += value;
    }
    std::vector<sym::Entry> entries;
    for (const auto& [place, value] : M) {
      entries.push_back({place.first, place.second, value});
      if (place.first != place.second) entries.push_back({place.second, place.first, value});
    }
    const auto n = static_cast<std::uint32_t>(model_.coordinates().size());
    return {n, n, std::move(entries)};
  }

  Model& model_;
  std::vector<Body> bodies_;
  std::vector<PointNode> points_;  // of the model, then centres of mass
  std::vector<Motion> motions_;
  std::vector<std::vector<std::size_t>> of_point_, of_base_;  // motions by edge
  std::map<std::uint32_t, Composite> at_edge_;  // rotary inertia and first moment by point
  std::vector<Expr> mass_, below_;              // by point
  std::vector<bool> carries_;                   // by point: mass or first moment at or below it
  std::vector<std::vector<std::uint32_t>>
      edges_;                 // by point: edges that start there and carry mass
  std::vector<bool> closed_;  // by base
  std::vector<std::vector<std::uint32_t>> clusters_;  // by base: origins
  std::vector<Block> rotary_;                         // by base
  std::map<std::pair<std::uint32_t, std::uint32_t>, Composite> composites_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Triple> levers_;  // from Q to P, in the ground
  std::map<std::pair<std::uint32_t, std::size_t>, Axis> axes_;        // by Q and rotation
};

}  // namespace

sym::Matrix mass_matrix(Model& model) { return MassMatrix(model, {}).build(); }

sym::Matrix mass_matrix_without(Model& model, std::span<const std::string> bodies) {
  return MassMatrix(model, bodies).build();
}

}  // namespace klingel::mech
