#include "assess/force_assessor.hpp"

#include <cmath>
#include <limits>

namespace klingel::assess {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ForceAssessor::ForceAssessor(std::vector<Wheel> wheels, std::vector<std::string> wheelsets,
                             double h)
    : h_(h) {
  constexpr double cut_off = 20;                                   // Hz
  constexpr double lowest = 3, highest = 12, apart = 1, half = 2;  // Hz, of hunting
  wheelsets_.reserve(wheelsets.size()), wheels_.reserve(wheels.size());
  for (std::string& name : wheelsets) {
    OfWheelset& w = wheelsets_.emplace_back();
    w.found.name = w.name = std::move(name);
    w.filter = low_pass(cut_off, h);
    for (double f0 = lowest; f0 <= highest; f0 += apart) {
      Band& band = w.bands.emplace_back();
      band.f0 = f0, band.filter = band_pass(f0 - half, f0 + half, h);
    }
  }
  for (Wheel& wheel : wheels) {
    OfWheelset& w = wheelsets_[wheel.wheelset];
    if (wheel.Q0) w.found.P0 = w.found.P0.value_or(0) + *wheel.Q0;
    OfWheel& of = wheels_.emplace_back();
    of.found.name = wheel.name, of.found.Q0 = wheel.Q0;
    of.wheel = std::move(wheel);
    of.Y = of.Q = of.inwards = of.T_gamma = low_pass(cut_off, h);
  }
}

void ForceAssessor::add(double t, double ds, std::span<const WheelForces> forces) {
  for (OfWheelset& k : wheelsets_) k.sum = 0;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    OfWheel& w = wheels_[i];
    WheelAssessment& f = w.found;
    wheelsets_[w.wheel.wheelset].sum += forces[i].Y;
    const double Y = w.Y.add(forces[i].Y), Q = w.Q.add(forces[i].Q);
    const double inwards = w.inwards.add(forces[i].inwards);
    const double T = w.T_gamma.add(forces[i].T_gamma);
    keep_farthest(f.Y, Y, t);
    keep_smallest(f.Q_min, Q, t), keep_largest(f.Q_max, Q, t);
    keep_largest(f.T_gamma, T, t);
    w.Y_spread.add(Y), w.Q_spread.add(Q);
    const double YQ = Q < least_Q ? nan : inwards / Q;
    if (Q < least_Q) f.undefined_YQ += h_;
    w.YQ_spread.add(YQ);
    w.YQ.add(t, ds, YQ, [&](double mean, double when) { keep_largest(f.YQ_2m, mean, when); });
    w.wear += std::abs(ds) * forces[i].T_gamma, w.way += std::abs(ds);
  }
  for (OfWheelset& k : wheelsets_) {
    WheelsetAssessment& f = k.found;
    const double sum = k.filter.add(k.sum);
    k.spread.add(sum);
    k.mean.add(t, ds, sum,
               [&](double mean, double when) { keep_farthest(f.sum_Y_2m, mean, when); });
    for (Band& band : k.bands) {
      const double x = band.filter.add(k.sum);
      band.squares.add(t, ds, x * x, [&](double mean, double when) {
        const double rms = std::sqrt(mean);
        if (!f.instability || rms > f.instability->value) f.f0 = band.f0;
        keep_largest(f.instability, rms, when);
      });
    }
  }
}

Assessment ForceAssessor::assessment() const {
  Assessment a;
  for (const OfWheel& w : wheels_) {
    WheelAssessment f = w.found;
    f.Y_median = w.Y_spread.median(), f.Q_median = w.Q_spread.median();
    f.YQ_median = w.YQ_spread.median();
    if (w.way > 0) f.T_gamma_mean = w.wear / w.way;
    if (f.Q0 && *f.Q0 > 0 && f.Q_min) f.unloading = {(*f.Q0 - f.Q_min->value) / *f.Q0, f.Q_min->t};
    a.wheels.push_back(std::move(f));
  }
  for (const OfWheelset& k : wheelsets_) {
    WheelsetAssessment f = k.found;
    f.sum_Y_median = k.spread.median();
    if (f.P0) f.limit = limit_sum_Y(*f.P0, k1), f.limit_freight = limit_sum_Y(*f.P0, k1_freight);
    a.wheelsets.push_back(std::move(f));
  }
  return a;
}

}  // namespace klingel::assess
