// Waves of hunting, half by half, against the wavelength that the profiles have at that amplitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/conicity.hpp"
#include "contact/loaded_pair.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

struct HalfWave {
  double length, amplitude;  // of a whole wave, m; its largest y, m
};

// Between the zeros of a channel over the track's abscissa.
std::vector<HalfWave> half_waves(const VehicleRun& r, const std::string& channel) {
  const std::span<const double> s = r.channel("s"), y = r.channel(channel);
  std::vector<HalfWave> list;
  double zero = 0, largest = 0;
  bool begun = false;
  for (std::size_t i = 1; i < y.size(); ++i) {
    largest = std::max(largest, std::abs(y[i]));
    if ((y[i - 1] > 0) == (y[i] > 0)) continue;
    const double at = s[i - 1] + (s[i] - s[i - 1]) * y[i - 1] / (y[i - 1] - y[i]);
    if (begun) list.push_back({2 * (at - zero), largest});
    zero = at, largest = 0, begun = true;
  }
  return list;
}

// Loads as the wheelset has: 8.9 kN per wheel alone, 54.5 kN below a coach. Rolling radii under
// load make the wave; each half counts with its own amplitude.
struct Wave {
  double start, load;  // m; N on the axle beside its own weight
};
class free_wheelset : public testing::TestWithParam<Wave> {};

vehicle::Scenario free_wheelset_with(const Wave& wave) {
  vehicle::Scenario scenario = vehicle::load_scenario("wheelset");
  // slowly: Klingel's wheelset has no inertia
  scenario.speed = 5;
  scenario.duration = 8;
  scenario.hold[0].value = wave.start;
  scenario.parameters.push_back({"W", std::to_string(wave.load)});
  return scenario;
}

TEST_P(free_wheelset, s1002_hunts_with_klingels_wavelength_by_loaded_conicity) {
  VehicleRun r(free_wheelset_with(GetParam()));
  const step::VehicleData& data = r.simulator().data();
  const spline::CubicSpline &f_w = data.wheels[1].surface.f_w, &f_r = data.left.f_r;
  ASSERT_EQ(data.wheels[1].side, profile::Side::left);
  const double rest = data.wheels[1].y_w - r.p.track.frame(0).rail_distance / 2;
  const double load = data.wheels[1].pair->load;
  const contact::LoadedPair pair =
      contact::loaded_pair(f_w, f_r, rest, load, contact::HertzTable(data.law.E, data.law.poisson));
  contact::RadiusDifference delta_r;
  for (int i = -40; i <= 40; ++i) {
    const double y = 1e-4 * i;
    delta_r.y.push_back(y);
    delta_r.delta_r.push_back(let_down(pair, rest + y, 0, 0, load).radius -
                              let_down(pair, rest - y, 0, 0, load).radius);
  }
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  const std::vector<HalfWave> waves = half_waves(r, "y_rel.wheelset");
  ASSERT_GE(waves.size(), 4u);
  for (const HalfWave& w : waves) {
    const double klingel = contact::equivalent_conicity(delta_r, w.amplitude, 1.5, 0.46).wavelength;
    EXPECT_NEAR(w.length / klingel, 1, 0.015) << "at " << 1e3 * w.amplitude << " mm";
  }
}
INSTANTIATE_TEST_SUITE_P(waves, free_wheelset,
                         testing::Values(Wave{1e-4, 0}, Wave{1e-3, 0}, Wave{3e-3, 0},
                                         Wave{1e-3, 91215}, Wave{3e-3, 91215}),
                         [](const auto& its) {
                           return std::to_string(static_cast<int>(1e6 * its.param.start + 0.5)) +
                                  "_um" + (its.param.load > 0 ? "_loaded" : "");
                         });

// The authors' locomotive, their G, straight track: 40 to 48 m. The wave grows and its length falls
// with the amplitude, from 48.4 m below 0.3 mm to 36 m above 1.2 mm; the shipped scenario begins
// with 0.4 mm and ends below 1 mm.
TEST(hunting, locomotive_on_straight_track_has_waves_of_40_to_48_m) {
  VehicleRun r("feve3000");
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  for (const char* wheelset : test::wheelset_names) {
    const std::vector<HalfWave> waves = half_waves(r, std::string("y_rel.") + wheelset);
    ASSERT_GE(waves.size(), 8u);
    double sum = 0;
    for (const HalfWave& w : waves) {
      sum += w.length;
      EXPECT_GT(w.amplitude, 0.3e-3);
      EXPECT_LT(w.amplitude, 1e-3);
    }
    const double mean = sum / static_cast<double>(waves.size());
    EXPECT_GT(mean, 40) << wheelset;
    EXPECT_LT(mean, 48) << wheelset;
  }
  // the weight rests on the rails while it does so: what the authors' program gives, within what
  // the contact angles of the wave change
  double sum = 0;
  for (const step::WheelData& w : r.simulator().data().wheels) sum += r.mean("N." + w.name, 15, 20);
  EXPECT_NEAR(sum, 335.66e3, 2e-4 * 335.66e3);
  EXPECT_LT(r.summary.max_phi, 1e-6);
  EXPECT_LT(r.unbalanced(), 0.01);
}

}  // namespace
}  // namespace klingel
