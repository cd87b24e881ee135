// Random signals: the same seed gives the same bits, and what is measured on a realisation is the
// spectrum that was asked for.
#include "track/spectrum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "base/error.hpp"
#include "track/random_bits.hpp"

namespace klingel::track {
namespace {

using std::numbers::pi;

RandomSignal low(SpectrumOf what, std::uint64_t seed = 1) {
  RandomSignal signal;
  signal.spectrum = erri_b176(TrackQuality::low_disturbance, what);
  signal.seed = seed;
  return signal;
}

std::string refusal(const RandomSignal& signal) {
  try {
    realise(signal);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(random_bits, first_numbers_are_those_of_the_published_generator) {
  // splitmix64 of seed 1234567 begins with these, as its authors print it
  const std::uint64_t a = 6457827717110365317U, b = 3203168211198807973U, c = 9817491932198370423U,
                      d = 4593380528125082431U;
  // the first output of xoshiro256** depends on the second word only, the second on all of them
  RandomBits random(1234567);
  EXPECT_EQ(random.next(), std::rotl(b * 5, 7) * 9);
  EXPECT_EQ(random.next(), std::rotl((b ^ (c ^ a)) * 5, 7) * 9);
  EXPECT_NE(d, 0U);
}

TEST(random_bits, uniform_numbers_have_the_mean_and_the_variance_of_their_interval) {
  RandomBits random(7);
  double sum = 0, squares = 0;
  constexpr int n = 100'000;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform();
    ASSERT_TRUE(x >= 0 && x < 1);
    sum += x, squares += x * x;
  }
  // four standard deviations of a mean of n
  EXPECT_NEAR(sum / n, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
}

TEST(spectrum, density_of_erri_b176_at_one_wave_number) {
  // 2 pi / 10 m, computed by hand from the constants
  const double w = 0.6283185307;
  const Spectrum v = erri_b176(TrackQuality::low_disturbance, SpectrumOf::vertical);
  EXPECT_NEAR(v.density(w), 4.032e-7 * 0.67996516 / (0.39520854 * 1.07474934), 1e-13);
  const Spectrum h = erri_b176(TrackQuality::high_disturbance, SpectrumOf::lateral);
  EXPECT_NEAR(h.density(w), 6.125e-7 * 0.67996516 / (0.39520854 * 1.07474934), 1e-13);
  // cross level: four times the vertical one, times w^2 / (w^2 + 0.438^2)
  const Spectrum c = erri_b176(TrackQuality::low_disturbance, SpectrumOf::cross_level);
  EXPECT_NEAR(c.density(w), 4 * v.density(w) * 0.39478418 / (0.39478418 + 0.191844), 1e-13);
}

TEST(spectrum, variance_is_the_integral_known_in_closed_form) {
  // over all wave numbers: A Wc^2 pi / (2 Wr Wc (Wr + Wc))
  const Spectrum s = erri_b176(TrackQuality::low_disturbance, SpectrumOf::vertical);
  const double exact = 4.032e-7 * 0.8246 * pi / (2 * 0.0206 * (0.0206 + 0.8246));
  // above 1e4 rad/m there is A Wc^2 / (3 W^3), 1e-13 of it
  EXPECT_NEAR(variance(s, 0, 1e4) / exact, 1, 1e-9);
}

TEST(spectrum, same_seed_same_bits_another_seed_another_signal) {
  const auto a = realise(low(SpectrumOf::vertical, 5)), b = realise(low(SpectrumOf::vertical, 5)),
             c = realise(low(SpectrumOf::vertical, 6));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].amplitude, b[i].amplitude);
    ASSERT_EQ(a[i].omega, b[i].omega);
    ASSERT_EQ(a[i].phase, b[i].phase);
  }
  EXPECT_NE(value(a, 10), value(c, 10));
}

TEST(spectrum, values_at_many_places_are_those_at_each) {
  const auto waves = realise(low(SpectrumOf::vertical));
  // even, then uneven, then even with another step, as sections of a track make them
  std::vector<double> s;
  for (int i = 0; i < 1000; ++i) s.push_back(-50 + 0.25 * i);
  for (int i = 0; i < 20; ++i) s.push_back(s.back() + 0.1 + 0.01 * i * i);
  for (int i = 0; i < 300; ++i) s.push_back(s.back() + 0.0737);
  const std::vector<double> all = values(waves, s);
  double sum = 0;
  for (const Wave& w : waves) sum += w.amplitude;
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_NEAR(all[i], value(waves, s[i]), 1e-9 * sum) << i;
  }
}

TEST(spectrum, variance_of_the_waves_is_that_of_the_band) {
  for (const SpectrumOf what :
       {SpectrumOf::vertical, SpectrumOf::lateral, SpectrumOf::cross_level}) {
    const RandomSignal signal = low(what);
    double sum = 0;
    for (const Wave& w : realise(signal)) sum += 0.5 * w.amplitude * w.amplitude;
    // both integrate the same density, over intervals of different size
    EXPECT_NEAR(sum / variance(signal.spectrum, 2 * pi / 150, 2 * pi / 3), 1, 1e-10);
  }
}

TEST(spectrum, measured_density_of_a_realisation_is_the_one_asked_for) {
  RandomSignal signal = low(SpectrumOf::vertical, 3);
  signal.waves = 400;
  const auto waves = realise(signal);
  // 3.2 km at 0.8 m, cut into 16 Hann-windowed pieces of 250 samples (200 m)
  constexpr int pieces = 16, n = 250;
  constexpr double h = 0.8, length = n * h;
  std::vector<double> density(n / 2, 0.0);
  for (int piece = 0; piece < pieces; ++piece) {
    std::vector<double> values(n);
    for (int i = 0; i < n; ++i) {
      values[i] = value(waves, (piece * n + i) * h) * (1 - std::cos(2 * pi * i / n));
    }
    for (int k = 1; k < n / 2; ++k) {
      std::complex<double> sum = 0;
      for (int i = 0; i < n; ++i) sum += values[i] * std::polar(1.0, -2 * pi * k * i / n);
      // one-sided per rad/m; the window has the mean square 1.5
      density[k] += 2 * std::norm(sum) * h * h / length / (2 * pi) / 1.5 / pieces;
    }
  }
  // in three bands of wavelength the power found is the power asked for; an estimate from p pieces
  // and m lines scatters by about sqrt(2 / (p m)): 20 % with at least 5 lines, three times that
  // would be a wrong factor of two, which is what this must find
  for (const auto& [from, to] : {std::pair{100.0, 25.0}, {25.0, 10.0}, {10.0, 4.0}}) {
    const int first = static_cast<int>(length / from), last = static_cast<int>(length / to);
    double found = 0, asked = 0;
    for (int k = first; k <= last; ++k) {
      found += density[k];
      asked += signal.spectrum.density(2 * pi * k / length);
    }
    EXPECT_NEAR(found / asked, 1, 0.3) << from << " m to " << to << " m";
  }
}

TEST(spectrum, values_along_a_long_track_have_the_variance_of_the_band) {
  RandomSignal signal = low(SpectrumOf::lateral, 11);
  signal.waves = 300;
  const auto waves = realise(signal);
  double sum = 0;
  constexpr int n = 20'000;
  for (int i = 0; i < n; ++i) {
    const double v = value(waves, 1.7 * i);
    sum += v * v / n;
  }
  // 34 km hold 200 of the longest waves, which have most of the power: 10 % of scatter
  EXPECT_NEAR(sum / variance(signal.spectrum, 2 * pi / 150, 2 * pi / 3), 1, 0.2);
}

TEST(spectrum, impossible_bands_and_counts_are_refused) {
  RandomSignal signal = low(SpectrumOf::vertical);
  signal.shortest = 0;
  EXPECT_THAT(refusal(signal), testing::HasSubstr("found 0 m to 150 m"));
  signal.shortest = 200;
  EXPECT_THAT(refusal(signal), testing::HasSubstr("to a longer one"));
  signal = low(SpectrumOf::vertical);
  signal.waves = 0;
  EXPECT_THAT(refusal(signal), testing::HasSubstr("1 to 100000 waves"));
}

}  // namespace
}  // namespace klingel::track
