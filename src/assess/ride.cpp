#include "assess/ride.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace klingel::assess {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

// in place, length a power of two; `sign` -1 forward, 1 back without the factor 1/n
void transform(std::vector<Complex>& x, double sign) {
  const std::size_t n = x.size();
  // bit-reversed order
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length <<= 1) {
    for (std::size_t k = 0; k < length / 2; ++k) {
      const double angle = sign * 2 * pi * static_cast<double>(k) / static_cast<double>(length);
      const Complex w = std::polar(1.0, angle);
      for (std::size_t i = k; i < n; i += length) {
        const Complex a = x[i], b = w * x[i + length / 2];
        x[i] = a + b;
        x[i + length / 2] = a - b;
      }
    }
  }
}

// magnitude of 1 + j f/(Q f0) - (f/f0)^2, the denominator of a resonance
double second_order(double f, double f0, double Q) {
  const double r = f / f0;
  return std::hypot(1 - r * r, r / Q);
}

// band from 0.4 to 100 Hz and the transition from acceleration to velocity at f3
double comfort(double f, double f3) {
  const double Q1 = std::numbers::sqrt2 / 2, Q2 = 0.63;
  const double r = f / 0.4;
  const double band = r * r / second_order(f, 0.4, Q1) / second_order(f, 100, Q1);
  return band * std::hypot(1.0, f / f3) / second_order(f, f3, Q2);
}

double sperling(double f) {
  if (f < sperling_low || f > sperling_high) return 0;
  const double f2 = f * f, f3 = f2 * f;
  const double up = 1.911 * f2 + std::pow(0.25 * f2, 2);
  const double down = std::pow(1 - 0.277 * f2, 2) + std::pow(1.563 * f - 0.0368 * f3, 2);
  return std::sqrt(up / down);
}

}  // namespace

double sperling_vertical(double f) { return 0.588 * sperling(f); }
double sperling_lateral(double f) { return 0.737 * sperling(f); }

double comfort_W_d(double f) { return comfort(f, 2); }
double comfort_W_c(double f) { return comfort(f, 8); }
double comfort_W_b(double f) {
  return 0.4 * comfort(f, 16) * second_order(f, 2.5, 0.8) / second_order(f, 4, 0.8);
}

std::vector<double> weighted(std::span<const double> signal, double interval,
                             const std::function<double(double f)>& weighting) {
  const std::size_t n = signal.size();
  if (n == 0) return {};
  const double mean = std::accumulate(signal.begin(), signal.end(), 0.0) / static_cast<double>(n);
  // as many zeros again: the end must not reach the beginning
  std::size_t length = 2;
  while (length < 2 * n) length *= 2;
  std::vector<Complex> x(length);
  for (std::size_t i = 0; i < n; ++i) x[i] = signal[i] - mean;
  transform(x, -1);
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t line = std::min(i, length - i);
    const double f = static_cast<double>(line) / (static_cast<double>(length) * interval);
    x[i] *= weighting(f) / static_cast<double>(length);
  }
  transform(x, 1);
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = x[i].real();
  return result;
}

double rms(std::span<const double> signal) {
  if (signal.empty()) return 0;
  double sum = 0;
  for (const double v : signal) sum += v * v;
  return std::sqrt(sum / static_cast<double>(signal.size()));
}

double sperling_Wz(std::span<const double> acceleration, double interval,
                   const std::function<double(double f)>& weighting) {
  if (acceleration.size() < 4) return 0;
  // an amplitude in cm/s2 is 100 sqrt(2) times an rms value in m/s2, and 141.4^0.3 = 4.42
  const double amplitude =
      100 * std::numbers::sqrt2 * rms(weighted(acceleration, interval, weighting));
  return std::pow(amplitude, 0.3);
}

double comfort_95(std::span<const double> acceleration, double interval,
                  const std::function<double(double f)>& weighting) {
  if (acceleration.size() < 4) return 0;
  const std::vector<double> a = weighted(acceleration, interval, weighting);
  const auto window = static_cast<std::size_t>(std::max(1.0, std::round(5 / interval)));
  std::vector<double> values;
  for (std::size_t i = 0; i < a.size(); i += window) {
    const std::size_t count = std::min(window, a.size() - i);
    if (values.empty() || 2 * count >= window)
      values.push_back(rms(std::span(a).subspan(i, count)));
  }
  std::sort(values.begin(), values.end());
  // straight between the two nearest ranks
  const double rank = 0.95 * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return std::lerp(values[low], values[high], rank - static_cast<double>(low));
}

double comfort_N_MV(const std::array<std::span<const double>, 3>& a, double interval) {
  const double x = comfort_95(a[0], interval, comfort_W_d);
  const double y = comfort_95(a[1], interval, comfort_W_d);
  const double z = comfort_95(a[2], interval, comfort_W_b);
  return 6 * std::hypot(x, y, z);
}

RideAssessment assess_ride(const FloorPoint& point, double interval) {
  const auto& a = point.acceleration;
  RideAssessment r;
  r.name = point.name, r.place = point.place;
  r.Wz_y = sperling_Wz(a[1], interval, sperling_lateral);
  r.Wz_z = sperling_Wz(a[2], interval, sperling_vertical);
  r.N_MV = comfort_N_MV({a[0], a[1], a[2]}, interval);
  r.rms_y = rms(a[1]), r.rms_z = rms(a[2]);
  return r;
}

}  // namespace klingel::assess
