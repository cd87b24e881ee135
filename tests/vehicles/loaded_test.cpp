// The loaded tread on whole vehicles: what half-space contact and an independent program say of
// S1002 on 60E1, and that results do not depend on the step.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "tests/structure/temporary_folder.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

// A track of its own for a scenario; the file lives as long as this.
struct OwnTrack {
  explicit OwnTrack(const std::string& sections) : path(folder.path() / "track.toml") {
    std::ofstream(path) << "name = \"own\"\ngauge = 1.435\nrail_profile = \"60E1:1:40\"\n"
                           "cant_base = 1.5\n[start]\ns = -50.0\n"
                        << sections;
  }
  vehicle::Scenario scenario(const std::string& vehicle, double speed, double duration) const {
    vehicle::Scenario s = vehicle::load_scenario(vehicle);
    s.track = path.string();
    s.speed = speed;
    s.duration = duration;
    s.hold.clear();
    return s;
  }
  structure::TemporaryFolder folder;
  std::filesystem::path path;
};

const char* const straight = "[[section]]\nkind = \"straight\"\nlength = 2050.0\n";

std::string kick(double amplitude) {
  return fmt::format(
      "{}[[irregularity]]\nkind = \"harmonic\"\nchannel = \"lateral\"\namplitude = {}\n"
      "wavelength = 40.0\nphase = 0\nfrom = 20.0\nto = 60.0\nfade = 8.0\n",
      straight, amplitude);
}

// Rate of a wave that grows or dies out, 1/s, from its extremes between two times.
double rate_of(const VehicleRun& r, const char* channel, double from, double to) {
  const std::span<const double> t = r.channel("t"), y = r.channel(channel);
  std::vector<double> times, tops;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (t[i] < from || t[i] > to || (y[i] - y[i - 1]) * (y[i + 1] - y[i]) > 0) continue;
    times.push_back(t[i]), tops.push_back(std::log(std::abs(y[i])));
  }
  const auto n = static_cast<double>(tops.size());
  double mean_t = 0, mean = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < tops.size(); ++i) mean_t += times[i] / n, mean += tops[i] / n;
  for (std::size_t i = 0; i < tops.size(); ++i) {
    above += (times[i] - mean_t) * (tops[i] - mean);
    below += (times[i] - mean_t) * (times[i] - mean_t);
  }
  return above / below;
}

// The check of the whole model: a rigid point hunts here for ever from 10 m/s on.
TEST(loaded_coach, comes_to_rest_after_a_kick_below_its_critical_speed) {
  const OwnTrack track(kick(0.004));
  for (const double speed : {10.0, 60.0}) {
    VehicleRun r(track.scenario("manchester1", speed, std::min(30.0, 1500 / speed)));
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    const std::span<const double> y = r.channel("y_rel.front.front");
    double largest = 0;
    for (std::size_t i = 9 * y.size() / 10; i < y.size(); ++i)
      largest = std::max(largest, std::abs(y[i]));
    EXPECT_LT(largest, 2e-5) << speed << " m/s";
    EXPECT_LT(r.unbalanced(), 1e-4);
  }
}

// At 65 m/s an independent program has -0.87 1/s in the limit of small steps; implicit Euler alone
// would say -1.55 at 1 ms.
TEST(loaded_coach, decays_as_an_independent_program_says_at_the_usual_step) {
  const OwnTrack track(kick(0.001));
  std::vector<double> rates;
  for (const double step : {1e-3, 5e-4, 2.5e-4}) {
    vehicle::Scenario s = track.scenario("manchester1", 65, 7);
    s.step = step;
    VehicleRun r(s);
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    rates.push_back(rate_of(r, "y_rel.front.front", 3, 6.5));
  }
  EXPECT_NEAR(rates[0], -0.87, 0.1);
  // to first order or better: what a step of 1 ms changes is below 0.1 1/s
  const double limit = 2 * rates[2] - rates[1];
  EXPECT_LT(std::abs(rates[0] - limit), 0.1);
  EXPECT_LT(std::abs(rates[2] - limit), 0.6 * std::abs(rates[1] - limit) + 1e-3);
}

TEST(loaded_coach, has_limit_cycles_above_its_critical_speed) {
  // an independent program: critical at 68.8 m/s, limit cycles of 1.2 mm at 72 and 2.3 mm at 75 m/s
  const OwnTrack track(kick(0.003));
  for (const auto& [speed, amplitude] : {std::pair(72.0, 1.2e-3), {75.0, 2.3e-3}}) {
    VehicleRun r(track.scenario("manchester1", speed, 25));
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    const std::span<const double> y = r.channel("y_rel.front.front");
    double largest = 0;
    for (std::size_t i = 9 * y.size() / 10; i < y.size(); ++i)
      largest = std::max(largest, std::abs(y[i]));
    EXPECT_NEAR(largest, amplitude, 0.35 * amplitude) << speed << " m/s";
  }
}

// Half-space contact: a free wheelset with a coach's load shrinks to 0.74 in four waves.
TEST(loaded_wheelset, decays_as_half_space_contact_says_whatever_the_step) {
  std::vector<double> factors;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    vehicle::Scenario s = vehicle::load_scenario("wheelset");
    s.speed = 5, s.duration = 8, s.step = step;
    s.parameters.push_back({"W", "91215"});
    VehicleRun r(s);
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    const std::span<const double> y = r.channel("y_rel.wheelset");
    std::vector<double> peaks;
    double largest = 0;
    for (std::size_t i = 1; i < y.size(); ++i) {
      largest = std::max(largest, std::abs(y[i - 1]));
      if ((y[i - 1] > 0) == (y[i] > 0)) continue;
      peaks.push_back(largest);
      largest = 0;
    }
    ASSERT_GT(peaks.size(), 8u);
    factors.push_back(peaks[8] / peaks[0]);
    // normal forces do no work, and on a quiet straight nothing adds up
    EXPECT_LT(std::abs(r.summary.energy.normal_gain()), 10 * step) << step;
    EXPECT_LE(r.summary.energy.creep, 0);
  }
  EXPECT_NEAR(factors[1], 0.74, 0.04);
  EXPECT_NEAR(factors[0], factors[1], 0.02);
  EXPECT_NEAR(factors[2], factors[1], 0.01);
}

TEST(loaded_coach, forces_on_rough_track_do_not_depend_on_the_step) {
  const auto run = [](double step) {
    vehicle::Scenario s = vehicle::load_scenario("manchester1");
    s.track = "random_straight";
    s.speed = 30, s.duration = 5, s.step = step;
    return VehicleRun(s);
  };
  VehicleRun coarse = run(1e-3), fine = run(2.5e-4);
  for (VehicleRun* r : {&coarse, &fine})
    ASSERT_EQ(r->go().end, record::RunEnd::completed) << r->summary.message;
  double largest = 0, step_to_step = 0;
  for (const step::WheelData& w : coarse.simulator().data().wheels) {
    const std::span<const double> a = coarse.channel("Y." + w.name),
                                  b = fine.channel("Y." + w.name);
    for (std::size_t i = 100; 4 * i < b.size() && i < a.size(); ++i) {
      largest = std::max(largest, std::abs(a[i] - b[4 * i]));
      step_to_step = std::max(step_to_step, std::abs(a[i] - a[i - 1]));
    }
  }
  EXPECT_LT(largest, 150);
  EXPECT_LT(step_to_step, 500);
}

std::string curve(double radius) {
  return fmt::format(
      "[[section]]\nkind = \"straight\"\nlength = 100.0\n"
      "[[section]]\nkind = \"transition\"\nlength = 40.0\n"
      "[[section]]\nkind = \"arc\"\nlength = 100.0\nradius = {:.1f}\ncant_height = 0.06\n"
      "[[section]]\nkind = \"straight\"\nlength = 60.0\n",
      radius);
}

TEST(loaded_coach, takes_a_mirrored_curve_with_mirrored_forces) {
  const OwnTrack left(curve(200)), right(curve(-200));
  VehicleRun a(left.scenario("manchester1", 12, 12)), b(right.scenario("manchester1", 12, 12));
  for (VehicleRun* r : {&a, &b})
    ASSERT_EQ(r->go().end, record::RunEnd::completed) << r->summary.message;
  double largest = 0;
  for (const char* wheelset : test::wheelset_names) {
    for (const auto& [side, other] : {std::pair("left", "right"), {"right", "left"}}) {
      for (const auto& [kind, sign] : {std::pair("Y", -1.0), {"Q", 1.0}}) {
        const std::span<const double> x = a.channel(fmt::format("{}.{}.{}", kind, wheelset, side));
        const std::span<const double> y = b.channel(fmt::format("{}.{}.{}", kind, wheelset, other));
        for (std::size_t i = 0; i < x.size(); ++i)
          largest = std::max(largest, std::abs(x[i] - sign * y[i]));
      }
    }
  }
  EXPECT_LT(largest, 1e-6 * 54.5e3);
}

TEST(loaded_coach, takes_an_s_curve_of_150_m) {
  const OwnTrack track(
      "[[section]]\nkind = \"straight\"\nlength = 100.0\n"
      "[[section]]\nkind = \"transition\"\nlength = 20.0\n"
      "[[section]]\nkind = \"arc\"\nlength = 40.0\nradius = 150.0\n"
      "[[section]]\nkind = \"transition\"\nlength = 20.0\n"
      "[[section]]\nkind = \"straight\"\nlength = 6.0\n"
      "[[section]]\nkind = \"transition\"\nlength = 20.0\n"
      "[[section]]\nkind = \"arc\"\nlength = 40.0\nradius = -150.0\n"
      "[[section]]\nkind = \"transition\"\nlength = 20.0\n"
      "[[section]]\nkind = \"straight\"\nlength = 80.0\n");
  std::vector<double> peaks;
  for (const double step : {1e-3, 2.5e-4}) {
    vehicle::Scenario s = track.scenario("manchester1", 8, 28);
    s.step = step;
    VehicleRun r(s);
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    double largest = 0;
    for (const record::WheelSummary& w : r.summary.wheels) {
      EXPECT_EQ(w.lift, 0) << w.name;
      largest = std::max({largest, w.max_N, w.max_Nf});
    }
    peaks.push_back(largest);
    EXPECT_LT(r.unbalanced(), 1e-4);
  }
  EXPECT_NEAR(peaks[0], peaks[1], 0.01 * peaks[0]);
}

// A rail that gives way by 1/5e7 m/N lets the leading wheelset stand farther out, by its flange's
// force over that stiffness; how fast it does so is a matter of its damper.
TEST(loaded_coach, stands_farther_out_where_rails_give_way) {
  const auto out = [](double stiffness, double damping, double step) {
    vehicle::Scenario s = vehicle::load_scenario("coach_150m");
    s.duration = 12, s.step = step;
    s.rail_stiffness = stiffness, s.rail_damping = damping;
    VehicleRun r(s);
    EXPECT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    EXPECT_LT(r.unbalanced(), 1e-5);
    EXPECT_LT(r.summary.energy.normal_gain(), 1);
    return std::pair(r.mean("y_rel.front.front", 9, 12), r.mean("Nf.front.front.left", 9, 12));
  };
  const auto [rigid, N_rigid] = out(0, 0, 1e-3);
  const auto [soft, N] = out(5e7, 0, 1e-3);
  const auto [damped, N_damped] = out(5e7, 1e5, 1e-3);
  const auto [fine, N_fine] = out(5e7, 1e5, 5e-4);
  // the flank stands at 20 to 70 degrees: its normal is between a third and all of y
  EXPECT_GT(std::abs(soft - rigid), 0.8 * N / 5e7);
  EXPECT_LT(std::abs(soft - rigid), 4 * N / 5e7);
  EXPECT_NEAR(damped, soft, 0.02 * std::abs(soft - rigid));
  EXPECT_NEAR(fine, damped, 0.01 * std::abs(soft - rigid));
  EXPECT_NEAR(N_fine, N_damped, 1e-3 * N_damped);
  EXPECT_GT(N_rigid, 0);
}

TEST(loaded_coach, derails_when_it_runs_far_too_fast_into_a_narrow_curve) {
  vehicle::Scenario s = vehicle::load_scenario("coach_150m");
  s.speed = 40;
  VehicleRun r(s);
  EXPECT_EQ(r.go().end, record::RunEnd::derailed) << r.summary.message;
  ASSERT_FALSE(r.summary.events.empty());
  EXPECT_EQ(r.summary.events.back().kind, step::Event::Kind::derailed);
  // the energy is still accounted for: it is no numerical accident
  EXPECT_LT(r.unbalanced(), 0.01);
}

TEST(loaded_starts, quasi_static_ones_are_found_in_narrow_curves) {
  for (const auto& [vehicle, track, speed, position] :
       {std::tuple("manchester1", "curve_300", 15.0, 200.0),
        {"manchester1", "curve_150", 10.0, 150.0},
        {"train", "curve_300", 15.0, 250.0}}) {
    vehicle::Scenario s = vehicle::load_scenario(vehicle);
    s.track = track, s.speed = speed, s.position = position, s.duration = 1;
    s.equilibrium = "quasi-static";
    s.hold.clear();
    VehicleRun r(s);
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    for (const step::WheelData& w : r.simulator().data().wheels) {
      const std::span<const double> Q = r.channel("Q." + w.name);
      const auto [low, high] = std::minmax_element(Q.begin(), Q.end());
      EXPECT_LT(*high - *low, 0.005 * *high) << vehicle << " " << track << " " << w.name;
    }
  }
}

// Gauges at which a flange nearly touches at rest: elastic flanges are stiff for Newton's method.
TEST(loaded_starts, carry_the_weight_at_any_gauge) {
  for (const double gauge : {1.426, 1.428, 1.430, 1.435, 1.450, 1.465}) {
    const structure::TemporaryFolder folder;
    folder.add("track.toml",
               fmt::format("name = \"own\"\ngauge = {}\nrail_profile = \"60E1:1:40\"\n"
                           "[start]\ns = -50.0\n{}",
                           gauge, straight));
    vehicle::Scenario s = vehicle::load_scenario("manchester1");
    s.track = (folder.path() / "track.toml").string();
    s.duration = 0.2;
    VehicleRun r(s);
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    for (const record::WheelSummary& w : r.summary.wheels) {
      EXPECT_NEAR(w.max_Q, 54546, 500) << gauge << " " << w.name;
      EXPECT_NEAR(w.min_Q, 54546, 500) << gauge << " " << w.name;
    }
  }
}

// Wheels that move far on widened track are not off their rails.
TEST(loaded_coach, stays_on_a_track_that_is_30_mm_wide) {
  const OwnTrack track(
      "[[section]]\nkind = \"straight\"\nlength = 100.0\n"
      "[[section]]\nkind = \"transition\"\nlength = 40.0\n"
      "[[section]]\nkind = \"arc\"\nlength = 80.0\nradius = 200.0\ngauge_widening = 0.030\n"
      "[[section]]\nkind = \"straight\"\nlength = 60.0\n");
  VehicleRun r(track.scenario("manchester1", 10, 15));
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  double flange = 0;
  for (const record::WheelSummary& w : r.summary.wheels) {
    EXPECT_EQ(w.lift, 0);
    flange = std::max(flange, w.max_Nf);
  }
  EXPECT_GT(flange, 10e3);
}

TEST(loaded_starts, without_equilibrium_the_vehicle_falls_onto_its_rails) {
  vehicle::Scenario s = vehicle::load_scenario("coach_300m");
  s.equilibrium = "none";
  s.duration = 2;
  VehicleRun r(s);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  double sum = 0;
  for (const step::WheelData& w : r.simulator().data().wheels) sum += r.mean("Q." + w.name, 1, 2);
  EXPECT_NEAR(sum, 8 * 54546, 0.02 * 8 * 54546);
}

TEST(loaded_coach, is_warned_of_where_flanges_may_flutter) {
  const auto warned = [](double friction, double stiffness) {
    vehicle::Scenario s = vehicle::load_scenario("coach_150m");
    s.friction = friction, s.duration = 6;
    s.rail_stiffness = stiffness, s.rail_damping = stiffness > 0 ? 1e5 : 0;
    VehicleRun r(s);
    EXPECT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    return std::any_of(r.summary.warnings.begin(), r.summary.warnings.end(),
                       [](const std::string& w) { return w.find("flutter") != std::string::npos; });
  };
  EXPECT_FALSE(warned(0.3, 0));
  EXPECT_TRUE(warned(0.4, 0));
  EXPECT_FALSE(warned(0.4, 5e7));
}

// The step against the continuous equations of the same contact with an error estimate.
TEST(loaded_step, converges_to_the_reference_integrator) {
  const auto run = [](const char* integrator, double step) {
    vehicle::Scenario s = vehicle::load_scenario("wheelset");
    s.speed = 5, s.duration = 0.5, s.step = step;
    s.hold[0].value = 0.003;
    s.parameters.push_back({"W", "91215"});
    s.integrator = integrator;
    VehicleRun r(s);
    step::StepOptions options;
    options.scheme = s.integrator == "reference"     ? step::Scheme::reference
                     : s.integrator == "trapezoidal" ? step::Scheme::trapezoidal
                                                     : step::Scheme::imex;
    for (int i = 0; i < static_cast<int>(std::lround(s.duration / step)); ++i)
      EXPECT_EQ(r.simulator().step(step, options), runtime::Status::ok)
          << r.simulator().failure_text();
    return r.simulator().state().q[1];
  };
  const double exact = run("reference", 1e-3);
  const double coarse = run("imex", 2e-3), middle = run("imex", 1e-3), fine = run("imex", 5e-4);
  EXPECT_LT(std::abs(middle - exact), 1e-6);
  EXPECT_GT(std::abs(coarse - exact) / std::abs(middle - exact), 1.6);
  EXPECT_GT(std::abs(middle - exact) / std::abs(fine - exact), 1.6);
  EXPECT_LT(std::abs(run("trapezoidal", 1e-3) - exact), 5e-7);
}

}  // namespace
}  // namespace klingel
