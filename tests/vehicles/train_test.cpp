// Trains: coupled coaches against what is known of masses on springs, and against one coach.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/file.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

constexpr double m_coach = 32000 + 2 * 2615 + 4 * 1813;  // kg
constexpr double r_wheel = 0.46, I_spin = 112;           // m, kg m^2
// rolling, its wheelsets' spin moves with it
constexpr double m_rolling = m_coach + 4 * I_spin / (r_wheel * r_wheel);

vehicle::Scenario train(const std::vector<vehicle::Setting>& settings, double speed,
                        double duration) {
  vehicle::Scenario scenario = vehicle::load_scenario("train");
  scenario.parameters = settings;
  scenario.speed = speed;
  scenario.duration = duration;
  return scenario;
}

std::size_t index_of(VehicleRun& r, const std::string& coordinate) {
  const std::vector<std::string>& names = r.simulator().coordinate_names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), coordinate) -
                                  names.begin());
}

// Along x, of coaches with these masses of their bodies, spins included.
double momentum(VehicleRun& r, const std::string& coach, double m_body) {
  const std::vector<double>& dq = r.simulator().state().dq;
  double sum = m_body * dq[index_of(r, coach + ".x")];
  for (const std::string bogie : {".rear", ".front"}) {
    sum += 2615 * dq[index_of(r, coach + bogie + ".x")];
    for (const std::string axle : {".rear", ".front"}) {
      sum += 1813 * dq[index_of(r, coach + bogie + axle + ".x")];
      sum += I_spin / r_wheel * dq[index_of(r, coach + bogie + axle + ".spin")];
    }
  }
  return sum;
}

TEST(train, coupled_coaches_keep_their_distance_at_rest) {
  VehicleRun r(train({}, 0, 1));
  const auto distance = [&] {
    const std::vector<double>& q = r.simulator().state().q;
    return q[index_of(r, "coach1.x")] - q[index_of(r, "coach2.x")];
  };
  EXPECT_NEAR(distance(), 26.4, 1e-9);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  // what the tolerance of the start (1e-9 of the weight) leaves, on a spring of 4 MN/m
  EXPECT_NEAR(distance(), 26.4, 1e-7);
  for (const step::WheelData& w : r.simulator().data().wheels)
    EXPECT_NEAR(r.mean("Q." + w.name, 0, 1), m_coach * 9.81 / 8, 20) << w.name;
}

TEST(train, coaches_swing_like_two_masses_on_a_spring_and_keep_their_momentum) {
  // a coupler so soft that traction rods and primary springs are stiff beside it
  constexpr double k = 1e5, light = 16000, V = 10, dV = 0.1;
  const std::vector<vehicle::Setting> settings = {
      {"k_coupler", "1e5"}, {"c_coupler", "0"}, {"coach2.m_body", "16000"}};
  VehicleRun r(train(settings, V, 9));
  step::Simulator& s = r.simulator();
  step::VehicleState state = s.state();
  for (std::size_t i = 0; i < state.dq.size(); ++i)
    if (s.coordinate_names()[i].starts_with("coach2.")) state.dq[i] *= 1 + dV / V;
  s.set_state(state);
  const double m1 = m_rolling, m2 = m_rolling - 32000 + light;
  const double before = momentum(r, "coach1", 32000) + momentum(r, "coach2", light);
  EXPECT_NEAR(before, (m1 + m2) * V + m2 * dV, 1e-4 * m2 * V);

  // zeros of the coupler's extension, from the second on
  const std::size_t x1 = index_of(r, "coach1.x"), x2 = index_of(r, "coach2.x");
  std::vector<double> zeros;
  double least = 0, last = 0;
  for (int i = 0; i < 9000; ++i) {
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
    const double d = s.state().q[x1] - s.state().q[x2] - 26.4;
    if (i > 0 && d * last < 0) zeros.push_back(s.state().t - 1e-3 * d / (d - last));
    least = std::min(least, d);
    last = d;
  }
  ASSERT_GE(zeros.size(), 4u);
  const double period = 2 * (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
  const double omega = std::sqrt(k * (1 / m1 + 1 / m2));
  // 0.1 %: 12 t of running gear behind rods of 10 MN/m per coach; the body pitches a little
  EXPECT_NEAR(2 * std::numbers::pi / period / omega, 1, 3e-3);
  EXPECT_NEAR(-least, dV / omega, 0.02 * dV / omega);
  // what one coach loses the other has; creep takes what it takes of coaches that do not swing
  const double lost = before - momentum(r, "coach1", 32000) - momentum(r, "coach2", light);
  VehicleRun calm(train(settings, V, 9));
  const auto momentum_of_calm = [&] {
    return momentum(calm, "coach1", 32000) + momentum(calm, "coach2", light);
  };
  const double begin = momentum_of_calm();
  ASSERT_EQ(calm.go().end, record::RunEnd::completed);
  EXPECT_NEAR(lost, begin - momentum_of_calm(), 2e-3 * m2 * dV);
}

TEST(train, a_force_in_front_stretches_couplers_by_what_they_pull) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("klingel_pulled_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string shipped =
      base::read_file(vehicle::find_vehicle("train").string()) +
      "[inputs]\npull = 0\n[[applied_force]]\nname = 'pull'\nto = 'coach1.front_coupler'\n"
      "force = ['pull', 0, 0]\n";
  base::write_file((folder / "vehicle.toml").string(), shipped);
  vehicle::Scenario scenario = train({{"coach.count", "3"}}, 5, 8);
  scenario.vehicle = folder / "vehicle.toml";
  scenario.inputs = {{"pull", {}, {0, 2}, {0, 30e3}}};
  VehicleRun r(scenario);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_LT(r.unbalanced(), 1e-4);
  const std::vector<double>& q = r.simulator().state().q;
  const auto stretch = [&](const char* ahead, const char* behind) {
    return q[index_of(r, ahead)] - q[index_of(r, behind)] - 26.4;
  };
  // all with the same acceleration: the first coupler pulls two coaches, the second one. Bodies
  // pitch, for couplers are below them: 2 % of the length
  const double own = 30e3 / 3 / 4e6;
  EXPECT_NEAR(stretch("coach1.x", "coach2.x"), 2 * own, 0.04 * own);
  EXPECT_NEAR(stretch("coach2.x", "coach3.x"), own, 0.04 * own);
}

TEST(train, without_stiffness_every_coach_runs_as_one_alone) {
  VehicleRun pair(train({{"k_coupler", "0"}, {"c_coupler", "0"}}, 25, 2));
  vehicle::Scenario single = vehicle::load_scenario("manchester1");
  single.duration = 2;
  VehicleRun alone(single);
  // a blow to the side that the suspension answers
  for (VehicleRun* r : {&pair, &alone}) {
    step::VehicleState state = r->simulator().state();
    for (const std::string coach : {"", "coach1.", "coach2."}) {
      const std::size_t y = index_of(*r, coach + "y");
      if (y < state.dq.size()) state.dq[y] += 0.05;
    }
    r->simulator().set_state(state);
    ASSERT_EQ(r->go().end, record::RunEnd::completed) << r->summary.message;
  }
  const std::vector<double>& one = alone.simulator().state().q;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const std::string& name = alone.simulator().coordinate_names()[i];
    if (name.ends_with("x") || name.ends_with("spin")) continue;
    // round-off of another place on the track and another order of sums
    for (const std::string coach : {"coach1.", "coach2."})
      EXPECT_NEAR(pair.simulator().state().q[index_of(pair, coach + name)], one[i], 1e-9)
          << coach << name;
  }
  EXPECT_GT(std::abs(one[index_of(alone, "front.y")]), 1e-6);
}

}  // namespace
}  // namespace klingel
