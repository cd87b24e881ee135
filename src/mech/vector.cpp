#include "mech/vector.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mech/kinematics.hpp"
#include "mech/model.hpp"

namespace klingel::mech {
namespace {

void check_same(const Base& a, const Base& b) {
  if (a.model == nullptr || b.model == nullptr) base::fail("an empty vector or base was used");
  if (a.model != b.model) {
    base::fail("vectors of two models, '{}' and '{}', were used together", a.model->name(),
               b.model->name());
  }
}

// the bases to pass: up from `from`, then down to `to`; parents have smaller indices
struct Path {
  std::vector<std::uint32_t> up, down;
  int cost = 0;
};

Path path(const Base& from, const Base& to) {
  const auto& bases = from.model->bases();
  Path p;
  std::uint32_t a = from.index, b = to.index;
  while (a != b) {
    if (a > b) {
      p.up.push_back(a);
      p.cost += product_cost(bases[a].R_PB);
      a = bases[a].parent;
    } else {
      p.down.push_back(b);
      p.cost += product_cost(bases[b].R_PB);
      b = bases[b].parent;
    }
  }
  std::reverse(p.down.begin(), p.down.end());
  return p;
}

int nonzeros(const Triple& u) {
  return static_cast<int>(std::count_if(u.begin(), u.end(), [](Expr x) { return !x.is(0); }));
}

// the base in which two vectors are joined: the one with fewer components is changed; among equals
// the one nearer to the root, since results are mostly used further out
Base common(const Vector& u, const Vector& v) {
  check_same(u.base, v.base);
  const int nu = nonzeros(u.c), nv = nonzeros(v.c);
  if (nu != nv) return nu > nv ? u.base : v.base;
  return u.base.index >= v.base.index ? u.base : v.base;
}

constexpr int full_product = 15;  // operations of a full matrix times a vector

}  // namespace

std::string name(const Base& b) {
  if (b.model == nullptr) base::fail("an empty base was used");
  return b.model->bases()[b.index].name;
}
std::string name(const Point& p) {
  if (p.model == nullptr) base::fail("an empty point was used");
  return p.model->points()[p.index].name;
}

Vector in_base(const Vector& u, const Base& base) {
  check_same(u.base, base);
  if (u.base == base || is_zero(u.c)) return {base, u.c};
  // step by step along the tree while that is no dearer than one full product
  const Path p = path(u.base, base);
  if (p.cost > full_product) return {base, product(base_change(base, u.base), u.c)};
  const auto& bases = base.model->bases();
  Triple c = u.c;
  for (const std::uint32_t k : p.up) c = product(bases[k].R_PB, c);
  for (const std::uint32_t k : p.down) c = transposed_product(bases[k].R_PB, c);
  return {base, c};
}

Tensor in_base(const Tensor& t, const Base& base) {
  check_same(t.base, base);
  if (t.base == base || is_zero(t.c)) return {base, t.c};
  const Path p = path(t.base, base);
  const auto& bases = base.model->bases();
  Block c = t.c;
  for (const std::uint32_t k : p.up) c = rotated(bases[k].R_PB, c);
  for (const std::uint32_t k : p.down) c = rotated(transposed(bases[k].R_PB), c);
  return {base, c};
}

Vector operator+(const Vector& u, const Vector& v) {
  const Base b = common(u, v);
  const Vector x = in_base(u, b);
  const Vector y = in_base(v, b);
  return {b, plus(x.c, y.c)};
}

Vector operator-(const Vector& u, const Vector& v) {
  const Base b = common(u, v);
  const Vector x = in_base(u, b);
  const Vector y = in_base(v, b);
  return {b, minus(x.c, y.c)};
}

Vector operator-(const Vector& u) { return {u.base, negated(u.c)}; }
Vector operator*(Expr s, const Vector& u) { return {u.base, scaled(s, u.c)}; }
Vector operator*(double s, const Vector& u) { return sym::number_like(u.c[0], s) * u; }
Vector operator/(const Vector& u, Expr s) { return {u.base, {u.c[0] / s, u.c[1] / s, u.c[2] / s}}; }

Expr dot(const Vector& u, const Vector& v) {
  const Base b = common(u, v);
  const Vector x = in_base(u, b);
  const Vector y = in_base(v, b);
  return dot(x.c, y.c);
}

Vector cross(const Vector& u, const Vector& v) {
  const Base b = common(u, v);
  const Vector x = in_base(u, b);
  const Vector y = in_base(v, b);
  return {b, cross(x.c, y.c)};
}

Expr norm(const Vector& u) { return sym::sqrt(dot(u, u)); }
Vector unit(const Vector& u) { return u / norm(u); }

Tensor operator+(const Tensor& s, const Tensor& t) {
  const Tensor x = in_base(t, s.base);
  return {s.base, plus(s.c, x.c)};
}

Tensor operator-(const Tensor& s, const Tensor& t) {
  const Tensor x = in_base(t, s.base);
  return {s.base, plus(s.c, scaled(s.base.model->number(-1), x.c))};
}

Tensor operator*(Expr s, const Tensor& t) { return {t.base, scaled(s, t.c)}; }

// a vector is cheaper to turn than a tensor
Vector operator*(const Tensor& t, const Vector& u) {
  return {t.base, product(t.c, in_base(u, t.base).c)};
}

Tensor skew(const Vector& u) {
  const Expr o = sym::number_like(u.c[0], 0);
  return {u.base, {o, -u.c[2], u.c[1], u.c[2], o, -u.c[0], -u.c[1], u.c[0], o}};
}

Wrench moved(const Wrench& w, const Point& point) {
  const Vector arm = position(point, w.point);
  return {w.force, w.moment + cross(arm, w.force), point};
}

}  // namespace klingel::mech
