#include "mech/elements.hpp"

#include "base/error.hpp"
#include "sym/differentiate.hpp"

namespace klingel::mech {
namespace {

void pull_together(Model& m, const std::string& name, const Vector& on_from, Point from, Point to) {
  m.add_force(name + ".from", on_from, from);
  m.add_force(name + ".to", -on_from, to);
}

void turn(Model& m, const std::string& name, const Vector& on_to, Base from, Base to) {
  m.add_moment(name + ".to", on_to, to);
  m.add_moment(name + ".from", -on_to, from);
}

// What is recorded of an element along a line or an axis.
void measure_line(Model& m, const std::string& name, Expr force, Expr stroke, Expr rate) {
  m.measure("force." + name, "N", "force of the element, tension positive", force);
  m.measure("stroke." + name, "m", "deflection of the element, longer positive", stroke);
  m.measure("rate." + name, "m/s", "rate of the deflection", rate);
}

void measure_turn(Model& m, const std::string& name, Expr moment, Expr turn, Expr rate) {
  m.measure("moment." + name, "Nm", "moment of the element against the turn", moment);
  m.measure("turn." + name, "rad", "turn of the element", turn);
  m.measure("turn_rate." + name, "rad/s", "rate of the turn", rate);
}

// The same in three directions.
void measure_axes(Model& m, const std::string& name, const Triple& force, const Triple& stroke,
                  const Triple& rate) {
  m.measure("force." + name, "N", "force of the element on its first end, by axis", force);
  m.measure("stroke." + name, "m", "place of its second end seen from the first, by axis", stroke);
  m.measure("rate." + name, "m/s", "rate of that place, by axis", rate);
}

void measure_turns(Model& m, const std::string& name, const Triple& moment, const Block& R,
                   const Triple& w) {
  Triple turn;
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    turn[x] = (R[3 * z + y] - R[3 * y + z]) / 2;
  }
  m.measure("moment." + name, "Nm", "moment of the element on its first end, by axis", moment);
  m.measure("turn." + name, "rad", "turn of its second end in the first (its sine), by axis", turn);
  m.measure("turn_rate." + name, "rad/s", "rate of that turn, by axis", w);
}

// diag(k) u by components
Triple by_axis(Model& m, const std::array<Scalar, 3>& k, const Triple& u) {
  return {m.expression(k[0]) * u[0], m.expression(k[1]) * u[1], m.expression(k[2]) * u[2]};
}

}  // namespace

void isotropic_spring(Model& m, const std::string& name, Point from, Point to, Scalar stiffness,
                      Scalar damping, Base seen_from, std::optional<Vector> preload) {
  const Expr k = m.expression(stiffness), c = m.expression(damping);
  const Vector r = in_base(position(from, to), seen_from);
  const Vector v{seen_from, in_base(velocity({from, seen_from}, to), seen_from).c};
  const Vector elastic = k * r;
  Vector on_from = elastic;
  if (!c.is(0)) on_from = on_from + c * v;
  for (const Expr& rate : v.c) m.add_law(name, rate, k, c);
  if (preload) on_from = on_from - *preload;
  pull_together(m, name, on_from, from, to);
  measure_axes(m, name, in_base(on_from, seen_from).c, r.c, v.c);
  Expr energy = dot(elastic, r) / 2;
  if (preload) energy -= dot(*preload, r);
  m.add_potential(energy);
}

void line_spring(Model& m, const std::string& name, Point from, Point to, Scalar stiffness,
                 Scalar damping, Scalar natural_length, Scalar preload) {
  if (from == to)
    base::fail("the spring '{}' joins the point '{}' with itself", name, mech::name(from));
  const Expr k = m.expression(stiffness), c = m.expression(damping);
  const Vector r = position(from, to);
  const Expr l = norm(r);
  const Vector e = r / l;
  const Expr stretch = l - m.expression(natural_length);
  const Expr elastic = k * stretch;
  Expr tension = elastic + m.expression(preload);
  const Expr rate = dot(e, velocity({from, m.ground_base()}, to));
  if (!c.is(0)) tension += c * rate;
  m.add_law(name, rate, k, c);
  pull_together(m, name, tension * e, from, to);
  measure_line(m, name, tension, stretch, rate);
  const Expr quadratic = elastic * stretch / 2;
  m.add_potential(quadratic + m.expression(preload) * stretch);
}

void bushing(Model& m, const std::string& name, Attachment from, Attachment to, Base axes,
             const Bushing& data) {
  const Triple r = in_base(position(from.point, to.point), axes).c;
  const Triple v = in_base(velocity({from.point, axes}, to.point), axes).c;
  const Triple elastic = by_axis(m, data.stiffness, r);
  const Vector on_from{axes, plus(elastic, by_axis(m, data.damping, v))};
  if (!is_zero(on_from.c)) {
    pull_together(m, name, on_from, from.point, to.point);
    // not along r: the couple of the two ends is taken by what the axes are fixed to
    m.add_moment(name + ".axes", {axes, cross(r, on_from.c)}, axes);
    measure_axes(m, name, on_from.c, r, v);
  }
  m.add_potential(mech::dot(elastic, r) / 2);
  for (std::size_t i = 0; i < 3; ++i) m.add_law(name, v[i], data.stiffness[i], data.damping[i]);

  // V = sum of k_i (1 - R_ii) with R the turn of `to` in `from`; for small angles about x its
  // stiffness is k_y + k_z. Its gradient by a turn of `to` is g, by one of `from` -h
  std::array<Expr, 3> c, k;
  for (std::size_t i = 0; i < 3; ++i) c[i] = m.expression(data.turning_stiffness[i]);
  for (std::size_t i = 0; i < 3; ++i) k[i] = (c[(i + 1) % 3] + c[(i + 2) % 3] - c[i]) / 2;
  const Block R_from_to = base_change(from.base, to.base);  // the same components in both
  const bool fixed_to_one = axes == from.base || axes == to.base;
  const Block R = fixed_to_one ? R_from_to : in_base(Tensor{from.base, R_from_to}, axes).c;
  Triple g, h;
  Expr energy = m.number(0);
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    const Expr R_zy = R[3 * z + y], R_yz = R[3 * y + z];
    const Expr yy = k[y] * R_zy, zz = k[z] * R_yz, zy = k[z] * R_zy, yz = k[y] * R_yz;
    g[x] = yy - zz;
    h[x] = zy - yz;
    energy += k[x] * (1 - R[4 * x]);
  }
  const Triple w = in_base(angular_velocity(from.base, to.base), axes).c;
  const Triple damping = by_axis(m, data.turning_damping, w);
  const Triple& elastic_moment = axes == to.base ? h : g;
  const Triple moment = plus(elastic_moment, damping);
  if (is_zero(moment)) return;
  for (std::size_t i = 0; i < 3; ++i)
    m.add_law(name, w[i], data.turning_stiffness[i], data.turning_damping[i]);
  turn(m, name, {axes, negated(moment)}, from.base, to.base);
  measure_turns(m, name, moment, R, w);
  if (!fixed_to_one) turn(m, name + ".axes", {axes, minus(g, h)}, from.base, axes);
  m.add_potential(energy);
}

void torsion_spring(Model& m, const std::string& name, Base from, Base to, const Vector& axis,
                    Expr angle, Scalar stiffness, Scalar damping, Scalar rest, Scalar preload) {
  const Expr twist = m.expression(angle) - m.expression(rest);
  const Expr elastic = m.expression(stiffness) * twist;
  Expr moment = elastic + m.expression(preload);
  const Expr rate = sym::time_derivative(angle);
  if (const Expr c = m.expression(damping); !c.is(0)) moment += c * rate;
  m.add_law(name, rate, stiffness, damping);
  turn(m, name, -(moment * axis), from, to);
  measure_turn(m, name, moment, twist, rate);
  const Expr quadratic = elastic * twist / 2;
  m.add_potential(quadratic + m.expression(preload) * twist);
}

void gear_pair(Model& m, const std::string& name, const Gear& one, const Gear& two, Point mesh,
               const Vector& line, Scalar stiffness, Scalar damping) {
  const Expr first = m.expression(one.radius) * one.angle;
  const Expr second = m.expression(two.radius) * two.angle;
  const Expr u = first + second;
  const Expr elastic = m.expression(stiffness) * u;
  const Expr rate = sym::time_derivative(u);
  const Expr damped = m.expression(damping) * rate;
  m.add_law(name, rate, stiffness, damping);
  const Expr tooth_force = elastic + damped;
  const Vector force = tooth_force * unit(line);
  // the same force on both gears at the mesh: at each centre, with its moment about the centre
  const auto act = [&](const Gear& gear, const Vector& f, const char* suffix) {
    m.add_force(name + suffix, f, gear.body.point);
    m.add_moment(name + suffix, cross(position(gear.body.point, mesh), f), gear.body.base);
  };
  act(two, force, ".two");
  act(one, -force, ".one");
  m.add_potential(elastic * u / 2);
  measure_line(m, name, tooth_force, u, rate);
}

void applied_force(Model& m, const std::string& name, const Vector& force, Point to,
                   std::optional<Point> from) {
  m.add_force(name, force, to);
  m.measure("force." + name, "N", "force on the body, by axis", force.c);
  if (from) m.add_force(name + ".reaction", -force, *from);
}

void applied_torque(Model& m, const std::string& name, const Vector& torque, Base to,
                    std::optional<Base> from) {
  m.add_moment(name, torque, to);
  m.measure("moment." + name, "Nm", "moment on the body, by axis", torque.c);
  if (from) m.add_moment(name + ".reaction", -torque, *from);
}

}  // namespace klingel::mech
