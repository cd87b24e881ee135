// The Manchester coach in narrow curves: the load of leading outer wheels passes from the tread to
// the root of the flange. Loads against hand formulas with cant deficiency and sway.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "step/vehicle_state_file.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

struct Curve {
  const char* scenario;
  double radius, cant;  // m, m on 1.5 m
  const char *outer, *inner;
  double from, to;  // s, all wheelsets in the arc
};
constexpr Curve curve_300{"coach_300m", 300, 0.1, "right", "left", 12, 14};
constexpr Curve curve_150{"coach_150m", 150, 0.06, "left", "right", 9, 11};

// What a coach of three masses, its springs one upon the other, puts on the outer wheels: inertia
// in the plane of the track, and weight that the springs let sway outwards. The wheels touch
// `reach` from the middle of the track, outer and inner, and the wheelsets stand off it by `shift`
// outwards.
struct Hand {
  double across, weight, outer;  // N
  Hand(const Curve& c, double speed, double reach_outer, double reach_inner, double shift) {
    constexpr double g = 9.81;
    const double phi = std::asin(c.cant / 1.5), centripetal = speed * speed / c.radius;
    const double a = centripetal * std::cos(phi) - g * std::sin(phi);
    const double down = g * std::cos(phi) + centripetal * std::sin(phi);
    constexpr double body = 32000, frames = 2 * 2615, axles = 4 * 1813;
    constexpr double z_body = 1.8, z_frame = 0.6, z_axle = 0.46, z_secondary = 0.8275;
    constexpr double roll_primary = 8 * 1.22e6, roll_secondary = 4 * 430e3 + 2 * 940e3;
    const double y_primary = (body + frames) * a / (8 * 3.884e6);
    const double y_secondary = body * a / (4 * 160e3);
    double turn_1 = 0, turn_2 = 0, y_body = 0, y_frame = 0;
    for (int i = 0; i < 30; ++i) {
      y_frame = y_primary + turn_1 * (z_frame - z_axle);
      y_body = y_primary + y_secondary + turn_1 * (z_secondary - z_axle) +
               (turn_1 + turn_2) * (z_body - z_secondary);
      turn_2 = body * (a + down * (turn_1 + turn_2)) * (z_body - z_secondary) / roll_secondary;
      turn_1 = (body * (a * (z_body - z_axle) + down * y_body) +
                frames * (a * (z_frame - z_axle) + down * y_frame)) /
               roll_primary;
    }
    across = (body + frames + axles) * a;
    weight = (body + frames + axles) * down;
    const double moment = (body * z_body + frames * z_frame + axles * z_axle) * a +
                          down * (body * y_body + frames * y_frame) + weight * shift;
    outer = (weight * reach_inner + moment) / (reach_outer + reach_inner);
  }
};

double sum_of(const VehicleRun& r, const char* quantity, const char* side, const Curve& c) {
  double sum = 0;
  for (const char* w : test::wheelset_names)
    sum += r.mean(std::string(quantity) + "." + w + "." + side, c.from, c.to);
  return sum;
}

// Where the wheels of a side touch, from the middle of the track, outwards positive; mean of those
// wheels by their loads.
double reach(VehicleRun& r, const char* side, const Curve& c) {
  const step::VehicleData& data = r.simulator().data();
  double sum = 0, load = 0;
  for (std::size_t i = 0; i < data.wheels.size(); ++i) {
    const step::WheelData& w = data.wheels[i];
    if (!w.name.ends_with(side)) continue;
    const double y = r.mean("y_rel." + data.wheelsets[w.wheelset], c.from, c.to);
    const double Q = r.mean("Q." + w.name, c.from, c.to);
    const step::PointState &t = r.simulator().state().tread[i],
                           &f = r.simulator().state().flange[i];
    const double u_w = (t.N * t.s[1] + f.N * f.s[1]) / (t.N + f.N);
    sum += Q * std::abs(y + w.y_w + u_w);
    load += Q;
  }
  return sum / load;
}

VehicleRun coach_in(const Curve& c, double step) {
  vehicle::Scenario scenario = vehicle::load_scenario(c.scenario);
  scenario.duration = c.to;
  scenario.step = step;
  return VehicleRun(scenario);
}

class coach : public testing::TestWithParam<Curve> {};

TEST_P(coach, takes_a_narrow_curve_on_treads_and_flanges) {
  const Curve& c = GetParam();
  VehicleRun r = coach_in(c, 1e-3);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  EXPECT_LT(r.summary.max_phi, 1e-6);
  EXPECT_LT(r.unbalanced(), 1e-5);
  EXPECT_TRUE(r.summary.warnings.empty()) << r.summary.warnings.front();
  // normal forces do no work on fixed rails
  EXPECT_LT(std::abs(r.summary.energy.normal_gain()), 1e-3 * -r.summary.energy.creep);

  // leading flanges touch once, without blows: nobody lifts, and nowhere is there more than the
  // 87 kN that the leading outer wheel has in the steady curve
  EXPECT_LT(r.summary.events.size(), 10u);
  for (const record::WheelSummary& w : r.summary.wheels) {
    EXPECT_EQ(w.lift, 0) << w.name;
    EXPECT_LT(std::max(w.max_N, w.max_Nf), 90e3) << w.name;
    EXPECT_GT(w.min_Q, 25e3) << w.name;
    // Nadal with 70 degrees and 0.3; leading wheels run at their flanks' feet, far below it
    EXPECT_LT(w.max_YQ, 1.34 / 2) << w.name;
  }

  double shift = 0;
  for (const char* w : test::wheelset_names)
    shift += r.mean(std::string("y_rel.") + w, c.from, c.to) / 4;
  if (std::string_view(c.outer) == "right") shift = -shift;
  const Hand hand(c, r.mean("speed", c.from, c.to), reach(r, c.outer, c), reach(r, c.inner, c),
                  shift);
  const double outer = sum_of(r, "Q", c.outer, c), inner = sum_of(r, "Q", c.inner, c);
  std::printf("    outer %.1f, inner %.1f kN; by hand %.1f, %.1f\n", outer / 1e3, inner / 1e3,
              hand.outer / 1e3, (hand.weight - hand.outer) / 1e3);
  EXPECT_NEAR(outer + inner, hand.weight, 1e-3 * hand.weight);
  // small angles, springs one upon the other, wheelsets that do not roll
  EXPECT_NEAR(outer, hand.outer, 0.01 * hand.outer);
  EXPECT_NEAR(inner, hand.weight - hand.outer, 0.02 * (hand.weight - hand.outer));
  const double across = sum_of(r, "Y", "left", c) + sum_of(r, "Y", "right", c);
  EXPECT_NEAR(std::abs(across), hand.across, 3e-3 * hand.weight);
  // the leading wheelsets press outwards, the trailing ones do not
  const double leads = std::abs(r.mean(std::string("Y.front.front.") + c.outer, c.from, c.to));
  const double trails = std::abs(r.mean(std::string("Y.front.rear.") + c.outer, c.from, c.to));
  EXPECT_GT(leads, 15e3);
  EXPECT_LT(trails, leads / 3);
}
INSTANTIATE_TEST_SUITE_P(curves, coach, testing::Values(curve_300, curve_150),
                         [](const auto& its) { return std::string(its.param.scenario); });

TEST(coach_steps, forces_in_the_curve_converge_with_the_square_of_the_step) {
  VehicleRun coarse = coach_in(curve_300, 2e-3), middle = coach_in(curve_300, 1e-3),
             fine = coach_in(curve_300, 5e-4);
  for (VehicleRun* r : {&coarse, &middle, &fine})
    ASSERT_EQ(r->go().end, record::RunEnd::completed) << r->summary.message;
  double first = 0, second = 0;
  for (const step::WheelData& w : fine.simulator().data().wheels) {
    for (const char* quantity : {"Y.", "Q."}) {
      const std::string name = quantity + w.name;
      const double halved = std::abs(middle.mean(name, 12, 14) - fine.mean(name, 12, 14));
      first = std::max(first, std::abs(coarse.mean(name, 12, 14) - middle.mean(name, 12, 14)));
      second = std::max(second, halved);
      // at the usual step, less than two thousandths of the leading wheel's 22.8 kN
      EXPECT_LT(halved, 45) << name;
    }
  }
  // steady rolling: only what turns within a step is left
  EXPECT_GT(first / second, 3.5);
}

// A coach that looks the same from both ends, running either way: what the leading wheelset does,
// the last one does backwards. The lateral force of spin comes from the direction of rolling.
class coach_backwards : public testing::TestWithParam<double> {};

TEST_P(coach_backwards, forces_are_mirrored_from_front_to_rear) {
  const double aside = GetParam();
  const double end = 1;
  const auto run = [&](double speed) {
    vehicle::Scenario scenario = vehicle::load_scenario("manchester1");
    scenario.speed = speed;
    scenario.position = 500;
    scenario.duration = end;
    scenario.hold = {{"y", {}, aside}};
    return VehicleRun(scenario);
  };
  VehicleRun forwards = run(20), backwards = run(-20);
  for (VehicleRun* r : {&forwards, &backwards})
    ASSERT_EQ(r->go().end, record::RunEnd::completed) << r->summary.message;
  const auto mean = [&](const VehicleRun& r, const std::string& quantity,
                        const std::string& wheel) {
    return r.mean(quantity + "." + wheel, end / 2, end);
  };
  const std::pair<const char*, const char*> mirrored[] = {{"front.front", "rear.rear"},
                                                          {"front.rear", "rear.front"},
                                                          {"rear.front", "front.rear"},
                                                          {"rear.rear", "front.front"}};
  for (const auto& [one, other] : mirrored) {
    for (const char* side : {".left", ".right"}) {
      for (const char* quantity : {"Y", "Q"}) {
        EXPECT_NEAR(mean(backwards, quantity, std::string(other) + side),
                    mean(forwards, quantity, std::string(one) + side), 0.01)
            << quantity << "." << one << side;
      }
    }
  }
  const double leads = mean(forwards, "Y", "front.front.left");
  if (aside == 0) {
    EXPECT_NEAR(leads, -340, 10);
  } else {
    EXPECT_GT(std::abs(leads - mean(forwards, "Y", "rear.rear.left")), 1);
  }
}
INSTANTIATE_TEST_SUITE_P(places, coach_backwards, testing::Values(0.0, 0.003),
                         [](const auto& its) { return its.param == 0 ? "centred" : "aside"; });

// Saved while a flange presses, a run goes on bit for bit.
TEST(coach_state, continues_bit_for_bit_on_a_flange) {
  VehicleRun a = coach_in(curve_150, 1e-3), b = coach_in(curve_150, 1e-3);
  step::Simulator &first = a.simulator(), &second = b.simulator();
  const auto pressed = [](const step::Simulator& s) {
    return std::any_of(s.state().flange.begin(), s.state().flange.end(),
                       [](const step::PointState& p) { return p.N > 1e4; });
  };
  while (!pressed(first) && first.state().t < 10) ASSERT_EQ(first.step(1e-3), runtime::Status::ok);
  ASSERT_TRUE(pressed(first));
  step::parse_state(second, step::state_text(first), "saved");
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(first.step(1e-3), runtime::Status::ok);
    ASSERT_EQ(second.step(1e-3), runtime::Status::ok);
  }
  EXPECT_EQ(step::state_text(first), step::state_text(second));
}

}  // namespace
}  // namespace klingel
