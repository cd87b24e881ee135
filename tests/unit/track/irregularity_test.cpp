// Irregularities: which rail a channel moves, where a signal begins and ends, and what is refused.
#include "track/irregularity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace klingel::track {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

Irregularity constant(Channel channel, double height) {
  Irregularity i;
  i.channel = channel;
  i.signal = Measured{spline::CubicSpline({0, 100}, {{0, 0, 0, height, 0}})};
  return i;
}

std::array<double, 4> moved(Channel channel) {
  const Irregularity i = constant(channel, 0.002);
  const double s = 50;
  const RailDeviation d = deviations({&i, 1}, DeviationFrame::track, {&s, 1})[0];
  return {d.left_vertical, d.left_lateral, d.right_vertical, d.right_lateral};
}

std::string refusal(const Irregularity& irregularity, double begin = 0, double end = 100) {
  try {
    check(irregularity, begin, end);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(irregularity, each_channel_moves_the_rails_it_names) {
  using A = std::array<double, 4>;
  EXPECT_EQ(moved(Channel::left_vertical), (A{0.002, 0, 0, 0}));
  EXPECT_EQ(moved(Channel::left_lateral), (A{0, 0.002, 0, 0}));
  EXPECT_EQ(moved(Channel::right_vertical), (A{0, 0, 0.002, 0}));
  EXPECT_EQ(moved(Channel::right_lateral), (A{0, 0, 0, 0.002}));
  EXPECT_EQ(moved(Channel::vertical), (A{0.002, 0, 0.002, 0}));
  EXPECT_EQ(moved(Channel::lateral), (A{0, 0.002, 0, 0.002}));
  EXPECT_EQ(moved(Channel::cross_level), (A{0.001, 0, -0.001, 0}));
  EXPECT_EQ(moved(Channel::gauge), (A{0, 0.001, 0, -0.001}));
}

TEST(irregularity, names_of_channels_read_back_and_wrong_ones_are_answered) {
  for (const std::string& name : channel_names()) EXPECT_EQ(text(channel_of(name)), name);
  try {
    channel_of("crosslevel");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "unknown channel 'crosslevel'; did you mean 'cross_level'?");
  }
}

TEST(irregularity, harmonic_is_a_sine_of_the_abscissa) {
  Irregularity i;
  i.signal = Harmonic{0.01, 10, pi / 2};
  for (double s = -20; s < 20; s += 0.7) {
    EXPECT_NEAR(value(i, s), 0.01 * std::cos(2 * pi * s / 10), 1e-16);
  }
  EXPECT_EQ(shortest_wavelength(i), 10);
}

TEST(irregularity, fade_is_smooth_at_both_ends_and_zero_outside) {
  Irregularity i = constant(Channel::vertical, 1);
  i.from = 10, i.to = 50, i.fade = 8;
  EXPECT_EQ(value(i, 9.999), 0);
  EXPECT_EQ(value(i, 50.001), 0);
  EXPECT_EQ(value(i, 14), 0.5);
  EXPECT_EQ(value(i, 46), 0.5);
  EXPECT_EQ(value(i, 30), 1);
  // the first two derivatives vanish where it begins: the third power of a thousandth remains
  EXPECT_LT(value(i, 10 + 8e-3), 1.1e-8);
}

TEST(irregularity, random_signals_fade_like_all_others) {
  RandomSignal signal;
  signal.spectrum = erri_b176(TrackQuality::low_disturbance, SpectrumOf::vertical);
  Irregularity i;
  i.signal = RandomWaves{realise(signal)};
  i.from = 10, i.to = 60, i.fade = 8;
  std::vector<double> s;
  for (int k = 0; k < 700; ++k) s.push_back(0.1 * k);
  const std::vector<RailDeviation> all = deviations({&i, 1}, DeviationFrame::track, s);
  double largest = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    EXPECT_NEAR(all[k].left_vertical, value(i, s[k]), 1e-11);
    largest = std::max(largest, std::abs(all[k].left_vertical));
  }
  EXPECT_GT(largest, 1e-4);
  EXPECT_EQ(all[50].left_vertical, 0);
}

TEST(irregularity, measured_values_must_cover_where_they_act) {
  Irregularity i = constant(Channel::gauge, 0.002);
  EXPECT_EQ(refusal(i), "no error");
  EXPECT_EQ(
      refusal(i, 0, 100.5),
      "irregularity 'gauge': measured values reach from 0 m to 100 m, but are needed from 0 m "
      "to 100.5 m; limit them with 'from' and 'to'");
  i.to = 80;
  EXPECT_EQ(refusal(i, 0, 100.5), "no error");
}

TEST(irregularity, impossible_numbers_are_refused_with_their_place) {
  Irregularity i;
  i.signal = Harmonic{0.01, 0, 0};
  i.place = {"t.toml", 4, 1};
  EXPECT_EQ(refusal(i),
            "t.toml:4:1: irregularity 'vertical': the wavelength must be positive, found 0 m");
  i.signal = Harmonic{std::nan(""), 1, 0};
  EXPECT_THAT(refusal(i), HasSubstr("finite"));
  i.signal = Harmonic{0.01, 10, 0};
  i.fade = 5;
  EXPECT_THAT(refusal(i), HasSubstr("'fade' needs 'from'"));
  i.from = 3, i.to = 3;
  EXPECT_THAT(refusal(i), HasSubstr("'to' must be behind 'from'"));
  i.to = 10;
  EXPECT_THAT(refusal(i), HasSubstr("half the way"));
}

}  // namespace
}  // namespace klingel::track
