// Subject: mech/suspension. Claim: forces of struts are those of their laws; internal states follow
// the closed forms of their elements, with the order of their scheme and whatever the stiffness.
#include "mech/suspension.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "sym/tape.hpp"

namespace klingel::mech {
namespace {

// A mass that moves along x from a point in the ground; elements between the two.
struct Rig {
  Model m{"rig"};
  sym::Coordinate x = m.coordinate("x", 0), y = m.coordinate("y", 0);
  Point P = m.point("P", m.origin(), m.vector(m.ground_base(), x.q + 1, y.q, 0));

  Stroke along(int axis, const std::string& name = "e") {
    return stroke_along_axis(m, name, m.origin(), P, m.ground_base(), axis);
  }
  void set(double q, double dq) {
    m.graph().set_value(x.q, q);
    m.graph().set_value(x.dq, dq);
  }
  // The tension of the element that was added last, at a deflection and rate.
  double force(double q, double dq = 0) {
    set(q, dq);
    for (const Measure& measure : m.measures())
      if (measure.name.starts_with("force.")) return sym::value(measure.value);
    return NAN;
  }
  // The state after a step of h from stroke a to b.
  double advance(double h, double state, double a, double b) {
    const InternalState& z = m.internal_states()[0];
    m.graph().set_value(m.step(), h);
    m.graph().set_value(z.value, state);
    set(a, 0);
    m.graph().set_value(z.stroke_end, b + 1);
    return sym::value(z.next);
  }
  // States over a stroke of time.
  double follow(double h, double end, const std::function<double(double)>& stroke) {
    double F = 0;
    const int steps = static_cast<int>(std::lround(end / h));
    for (int i = 0; i < steps; ++i) F = advance(h, F, stroke(i * h), stroke((i + 1) * h));
    return F;
  }
};

TEST(suspension, a_strut_has_spring_polynomial_preload_and_rest) {
  Rig rig;
  SpringLaw spring;
  spring.stiffness = 1000, spring.preload = 50, spring.polynomial = {0, 0, 2e5};
  strut(rig.m, rig.along(0), spring, {});
  EXPECT_NEAR(rig.force(0), 50, 1e-9);  // as placed: no deflection
  EXPECT_NEAR(rig.force(0.1), 50 + 100 + 200, 1e-9);
  const double energy = sym::value(rig.m.potentials()[0]);
  EXPECT_NEAR(energy, 50 * 0.1 + 1000 * 0.005 + 2e5 * 1e-4 / 4, 1e-9);
}

TEST(suspension, a_stop_begins_at_its_clearance) {
  Rig rig;
  SpringLaw spring;
  spring.stop = SpringLaw::Stop{0.02, 0.03, 1e6, 1e3};
  strut(rig.m, rig.along(0), spring, {});
  EXPECT_EQ(rig.force(0.0199, 1), 0);
  EXPECT_NEAR(rig.force(0.021, 0), 1000, 1e-6);
  EXPECT_NEAR(rig.force(0.021, 0.5), 1500, 1e-6);
  EXPECT_NEAR(rig.force(-0.029, 1), 0, 1e-9);
  EXPECT_NEAR(rig.force(-0.031, 0), -1000, 1e-6);
}

TEST(suspension, a_damper_blows_off) {
  Rig rig;
  DamperLaw damper;
  damper.damping = 1e4, damper.blow_off = 500, damper.blow_off_damping = 100;
  strut(rig.m, rig.along(0), {}, damper);
  EXPECT_NEAR(rig.force(0, 0.03), 300, 1e-9);
  EXPECT_NEAR(rig.force(0, 0.15), 500 + 100 * 0.1, 1e-9);
  EXPECT_NEAR(rig.force(0, -0.15), -510, 1e-9);
}

// at a constant rate v the force of a Maxwell element is c v (1 - exp(-k t/c))
TEST(suspension, a_series_damper_follows_its_closed_form_with_second_order) {
  constexpr double k = 1e6, c = 2e4, v = 0.1, end = 0.02;
  const double exact = c * v * (1 - std::exp(-k * end / c));
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Rig rig;
    DamperLaw damper;
    damper.damping = c;
    series_damper(rig.m, rig.along(0), k, damper, {});
    errors.push_back(std::abs(rig.follow(h, end, [](double t) { return v * t; }) - exact));
  }
  EXPECT_LT(errors[1], 1e-3 * exact);
  EXPECT_GT(errors[0] / errors[1], 3.5);
  EXPECT_GT(errors[1] / errors[2], 3.5);
}

// amplitude k w c / sqrt(k^2 + (w c)^2)
TEST(suspension, a_series_damper_has_the_dynamic_stiffness_of_maxwell) {
  constexpr double k = 5e6, c = 4e4, h = 1e-3, amplitude = 0.002;
  const double w = 2 * std::numbers::pi * 5;
  Rig rig;
  DamperLaw damper;
  damper.damping = c;
  series_damper(rig.m, rig.along(0), k, damper, {});
  double F = 0, largest = 0;
  for (int i = 0; i < 600; ++i) {
    F = rig.advance(h, F, amplitude * std::sin(w * i * h), amplitude * std::sin(w * (i + 1) * h));
    if (i > 300) largest = std::max(largest, std::abs(F));
  }
  EXPECT_NEAR(largest, amplitude * k * w * c / std::hypot(k, w * c), 0.01 * largest);
}

TEST(suspension, a_series_damper_of_a_hundredfold_stiffness_is_its_damper) {
  Rig rig;
  DamperLaw damper;
  damper.damping = 1e4, damper.blow_off = 800, damper.blow_off_damping = 500;
  series_damper(rig.m, rig.along(0), 1e9, damper, {});
  double F = 0;
  for (int i = 0; i < 20; ++i) F = rig.advance(1e-3, F, 0.05e-3 * i, 0.05e-3 * (i + 1));
  EXPECT_NEAR(F, 500, 1e-6);  // 0.05 m/s
  double x = 1e-3;
  for (int i = 0; i < 20; ++i, x += 0.28e-3) F = rig.advance(1e-3, F, x, x + 0.28e-3);
  EXPECT_NEAR(F, 800 + 500 * 0.2, 1e-6);  // 0.28 m/s, 0.2 of them beyond
}

TEST(suspension, friction_sticks_elastically_and_slides_at_its_force) {
  constexpr double k = 1e6, most = 1000;
  Rig rig;
  friction(rig.m, {rig.along(0)}, most, k);
  EXPECT_NEAR(rig.advance(1e-3, 0, 0, 0.5e-3), 500, 1e-9);
  EXPECT_NEAR(rig.advance(1e-3, 0, 0, 5e-3), 1000, 1e-9);
  EXPECT_NEAR(rig.advance(1e-3, 1000, 5e-3, 4.5e-3), 500, 1e-6);
  EXPECT_NEAR(rig.advance(1e-3, 1000, 5e-3, 0), -1000, 1e-9);
  // a loop of amplitude A loses 4 F (A - F/k)
  constexpr double amplitude = 0.01;
  const auto stroke = [](int i) { return amplitude * std::sin(2 * std::numbers::pi * i / 4000); };
  double F = 0, work = 0;
  for (int i = 0; i < 8000; ++i) {
    const double next = rig.advance(1e-3, F, stroke(i), stroke(i + 1));
    if (i >= 4000) work += (F + next) / 2 * (stroke(i + 1) - stroke(i));
    F = next;
  }
  EXPECT_NEAR(work, 4 * most * (amplitude - most / k), 0.02 * work);
}

TEST(suspension, friction_in_a_plane_slides_against_the_motion) {
  Rig rig;
  friction(rig.m, {rig.along(0, "e.x"), rig.along(1, "e.y")}, 1000, 1e6);
  ASSERT_EQ(rig.m.internal_states().size(), 2u);
  const InternalState &x = rig.m.internal_states()[0], &y = rig.m.internal_states()[1];
  rig.m.graph().set_value(x.stroke_end, 1 + 3e-2);
  rig.m.graph().set_value(y.stroke_end, 4e-2);
  EXPECT_NEAR(sym::value(x.next), 600, 1e-6);
  EXPECT_NEAR(sym::value(y.next), 800, 1e-6);
}

// The force at t+h that the step takes, along one deflection: F + stiffness ds + drift.
TEST(suspension, sliding_friction_cannot_reverse_the_motion_in_a_step) {
  Rig rig;
  constexpr double most = 1000, h = 1e-3, v = 1e-2;
  friction(rig.m, {rig.along(0)}, most, 1e9);
  rig.m.graph().set_value(rig.m.internal_states()[0].value, most);
  rig.set(0, v);
  const ElementLaw& law = rig.m.laws()[0];
  const double K = sym::value(law.stiffness), drift = sym::value(law.drift);
  const auto force = [&](double v_end) { return most + K * h * (v + v_end) / 2 + drift; };
  EXPECT_NEAR(force(v), most, 1e-6);
  EXPECT_NEAR(force(0), 0, 1e-6);
  EXPECT_NEAR(force(-v), -most, 1e-6);
}

TEST(suspension, an_air_spring_is_soft_when_slow_and_stiff_when_quick) {
  Rig rig;
  AirSpring a{5e5, 101325, 0.2, 0, 0.03, 0.06, 1.3, 2e4, 1e5, 1e3};
  air_spring(rig.m, rig.along(0, "e.x"), {rig.along(1, "e.y"), rig.along(2, "e.z")}, a);
  const double K1 = 1.3 * 5e5 * 0.04 / 0.03, K2 = 1.3 * 5e5 * 0.04 / 0.06;
  const double load = (5e5 - 101325) * 0.2;
  EXPECT_NEAR(rig.force(0), -load, 1e-6);
  // at rest for long: both volumes in series
  const auto jump = [](double t) { return t > 0 ? 0.01 : 0.0; };
  const InternalState& z = rig.m.internal_states()[0];
  const double quick = rig.follow(1e-6, 1e-6, jump);
  rig.m.graph().set_value(z.value, quick);
  EXPECT_NEAR(rig.force(0.01), -load + 0.01 * K1, 0.001 * 0.01 * K1);
  const double slow = rig.follow(1e-3, 2, jump);
  rig.m.graph().set_value(z.value, slow);
  EXPECT_NEAR(rig.force(0.01), -load + 0.01 * K1 * K2 / (K1 + K2), 1e-3);
}

}  // namespace
}  // namespace klingel::mech
