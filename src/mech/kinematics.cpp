#include "mech/kinematics.hpp"

#include "base/error.hpp"
#include "mech/inertia.hpp"
#include "mech/rate.hpp"
#include "sym/differentiate.hpp"

namespace klingel::mech {
namespace {

Model& common_model(Model* a, Model* b) {
  if (a == nullptr || b == nullptr) base::fail("an empty base or point was used");
  if (a != b)
    base::fail("bases or points of two models, '{}' and '{}', were used together", a->name(),
               b->name());
  return *a;
}

template <class Nodes>
std::uint32_t common_ancestor(const Nodes& nodes, std::uint32_t a, std::uint32_t b) {
  while (a != b) (a > b ? a : b) = nodes[a > b ? a : b].parent;
  return a;
}

// the value under a key, computed on first use; computing may store others meanwhile
template <class Compute>
Vector cached(Model& m, const Model::Key& key, Compute compute) {
  if (const auto it = m.kinematics().find(key); it != m.kinematics().end()) return it->second;
  const Vector v = compute();
  return m.kinematics().emplace(key, v).first->second;
}

Vector zero_in(Base b) { return b.model->vector(b, 0, 0, 0); }

// velocity of the end of a point's edge relative to its start, seen from A, components in the
// edge's base
Vector edge_velocity(Base A, const PointNode& p) {
  const Triple d = rate(p.r);
  const Vector w = in_base(angular_velocity(A, p.base), p.base);
  return {p.base, plus(d, cross(w.c, p.r))};
}

Vector angular_acceleration(Base A, Base B, Ddq ddq);

Vector edge_acceleration(Base A, const PointNode& p, Ddq ddq) {
  const Triple d = rate(p.r);
  const Triple dd = rate(d, ddq);
  const Triple w = in_base(angular_velocity(A, p.base), p.base).c;
  const Triple alpha = in_base(angular_acceleration(A, p.base, ddq), p.base).c;
  const Triple turning = turning_acceleration(w, alpha, p.r);
  const Triple coriolis = scaled(p.base.model->number(2), cross(w, d));
  return {p.base, plus(plus(dd, coriolis), turning)};
}

// Velocity or acceleration of P seen from A at point O: one edge more than for its parent. `start`
// is the value at O itself.
template <class Edge>
Vector along_points(char what, Point O, Base A, Point P, const Vector& start, Edge edge) {
  Model& m = common_model(O.model, P.model);
  common_model(&m, A.model);
  if (O == P) return start;
  const std::uint32_t c = common_ancestor(m.points(), O.index, P.index);
  if (c != O.index) {
    const Vector to_P = along_points(what, {&m, c}, A, P, start, edge);
    const Vector to_O = along_points(what, {&m, c}, A, O, start, edge);
    return to_P - to_O;
  }
  return cached(m, {what, O.index, A.index, P.index}, [&] {
    const PointNode p = m.points()[P.index];
    const Vector before = along_points(what, O, A, Point{&m, p.parent}, start, edge);
    const Vector e = edge(A, p);
    if (is_zero(e.c)) return before;
    return Vector{p.base, plus(in_base(before, p.base).c, e.c)};
  });
}

Vector angular_acceleration(Base A, Base B, Ddq ddq) {
  Model& m = common_model(A.model, B.model);
  if (A == B) return zero_in(A);
  const std::uint32_t c = common_ancestor(m.bases(), A.index, B.index);
  if (c != A.index) {  // alpha_AB = alpha_CB - alpha_CA - w_CA x w_AB
    const Vector to_B = angular_acceleration({&m, c}, B, ddq);
    const Vector to_A = angular_acceleration({&m, c}, A, ddq);
    const Vector w_CA = angular_velocity({&m, c}, A);
    const Vector turning = cross(w_CA, angular_velocity(A, B));
    return to_B - to_A - turning;
  }
  return cached(m, {ddq == Ddq::symbols ? 'a' : 'A', A.index, 0, B.index}, [&] {
    const BaseNode b = m.bases()[B.index];
    const Base P{&m, b.parent};
    const Triple alpha = in_base(angular_acceleration(A, P, ddq), B).c;
    const Triple w = in_base(angular_velocity(A, P), B).c;
    const Triple turning = plus(alpha, cross(w, b.w_PB));
    return Vector{B, plus(turning, rate(b.w_PB, ddq))};
  });
}

}  // namespace

Vector position(Point O, Point P) {
  Model& m = common_model(O.model, P.model);
  if (O == P) return m.zero_vector();
  const std::uint32_t c = common_ancestor(m.points(), O.index, P.index);
  if (c != O.index) {
    const Vector to_P = position({&m, c}, P);
    const Vector to_O = position({&m, c}, O);
    return to_P - to_O;
  }
  return cached(m, {'r', O.index, 0, P.index}, [&] {
    const PointNode p = m.points()[P.index];
    const Vector before = position(O, Point{&m, p.parent});
    if (is_zero(p.r)) return before;
    return Vector{p.base, plus(in_base(before, p.base).c, p.r)};
  });
}

Block base_change(Base A, Base B) {
  Model& m = common_model(A.model, B.model);
  if (A == B) return m.bases()[0].R_PB;
  if (const auto it = m.base_changes().find({A.index, B.index}); it != m.base_changes().end())
    return it->second;
  const std::uint32_t c = common_ancestor(m.bases(), A.index, B.index);
  Block R;
  if (c == A.index) {
    const BaseNode b = m.bases()[B.index];
    R = product(base_change(A, {&m, b.parent}), b.R_PB);
  } else if (c == B.index) {
    R = transposed(base_change(B, A));
  } else {
    const Block up = base_change(A, {&m, c});
    const Block down = base_change({&m, c}, B);
    R = product(up, down);
  }
  return m.base_changes().emplace(std::pair{A.index, B.index}, R).first->second;
}

Vector angular_velocity(Base A, Base B) {
  Model& m = common_model(A.model, B.model);
  if (A == B) return zero_in(A);
  const std::uint32_t c = common_ancestor(m.bases(), A.index, B.index);
  if (c != A.index) {
    const Vector to_B = angular_velocity({&m, c}, B);
    const Vector to_A = angular_velocity({&m, c}, A);
    return to_B - to_A;
  }
  return cached(m, {'w', A.index, 0, B.index}, [&] {
    const BaseNode b = m.bases()[B.index];
    const Vector before = angular_velocity(A, {&m, b.parent});
    return Vector{B, plus(in_base(before, B).c, b.w_PB)};
  });
}

Vector angular_acceleration(Base A, Base B) { return angular_acceleration(A, B, Ddq::symbols); }
Vector bias_angular_acceleration(Base A, Base B) { return angular_acceleration(A, B, Ddq::zero); }

Vector velocity(Frame f, Point P) {
  return along_points('v', f.point, f.base, P, zero_in(f.base), edge_velocity);
}

Vector acceleration(Frame f, Point P) {
  return along_points('b', f.point, f.base, P, zero_in(f.base), [](Base A, const PointNode& p) {
    return edge_acceleration(A, p, Ddq::symbols);
  });
}

Vector bias_acceleration(Frame f, Point P) {
  return along_points('B', f.point, f.base, P, zero_in(f.base), [](Base A, const PointNode& p) {
    return edge_acceleration(A, p, Ddq::zero);
  });
}

Vector bias_acceleration_less_gravity(Point P) {
  Model& m = *P.model;
  const Vector start = m.gravity() ? -in_base(*m.gravity(), m.ground_base()) : m.zero_vector();
  return along_points(
      Model::less_gravity, m.origin(), m.ground_base(), P, start,
      [](Base A, const PointNode& p) { return edge_acceleration(A, p, Ddq::zero); });
}

Twist twist(Frame f, const Body& body) {
  const Vector v = velocity(f, body.point);
  return {v, angular_velocity(f.base, body.base), body.point};
}

Vector time_derivative(const Vector& u, Base A) {
  const Vector w = in_base(angular_velocity(A, u.base), u.base);
  const Triple d = rate(u.c);
  return {u.base, plus(d, cross(w.c, u.c))};
}

Vector derivative(const Vector& u, Expr x, Base A) {
  const Vector v = in_base(u, A);
  return {A, {sym::derivative(v.c[0], x), sym::derivative(v.c[1], x), sym::derivative(v.c[2], x)}};
}

Wrench gravity_wrench(const Body& body) {
  Model& m = *body.point.model;
  const Vector g = m.gravity() ? *m.gravity() : m.zero_vector();
  const Vector weight = body.mass * g;
  return {weight, cross(body.com, weight), body.point};
}

Wrench inertia_wrench(const Body& body) {
  Model& m = *body.point.model;
  const Base O = m.ground_base();
  const Base D = body.inertia.base;  // tensor and centre of mass are constant in D
  const Triple w_D = in_base(angular_velocity(O, D), D).c;
  const Triple alpha_D = in_base(angular_acceleration(O, D), D).c;
  // a_G = a_P + alpha x c + w x (w x c)
  const Vector turning{D, turning_acceleration(w_D, alpha_D, body.com.c)};
  const Vector a_G = acceleration(m.ground(), body.point) + turning;
  const Vector force = -(body.mass * a_G);
  // dH/dt = I (dw/dt seen from D) + w_D x I w
  const Triple w_DB = spin(body);
  const Triple H = product(body.inertia.c, plus(w_D, w_DB));
  const Triple dw = plus(alpha_D, rate(w_DB));
  const Triple inertia = product(body.inertia.c, dw);
  const Vector dH{D, plus(inertia, cross(w_D, H))};
  return {force, cross(body.com, force) - dH, body.point};
}

Vector position_of_com(const Body& body) {
  const Vector to_point = position(body.point.model->origin(), body.point);
  return to_point + body.com;
}

Vector velocity_of_com(const Body& body) {
  Model& m = *body.point.model;
  const Vector v = velocity(m.ground(), body.point);
  const Base D = body.com.base;
  return v + cross(in_base(angular_velocity(m.ground_base(), D), D), body.com);
}

Expr kinetic_energy(const Body& body) {
  const Vector v = velocity_of_com(body);
  const Vector w =
      in_base(angular_velocity(body.point.model->ground_base(), body.base), body.inertia.base);
  const Expr linear = body.mass * dot(v, v);
  const Expr angular = dot(w, body.inertia * w);
  return (linear + angular) / 2;
}

Expr gravity_energy(const Body& body) {
  Model& m = *body.point.model;
  if (!m.gravity()) return m.number(0);
  return -(body.mass * dot(*m.gravity(), position_of_com(body)));
}

}  // namespace klingel::mech
