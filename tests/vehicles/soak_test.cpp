// Long runs on rough, winding track with torques at random, and many short ones of all kinds. How
// long the long ones are says KLINGEL_SOAK_STEPS (`./run soak`: a million steps each).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "start/static_loads.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/support/random.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

long soak_steps() {
  const char* text = std::getenv("KLINGEL_SOAK_STEPS");
  return text != nullptr ? std::max(1000L, std::atol(text)) : 20'000;
}

// Resident memory, kB.
long resident() {
  std::ifstream status("/proc/self/statm");
  long total = 0, pages = 0;
  status >> total >> pages;
  return pages * 4;
}

// Curves of 600 m to 2 km to either side with cant, between straights, rough all the way.
std::string winding_track(const char* rails, double least_length, std::uint64_t seed) {
  test::Random random(seed);
  std::string text = fmt::format("name = \"winding\"\n{}\nstep = 0.25\n", rails);
  text += "[start]\ns = -50.0\n[[section]]\nkind = \"straight\"\nlength = 120.0\n";
  double length = 120;
  while (length < least_length + 200) {
    const double radius = random.uniform(600, 2000) * (random.chance(0.5) ? 1 : -1);
    text += fmt::format(
        "[[section]]\nkind = \"transition\"\nlength = 60.0\n"
        "[[section]]\nkind = \"arc\"\nlength = {:.1f}\nradius = {:.1f}\ncant_height = {:.4f}\n"
        "[[section]]\nkind = \"transition\"\nlength = 60.0\n"
        "[[section]]\nkind = \"straight\"\nlength = 50.0\n",
        random.uniform(50, 200), radius, random.uniform(0, 30 / std::abs(radius)));
    length += 170 + 50;
  }
  for (const char* channel : {"vertical", "lateral", "cross_level"}) {
    text += fmt::format(
        "[[irregularity]]\nkind = \"random\"\nchannel = \"{}\"\nspectrum = \"erri_low\"\n"
        "seed = {}\nshortest = 3.0\nlongest = 70.0\nwaves = 200\nscale = 0.5\nfrom = 20.0\nfade = "
        "30.0\n",
        channel, seed);
  }
  return text;
}

struct Soak {
  const char *vehicle, *rails;
  std::vector<const char*> drives;
  double traction;  // sign of the input that drives
};

void soak(const Soak& what) {
  constexpr double speed = 15, h = 1e-3;
  const long steps = soak_steps();
  const structure::TemporaryFolder folder;
  folder.add("winding.toml",
             winding_track(what.rails, speed * h * static_cast<double>(steps) * 1.2 + 100, 7));
  vehicle::Scenario s = vehicle::load_scenario(what.vehicle);
  s.track = (folder.path() / "winding.toml").string();
  s.speed = speed;
  s.inputs.clear();
  for (vehicle::Hold& hold : s.hold) hold.value = 0;
  compile::PreparedRun p = compile::prepare_run(s);
  step::Simulator& simulator = *p.simulator;
  const auto& names = simulator.input_names();
  std::vector<std::size_t> drives;
  for (const char* d : what.drives)
    drives.push_back(
        static_cast<std::size_t>(std::find(names.begin(), names.end(), d) - names.begin()));
  ASSERT_LT(drives.back(), names.size());

  test::Random random(11);
  const std::vector<double> loads = start::static_loads(simulator.data());
  std::vector<double> last(simulator.data().wheels.size(), -1), before = last;
  double largest_early = 0, largest_late = 0;
  long memory = 0;
  for (long i = 0; i < steps; ++i) {
    if (i % 500 == 0) {
      // at random, and back to the speed of the start
      const std::span<const double> u = simulator.twist(0);
      const double v = std::hypot(u[0], u[1]);
      for (const std::size_t d : drives)
        simulator.set_input(d, what.traction * (random.within(500) + 500 * (speed - v)));
    }
    ASSERT_EQ(simulator.step(h), runtime::Status::ok) << simulator.failure_text();
    // no force that jumps by more than the load and is taken back by the next step
    for (std::size_t k = 0; k < last.size(); ++k) {
      const double N = simulator.tread()[k].N + simulator.flange()[k].N;
      const double load = loads[k];
      if (before[k] >= 0) {
        const double up = last[k] - before[k], back = N - last[k];
        ASSERT_FALSE(std::abs(up) > load && std::abs(up + back) < 0.2 * std::abs(up))
            << simulator.data().wheels[k].name << ": " << before[k] << ", " << last[k] << ", " << N;
      }
      before[k] = last[k], last[k] = N;
    }
    double& largest = i < steps / 2 ? largest_early : largest_late;
    largest = std::max(largest, simulator.largest_phi());
    if (i == steps / 10) memory = resident();
  }
  // no drift: both halves meet the tolerance of the projection
  EXPECT_LE(largest_early, 1e-6);
  EXPECT_LE(largest_late, 1e-6);
  EXPECT_LT(resident() - memory, 512) << "kB";
  for (const double x : simulator.state().dq) EXPECT_TRUE(std::isfinite(x));
  const std::span<const double> u = simulator.twist(0);
  EXPECT_NEAR(std::hypot(u[0], u[1]), speed, 5);
}

TEST(soak, locomotive_runs_on_and_on) {
  soak({"feve3000_corrected",
        "rail_distance = 1.07\nrail_profile = \"feve_rail\"\ncant_base = 1.07",
        {"rear.front.motor", "rear.rear.motor"},
        -1});
}

TEST(soak, coach_runs_on_and_on) {
  soak({"manchester1",
        "gauge = 1.435\nrail_profile = \"60E1:1:40\"\ncant_base = 1.5",
        {"rear.front.torque", "rear.rear.torque", "front.front.torque", "front.rear.torque"},
        1});
}

TEST(soak, train_runs_on_and_on) {
  soak({"train",
        "gauge = 1.435\nrail_profile = \"60E1:1:40\"\ncant_base = 1.5",
        {"coach1.rear.front.torque", "coach1.rear.rear.torque", "coach1.front.front.torque",
         "coach1.front.rear.torque"},
        1});
}

// Whatever is valid ends clearly: completed, derailed, or a failure or an error with a text; and
// what was recorded until then is finite.
TEST(soak, scenarios_at_random_end_clearly) {
  test::Random random(2026);
  const std::vector<const char*> metre = {"article",
                                          "article_flat",
                                          "article_smooth",
                                          "article_10m",
                                          "article_straight_irregular",
                                          "metre_straight",
                                          "s_curve_2m"};
  const std::vector<const char*> standard = {"straight", "random_straight", "curve_150",
                                             "curve_300"};
  const char* laws[] = {"linear", "she", "polach", "fastsim"};
  int ends[5] = {}, refused = 0;
  for (int i = 0; i < 30; ++i) {
    const char* name[] = {"feve3000", "feve3000_corrected", "manchester1"};
    const std::size_t v = random.below(3);
    vehicle::Scenario s = vehicle::load_scenario(name[v]);
    const std::vector<const char*>& tracks = v == 2 ? standard : metre;
    s.track = tracks[random.below(tracks.size())];
    s.speed = random.uniform(-5, 40);
    s.position = random.uniform(0, 25);  // y is held against the ground: start on the straight
    s.friction = random.uniform(0.05, 0.6);
    s.law = laws[random.below(4)];
    s.duration = 1.5;
    const double y = random.within(0.006);
    // the coach's coordinates are all against the ground: it starts where its file has it
    if (v == 2)
      s.position = 0;
    else
      s.hold = {{"y", {}, y}, {"yaw", {}, 0}, {"rear.yaw", {}, 0}, {"front.yaw", {}, 0}};
    const std::string what =
        fmt::format("{}: {} on {} from {:.1f} m at {:.2f} m/s, y {:.4f} m, {} {:.3f}", i, name[v],
                    s.track, s.position, s.speed, y, s.law, s.friction);
    SCOPED_TRACE(what);
    try {
      VehicleRun r(s);
      r.go();
      ++ends[static_cast<int>(r.summary.end)];
      EXPECT_TRUE(r.finite());
      if (r.summary.end != record::RunEnd::completed) {
        EXPECT_FALSE(r.summary.message.empty());
        fmt::print("  {}\n    {}\n", what, r.summary.message);
      }
    } catch (const base::Error& e) {
      ++refused;
      EXPECT_FALSE(std::string(e.what()).empty());
      fmt::print("  {}\n    {}\n", what, e.what());
    }
  }
  fmt::print("  completed {}, end of track {}, derailed {}, failed {}, refused {}\n", ends[0],
             ends[1], ends[2], ends[4], refused);
  // most of them are runs that a vehicle can do
  EXPECT_GE(ends[0], 20);
}

}  // namespace
}  // namespace klingel
