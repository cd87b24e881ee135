#include "mech/closures.hpp"

#include "base/error.hpp"
#include "mech/kinematics.hpp"

namespace klingel::mech {
namespace {

constexpr const char* axis_names[] = {".x", ".y", ".z"};

std::size_t checked_axis(int k, const std::string& name) {
  if (k < 0 || k > 2)
    base::fail("the axis of closing '{}' must be 0, 1 or 2 (x, y, z), found {}", name, k);
  return static_cast<std::size_t>(k);
}

}  // namespace

void coincide(Model& m, const std::string& name, Point P, Point Q, Base base) {
  const Triple r = in_base(position(P, Q), base).c;
  for (std::size_t i = 0; i < 3; ++i) {
    if (r[i].is(0)) {
      base::fail(
          "closing '{}' is over-constrained: '{}' and '{}' always agree in {}; use "
          "coincide_in_plane",
          name, mech::name(P), mech::name(Q), axis_names[i] + 1);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) m.constrain(name + axis_names[i], r[i]);
}

void coincide_in_plane(Model& m, const std::string& name, Point P, Point Q, Base base,
                       int normal_axis) {
  const std::size_t normal = checked_axis(normal_axis, name);
  const Triple r = in_base(position(P, Q), base).c;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i != normal) m.constrain(name + axis_names[i], r[i]);
  }
}

void parallel(Model& m, const std::string& name, const Vector& u, Base base, int coordinate_axis) {
  const Triple c = in_base(u, base).c;
  const std::size_t k = checked_axis(coordinate_axis, name);
  for (const std::size_t i : {(k + 1) % 3, (k + 2) % 3}) m.constrain(name + axis_names[i], c[i]);
}

void distance(Model& m, const std::string& name, Point P, Point Q, Scalar length) {
  const Vector r = position(P, Q);
  const Expr l = m.expression(length);
  const Expr square = dot(r, r);
  const Expr difference = square - l * l;
  m.constrain(name, difference / (2 * l));
}

void revolute_closure(Model& m, const std::string& name, Point P, Point Q,
                      const Vector& axis_on_first, Base second, int coordinate_axis) {
  coincide(m, name, P, Q, second);
  parallel(m, name + ".axis", axis_on_first, second, coordinate_axis);
}

void unit_norm(Model& m, const std::string& name, const std::array<Expr, 4>& e) {
  Expr sum = m.number(-1);
  for (const Expr& x : e) sum += x * x;
  m.constrain(name, sum / 2);
}

}  // namespace klingel::mech
