#include "tests/physics/equal_models.hpp"

#include <fmt/format.h>

#include "mech/elements.hpp"
#include "tests/support/random.hpp"

namespace klingel::test {
namespace {

using mech::Base;
using mech::Expr;
using mech::Model;
using mech::Point;
using mech::Tensor;
using mech::Vector;
namespace axis = mech::axis;

void add_gravity(Model& m) {
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -m.parameter("g", 9.81)));
}

// parameters one after the other: C++ leaves the order of arguments open, and the generated code
// should not depend on the compiler
template <std::size_t n>
std::array<Expr, n> some_parameters(Model& m, const std::string& name,
                                    const std::array<const char*, n>& names,
                                    const std::array<double, n>& values, double size) {
  std::array<Expr, n> list;
  for (std::size_t i = 0; i < n; ++i) list[i] = m.parameter(name + names[i], values[i] * size);
  return list;
}

// a full inertia of distinct, physical numbers
Tensor some_inertia(Model& m, Base b, const std::string& name, double size = 1) {
  const auto I = some_parameters<6>(m, name, {".Ixx", ".Iyy", ".Izz", ".Ixy", ".Ixz", ".Iyz"},
                                    {1.1, 0.9, 0.7, 0.05, -0.08, 0.06}, size);
  return m.inertia(b, I[0], I[1], I[2], I[3], I[4], I[5]);
}

void some_body(Model& m, const std::string& name, Point p, Base b, double mass = 1.3) {
  const Expr m_body = m.parameter(name + ".m", mass);
  const auto c = some_parameters<3>(m, name, {".cx", ".cy", ".cz"}, {0.7, -0.4, -1}, 0.3);
  const Tensor I = some_inertia(m, b, name, 0.2 * mass);
  m.body(name, p, b, m_body, m.vector(b, c[0], c[1], c[2]), I);
}

// two links, the second one's angle counted from the first or from the ground
void double_pendulum(Model& m, bool absolute) {
  add_gravity(m);
  const auto a = m.coordinate("a"), b = m.coordinate("b");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base B = m.rotation("B", absolute ? m.ground_base() : A, axis::y, b.q);
  const Point P = m.point("P", m.origin(), m.vector(A, 0, 0, -m.parameter("l", 0.8)));
  some_body(m, "first", m.origin(), A);
  some_body(m, "second", P, B);
}
void relative_double_pendulum(Model& m) { double_pendulum(m, false); }
void absolute_double_pendulum(Model& m) { double_pendulum(m, true); }

// Cardan angles of every link from the ground; three links on one chain
void absolute_spatial_chain(Model& m) {
  add_gravity(m);
  Point P = m.origin();
  for (int i = 0; i < 3; ++i) {
    const std::string n = fmt::format("link{}", i);
    const auto x = m.coordinate(n + ".x"), y = m.coordinate(n + ".y"), z = m.coordinate(n + ".z");
    const Base X = m.rotation(n + ".X", m.ground_base(), axis::x, x.q);
    const Base Y = m.rotation(n + ".Y", X, axis::y, y.q);
    const Base Z = m.rotation(n + ".Z", Y, axis::z, z.q);
    some_body(m, n, P, Z);
    P = m.point(n + ".end", P, m.vector(Z, 0.1, 0.2, -m.parameter(n + ".l", 0.5 + 0.1 * i)));
  }
  m.body("tip", P, m.ground_base(), 0.4);
}

// the chain of points leaves a base and comes back to it: ground, A, ground, A, B, A
void interleaved_bases(Model& m) {
  add_gravity(m);
  const auto a = m.coordinate("a"), b = m.coordinate("b"), x = m.coordinate("x"),
             z = m.coordinate("z");
  const Base A = m.rotation("A", m.ground_base(), axis::z, a.q);
  const Base B = m.rotation("B", A, axis::x, b.q);
  const Point P1 = m.point("P1", m.origin(), m.vector(A, 0.4, 0.1, 0));
  const Point P2 = m.point("P2", P1, m.vector(m.ground_base(), x.q, 0.2, 0));
  const Point P3 = m.point("P3", P2, m.vector(A, 0.1, 0.5, 0.2));
  const Point P4 = m.point("P4", P3, m.vector(B, 0, 0.3, z.q));
  const Point P5 = m.point("P5", P4, m.vector(A, 0.2, 0, z.q * x.q));
  some_body(m, "one", P2, A);
  some_body(m, "two", P4, B);
  some_body(m, "three", P5, A);
}

void cart_with_absolute_pendulums(Model& m) {
  add_gravity(m);
  const auto x = m.coordinate("x"), a = m.coordinate("a"), b = m.coordinate("b"),
             c = m.coordinate("c");
  const Point cart = m.point("cart", m.origin(), m.vector(m.ground_base(), x.q, 0, 0.2));
  m.body("cart", cart, m.ground_base(), m.parameter("cart.m", 3));
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base B = m.rotation("B", m.ground_base(), axis::y, b.q);
  const Base C = m.rotation("C", m.ground_base(), axis::x, c.q);
  const Point P = m.point("P", cart, m.vector(A, 0, 0, -0.7));
  some_body(m, "first", cart, A);
  some_body(m, "second", P, B);
  some_body(m, "beside", cart, C);
}

// As the locomotive's motor: the housing's point on the bogie, its base below the wheelset's roll;
// the rotor's point on the housing, its base again below the wheelset's roll. `offset` moves the
// housing's centre of mass off its point.
void motor(Model& m, bool offset) {
  add_gravity(m);
  const auto x = m.coordinate("x"), z = m.coordinate("z"), yaw = m.coordinate("yaw"),
             pitch = m.coordinate("pitch"), roll = m.coordinate("roll");
  const Base Yaw = m.rotation("Yaw", m.ground_base(), axis::z, yaw.q);
  const Base Pitch = m.rotation("Pitch", Yaw, axis::y, pitch.q);
  const Base bogie = m.rotation("bogie", Pitch, axis::x, roll.q);
  const Point O_bogie = m.point("O_bogie", m.origin(), m.vector(m.ground_base(), x.q, 0, z.q));
  some_body(m, "bogie", O_bogie, bogie, 4);

  const auto z_w = m.coordinate("z_w"), roll_w = m.coordinate("roll_w"),
             spin_w = m.coordinate("spin_w");
  const Base axle = m.rotation("axle", bogie, axis::x, roll_w.q);
  const Base wheels = m.rotation("wheels", axle, axis::y, spin_w.q);
  const Point O_wheels = m.point("O_wheels", O_bogie, m.vector(bogie, 1.1, 0, z_w.q));
  const Expr m_w = m.parameter("wheels.m", 2), I_w = m.parameter("wheels.I", 0.9),
             J_w = m.parameter("wheels.Iy", 0.5);
  m.body("wheels", O_wheels, wheels, m_w, m.vector(wheels, 0, 0, 0),
         m.inertia(wheels, I_w, J_w, I_w));

  const auto turn = m.coordinate("turn"), spin = m.coordinate("spin");
  const Base housing = m.rotation("housing", axle, axis::y, turn.q);
  const Base rotor = m.rotation("rotor", axle, axis::y, spin.q);
  const Point O_housing = m.point("O_housing", O_bogie, m.vector(bogie, 0.35, 0, 0.1));
  const Point O_rotor = m.point("O_rotor", O_housing, m.vector(housing, -0.4, 0.05, 0.02));
  if (offset) {
    some_body(m, "housing", O_housing, housing);
  } else {
    const Expr m_h = m.parameter("housing.m", 1.3);
    m.body("housing", O_housing, housing, m_h, m.vector(housing, 0, 0, 0),
           some_inertia(m, housing, "housing", 0.3));
  }
  const Expr m_r = m.parameter("rotor.m", 0.6), I_r = m.parameter("rotor.I", 0.2),
             J_r = m.parameter("rotor.Iy", 0.15);
  m.body("rotor", O_rotor, rotor, m_r, m.vector(rotor, 0, 0, 0), m.inertia(rotor, I_r, J_r, I_r));
}
void motor_centred(Model& m) { motor(m, false); }
void motor_offset(Model& m) { motor(m, true); }

// one base turns arms on two sliders, so it has two clusters, and bodies of its own turn with it
// without any edge; a base below it has two clusters as well
void two_clusters(Model& m) {
  add_gravity(m);
  const auto x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a"),
             b = m.coordinate("b");
  const Point X = m.point("X", m.origin(), m.vector(m.ground_base(), x.q, 0, 0));
  const Point Y = m.point("Y", m.origin(), m.vector(m.ground_base(), 0, y.q, 1));
  const Base A = m.rotation("A", m.ground_base(), axis::z, a.q);
  const Base B = m.rotation("B", A, axis::y, b.q);
  some_body(m, "on_x", m.point("X.arm", X, m.vector(A, 0.5, 0.1, 0)), A);
  some_body(m, "on_y", m.point("Y.arm", Y, m.vector(A, -0.3, 0.2, 0.1)), A);
  some_body(m, "out_x", m.point("X.out", m.point("X.arm"), m.vector(B, 0.2, 0.3, 0)), B);
  some_body(m, "out_y", m.point("Y.out", Y, m.vector(B, 0, 0.3, -0.4)), B);
  m.body("flywheel", m.origin(), B, 0, m.vector(B, 0, 0, 0), some_inertia(m, B, "flywheel"));
}

// one coordinate drives a wheel, a wheel geared to it and a rack; another one an angle and a length
void gears(Model& m) {
  add_gravity(m);
  const auto q = m.coordinate("q"), r = m.coordinate("r");
  const Base W1 = m.rotation("W1", m.ground_base(), axis::y, q.q);
  const Base W2 = m.rotation("W2", m.ground_base(), axis::y, -3 * q.q);
  const Base W3 = m.rotation("W3", W2, axis::x, r.q + q.q / 2);
  const Point C2 = m.point("C2", m.origin(), m.vector(m.ground_base(), 0.4, 0, 0));
  const Point rack = m.point("rack", m.origin(), m.vector(m.ground_base(), 0, 0.1, 0.3 * q.q));
  const Point pin = m.point("pin", rack, m.vector(W1, 0.2 + 0.1 * r.q, q.q * r.q, 0));
  some_body(m, "one", m.origin(), W1);
  some_body(m, "two", C2, W2);
  some_body(m, "three", m.point("P3", C2, m.vector(W3, 0.1, 0.3, r.q)), W3);
  some_body(m, "rack", rack, m.ground_base());
  some_body(m, "pin", pin, W3);
}

// a turntable driven by time, a point shaken by time, and a pendulum on it
void rheonomic(Model& m) {
  add_gravity(m);
  const Expr t = m.graph().time();
  const auto a = m.coordinate("a"), x = m.coordinate("x");
  const Base table = m.rotation("table", m.ground_base(), axis::z, m.parameter("w", 1.7) * t);
  const Base nod = m.rotation("nod", table, axis::x, sym::sin(2 * t) * a.q);
  const Base arm = m.rotation("arm", nod, axis::y, a.q + t * t / 3);
  const Point P = m.point("P", m.origin(),
                          m.vector(table, 0.5 + x.q, 0.1 * sym::sin(3 * t), x.q * sym::cos(t)));
  const Point Q = m.point("Q", P, m.vector(arm, 0, 0.2 * t, -0.6));
  some_body(m, "carriage", P, table);
  some_body(m, "bob", Q, arm);
}

// a fixed skew axis by numbers, one by parameters, a fixed tilt, and axes that move with
// coordinates and time
void odd_axes(Model& m) {
  add_gravity(m);
  const Expr t = m.graph().time();
  const auto a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c"),
             d = m.coordinate("d");
  const Base A = m.rotation("A", m.ground_base(), {0.6, 0, 0.8}, a.q);
  const Base tilt = m.rotation("tilt", A, {1, 2, 3}, 0.7);
  const Base B = m.rotation("B", tilt, {m.parameter("nx", 1), m.parameter("ny", -2), 0.5}, b.q);
  const Base C = m.rotation("C", B, {sym::cos(d.q), sym::sin(d.q), t}, c.q);
  const Base D = m.rotation("D", A, {0, 0, -2}, d.q);  // about -z
  const Point P = m.point("P", m.origin(), m.vector(B, 0.3, 0.2, -0.5));
  const Point Q = m.point("Q", P, m.vector(C, 0.1, 0.4, c.q));
  some_body(m, "one", m.origin(), A);
  some_body(m, "two", P, B);
  some_body(m, "three", Q, C);
  some_body(m, "four", P, D);
  some_body(m, "five", Q, tilt);
}

// the matrix of two turns, written out by the user
void user_matrix(Model& m) {
  add_gravity(m);
  const auto a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c");
  const Expr ca = sym::cos(a.q), sa = sym::sin(a.q), cb = sym::cos(b.q), sb = sym::sin(b.q);
  const Base U = m.rotation_matrix("U", m.ground_base(),
                                   {ca * cb, -sa, ca * sb, sa * cb, ca, sa * sb, -sb, 0, cb});
  const Base V = m.rotation_matrix("V", U, {0, -1, 0, 0, 0, -1, 1, 0, 0});  // a fixed permutation
  const Base W = m.rotation("W", V, axis::z, c.q);
  const Point P = m.point("P", m.origin(), m.vector(U, 0.5, 0.1, -0.2));
  some_body(m, "one", P, U);
  some_body(m, "two", P, V);
  some_body(m, "three", m.point("Q", P, m.vector(W, 0.2, 0, 0.4)), W);
}

// angles and lengths that are not linear in the coordinates
void curved_coordinates(Model& m) {
  add_gravity(m);
  const auto a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c");
  const Base A = m.rotation("A", m.ground_base(), axis::x, a.q + a.q * b.q / 3);
  const Base B = m.rotation("B", A, axis::z, sym::sin(b.q) * c.q);
  const Point P = m.point("P", m.origin(), m.vector(A, a.q * b.q, sym::cos(c.q), 0.3));
  const Point Q = m.point("Q", P, m.vector(B, 0.2, b.q * b.q, sym::sqrt(4 + c.q)));
  some_body(m, "one", P, B);
  some_body(m, "two", Q, A);
}

// spin on spin about one axis, a rod on its own axis, a ball, a disc whose axis is not the turning
// one, a disc with its centre of mass on its axis, and a fixed base in between
void spinning_bodies(Model& m) {
  add_gravity(m);
  const auto x = m.coordinate("x"), a = m.coordinate("a"), b = m.coordinate("b"),
             c = m.coordinate("c"), d = m.coordinate("d");
  const Base carrier = m.rotation("carrier", m.ground_base(), axis::x, a.q);
  const Base one = m.rotation("one", carrier, axis::y, b.q);
  const Base two = m.rotation("two", one, axis::y, c.q);
  const Base fixed = m.rotation("fixed", two, axis::y, m.parameter("fixed", 0.4));
  const Base three = m.rotation("three", m.rotation("tilt", fixed, axis::y, 0.5), axis::y, d.q);
  const Point P = m.point("P", m.origin(), m.vector(carrier, x.q, 0.3, 0.2));
  const Expr I = m.parameter("I", 0.8), J = m.parameter("J", 0.5), zero = m.number(0);
  const auto disc = [&](const std::string& name, Base base, Expr ix, Expr iy, Expr iz, Expr cy) {
    m.body(name, P, base, m.parameter(name + ".m", 1.2), m.vector(base, 0, cy, 0),
           m.inertia(base, ix, iy, iz));
  };
  disc("disc", two, I, J, I, zero);
  disc("disc_on_axis", fixed, I, J, I, m.parameter("cy", 0.25));
  disc("ball", three, I, I, I, zero);
  disc("across", two, J, I, I, zero);
  disc("behind_tilt", three, I, J, I, m.parameter("cy2", -0.2));
  disc("rod", one, I, zero, I, zero);
}

// bodies of mass or of inertia only, on the ground, at the origin, on branches without motion
void nothing_much(Model& m) {
  const Base tilted = m.rotation("tilted", m.ground_base(), axis::x, 0.3);
  m.set_gravity(m.vector(tilted, 0.5, 0.2, -9.7));
  const auto a = m.coordinate("a"), x = m.coordinate("x");
  const Base A = m.rotation("A", tilted, axis::y, a.q);
  const Point P = m.point("P", m.origin(), m.vector(tilted, x.q, 0, 0));
  const Point Q = m.point("Q", P, m.vector(A, 0.1, 0.2, 0.3));
  m.point("unused", Q, m.vector(A, a.q, x.q, 1));
  some_body(m, "on_the_ground", m.origin(), m.ground_base());
  some_body(m, "on_the_slope", m.origin(), tilted);
  m.body("particle", Q, A, 1.5);
  m.body("flywheel", m.origin(), A, 0, m.vector(A, 0, 0, 0), some_inertia(m, A, "flywheel"));
  m.body("slid", P, m.ground_base(), 2, m.vector(m.ground_base(), 0.1, 0.2, 0.3),
         some_inertia(m, m.ground_base(), "slid"));
}

// a prescribed motion given from outside: an input with a declared rate
void driven_by_inputs(Model& m) {
  add_gravity(m);
  const Expr u = m.input("u"), v = m.input("v"), w = m.input("w");
  m.graph().set_rate(u, v);
  m.graph().set_rate(v, w);
  const auto a = m.coordinate("a"), x = m.coordinate("x");
  const Base U = m.rotation("U", m.ground_base(), axis::z, u);
  const Base A = m.rotation("A", U, axis::y, a.q + u / 2);
  const Point P = m.point("P", m.origin(), m.vector(U, 0.3 + x.q, u * u, 0));
  some_body(m, "one", P, U);
  some_body(m, "two", m.point("Q", P, m.vector(A, 0.1, 0, -0.5)), A);
}

// a point carried by a contact coordinate
void on_contact_coordinate(Model& m) {
  add_gravity(m);
  const auto a = m.coordinate("a");
  const auto s = m.contact_coordinate("s");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base S = m.rotation("S", A, axis::x, 0.3 * s.q);
  const Point P = m.point("P", m.origin(), m.vector(A, s.q, s.q * a.q, 0.2));
  some_body(m, "one", P, S);
}

// a parameter and a coordinate with names that might be taken for time
void called_t(Model& m) {
  add_gravity(m);
  const Expr t = m.parameter("t", 0.3);
  const auto a = m.coordinate("a");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Point P = m.point("P", m.origin(), m.vector(A, 0, t, -t * a.q));
  some_body(m, "one", P, A);
}

}  // namespace

const std::vector<Mechanism>& mechanisms() {
  static const std::vector<Mechanism> all = {
      {"relative_double_pendulum", relative_double_pendulum},
      {"absolute_double_pendulum", absolute_double_pendulum},
      {"absolute_spatial_chain", absolute_spatial_chain},
      {"interleaved_bases", interleaved_bases},
      {"cart_with_absolute_pendulums", cart_with_absolute_pendulums},
      {"motor_centred", motor_centred},
      {"motor_offset", motor_offset},
      {"two_clusters", two_clusters},
      {"gears", gears},
      {"rheonomic", rheonomic},
      {"odd_axes", odd_axes},
      {"user_matrix", user_matrix},
      {"curved_coordinates", curved_coordinates},
      {"spinning_bodies", spinning_bodies},
      {"nothing_much", nothing_much},
      {"driven_by_inputs", driven_by_inputs},
      {"on_contact_coordinate", on_contact_coordinate},
      {"called_t", called_t},
  };
  return all;
}

FreeBody build_euler_parameters(Model& m) {
  add_gravity(m);
  const auto x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  FreeBody free{
      {m.coordinate("e0", 1), m.coordinate("e1"), m.coordinate("e2"), m.coordinate("e3")}};
  const auto a = m.coordinate("a");
  const Base E = m.euler_parameters("E", m.ground_base(),
                                    {free.e[0].q, free.e[1].q, free.e[2].q, free.e[3].q});
  const Base A = m.rotation("A", E, axis::x, a.q);
  const Point P = m.point("P", m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
  some_body(m, "body", P, E);
  some_body(m, "pendulum", m.point("Q", P, m.vector(E, 0.2, 0.5, 0.1)), A);
  return free;
}

sym::Coordinate build_wheelset(Model& m, bool shared) {
  add_gravity(m);
  const auto y = m.coordinate("y"), yaw = m.coordinate("yaw"), roll = m.coordinate("roll"),
             spin = m.coordinate("spin");
  const Base Yaw = m.rotation("Yaw", m.ground_base(), axis::z, yaw.q);
  const Base axle = m.rotation("axle", Yaw, axis::x, roll.q);
  const Base wheels = m.rotation("wheels", axle, axis::y, spin.q);
  const Point P = m.point("P", m.origin(), m.vector(Yaw, 0.3, y.q, 0.5));
  const Expr I = m.parameter("I", 0.9);
  const Expr I_z = shared ? I : m.parameter("I_z", 0.9);
  m.body("wheels", P, wheels, m.parameter("m", 2), m.vector(wheels, 0, m.parameter("cy", 0.1), 0),
         m.inertia(wheels, I, m.parameter("J", 0.5), I_z));
  return spin;
}

namespace {

// Builds a random mechanism step by step. Every call that draws a number or makes a symbol has a
// statement of its own, so that a seed means the same mechanism with every compiler.
class RandomModel {
 public:
  RandomModel(Model& m, std::uint64_t seed) : m_(m), random_(seed) {}

  void build() {
    if (random_.chance(0.3)) t_ = m_.graph().time();
    const std::size_t n = 3 + random_.below(10);
    for (std::size_t i = 0; i < n; ++i) q_.push_back(m_.coordinate(fmt::format("q{}", i)).q);
    bases_.push_back(m_.ground_base());
    points_.push_back(m_.origin());
    // every coordinate drives something once
    while (next_ < n) random_.chance(0.6) ? add_base() : add_point();
    for (std::size_t i = random_.below(4); i > 0; --i)
      random_.chance(0.5) ? add_base() : add_point();
    const std::size_t bodies = 2 + random_.below(n);
    for (std::size_t i = 0; i < bodies; ++i) add_body(i);
    m_.set_gravity(m_.vector(bases_[0], random_.within(1), 0, -9.81));
    for (std::size_t i = random_.below(3); i > 0; --i) add_action(i);
  }

 private:
  Base any_base() { return bases_[random_.below(bases_.size())]; }
  Point any_point() { return points_[random_.below(points_.size())]; }
  // long branches are more telling than bushes
  Base some_parent_base() { return random_.chance(0.5) ? bases_.back() : any_base(); }
  Point some_parent_point() { return random_.chance(0.5) ? points_.back() : any_point(); }
  Expr any_q() { return q_[random_.below(q_.size())]; }
  Expr next_q() { return next_ < q_.size() ? q_[next_++] : any_q(); }
  std::string name(char kind) { return fmt::format("{}{}", kind, ++names_); }

  Expr parameter(double limit) {
    const double value = random_.within(limit);
    return random_.chance(0.5) ? m_.parameter(name('p'), value) : m_.number(value);
  }
  std::array<Expr, 3> parameters(double limit) {
    return {parameter(limit), parameter(limit), parameter(limit)};
  }

  // mostly a coordinate, sometimes a combination
  Expr drive() {
    const Expr q = next_q(), other = any_q(), p = parameter(2);
    switch (random_.below(8)) {
      case 0:
        return p * q;
      case 1:
        return q + other / 2;
      case 2:
        return t_ ? q + p * *t_ : q;
      case 3:
        return sym::sin(q) + p;
      default:
        return q;
    }
  }

  void add_base() {
    const Base parent = some_parent_base();
    const std::string n = name('B');
    const std::size_t kind = random_.below(8);
    const int k = static_cast<int>(random_.below(3));
    if (kind == 2) {  // fixed
      bases_.push_back(m_.rotation(n, parent, k, parameter(3)));
      return;
    }
    const Expr angle = drive(), a = any_q();
    const std::array<Expr, 3> axis = parameters(1);
    if (kind == 0) {
      bases_.push_back(m_.rotation(n, parent, {axis[0], axis[1], 0.5}, angle));
    } else if (kind == 1) {
      const Expr c = sym::cos(a), s = sym::sin(a);
      bases_.push_back(m_.rotation(n, parent, {c, 1, s}, angle));
    } else if (kind == 3) {  // a rotation about k as a matrix
      const Expr c = sym::cos(angle), s = sym::sin(angle);
      std::array<mech::Scalar, 9> R = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      const std::size_t K = static_cast<std::size_t>(k), I = (K + 1) % 3, J = (K + 2) % 3;
      R[3 * I + I] = R[3 * J + J] = c;
      R[3 * J + I] = s;
      R[3 * I + J] = -s;
      bases_.push_back(m_.rotation_matrix(n, parent, R));
    } else {
      bases_.push_back(m_.rotation(n, parent, k, angle));
    }
  }

  void add_point() {
    std::array<Expr, 3> r = {m_.number(0), m_.number(0), m_.number(0)};
    for (Expr& x : r)
      if (random_.chance(0.5)) x = parameter(1);
    const std::size_t along = random_.below(3), across = random_.below(3);
    if (random_.chance(0.6)) r[along] += drive();
    if (random_.chance(0.1)) {
      const Expr a = any_q(), b = any_q();
      r[across] += a * b;
    }
    const Point parent = some_parent_point();
    const Base base = any_base();
    points_.push_back(m_.point(name('P'), parent, m_.vector(base, r[0], r[1], r[2])));
  }

  void add_body(std::size_t i) {
    const Point point = some_parent_point();
    const Base base = any_base();
    Expr mass = m_.number(0);
    if (!random_.chance(0.1)) mass = m_.parameter(fmt::format("m{}", i), random_.uniform(0.5, 2));
    const std::size_t k = random_.below(3);  // an axis
    std::array<Expr, 3> c = parameters(0.5);
    const std::size_t with_com = random_.below(3);
    for (std::size_t j = 0; j < 3; ++j)
      if (with_com == 0 || (with_com == 1 && j != k)) c[j] = m_.number(0);
    // nothing, a body of revolution about k, or a full tensor
    const Expr I = m_.parameter(fmt::format("I{}", i), random_.uniform(0.6, 1));
    const Expr J = m_.parameter(fmt::format("J{}", i), random_.uniform(0.6, 1));
    const std::array<Expr, 3> products = parameters(0.1);
    Tensor inertia = m_.inertia(base, 0, 0, 0);
    const std::size_t kind = random_.below(3);
    if (kind == 1) inertia = m_.inertia(base, k == 0 ? J : I, k == 1 ? J : I, k == 2 ? J : I);
    if (kind == 2) inertia = m_.inertia(base, I, J, 0.9, products[0], products[1], products[2]);
    m_.body(fmt::format("body{}", i), point, base, mass, m_.vector(base, c[0], c[1], c[2]),
            inertia);
  }

  void add_action(std::size_t i) {
    const Point P = any_point(), Q = any_point();
    const Base A = any_base(), B = any_base(), C = any_base();
    const Expr q = any_q(), f = m_.input(fmt::format("f{}", i));
    const std::array<Expr, 3> p = parameters(3);
    const std::string n = fmt::format("action{}", i);
    switch (random_.below(4)) {
      case 0:
        mech::applied_force(m_, n, m_.vector(C, 1, f, q), P, Q);
        break;
      case 1:
        mech::applied_torque(m_, n, m_.vector(C, 1, f, q), A, B);
        break;
      case 2:
        mech::isotropic_spring(m_, n, P, Q, p[0], p[1], C);
        break;
      default:
        mech::bushing(m_, n, {P, A}, {Q, B}, C,
                      {{1, 2, p[0]}, {0.1, 0.2, p[1]}, {3, p[2], 1}, {0.3, 0, 0.2}});
    }
  }

  Model& m_;
  Random random_;
  std::optional<Expr> t_;
  std::vector<Expr> q_;
  std::size_t next_ = 0;
  int names_ = 0;
  std::vector<Base> bases_;
  std::vector<Point> points_;
};

}  // namespace

void build_random(Model& m, std::uint64_t seed) { RandomModel(m, seed).build(); }

}  // namespace klingel::test
