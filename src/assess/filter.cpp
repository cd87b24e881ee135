#include "assess/filter.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace klingel::assess {
namespace {

bool resolves(double f, double h) { return f > 0 && f * h < 0.45; }

// of the pair k of poles of a Butterworth filter of even order
double quality(int order, int k) {
  return 1 / (2 * std::sin((2 * k + 1) * std::numbers::pi / (2 * order)));
}

// denominator and scale, common to low- and high-pass
struct Poles {
  double K, norm, a1, a2;
};
Poles poles(double f, double h, double Q) {
  const double K = std::tan(std::numbers::pi * f * h);
  const double norm = 1 / (1 + K / Q + K * K);
  return {K, norm, 2 * (K * K - 1) * norm, (1 - K / Q + K * K) * norm};
}

}  // namespace

double Section::rest(double x) {
  const double y = (b0 + b1 + b2) / (1 + a1 + a2) * x;
  s2 = b2 * x - a2 * y;
  s1 = b1 * x - a1 * y + s2;
  return y;
}

double Section::magnitude(double f, double h) const {
  const std::complex<double> z = std::polar(1.0, -2 * std::numbers::pi * f * h);
  return std::abs((b0 + z * (b1 + z * b2)) / (1.0 + z * (a1 + z * a2)));
}

double Filter::add(double x) {
  // a value that is no number must not stay in the memory for ever
  if (!std::isfinite(x)) return x;
  const bool begins = !at_rest_;
  at_rest_ = true;
  for (std::size_t i = 0; i < count_; ++i) x = begins ? sections_[i].rest(x) : sections_[i].add(x);
  return x;
}

double Filter::magnitude(double f, double h) const {
  double product = 1;
  for (std::size_t i = 0; i < count_; ++i) product *= sections_[i].magnitude(f, h);
  return product;
}

void Filter::append_low(double cut_off, double h, int order) {
  for (int k = 0; resolves(cut_off, h) && k < order / 2; ++k) {
    const Poles p = poles(cut_off, h, quality(order, k));
    const double b = p.K * p.K * p.norm;
    sections_[count_++] = {b, 2 * b, b, p.a1, p.a2};
  }
}

void Filter::append_high(double cut_off, double h, int order) {
  for (int k = 0; resolves(cut_off, h) && k < order / 2; ++k) {
    const Poles p = poles(cut_off, h, quality(order, k));
    sections_[count_++] = {p.norm, -2 * p.norm, p.norm, p.a1, p.a2};
  }
}

Filter low_pass(double cut_off, double h, int order) {
  Filter f;
  f.append_low(cut_off, h, order);
  return f;
}

Filter band_pass(double low, double high, double h, int order) {
  Filter f;
  f.append_high(low, h, order);
  f.append_low(high, h, order);
  return f;
}

}  // namespace klingel::assess
