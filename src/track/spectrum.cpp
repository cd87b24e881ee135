#include "track/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "track/random_bits.hpp"

namespace klingel::track {
namespace {

constexpr int most_waves = 100'000;

// five Gauss points on one interval
double gauss(const Spectrum& spectrum, double from, double to) {
  constexpr double node[] = {0.5384693101056831, 0.9061798459386640};
  constexpr double weight[] = {0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.5688888888888889 * spectrum.density(middle);
  for (int i = 0; i < 2; ++i) {
    sum += weight[i] *
           (spectrum.density(middle - half * node[i]) + spectrum.density(middle + half * node[i]));
  }
  return half * sum;
}

// How many of the first points are evenly spaced, at most `most`.
std::size_t even_points(std::span<const double> s, std::size_t most) {
  if (s.size() < 2) return s.size();
  const double h = s[1] - s[0];
  std::size_t n = 2;
  // 1e-10 m are 1e-9 rad on the shortest waves a track has
  while (n < std::min(most, s.size()) &&
         std::abs(s[n] - (s[0] + static_cast<double>(n) * h)) < 1e-10) {
    ++n;
  }
  return n;
}

}  // namespace

double Spectrum::density(double omega) const {
  const double w2 = omega * omega, c2 = omega_c * omega_c, r2 = omega_r * omega_r;
  const double level = A * c2 / ((w2 + r2) * (w2 + c2));
  return is_cross_level ? 4 * level * w2 / (w2 + omega_s * omega_s) : level;
}

Spectrum erri_b176(TrackQuality quality, SpectrumOf what) {
  const bool low = quality == TrackQuality::low_disturbance;
  Spectrum s{0, 0.8246, 0.0206, 0.4380, what == SpectrumOf::cross_level};
  if (what == SpectrumOf::lateral) {
    s.A = low ? 2.119e-7 : 6.125e-7;
  } else {
    s.A = low ? 4.032e-7 : 1.080e-6;
  }
  return s;
}

double variance(const Spectrum& spectrum, double omega_from, double omega_to) {
  // intervals that grow by a tenth follow the powers of omega the density is made of
  double sum = 0;
  for (double from = omega_from; from < omega_to;) {
    const double width = 0.1 * std::max(from, 0.1 * spectrum.omega_r + 1e-6 * omega_to);
    const double to = std::min(from + width, omega_to);
    sum += gauss(spectrum, from, to);
    from = to;
  }
  return sum;
}

std::vector<Wave> realise(const RandomSignal& signal) {
  if (!(signal.shortest > 0) || !(signal.longest > signal.shortest) ||
      !std::isfinite(signal.longest)) {
    base::fail("a band of wavelengths goes from a positive one to a longer one, found {} m to {} m",
               signal.shortest, signal.longest);
  }
  if (signal.waves < 1 || signal.waves > most_waves) {
    base::fail("a random signal is a sum of 1 to {} waves, found {}", most_waves, signal.waves);
  }
  constexpr double turn = 2 * std::numbers::pi;
  const double first = turn / signal.longest, last = turn / signal.shortest;
  const double width = (last - first) / signal.waves;
  RandomBits random(signal.seed);
  std::vector<Wave> waves;
  waves.reserve(static_cast<std::size_t>(signal.waves));
  for (int i = 0; i < signal.waves; ++i) {
    const double from = first + i * width;
    const double omega = from + width * random.uniform();
    // a cosine of amplitude a has the variance a^2 / 2
    const double power = variance(signal.spectrum, from, from + width);
    waves.push_back({std::sqrt(2 * power), omega, turn * random.uniform()});
  }
  return waves;
}

double value(const std::vector<Wave>& waves, double s) noexcept {
  double sum = 0;
  for (const Wave& w : waves) sum += w.amplitude * std::cos(w.omega * s + w.phase);
  return sum;
}

std::vector<double> values(const std::vector<Wave>& waves, std::span<const double> s) {
  std::vector<double> result(s.size(), 0.0);
  // in blocks of equal steps a wave is a pointer that turns by the same angle each time; a new
  // block begins with a fresh sine, so that rounding does not pile up
  for (std::size_t first = 0; first < s.size();) {
    const std::size_t n = even_points(s.subspan(first), 128);
    const double h = n > 1 ? s[first + 1] - s[first] : 0;
    for (const Wave& w : waves) {
      const double angle = w.omega * s[first] + w.phase;
      const double c = std::cos(w.omega * h), d = std::sin(w.omega * h);
      double x = w.amplitude * std::cos(angle), y = w.amplitude * std::sin(angle);
      for (std::size_t i = 0; i < n; ++i) {
        result[first + i] += x;
        const double turned = c * x - d * y;
        y = d * x + c * y;
        x = turned;
      }
    }
    first += n;
  }
  return result;
}

}  // namespace klingel::track
