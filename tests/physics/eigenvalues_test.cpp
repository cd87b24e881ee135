// Eigenvalues of vehicles in motion against runs: a small disturbance grows or fades as the least
// damped mode says, and runs change from fading to growing where the critical speed is. And a
// suspended wheelset with cones against the two degrees of freedom of textbooks.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "stability/critical_speed.hpp"
#include "tests/support/steady_vehicle.hpp"

namespace klingel::physics {
namespace {

using support::steady_vehicle, support::SteadyChoice, support::SteadyVehicle;

struct Wave {
  double rate = 0, frequency = 0;  // 1/s, Hz
};

// From the extremes after one second: the line through the logarithms of their differences.
Wave wave_of(const std::vector<double>& y, double interval) {
  std::vector<double> t, top;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    const double at = interval * static_cast<double>(i);
    if (at < 1 || (y[i] - y[i - 1]) * (y[i + 1] - y[i]) > 0 || y[i] == y[i - 1]) continue;
    t.push_back(at), top.push_back(y[i]);
  }
  double n = 0, st = 0, sl = 0, stt = 0, stl = 0;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const double at = (t[i] + t[i + 1]) / 2, l = std::log(std::abs(top[i] - top[i + 1]));
    n += 1, st += at, sl += l, stt += at * at, stl += at * l;
  }
  return {(n * stl - st * sl) / (n * stt - st * st),
          static_cast<double>(t.size() - 1) / 2 / (t.back() - t.front())};
}

// A run in steps of 0.1 ms after its reference body or wheelset was put aside.
Wave run(const std::string& vehicle, const SteadyChoice& choice, double speed, double seconds,
         double aside) {
  vehicle::Scenario scenario =
      vehicle::load_scenario(KLINGEL_SOURCE_DIR "/vehicles/" + vehicle + "/scenario.toml");
  if (!choice.law.empty()) scenario.law = choice.law;
  if (!choice.tread.empty()) scenario.tread = choice.tread;
  for (const auto& [parameter, value] : choice.set)
    scenario.parameters.push_back({parameter, value});
  scenario.speed = speed, scenario.step = 1e-4, scenario.duration = seconds;
  scenario.hold.clear();
  compile::PreparedRun prepared(compile::compile(scenario));
  simulation::Instance& instance = *prepared.instance;
  start::Start& start = instance.start_options();
  start.held = {{*start.body[1], aside}};
  if (start.body[5]) start.held.push_back({*start.body[5], 0});
  instance.start();
  const std::size_t channel =
      instance.channel("y_rel." + prepared.description->data.wheelsets.front());
  std::vector<double> y;
  for (int i = 0; !instance.finished(); ++i) {
    if (i % 10 == 0) y.push_back(instance.value(channel));
    EXPECT_TRUE(instance.step()) << instance.failure();
    if (!instance.failure().empty()) break;
  }
  return wave_of(y, 1e-3);
}

stability::Mode near(const SteadyVehicle& v, double speed, double frequency) {
  const std::unique_ptr<stability::SteadyMotion> m = v.motion();
  m->settle(speed);
  stability::Mode best;
  for (const stability::Mode& mode : stability::modes(m->small_motions()))
    if (mode.oscillates() && mode.damping() < 0.3 &&  // what a wave in a run can be
        std::abs(mode.frequency() - frequency) < std::abs(best.frequency() - frequency))
      best = mode;
  return best;
}

void expect_same(const std::string& vehicle, const SteadyChoice& choice, double speed,
                 double seconds, double aside = 2e-4) {
  const Wave wave = run(vehicle, choice, speed, seconds, aside);
  const stability::Mode mode = near(steady_vehicle(vehicle, choice), speed, wave.frequency);
  printf("    %s at %g m/s: run %.4f 1/s, %.4f Hz; mode %.4f 1/s, %.4f Hz\n", vehicle.c_str(),
         speed, wave.rate, wave.frequency, mode.lambda.real(), mode.frequency());
  EXPECT_NEAR(mode.lambda.real(), wave.rate, 0.05);
  EXPECT_NEAR(mode.frequency() / wave.frequency, 1, 0.01);
}

TEST(eigenvalues, a_suspended_wheelset_grows_and_fades_as_they_say) {
  for (const char* tread : {"loaded", "rigid"}) {
    expect_same("wheelset_suspended", {{{"k_yaw", "1e6"}, {"k_y", "1e6"}}, "linear", tread}, 80, 4);
    expect_same("wheelset_suspended", {{{"k_yaw", "1e5"}, {"k_y", "2e5"}}, "linear", tread}, 45, 4);
  }
}

TEST(eigenvalues, a_free_wheelset_hunts_at_every_speed_as_they_say) {
  // its conicity changes with the amplitude: a small one
  expect_same("wheelset", {{}, "linear", "loaded"}, 15, 4, 1e-6);
}

TEST(eigenvalues, a_bogie_grows_and_fades_as_they_say) {
  for (const char* law : {"linear", "she", "fastsim"})
    expect_same("bogie", {{}, law, ""}, 55, 4, 1e-4);
}

// Runs 1 % below fade, 1 % above they grow.
void expect_critical(const std::string& vehicle, double seconds) {
  const SteadyVehicle v = steady_vehicle(vehicle);
  const stability::Critical c = stability::critical_speed(*v.motion(), {.largest = 100});
  ASSERT_TRUE(c.speed);
  const Wave below = run(vehicle, {}, 0.99 * *c.speed, seconds, 1e-4);
  const Wave above = run(vehicle, {}, 1.01 * *c.speed, seconds, 1e-4);
  printf("    %s: critical at %.3f m/s; runs 1 %% below %.3f 1/s, above %.3f 1/s\n",
         vehicle.c_str(), *c.speed, below.rate, above.rate);
  EXPECT_LT(below.rate, 0);
  EXPECT_GT(above.rate, 0);
}

TEST(eigenvalues, runs_begin_to_grow_at_the_critical_speed_of_a_bogie) {
  expect_critical("bogie", 4);
}
TEST(eigenvalues, runs_begin_to_grow_at_the_critical_speed_of_a_coach) {
  expect_critical("manchester1", 7);
}

// y and yaw, creep forces without spin, no gravitational stiffness, no change of the patch:
//   m y''     + 2 f22 (y'/V - psi)                    + k_y y     = 0
//   Iz psi''  + 2 f11 b (lambda y / r0 + b psi' / V)  + k_psi psi = 0
TEST(eigenvalues, a_suspended_wheelset_is_near_the_two_degrees_of_textbooks) {
  const SteadyVehicle v =
      steady_vehicle("wheelset_suspended", {{{"k_yaw", "1e6"}, {"k_y", "1e6"}}, "linear", "rigid"});
  const double V = 60, m = 1250, I_z = 700, r0 = 0.45, lambda = 0.05, b = 0.75;
  const std::unique_ptr<stability::SteadyMotion> motion = v.motion();
  motion->settle(V);
  step::Simulator& s = motion->simulator();
  s.set_state(motion->state());
  ASSERT_EQ(s.step(1e-6), runtime::Status::ok);
  const step::PointResult& p = s.tread().front();
  const step::ContactLaw& law = s.data().law;
  const creep::KalkerCoefficients c = creep::KalkerTable(law.poisson, law.kalker).at(p.a, p.b);
  const double f11 = law.G * p.a * p.b * c.c11, f22 = law.G * p.a * p.b * c.c22;
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomLeftCorner<2, 2>() << -1e6 / m, 2 * f22 / m, -2 * f11 * b * lambda / (r0 * I_z),
      -1e6 / I_z;
  A.bottomRightCorner<2, 2>() << -2 * f22 / (V * m), 0, 0, -2 * f11 * b * b / (V * I_z);
  const Eigen::Vector4cd book = Eigen::EigenSolver<Eigen::Matrix4d>(A, false).eigenvalues();
  std::complex<double> wave;
  for (const std::complex<double>& x : book)
    if (x.imag() > 1 && (wave == 0.0 || x.real() > wave.real())) wave = x;
  const stability::Mode mode = near(v, V, wave.imag() / (2 * std::numbers::pi));
  printf("    textbook %.3f 1/s, %.4f Hz; mode %.3f 1/s, %.4f Hz\n", wave.real(),
         wave.imag() / (2 * std::numbers::pi), mode.lambda.real(), mode.frequency());
  EXPECT_NEAR(mode.frequency() * 2 * std::numbers::pi / wave.imag(), 1, 0.05);
  EXPECT_NEAR(mode.lambda.real(), wave.real(), 0.1 * std::abs(wave));
}

}  // namespace
}  // namespace klingel::physics
