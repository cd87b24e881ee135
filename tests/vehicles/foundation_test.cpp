// Track that gives way: against a mass on a spring, its own energy, and rails that do not move.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/structure/temporary_folder.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

struct Bed {
  double mass, k_y, c_y, k_z, c_z;
};
constexpr Bed usual{400, 2e7, 1e5, 1.2e8, 2.5e5};

class Foundation : public testing::Test {
 protected:
  // Straight track on it, with a wave of the left rail if wanted.
  vehicle::Scenario scenario(const std::string& what, const Bed& b, double speed, double duration,
                             double amplitude = 0) {
    std::string text =
        "name = 'soft'\ngauge = 1.435\nrail_profile = '60E1:1:40'\nstep = 0.1\n"
        "[start]\ns = -40\n[[section]]\nkind = 'straight'\nlength = 400\n";
    if (amplitude > 0)
      text += fmt::format(
          "[[irregularity]]\nkind = 'harmonic'\nchannel = 'left_vertical'\n"
          "amplitude = {}\nwavelength = 4\nfrom = 5\nto = 300\nfade = 4\n",
          amplitude);
    if (b.mass > 0)
      text += fmt::format(
          "[foundation]\nmass = {}\nlateral_stiffness = {}\nlateral_damping = {}\n"
          "vertical_stiffness = {}\nvertical_damping = {}\n",
          b.mass, b.k_y, b.c_y, b.k_z, b.c_z);
    folder_.add("soft.toml", text);
    vehicle::Scenario s = vehicle::load_scenario(what);
    s.track = (folder_.path() / "soft.toml").string();
    s.speed = speed, s.duration = duration, s.position = 0;
    s.hold.clear();
    s.tread = "loaded";
    return s;
  }
  structure::TemporaryFolder folder_;
};

// The wheelset with a constant weight W on it: (m + m_track) d2z/dt2 = -k z.
TEST_F(Foundation, a_wheelset_bounces_as_a_mass_on_a_spring) {
  const Bed free{400, 2e7, 0, 2e7, 0};
  VehicleRun r(scenario("wheelset_suspended", free, 1, 0.5));
  step::VehicleState state = r.simulator().state();
  ASSERT_EQ(state.track.size(), 6u);
  // the rails carry the load at rest
  constexpr double m = 1250, W = 50e3;
  const double load = m * 9.81 + W;
  EXPECT_NEAR(state.track[1], -load / free.k_z, 1e-3 * load / free.k_z);
  EXPECT_NEAR(state.track[2], -load / free.k_z, 1e-3 * load / free.k_z);
  // a push upwards
  constexpr double v = 0.02;
  const std::size_t z = 2;
  ASSERT_EQ(r.simulator().coordinate_names()[z], "z");
  const double rest = state.track[1];
  state.dq[z] += v, state.track[4] = state.track[5] = v;
  r.simulator().set_state(state);
  const double omega = std::sqrt(free.k_z / (m + free.mass));
  constexpr double h = 1e-4;
  step::StepOptions options;
  options.theta = 0.5;  // without numerical damping
  double worst = 0;
  for (int i = 1; i <= 1000; ++i) {
    ASSERT_EQ(r.simulator().step(h, options), runtime::Status::ok);
    const double exact = v / omega * std::sin(omega * h * i);
    worst = std::max(worst, std::abs(r.simulator().state().track[1] - rest - exact));
  }
  // the contact's own stiffness of some 1e9 N/m makes it 1 % slower
  EXPECT_LT(worst, 0.06 * v / omega);
}

TEST_F(Foundation, energy_is_balanced_and_the_track_takes_what_its_dampers_lose) {
  VehicleRun r(scenario("manchester1", usual, 20, 3, 1e-3));
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  EXPECT_LT(r.unbalanced(), 2e-3);
  EXPECT_LT(r.summary.energy.track, 0);
  EXPECT_LT(r.summary.energy.creep, 0);
}

TEST_F(Foundation, very_stiff_track_is_rigid_track) {
  const Bed stiff{400, 1e12, 1e6, 1e12, 1e6};
  VehicleRun soft(scenario("wheelset_suspended", stiff, 20, 1, 5e-4));
  VehicleRun rigid(scenario("wheelset_suspended", {}, 20, 1, 5e-4));
  ASSERT_EQ(soft.go().end, record::RunEnd::completed) << soft.summary.message;
  ASSERT_EQ(rigid.go().end, record::RunEnd::completed);
  const auto a = soft.channel("Q.wheelset.left"), b = rigid.channel("Q.wheelset.left");
  ASSERT_EQ(a.size(), b.size());
  double worst = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i])), most = std::max(most, std::abs(b[i]));
  EXPECT_LT(worst, 0.02 * most);
}

// A hundred times the usual stiffness and a hundredth of the mass at 1 ms.
TEST_F(Foundation, no_stiffness_limits_the_time_step) {
  for (const Bed& b : {Bed{400, 2e9, 1e5, 1.2e10, 2.5e5}, Bed{4, 2e7, 1e5, 1.2e8, 2.5e5},
                       Bed{400, 2e7, 1e7, 1.2e8, 2.5e7}}) {
    VehicleRun r(scenario("manchester1", b, 30, 1, 1e-3));
    ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
    EXPECT_TRUE(r.finite());
    EXPECT_LT(r.unbalanced(), 1e-2);
    for (const record::WheelSummary& w : r.summary.wheels) EXPECT_LT(w.max_Q, 2e5) << w.name;
  }
}

TEST_F(Foundation, a_saved_state_continues_bit_for_bit) {
  const vehicle::Scenario s = scenario("wheelset_suspended", usual, 20, 1, 1e-3);
  VehicleRun one(s), two(s);
  step::StepOptions options;
  for (int i = 0; i < 50; ++i) ASSERT_EQ(one.simulator().step(1e-3, options), runtime::Status::ok);
  two.simulator().set_state(one.simulator().state());
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(one.simulator().step(1e-3, options), runtime::Status::ok);
    ASSERT_EQ(two.simulator().step(1e-3, options), runtime::Status::ok);
  }
  EXPECT_EQ(one.simulator().state(), two.simulator().state());
}

// Profiles that change along the track: between two places with the same profile nothing changes,
// and the middle between two profiles lies between them.
TEST_F(Foundation, profiles_change_smoothly_along_the_track) {
  const auto with = [&](const std::string& sections) {
    vehicle::Scenario s = scenario("manchester1", {}, 20, 2);
    std::string text = base::read_file(s.track);
    folder_.add("worn.toml", text + sections);
    s.track = (folder_.path() / "worn.toml").string();
    return s;
  };
  const auto place = [](double s, const char* name) {
    return fmt::format("[[rail_section]]\ns = {}\nprofile = '{}'\n", s, name);
  };
  VehicleRun plain(with("")), same(with(place(0, "60E1:1:40") + place(30, "60E1:1:40")));
  ASSERT_EQ(plain.go().end, record::RunEnd::completed);
  ASSERT_EQ(same.go().end, record::RunEnd::completed) << same.summary.message;
  const auto a = plain.channel("Q.front.front.left"), b = same.channel("Q.front.front.left");
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6 * std::abs(a[i]));

  VehicleRun changing(with(place(10, "60E1:1:40") + place(30, "60E1:1:20")));
  ASSERT_EQ(changing.go().end, record::RunEnd::completed) << changing.summary.message;
  EXPECT_TRUE(changing.finite());
  EXPECT_LT(changing.unbalanced(), 5e-3);
  const double static_Q = plain.mean("Q.front.front.left", 0, 1);
  for (const double Q : changing.channel("Q.front.front.left"))
    EXPECT_NEAR(Q, static_Q, 0.05 * static_Q);
}

}  // namespace
}  // namespace klingel
